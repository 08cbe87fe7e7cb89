import { forEachText } from "./blocks.js";
import { classAt, classOf, WORD } from "./characters.js";
import {
  find,
  findClosingTag,
  forwardSearch,
  isAsciiDigit,
  isAsciiLetter,
  isElement,
  runLength,
  startsWith,
  type Units,
  unitAt,
} from "./scan.js";
import { linkEnd, tagEnd } from "./tags-and-links.js";

/** Elements that hold code or somebody else's words. A closing tag of any of them ends it. */
const CODE_ELEMENTS = ["blockquote", "code", "kbd", "pre", "samp", "script", "style", "textarea"] as const;

const EXCLAMATION = 0x21;
const PARENTHESIS = 0x28;
const DOT = 0x2e;
const SLASH = 0x2f;
const COLON = 0x3a;
const ANGLE = 0x3c;
const QUESTION = 0x3f;
const AT = 0x40;
const OPENING = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING = 0x5d;
const BACKTICK = 0x60;

/** The ASCII characters at which something else than plain text may begin. */
const SPECIAL = new Uint8Array(128);
for (const character of "\\`<[]:@wW") SPECIAL[character.charCodeAt(0)] = 1;

/**
 * Calls `visit` with the place of each `@` of a Markdown text that is not inert, in order. Inert are code, block
 * quotes, URLs, link destinations, HTML tags and comments, and what a backslash escapes. `visit` returns the place
 * behind what it has read, where the scan goes on. Total, and linear in the text's length.
 */
export function forEachLiveAt(text: Units, visit: (at: number) => number): void {
  const last = text.lastIndexOf(AT);
  if (last === -1) return;
  const scanner = new InlineScanner(text, last, visit);
  forEachText(text, last, (start, end) => scanner.scan(start, end));
}

/** Reads the inline markup of one stretch of running text after the other, each as far as its last `@`. */
class InlineScanner {
  readonly #text: Units;
  readonly #last: number;
  readonly #visit: (at: number) => number;
  readonly #commentEnd: (from: number) => number;
  readonly #dataEnd: (from: number) => number;
  readonly #instructionEnd: (from: number) => number;
  readonly #elementEnd: (from: number) => number;
  /** By length the last run of backticks seen; all of the stretch ahead once `#ticksKnown`, by a search that failed. */
  readonly #lastTicks = new Map<number, number>();
  #ticksKnown = false;
  /** Opening brackets in the stretch that have no closing one yet. */
  #brackets = 0;
  #end = 0;

  constructor(text: Units, last: number, visit: (at: number) => number) {
    const searchFor = (needle: string) => forwardSearch((from) => find(text, from, needle));
    this.#text = text;
    this.#last = last;
    this.#visit = visit;
    this.#commentEnd = searchFor("-->");
    this.#dataEnd = searchFor("]]>");
    this.#instructionEnd = searchFor("?>");
    this.#elementEnd = forwardSearch((from) => findClosingTag(text, from, CODE_ELEMENTS));
  }

  scan(start: number, end: number): void {
    this.#end = end;
    this.#brackets = 0;
    this.#ticksKnown = false;
    const text = this.#text;
    let stop = Math.min(end, this.#last + 1);
    while (stop > start && unitAt(text, stop - 1) !== AT) stop -= 1;
    for (let at = start; at < stop; ) {
      const unit = unitAt(text, at);
      at = isSpecial(unit) ? this.#special(at, unit) : at + 1;
    }
  }

  /** Reads what begins with the special character at this place; returns the place behind it. */
  #special(at: number, unit: number): number {
    switch (unit) {
      case AT:
        return this.#visit(at);
      case BACKSLASH:
        return at + 2;
      case BACKTICK:
        return this.#code(at);
      case ANGLE:
        return this.#angle(at);
      case COLON:
        return this.#url(at);
      case OPENING:
        this.#brackets += 1;
        return at + 1;
      case CLOSING:
        return this.#bracket(at);
      default:
        return this.#host(at);
    }
  }

  #code(at: number): number {
    const length = runLength(this.#text, at);
    const end = this.#codeEnd(at + length, length);
    return end === -1 ? at + length : end;
  }

  /** The place behind the next run of exactly so many backticks in the stretch, or -1. */
  #codeEnd(from: number, length: number): number {
    const text = this.#text;
    if (this.#ticksKnown && (this.#lastTicks.get(length) ?? -1) < from) return -1;
    for (let at = from; at < this.#end; ) {
      if (unitAt(text, at) !== BACKTICK) {
        at += 1;
        continue;
      }
      const run = runLength(text, at);
      if (run === length) return at + run;
      this.#lastTicks.set(run, at);
      at += run;
    }
    this.#ticksKnown = true;
    return -1;
  }

  #angle(at: number): number {
    const text = this.#text;
    const next = unitAt(text, at + 1);
    if (isAsciiLetter(next) || next === SLASH) return this.#tag(at);
    if (next === QUESTION) return this.#behind(this.#instructionEnd(at + 2), 2, at);
    if (next !== EXCLAMATION) return at + 1;
    if (startsWith(text, at + 2, "--")) return this.#behind(this.#commentEnd(at + 2), 3, at);
    return startsWith(text, at + 2, "[CDATA[") ? this.#behind(this.#dataEnd(at), 3, at) : at + 1;
  }

  /** The place behind an end mark in the stretch; without one, behind the character at `at`. */
  #behind(mark: number, length: number, at: number): number {
    return mark === -1 || mark + length > this.#end ? at + 1 : mark + length;
  }

  /** Reads a tag or an address in angle brackets, with the element's content if that is code. */
  #tag(at: number): number {
    const end = tagEnd(this.#text, at + 1, this.#end);
    if (end === -1) return at + 1;
    if (!isElement(this.#text, at + 1, CODE_ELEMENTS)) return end;
    const close = this.#elementEnd(end);
    return close === -1 || close >= this.#end ? end : close;
  }

  #bracket(at: number): number {
    if (this.#brackets === 0) return at + 1;
    this.#brackets -= 1;
    if (unitAt(this.#text, at + 1) !== PARENTHESIS) return at + 1;
    const end = linkEnd(this.#text, at + 2, this.#end);
    return end === -1 ? at + 1 : end;
  }

  /** Reads `://` and what follows it as the rest of a URL. */
  #url(at: number): number {
    const before = unitAt(this.#text, at - 1);
    const hasScheme = isAsciiLetter(before) || isAsciiDigit(before);
    return hasScheme && startsWith(this.#text, at + 1, "//") ? this.#urlEnd(at + 3) : at + 1;
  }

  /** Reads `www.` at the beginning of a word as the beginning of a URL. */
  #host(at: number): number {
    if (!isHostPrefix(this.#text, at) || (classAt(this.#text, at - 1) & WORD) !== 0) return at + 1;
    return this.#urlEnd(at + 4);
  }

  /** A URL goes on to white space, `<`, a code span, a closing bracket without its opening one, or foreign punctuation. */
  #urlEnd(from: number): number {
    let brackets = 0;
    for (let at = from; at < this.#end; at += 1) {
      const unit = unitAt(this.#text, at);
      if (endsUrl(unit) || (unit === BACKTICK && this.#isCode(at))) return at;
      if (unit === OPENING) brackets += 1;
      if (unit === CLOSING) brackets -= 1;
      if (brackets < 0) return at;
    }
    return this.#end;
  }

  /** Whether a code span begins here and not at a backtick before. */
  #isCode(at: number): boolean {
    if (unitAt(this.#text, at - 1) === BACKTICK) return false;
    const length = runLength(this.#text, at);
    return this.#codeEnd(at + length, length) !== -1;
  }
}

function isSpecial(unit: number): boolean {
  return unit < 128 && SPECIAL[unit] === 1;
}

/** Of other scripts only letters, digits and marks belong to a URL, not their punctuation. */
function endsUrl(unit: number): boolean {
  if (unit < 128) return unit <= 0x20 || unit === ANGLE;
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
  return !isSurrogate && (classOf(unit) & WORD) === 0;
}

function isHostPrefix(text: Units, at: number): boolean {
  return isW(text, at) && isW(text, at + 1) && isW(text, at + 2) && unitAt(text, at + 3) === DOT;
}

function isW(text: Units, at: number): boolean {
  return (unitAt(text, at) | 0x20) === 0x77;
}
