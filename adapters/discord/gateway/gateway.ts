import { type Client, DiscordjsError, DiscordjsErrorCodes, Events, type Guild, type RESTOptions } from "discord.js";
import { type Clock, ConfigError, delay, type Logger, PlatformError, type PlatformStatus } from "../../../src/index.js";
import { isRefusedToken, problemOf } from "../tokens.js";
import { createClient } from "./client.js";
import { finalProblem } from "./problems.js";
import { createOneShard } from "./shards.js";

interface GatewayOptions {
  readonly token: string;
  /** Base of the REST API. */
  readonly apiUrl: string;
  readonly makeRequest: RESTOptions["makeRequest"];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What is told of the connection. Nothing that a listener throws ends the process. */
export interface GatewayListeners {
  /** Something has come, by its name on the wire. */
  readonly onDispatch: (event: string, data: unknown) => void;
  /** A server is there. */
  readonly onGuild: (guild: Guild) => void;
  /** Nobody has listened since then, in milliseconds, until now. `isNew`: Discord has begun a new session, and sends nothing of what was. */
  readonly onGap: (since: number, isNew: boolean) => void;
}

/** The connection through which Discord tells what happens. */
export interface Gateway {
  readonly client: Client;
  /**
   * Resolves when Discord has let us in and told of its servers. Rejects with a `ConfigError` when somebody has to mend something, and
   * with a `PlatformError` when Discord cannot be reached.
   */
  open(listeners: GatewayListeners, signal: AbortSignal): Promise<void>;
  status(): PlatformStatus;
  /** A call was refused for its token, which the library then forgets; it gets it again, since one refusal may be a mistake. */
  tokenRefused(): void;
  /** Hangs up, and does not come back. Never rejects. */
  close(): Promise<void>;
}

/** Discord may take its time with its servers, up to fifteen seconds; whoever started us waits half a minute. */
const OPEN_MS = 25_000;
/** Two heartbeats and a half. */
const HEARTBEAT_AGE_MS = 105_000;
/** Where nothing happens for so long, taking the session up again shows whether anything would be heard. */
const QUIET_MS = 30 * 60_000;
const QUIET_CHECK_MS = 60_000;
/** A shorter time is made up for by Discord, when it takes the session up again. */
const LONG_GAP_MS = 60_000;
/** Its clock and ours may differ by so much. */
const MARGIN_MS = 60_000;
const TOKEN_AGAIN_MS = 60_000;

/** A gateway for one opening and one closing. */
export function createGateway({ token, apiUrl, makeRequest, clock, logger }: GatewayOptions): Gateway {
  let listeners: GatewayListeners | undefined;
  let isUp = false;
  let isClosed = false;
  let wasReady = false;
  let problem: string | undefined;
  let heartbeatAt = 0;
  let dispatchAt = 0;
  let heardAt = 0;
  let gapSince: number | undefined;
  let cancelCheck = () => {};
  let cancelToken = () => {};

  const heard = () => {
    heardAt = clock.now();
    return clock.monotonic();
  };
  const shard = createOneShard({
    clock,
    logger,
    onHeartbeat() {
      heartbeatAt = heard();
    },
    onDispatch(event, data) {
      dispatchAt = heard();
      safely(() => listeners?.onDispatch(event, data));
    },
    onClosed(code) {
      if (isUp) gapSince ??= heardAt - MARGIN_MS;
      isUp = false;
      problem = finalProblem(code);
      if (problem !== undefined) logger.error({ code }, problem);
      else if (!isClosed) logger.info({ code }, "the connection to Discord's gateway has ended; it is opened again");
    },
    onResumed: () => up(false),
  });
  const client = createClient({ apiUrl, makeRequest, shards: shard.strategy });
  client.on(Events.ShardReady, () => up(true));
  client.on(Events.GuildAvailable, (guild) => safely(() => listeners?.onGuild(guild)));
  client.on(Events.GuildCreate, (guild) => safely(() => listeners?.onGuild(guild)));
  // Without a listener an error ends the process.
  client.on(Events.Error, (error) => logger.warn({ error }, "the Discord library reports an error"));
  client.on(Events.ShardError, (error) => logger.debug({ error }, "an attempt to connect to Discord's gateway failed"));
  client.on(Events.Warn, (text) => logger.warn({ text }, "the Discord library warns"));

  function safely(work: () => void): void {
    try {
      work();
    } catch (error) {
      logger.error({ error }, "something from Discord's gateway could not be handled");
    }
  }

  function up(isNew: boolean): void {
    if (isClosed) return;
    isUp = true;
    heartbeatAt = heard();
    dispatchAt = heartbeatAt;
    const since = gapSince;
    gapSince = undefined;
    logger.info({ isNew }, "connected to Discord's gateway");
    if (wasReady && since !== undefined && (isNew || clock.now() - since > LONG_GAP_MS + MARGIN_MS))
      safely(() => listeners?.onGap(since, isNew));
    wasReady = true;
  }

  function watchQuiet(): void {
    cancelCheck = clock.after(QUIET_CHECK_MS, () => {
      if (isUp && clock.monotonic() - dispatchAt > QUIET_MS) {
        dispatchAt = clock.monotonic();
        shard.renew().catch((error: unknown) => logger.warn({ error }, "could not connect to Discord's gateway again"));
      }
      watchQuiet();
    });
  }

  async function enter(signal: AbortSignal): Promise<void> {
    const ready = new Promise<void>((resolve) => client.once(Events.ClientReady, () => resolve()));
    const login = client.login(token);
    const enough = new AbortController();
    const late = delay(clock, OPEN_MS, AbortSignal.any([signal, enough.signal])).then(() => tooLate());
    try {
      await Promise.race([login.then(() => ready), late]);
    } finally {
      enough.abort();
      login.catch(() => undefined);
    }
  }

  async function close(): Promise<void> {
    isClosed = true;
    isUp = false;
    cancelCheck();
    cancelToken();
    await client.destroy().catch((error: unknown) => logger.warn({ error }, "could not hang up on Discord properly"));
  }

  return {
    client,
    async open(to, signal) {
      signal.throwIfAborted();
      listeners = to;
      try {
        await enter(signal);
        signal.throwIfAborted();
        watchQuiet();
      } catch (error) {
        const final = problem;
        await close();
        signal.throwIfAborted();
        throw failure(error, final);
      }
    },
    tokenRefused() {
      cancelToken();
      if (!isClosed) cancelToken = clock.after(TOKEN_AGAIN_MS, () => client.rest.setToken(token));
    },
    status() {
      if (problem !== undefined) return { ready: false, problem };
      if (!isUp)
        return { ready: false, problem: "The connection to Discord's gateway is down; it is being opened again." };
      const silentMs = clock.monotonic() - heartbeatAt;
      if (silentMs > HEARTBEAT_AGE_MS) return { ready: false, problem: silent("heartbeat", silentMs) };
      const quietMs = clock.monotonic() - dispatchAt;
      if (quietMs > QUIET_MS + 2 * QUIET_CHECK_MS) return { ready: false, problem: silent("event", quietMs) };
      return { ready: true };
    },
    close,
  };
}

function silent(what: string, ms: number): string {
  return `Discord's gateway has answered no ${what} for ${Math.round(ms / 1_000)} seconds; if that lasts, see https://discordstatus.com or restart.`;
}

function tooLate(): never {
  throw new PlatformError("platform_failed", "Discord's gateway does not let us in; trying again", { retryable: true });
}

function failure(error: unknown, final: string | undefined): Error {
  if (final !== undefined) return new ConfigError("config_invalid", final, { cause: error });
  if (error instanceof PlatformError) return error;
  const says = problemOf(error);
  if (isRefusedToken(error) || isInvalidToken(error)) return new ConfigError("config_invalid", says, { cause: error });
  return new PlatformError("platform_failed", says, { cause: error, retryable: true });
}

/** What the library makes of a 401. */
function isInvalidToken(error: unknown): boolean {
  return error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid;
}
