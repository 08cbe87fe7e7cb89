import { delay, type Logger, type PlatformStatus } from "../../../src/index.js";
import { problemOf } from "../tokens.js";
import { type Line, type LineOptions, openLine } from "./line.js";

/** The connections through which Slack sends. */
export interface SocketPool {
  /** Resolves with the first connection; rejects when none can be had. */
  start(signal: AbortSignal): Promise<void>;
  status(): PlatformStatus;
  /** Closes all connections. Never rejects. */
  stop(): Promise<void>;
}

interface SocketPoolOptions extends Omit<LineOptions, "logger"> {
  readonly sdkLogger: LineOptions["logger"];
  readonly logger: Logger;
  /** How many connections are kept. With two there is no gap while one is renewed. */
  readonly size: number;
  /** There was no connection since `since`, and now there is one again. */
  readonly onGap: (since: number) => void;
}

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;
/** A connection lost and soon back is no reason to call the service unready. */
const GRACE_MS = 30_000;

export function createSocketPool(options: SocketPoolOptions): SocketPool {
  const { clock, logger, size, onGap, sdkLogger, pingTimeoutMs } = options;
  const stopping = new AbortController();
  const open = new Set<Line>();
  const leaving = new Set<Promise<void>>();
  let downSince: { readonly at: number; readonly monotonic: number } | undefined;
  let problem: string | undefined;
  let others = 0;

  async function connect(): Promise<Line> {
    const line = await openLine({ ...options, logger: sdkLogger }, stopping.signal);
    if (stopping.signal.aborted) {
      leave(line);
      throw stopping.signal.reason;
    }
    open.add(line);
    warnOfOthers(line.connections - open.size - leaving.size);
    problem = undefined;
    if (downSince) onGap(downSince.at);
    downSince = undefined;
    return line;
  }

  /** Slack spreads events over all connections of an app: what another process gets, this one never sees. */
  function warnOfOthers(count: number): void {
    if (count > others)
      logger.warn(
        { connections: open.size + leaving.size + count, ours: open.size + leaving.size },
        "another process is connected to Slack with the same SLACK_APP_TOKEN and takes part of the messages; stop it, or give it an app of its own",
      );
    others = Math.max(0, count);
  }

  function leave(line: Line): void {
    const left = line.close().finally(() => leaving.delete(left));
    leaving.add(left);
  }

  /** Keeps one connection: when it ends, the next one is opened at once. */
  async function keep(first: Line): Promise<void> {
    for (let line: Line | undefined = first; line; line = await reconnect()) {
      const reason = await line.ended;
      open.delete(line);
      leave(line);
      if (stopping.signal.aborted) return;
      // It may have been dead for as long as it takes to notice.
      if (open.size === 0) downSince = { at: clock.now() - 2 * pingTimeoutMs, monotonic: clock.monotonic() };
      logger.info({ reason, open: open.size }, "a connection to Slack ended; opening another");
    }
  }

  async function reconnect(): Promise<Line | undefined> {
    for (let failures = 0; !stopping.signal.aborted; failures++) {
      try {
        return await connect();
      } catch (error) {
        if (stopping.signal.aborted) break;
        problem = problemOf(error);
        logger.warn({ failures: failures + 1, problem }, "could not connect to Slack; trying again");
        await delay(clock, Math.min(FIRST_BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS), stopping.signal).catch(
          () => undefined,
        );
      }
    }
    return undefined;
  }

  async function keepAnother(): Promise<void> {
    const line = await reconnect();
    if (line) await keep(line);
  }

  return {
    async start(signal) {
      signal.addEventListener("abort", () => stopping.abort(signal.reason), { once: true });
      const first = await connect();
      void keep(first);
      for (let i = 1; i < size; i++) void keepAnother();
    },
    status() {
      if (open.size > 0) return { ready: true };
      if (downSince && clock.monotonic() - downSince.monotonic < GRACE_MS) return { ready: true };
      return { ready: false, problem: problem ?? "The connection to Slack is lost; connecting again." };
    },
    async stop() {
      stopping.abort(new DOMException("The adapter stops", "AbortError"));
      for (const line of open) leave(line);
      open.clear();
      await Promise.all(leaving);
    },
  };
}
