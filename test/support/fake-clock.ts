import type { Clock } from "../../src/ports/clock.js";

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that only moves when a test says so. */
export interface FakeClock extends Clock {
  /** Moves time on, firing what falls due in order, and lets promises settle after each. */
  advance(ms: number): Promise<void>;
  /** Sets the wall clock, also backwards; fires nothing. */
  set(now: number): void;
  /** Timers that are waiting. */
  readonly pending: number;
}

/** Lets everything that is only waiting for promises and immediates run. */
export async function settle(turns = 20): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
}

export function createFakeClock(start = Date.UTC(2026, 0, 5, 9, 0, 0)): FakeClock {
  let now = start;
  let monotonic = 0;
  let order = 0;
  const timers = new Set<Timer>();

  function nextDue(until: number): Timer | undefined {
    return [...timers].filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at || a.order - b.order)[0];
  }

  return {
    now: () => now,
    monotonic: () => monotonic,
    after(ms, callback) {
      const timer = { at: monotonic + Math.max(0, ms), order: order++, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      await settle();
      const until = monotonic + ms;
      for (let timer = nextDue(until); timer; timer = nextDue(until)) {
        timers.delete(timer);
        now += timer.at - monotonic;
        monotonic = timer.at;
        timer.callback();
        await settle();
      }
      now += until - monotonic;
      monotonic = until;
      await settle();
    },
    set(value) {
      now = value;
    },
    get pending() {
      return timers.size;
    },
  };
}
