import type { Clock } from "../../src/index.js";

/** Discord's own time. Its ids hold it, and our clock may be wrong by minutes, or be set right at any moment. */
export interface DiscordTime {
  /** Our clock, with Discord's time of day. */
  readonly clock: Clock;
  /** Takes the `Date` of an answer that has just come. */
  heard(date: string | null): void;
  /** By how much our clock is ahead of Discord's, in milliseconds; negative: behind. */
  aheadMs(): number;
}

/** A date is without its fraction of a second, and has been on its way for a while. */
const NEGLIGIBLE_MS = 3_000;

/** The same as ours until Discord says otherwise. */
export function createDiscordTime(clock: Clock): DiscordTime {
  let ahead = 0;
  return {
    clock: {
      now: () => clock.now() - ahead,
      monotonic: () => clock.monotonic(),
      after: (ms, callback) => clock.after(ms, callback),
    },
    heard(date) {
      const at = Date.parse(date ?? "");
      if (Number.isNaN(at)) return;
      const difference = clock.now() - at;
      ahead = Math.abs(difference) < NEGLIGIBLE_MS ? 0 : difference;
    },
    aheadMs: () => ahead,
  };
}
