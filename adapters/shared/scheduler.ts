import { type Clock, delay } from "../../src/index.js";

/** Gives out turns to call a platform. */
export interface Scheduler {
  /**
   * Waits for the key's next turn and takes it; turns of one key come in the order asked for. Answers with 0, or with the milliseconds
   * still to wait when that is longer than one call should: then no turn was taken. Rejects when the signal aborts.
   */
  turn(key: string, signal: AbortSignal): Promise<number>;
  /** The platform asks for a pause of this key. */
  pause(key: string, ms: number): void;
  /** Turns that are being waited for. */
  readonly waiting: number;
}

export interface SchedulerOptions {
  readonly clock: Clock;
  /** Turns per second and key; 0: only the pauses that are asked for. */
  readonly pace: number;
}

interface Lane {
  /** When the next turn is free, on the clock's monotonic time. */
  freeAt: number;
  pausedUntil: number;
}

/** Who has to wait longer comes again: a row of the outbox shows that it waits. */
const LONGEST_WAIT_MS = 5_000;
const MOST_LANES = 1_000;

/** Turns at a steady pace, each key by itself. */
export function createScheduler({ clock, pace }: SchedulerOptions): Scheduler {
  const lanes = new Map<string, Lane>();
  const intervalMs = pace > 0 ? 1000 / pace : 0;
  let waiting = 0;

  function laneOf(key: string): Lane {
    const known = lanes.get(key);
    if (known) return known;
    if (lanes.size >= MOST_LANES) forgetIdle();
    const lane: Lane = { freeAt: 0, pausedUntil: 0 };
    lanes.set(key, lane);
    return lane;
  }

  function forgetIdle(): void {
    const now = clock.monotonic();
    for (const [key, { freeAt, pausedUntil }] of lanes) if (freeAt <= now && pausedUntil <= now) lanes.delete(key);
  }

  async function wait(ms: number, signal: AbortSignal): Promise<void> {
    waiting++;
    try {
      await delay(clock, ms, signal);
    } finally {
      waiting--;
    }
  }

  return {
    async turn(key, signal) {
      signal.throwIfAborted();
      const lane = laneOf(key);
      const now = clock.monotonic();
      const at = Math.max(now, lane.freeAt, lane.pausedUntil);
      if (at - now > LONGEST_WAIT_MS) return at - now;
      lane.freeAt = at + intervalMs;
      if (at > now) await wait(at - now, signal);
      // A pause may have come meanwhile.
      return Math.max(0, lane.pausedUntil - clock.monotonic());
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
