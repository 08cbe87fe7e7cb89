import type { Clock } from "./ports/clock.js";

/** Longer waits than this make the system's timer fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, callback) {
    let timer: NodeJS.Timeout;
    const arm = (left: number) => {
      timer = setTimeout(left > LONGEST_MS ? () => arm(left - LONGEST_MS) : callback, Math.min(left, LONGEST_MS));
    };
    arm(ms);
    return () => clearTimeout(timer);
  },
};
