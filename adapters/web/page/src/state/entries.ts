import type { Outcome, WireEntry } from "../wire.js";

/** How many entries the page keeps while it follows the end of the log. */
export const WINDOW = 500;

/** What became of an arrival: the entries with it, or that something before it is missing. */
export type Merged = { readonly gap: false; readonly entries: readonly WireEntry[] } | { readonly gap: true };

function isNewer(known: WireEntry, arrived: WireEntry): boolean {
  return arrived.outcome !== undefined && arrived.outcome !== null && known.outcome !== arrived.outcome;
}

/**
 * Joins arrivals to a gapless run of the log. What is known stays one entry (with the newer outcome), whatever comes
 * twice or late; arrivals that do not touch the run are a gap, and the caller reads what is between.
 */
export function mergeEntries(known: readonly WireEntry[], arrived: readonly WireEntry[]): Merged {
  if (arrived.length === 0) return { gap: false, entries: known };
  const bySeq = new Map(known.map((entry) => [entry.seq, entry]));
  let isChanged = false;
  for (const entry of arrived) {
    const old = bySeq.get(entry.seq);
    if (old !== undefined && !isNewer(old, entry)) continue;
    bySeq.set(entry.seq, old === undefined ? entry : { ...old, outcome: entry.outcome ?? null });
    isChanged = true;
  }
  if (!isChanged) return { gap: false, entries: known };
  const entries = [...bySeq.values()].sort((a, b) => a.seq - b.seq);
  const first = entries[0]?.seq ?? 0;
  const hasGap = entries.some((entry, index) => entry.seq !== first + index);
  return hasGap ? { gap: true } : { gap: false, entries };
}

/** The entries with one outcome set; the same list when the entry is not among them. */
export function setOutcome(entries: readonly WireEntry[], seq: number, outcome: Outcome): readonly WireEntry[] {
  const index = entries.findIndex((entry) => entry.seq === seq);
  const found = entries[index];
  return found === undefined ? entries : entries.with(index, { ...found, outcome });
}

/** The newest `WINDOW` entries. */
export function trimmed(entries: readonly WireEntry[]): readonly WireEntry[] {
  return entries.length > WINDOW ? entries.slice(-WINDOW) : entries;
}
