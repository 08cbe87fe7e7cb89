import type { Entry } from "../entry.js";
import type { GuardSettings } from "../pair.js";
import type { Meters, Peak } from "./simulation.js";

/** Keeps the highest count of each of the guard's rules. */
export interface Peaks {
  note(meters: Meters, entry: Entry): void;
  list(): readonly Peak[];
}

export function createPeaks({ alternations, repeats, maxMessages, windowSecs }: GuardSettings): Peaks {
  const peaks = new Map<Peak["reason"], Peak>();
  const rules = [
    { reason: "alternation", limit: alternations, count: ({ run }: Meters) => run },
    { reason: "repeats", limit: repeats, count: (meters: Meters) => meters.repeats },
    // The cap holds what is more than its limit; the other rules hold what reaches theirs.
    { reason: "cap", limit: windowSecs === 0 ? 0 : maxMessages, count: ({ window }: Meters) => window },
  ] as const;
  return {
    note(meters, entry) {
      for (const { reason, limit, count } of rules) {
        const before = peaks.get(reason)?.count ?? 0;
        if (limit > 0 && count(meters) > before) peaks.set(reason, { reason, count: count(meters), limit, entry });
      }
    },
    list: () => rules.flatMap(({ reason }) => peaks.get(reason) ?? []),
  };
}
