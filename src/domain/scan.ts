/** Small steps over a text that the readers of Markdown share. */

/** A text as its code units: reading one of a string costs several times as much. */
export type Units = Uint16Array;

/** The code units of a text. */
export function unitsOf(text: string): Units {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  return units;
}

/** The code unit at this place; -1 outside the text. */
export function unitAt(text: Units, at: number): number {
  // Asking the length first keeps the read itself within the text: one beyond it makes all the others slow.
  return at >= 0 && at < text.length ? (text[at] ?? -1) : -1;
}

/** How many units the character at this place takes: two if it is a pair of surrogates. */
export function sizeAt(text: Units, at: number): number {
  return codePointAt(text, at) > 0xffff ? 2 : 1;
}

/** The code point at this place; -1 outside the text. */
export function codePointAt(text: Units, at: number): number {
  const unit = unitAt(text, at);
  if ((unit & 0xfc00) !== 0xd800) return unit;
  const low = unitAt(text, at + 1);
  return (low & 0xfc00) === 0xdc00 ? (unit - 0xd800) * 0x400 + low - 0xdc00 + 0x10000 : unit;
}

/** Whether these characters stand at this place. */
export function startsWith(text: Units, at: number, characters: string): boolean {
  for (let place = 0; place < characters.length; place += 1) {
    if (unitAt(text, at + place) !== characters.charCodeAt(place)) return false;
  }
  return true;
}

/** The next place from `from` on at which these characters stand, or -1. */
export function find(text: Units, from: number, characters: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (startsWith(text, at, characters)) return at;
  }
  return -1;
}

/** The place of the line's end: its newline, or the end of the text. */
export function lineEnd(text: Units, from: number): number {
  let end = from;
  while (end < text.length && text[end] !== 0x0a) end += 1;
  return end;
}

/** How often the unit at this place is repeated there. */
export function runLength(text: Units, at: number): number {
  const unit = unitAt(text, at);
  let end = at + 1;
  while (unitAt(text, end) === unit) end += 1;
  return end - at;
}

/** Space, tab, or the return of a line end in the other style. */
export function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0d;
}

export function isAsciiLetter(unit: number): boolean {
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

export function isAsciiDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** The first place from `at` on, at most `end`, without white space of a line. */
export function skipSpace(text: Units, at: number, end: number): number {
  let place = at;
  while (place < end && isSpace(unitAt(text, place))) place += 1;
  return place;
}

/** Whether a tag of one of the elements has its name at this place; names in lower case. */
export function isElement(text: Units, at: number, elements: readonly string[]): boolean {
  for (const element of elements) {
    let length = 0;
    while (length < element.length && (unitAt(text, at + length) | 0x20) === element.charCodeAt(length)) length += 1;
    if (length === element.length) return !goesOnAsElement(unitAt(text, at + length));
  }
  return false;
}

function goesOnAsElement(unit: number): boolean {
  return isAsciiLetter(unit) || isAsciiDigit(unit) || unit === 0x2d;
}

/** The next closing tag of one of the elements, or -1. */
export function findClosingTag(text: Units, from: number, elements: readonly string[]): number {
  for (let at = find(text, from, "</"); at !== -1; at = find(text, at + 2, "</")) {
    if (isElement(text, at + 2, elements)) return at;
  }
  return -1;
}

/**
 * A search that many ask for but that reads each stretch once. `search` gives the next place from `from` on, or -1;
 * who asks may only move forward.
 */
export function forwardSearch(search: (from: number) => number): (from: number) => number {
  let known: number | undefined;
  return (from) => {
    if (known === undefined || (known !== -1 && known < from)) known = search(from);
    return known;
  };
}
