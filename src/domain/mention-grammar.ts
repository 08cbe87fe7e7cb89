import { classAt, classOf, GLUE, JOINER, LETTER, QUOTE, WORD } from "./characters.js";
import { forEachLiveAt } from "./inert.js";
import { type NameIndex, skipGlue } from "./name-index.js";
import { codePointAt, type Units, unitAt } from "./scan.js";

const DOT = 0x2e;
const SLASH = 0x2f;
const UNDERSCORE = 0x5f;

/** Longer words are nobody's misspelt name: no display name is that long. */
const LONGEST_UNKNOWN = 80;

/**
 * Calls `visit` with each mention of the text in order: what its name stands for, `undefined` if nobody has it, and its
 * place from the `@` to behind the name. Linear in the text's length.
 */
export function forEachMention<T>(
  text: Units,
  names: NameIndex<T>,
  visit: (target: T | undefined, start: number, end: number) => void,
): void {
  let lastEnd = -1;
  forEachLiveAt(text, (at) => {
    if (!mayOpen(text, at, lastEnd)) return at + 1;
    const match = names.longest(text, at + 1);
    const end = match?.end ?? wordEnd(text, at + 1);
    if (end === at + 1 || isSpoiled(text, at, end)) return end;
    lastEnd = end;
    if (match !== undefined || isNameLike(text, at + 1, end)) visit(match?.target, at, end);
    return end;
  });
}

/** Whether an `@` at this place can begin a mention, by what stands before it. A `/` right behind a mention is fine. */
function mayOpen(text: Units, at: number, lastEnd: number): boolean {
  let before = at - 1;
  let unit = unitAt(text, before);
  if (before === lastEnd && unit === SLASH) return true;
  while (unit === UNDERSCORE) {
    before -= 1;
    unit = unitAt(text, before);
  }
  // The second half of a letter says nothing; its class stands with the first half.
  if ((unit & 0xfc00) === 0xdc00 && codePointAt(text, before - 1) > 0xffff) before -= 1;
  return (classAt(text, before) & (WORD | JOINER)) === 0;
}

/** Where a word of no known name ends: letters, digits, glue and single dots between them. */
function wordEnd(text: Units, from: number): number {
  let end = from;
  for (let at = from; ; ) {
    const codePoint = codePointAt(text, at);
    const bits = classOf(codePoint);
    const isDot = codePoint === DOT && (classAt(text, at + 1) & WORD) !== 0;
    if ((bits & (WORD | GLUE)) === 0 && !isDot) return end;
    at += codePoint > 0xffff ? 2 : 1;
    if ((bits & WORD) !== 0) end = at;
  }
}

/** Whether a word that is nobody's name could have been meant as one: it starts with a letter and is no longer than names are. */
function isNameLike(text: Units, start: number, end: number): boolean {
  return end - start <= LONGEST_UNKNOWN && (classAt(text, start) & LETTER) !== 0;
}

/** Whether what stands behind the name, or around it, makes it none: it is the first part of a path, or quoted. */
function isSpoiled(text: Units, at: number, end: number): boolean {
  const behind = classAt(text, end);
  if ((behind & QUOTE) !== 0) return (classAt(text, at - 1) & QUOTE) !== 0;
  return (behind & (GLUE | JOINER)) !== 0 && isPath(text, end);
}

function isPath(text: Units, end: number): boolean {
  const slash = skipGlue(text, end);
  if (unitAt(text, slash) !== SLASH) return false;
  return unitAt(text, slash + 1) === UNDERSCORE || (classAt(text, slash + 1) & WORD) !== 0;
}
