import { type BurstRole, burstRole } from "./entry.js";

/** The part of an entry that bears on the burst. */
export type BurstEntry = Parameters<typeof burstRole>[0];

/**
 * A trailing run of agent messages without a person. `complete`: the message or directive that began it was
 * among the entries, so `used` is the whole burst and not only what the entries show of it.
 */
export interface Burst {
  readonly used: number;
  readonly complete: boolean;
}

/**
 * The burst at the end of a log, or of any tail of one, newest entry last. Entries that neither count nor reset
 * are looked through, so a tail without them gives the same answer.
 */
export function burstOf(newestLast: readonly BurstEntry[]): Burst {
  let used = 0;
  for (let at = newestLast.length - 1; at >= 0; at -= 1) {
    const role = roleAt(newestLast, at);
    if (role === "resets") return { used, complete: true };
    if (role === "counts") used += 1;
  }
  return { used, complete: false };
}

function roleAt(entries: readonly BurstEntry[], at: number): BurstRole {
  const entry = entries[at];
  return entry === undefined ? "transparent" : burstRole(entry);
}
