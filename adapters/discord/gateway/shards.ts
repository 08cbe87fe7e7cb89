import {
  type IContextFetchingStrategy,
  type IShardingStrategy,
  managerToFetchingStrategyOptions,
  type SessionInfo,
  type WebSocketManager,
  WebSocketShard,
  type WebSocketShardDestroyOptions,
  WebSocketShardDestroyRecovery,
  WebSocketShardEvents,
} from "@discordjs/ws";
import { Collection, type GatewaySendPayload } from "discord.js";
import { type Clock, delay, type Logger } from "../../../src/index.js";

interface OneShardOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Discord has acknowledged a heartbeat. */
  readonly onHeartbeat: () => void;
  /** Something has come; the client knows of it already. */
  readonly onDispatch: (event: string, data: unknown) => void;
  /** The connection is gone; what comes next is not known yet. */
  readonly onClosed: (code: number) => void;
  readonly onResumed: () => void;
}

/** The one connection to the gateway, owned by us so that an end is an end. */
export interface OneShard {
  /** For the client's options. */
  readonly strategy: (manager: WebSocketManager) => IShardingStrategy;
  /** Connects again and takes the session up, in place of a connection that seems to hear nothing. */
  renew(): Promise<void>;
}

/** Discord wants five seconds between two sessions of one shard. */
const IDENTIFY_EVERY_MS = 5_000;
/** And resets the token after a thousand in a day: whoever needs so many in a row waits longer. */
const IDENTIFIES_AT_EASE = 10;
const IDENTIFY_AT_MOST_EVERY_MS = 2 * 60_000;
const EASE_AFTER_MS = 10 * 60_000;
const GOODBYE_MS = 2_000;

const EVENTS = Object.values(WebSocketShardEvents);

/**
 * In discord.js a shard that is destroyed between two attempts to connect comes back later, and what a listener throws ends the process.
 * Here neither happens: behind the end there is no session information to connect with, and no socket stays.
 */
export function createOneShard(options: OneShardOptions): OneShard {
  const { clock, logger } = options;
  const ending = new AbortController();
  const turn = identifyTurns(clock);
  let shard: WebSocketShard | undefined;

  function contextOf(
    manager: WebSocketManager,
    fetched: IContextFetchingStrategy["options"],
  ): IContextFetchingStrategy {
    return {
      options: fetched,
      // Whoever asks after the end waits for ever, and with it the next attempt to connect.
      retrieveSessionInfo: (id) =>
        ending.signal.aborted ? new Promise<SessionInfo | null>(() => {}) : manager.options.retrieveSessionInfo(id),
      updateSessionInfo: (id, session) => manager.options.updateSessionInfo(id, session),
      waitForIdentify: (_, signal) => turn(signal),
    };
  }

  function relay(manager: WebSocketManager, from: WebSocketShard): void {
    for (const event of EVENTS) {
      from.on(event, (payload?: object) => {
        try {
          // Which payload belongs to which event is more than the type can say of a loop.
          manager.emit(event, { ...payload, shardId: from.id } as never);
        } catch (error) {
          logger.error({ event, error }, "something from Discord's gateway could not be read; it is passed over");
        }
      });
    }
  }

  /** In the order of the library's own listeners: the client hears it first. */
  function listen(to: WebSocketShard): void {
    to.on(WebSocketShardEvents.HeartbeatComplete, options.onHeartbeat);
    to.on(WebSocketShardEvents.Dispatch, ({ data }) => options.onDispatch(data.t, data.d));
    to.on(WebSocketShardEvents.Closed, ({ code }) => options.onClosed(code));
    to.on(WebSocketShardEvents.Resumed, options.onResumed);
  }

  /** Says goodbye; a socket that is not open yet, or that does not answer, is cut off. */
  async function end(last: WebSocketShard, how: Omit<WebSocketShardDestroyOptions, "recover">): Promise<void> {
    const socket = socketOf(last);
    // Without its listeners a socket that cannot connect any more would end the process.
    socket?.on("error", () => {});
    const enough = new AbortController();
    const late = delay(clock, GOODBYE_MS, enough.signal).catch(() => undefined);
    await Promise.race([last.destroy(how).catch(() => undefined), late]);
    enough.abort();
    socket?.terminate();
  }

  return {
    strategy: (manager) => ({
      async spawn() {
        shard = new WebSocketShard(contextOf(manager, await managerToFetchingStrategyOptions(manager)), 0);
        relay(manager, shard);
        listen(shard);
      },
      connect: async () => shard?.connect(),
      async destroy(how = {}) {
        // Adjusting the number of shards destroys them first, before there are any.
        const last = shard;
        if (last === undefined) return;
        ending.abort(new DOMException("The connection to Discord has ended", "AbortError"));
        shard = undefined;
        await end(last, how);
      },
      send: async (_, payload: GatewaySendPayload) => shard?.send(payload),
      // The package that asks for it has a copy of the class of its own.
      fetchStatus: () => new Collection(shard ? [[shard.id, shard.status]] : []) as never,
    }),
    async renew() {
      await shard?.destroy({ reason: "Nothing is heard", recover: WebSocketShardDestroyRecovery.Resume });
    },
  };
}

/** Keeps sessions apart, and the further the more of them there were. */
function identifyTurns(clock: Clock): (signal: AbortSignal) => Promise<void> {
  let freeAt = Number.NEGATIVE_INFINITY;
  let inARow = 0;
  return async (signal) => {
    signal.throwIfAborted();
    const now = clock.monotonic();
    if (now - freeAt > EASE_AFTER_MS) inARow = 0;
    const at = Math.max(now, freeAt);
    const factor = 2 ** Math.max(0, ++inARow - IDENTIFIES_AT_EASE);
    freeAt = at + Math.min(IDENTIFY_EVERY_MS * factor, IDENTIFY_AT_MOST_EVERY_MS);
    if (at > now) await delay(clock, at - now, signal);
  };
}

interface Socket {
  on(event: "error", listener: () => void): void;
  terminate(): void;
}

/** The library keeps it to itself, and leaves it open when it is destroyed while it connects. */
function socketOf(shard: WebSocketShard): Socket | undefined {
  const { connection } = shard as unknown as { readonly connection: Socket | null };
  return connection ?? undefined;
}
