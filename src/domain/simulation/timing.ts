import type { Recorded } from "./simulation.js";

/** The places in a log from which and to which a turn wrote. */
export interface TurnPlaces {
  readonly begin: number;
  readonly end: number;
}

/** A turn: the entry that was handled, the message that it answers (for a button not the same), and who. */
export interface TurnName {
  readonly entry: string;
  readonly waking: string;
  readonly persona: string;
}

/**
 * Reads from a log when each delivery was accepted and how long its turn wrote: what is decided meanwhile waits, and by
 * then the burst is another. A log that does not tell, such as a transcript, gives no places.
 */
export function timingOf(log: readonly Recorded[]): (turn: TurnName) => TurnPlaces | undefined {
  const places = new Map<string, TurnPlaces>();
  /** The newest turn of a persona for an entry: one button may wake a persona twice, with two messages. */
  const newest = new Map<string, string>();
  log.forEach(({ entry }, index) => {
    const handled = entry.cause.entry;
    if (handled === undefined) return;
    const persona = entry.kind === "error" ? entry.persona : entry.sender.id;
    const author = turnKey(handled, persona);
    if (entry.kind === "ack") newest.set(author, nameOf({ entry: handled, waking: entry.entry, persona }));
    const name = newest.get(author);
    if (name !== undefined) places.set(name, { begin: places.get(name)?.begin ?? index, end: index });
  });
  return (turn) => places.get(nameOf(turn));
}

/** Names the turns of a persona for an entry. */
export function turnKey(entry: string, persona: string): string {
  return `${persona} ${entry}`;
}

function nameOf({ entry, waking, persona }: TurnName): string {
  return `${turnKey(entry, persona)} ${waking}`;
}
