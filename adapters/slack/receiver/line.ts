import { type App, type Logger as SdkLogger, SocketModeReceiver } from "@slack/bolt";
import * as z from "zod";
import { type Clock, delay, PlatformError } from "../../../src/index.js";
import { base } from "../clients.js";
import type { Door } from "./door.js";

/** One open connection to Slack. */
export interface Line {
  /** How many connections Slack has with this app, this one included. */
  readonly connections: number;
  /** Resolves when it takes nothing more, with what ended it. */
  readonly ended: Promise<string>;
  /** Says goodbye, and hangs up when Slack does not answer. Never rejects. */
  close(): Promise<void>;
}

export interface LineOptions {
  readonly appToken: string;
  readonly apiUrl?: string | undefined;
  /** A connection whose pings stay unanswered for so long is dead. */
  readonly pingTimeoutMs: number;
  readonly door: Door;
  readonly clock: Clock;
  readonly logger: SdkLogger;
}

/** Slack may accept a connection and then never greet. */
const HELLO_TIMEOUT_MS = 10_000;
const GOODBYE_MS = 2_000;

const socketMessage = z.object({
  type: z.string(),
  reason: z.string().optional().catch(undefined),
  num_connections: z.number().optional().catch(undefined),
});

/**
 * Opens a connection and resolves when Slack has greeted. Rejects with a `PlatformError` when it does not in time, and with the
 * SDK's error when Slack refuses. Every connection has a receiver of its own that never reconnects: who owns it opens the next one, at
 * once, and no start is left behind that could fail with nobody listening.
 */
export async function openLine(options: LineOptions, signal: AbortSignal): Promise<Line> {
  const { appToken, apiUrl, pingTimeoutMs, door, clock, logger } = options;
  const receiver = new SocketModeReceiver({
    appToken,
    clientPingTimeout: pingTimeoutMs,
    autoReconnectEnabled: false,
    logger,
    installerOptions: { clientOptions: { ...base(apiUrl, logger), retryConfig: { retries: 0 } } },
    // Without an acknowledgement Slack sends it again.
    processEventErrorHandler: async () => false,
  });
  // Of the app a receiver only ever calls this one method.
  receiver.init({ processEvent: door } as unknown as App);
  const { client } = receiver;
  guardAgainstUnreadable(client, logger);
  let connections = 1;
  const ended = new Promise<string>((resolve) => {
    client.on("ws_message", (data: unknown) => {
      const message = readMessage(data);
      if (message?.type === "hello") connections = message.num_connections ?? 1;
      if (message?.type === "disconnect") resolve(message.reason ?? "disconnect");
    });
    client.on("close", () => resolve("closed"));
    client.on("disconnected", () => resolve("disconnected"));
  });

  /** The first call sends a closing frame, the second no longer waits for Slack's. */
  async function close(): Promise<void> {
    const done = client.disconnect().catch(() => undefined);
    const enough = new AbortController();
    const late = delay(clock, GOODBYE_MS, enough.signal).then(
      () => client.disconnect().catch(() => undefined),
      () => undefined,
    );
    await Promise.race([done, late]);
    enough.abort();
  }

  const started = receiver.start();
  const giveUp = new AbortController();
  try {
    await Promise.race([
      started,
      ended.then((reason) => refused(reason)),
      delay(clock, HELLO_TIMEOUT_MS, AbortSignal.any([signal, giveUp.signal])).then(() => silent()),
    ]);
    return {
      get connections() {
        return connections;
      },
      ended,
      close,
    };
  } catch (error) {
    started.catch(() => undefined);
    void close();
    throw error;
  } finally {
    giveUp.abort();
  }
}

/** What the SDK cannot read it rejects with nobody listening, which would end the process. Unacknowledged, it comes again or is given up. */
function guardAgainstUnreadable(client: SocketModeReceiver["client"], logger: SdkLogger): void {
  const listeners = client.listeners("ws_message");
  client.removeAllListeners("ws_message");
  for (const listen of listeners) {
    client.on("ws_message", async (...sent: unknown[]) => {
      try {
        await listen.apply(client, sent);
      } catch (error) {
        logger.warn("something from Slack could not be read", error);
      }
    });
  }
}

function readMessage(data: unknown): z.infer<typeof socketMessage> | undefined {
  try {
    return socketMessage.safeParse(JSON.parse(String(data))).data;
  } catch {
    return undefined;
  }
}

function silent(): never {
  throw new PlatformError("platform_failed", "Slack took the connection but did not greet; trying again", {
    retryable: true,
  });
}

function refused(reason: string): never {
  const mend =
    reason === "too_many_websockets"
      ? "Slack has ten connections of this app already; stop the other processes that use this app token"
      : `Slack closed the connection (${reason}); trying again`;
  throw new PlatformError("platform_failed", mend, { retryable: true });
}
