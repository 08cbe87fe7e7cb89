import { type Clock, delay } from "../../../src/index.js";

/** At most so many within so long. */
export interface Window {
  readonly key: string;
  readonly most: number;
  readonly perMs: number;
}

/** A turn to send. While it is held, nobody else has one of its lane. */
export type Turn =
  | { readonly ok: true; readonly end: () => void }
  | { readonly ok: false; readonly retryAfterMs: number };

/** Gives out turns to send: one at a time for each lane, in the order asked for, and no more than the windows allow. */
export interface Budget {
  /** Waits a few seconds at most; who would have to wait longer is told for how long. Without a lane, only for the windows. Never rejects. */
  turn(lane: string | undefined, windows: readonly Window[], signal: AbortSignal): Promise<Turn>;
  /** Discord asks for a pause of this lane. */
  pause(lane: string, ms: number): void;
  /** Turns that are being waited for. */
  readonly waiting: number;
}

/** Who has to wait longer comes again: a row of the outbox shows that it waits. */
const LONGEST_WAIT_MS = 5_000;
/** When the one before takes too long to answer, nobody knows for how much longer. */
const BUSY_RETRY_MS = 2_000;
const STOPPED_RETRY_MS = 1_000;
const MOST_QUEUED = 200;
const MOST_KEYS = 2_000;
const LONGEST_WINDOW_MS = 60_000;

interface Lane {
  isBusy: boolean;
  readonly queue: Set<() => void>;
  pausedUntil: number;
}

function emptyLane(): Lane {
  return { isBusy: false, queue: new Set(), pausedUntil: 0 };
}

export function createBudget(clock: Clock): Budget {
  const lanes = new Map<string, Lane>();
  const spent = new Map<string, readonly number[]>();
  let waiting = 0;

  function laneOf(key: string): Lane {
    const known = lanes.get(key);
    if (known) return known;
    forgetIdle();
    const lane = emptyLane();
    lanes.set(key, lane);
    return lane;
  }

  function forgetIdle(): void {
    const now = clock.monotonic();
    trim(lanes, ({ isBusy, pausedUntil }) => !isBusy && pausedUntil <= now);
    trim(spent, (times) => (times.at(-1) ?? 0) < now - LONGEST_WINDOW_MS);
  }

  /** Whether the lane has become ours. */
  function enter(lane: Lane, signal: AbortSignal): Promise<boolean> {
    if (!lane.isBusy) {
      lane.isBusy = true;
      return Promise.resolve(true);
    }
    if (lane.queue.size >= MOST_QUEUED) return Promise.resolve(false);
    return new Promise((resolve) => {
      const settle = (isOurs: boolean) => {
        lane.queue.delete(onTurn);
        cancel();
        signal.removeEventListener("abort", onAbort);
        resolve(isOurs);
      };
      const onTurn = () => settle(true);
      const onAbort = () => settle(false);
      const cancel = clock.after(LONGEST_WAIT_MS, onAbort);
      signal.addEventListener("abort", onAbort);
      lane.queue.add(onTurn);
    });
  }

  function leave(lane: Lane): void {
    const [next] = lane.queue;
    if (next) next();
    else lane.isBusy = false;
  }

  /** Until when the windows and the lane's pause ask to wait. */
  function freeAt({ pausedUntil }: Lane, windows: readonly Window[]): number {
    const times = windows.map(({ key, most, perMs }) => {
      const before = spent.get(key) ?? [];
      const oldest = before.length < most ? undefined : before[before.length - most];
      return oldest === undefined ? 0 : oldest + perMs;
    });
    return Math.max(pausedUntil, ...times);
  }

  function spend(windows: readonly Window[]): void {
    const now = clock.monotonic();
    for (const { key, most, perMs } of windows) {
      const before = (spent.get(key) ?? []).filter((at) => at > now - perMs);
      spent.set(key, [...before, now].slice(-most));
    }
  }

  /** Waits for the windows, within the lane, and spends a turn of each. Answers with what is left to wait if that is too long. */
  async function waitFor(lane: Lane, windows: readonly Window[], signal: AbortSignal): Promise<number> {
    const until = clock.monotonic() + LONGEST_WAIT_MS;
    for (let at = freeAt(lane, windows); at > clock.monotonic(); at = freeAt(lane, windows)) {
      if (at > until) return at - clock.monotonic();
      await delay(clock, at - clock.monotonic(), signal);
    }
    spend(windows);
    return 0;
  }

  async function take(lane: Lane, windows: readonly Window[], signal: AbortSignal): Promise<Turn> {
    if (signal.aborted) return { ok: false, retryAfterMs: STOPPED_RETRY_MS };
    if (!(await enter(lane, signal))) return { ok: false, retryAfterMs: BUSY_RETRY_MS };
    const leftMs = await waitFor(lane, windows, signal).catch(() => STOPPED_RETRY_MS);
    if (leftMs > 0) {
      leave(lane);
      return { ok: false, retryAfterMs: leftMs };
    }
    return { ok: true, end: () => leave(lane) };
  }

  return {
    async turn(key, windows, signal) {
      waiting++;
      try {
        return await take(key === undefined ? emptyLane() : laneOf(key), windows, signal);
      } finally {
        waiting--;
      }
    },
    pause(key, ms) {
      const lane = laneOf(key);
      lane.pausedUntil = Math.max(lane.pausedUntil, clock.monotonic() + ms);
    },
    get waiting() {
      return waiting;
    },
  };
}

/** Drops what is idle, when there is too much. */
function trim<T>(map: Map<string, T>, isIdle: (value: T) => boolean): void {
  if (map.size < MOST_KEYS) return;
  for (const [key, value] of map) if (isIdle(value)) map.delete(key);
}
