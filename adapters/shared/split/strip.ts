import { type Containers, QUOTE, takeQuote } from "./containers.js";
import { cursorOf, indentAt, isBlankAt, restOf, takeIndent } from "./line-cursor.js";

/** A line without the columns that its lists indent it by, and the containers that go on behind it. */
export interface Stripped {
  readonly line: string;
  readonly strip: Containers;
}

/**
 * Takes from a line the indentation of lists that began in an earlier part, or it would make code of the words. The marks of quotes
 * stay.
 */
export function stripLine(line: string, strip: Containers): Stripped {
  if (strip.length === 0) return { line, strip };
  const cursor = cursorOf(line);
  let quotes = "";
  for (const [index, container] of strip.entries()) {
    if (container !== QUOTE && (isBlankAt(cursor) || indentAt(cursor) >= container)) takeIndent(cursor, container);
    else if (container === QUOTE && takeQuote(cursor)) quotes += QUOTE_MARK;
    else return { line: quotes + restOf(cursor), strip: upToItem(strip.slice(0, index)) };
  }
  return { line: quotes + restOf(cursor), strip };
}

const QUOTE_MARK = "> ";

/** The marks of the quotes among containers. */
export function quoteMarks(containers: Containers): string {
  return QUOTE_MARK.repeat(containers.filter((container) => container === QUOTE).length);
}

/** What a line begins with that goes on in these containers. */
export function marksOf(containers: Containers): string {
  return containers.map((container) => (container === QUOTE ? QUOTE_MARK : " ".repeat(container))).join("");
}

/** What is to be taken behind a cut: what was taken before, and the lists that began since. The quotes are in both. */
export function stripBehind(strip: Containers, begun: Containers): Containers {
  const merged: number[] = [];
  let at = 0;
  for (const container of begun) {
    while (strip[at] !== undefined && strip[at] !== QUOTE) merged.push(strip[at++] ?? 0);
    if (container === QUOTE) at++;
    merged.push(container);
  }
  const quotes = begun.filter((container) => container === QUOTE).length;
  const stripQuotes = strip.filter((container) => container === QUOTE).length;
  // Where a quote ended, what stood in it did too.
  if (quotes >= stripQuotes) merged.push(...strip.slice(at));
  return upToItem(merged);
}

/** Quotes at the end need nothing to be taken. */
function upToItem(containers: Containers): Containers {
  return containers.slice(0, containers.findLastIndex((container) => container !== QUOTE) + 1);
}
