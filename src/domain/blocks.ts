import {
  find,
  findClosingTag,
  isAsciiDigit,
  isAsciiLetter,
  isElement,
  isSpace,
  lineEnd,
  runLength,
  skipSpace,
  startsWith,
  type Units,
  unitAt,
} from "./scan.js";

const TAB = 0x09;
const HASH = 0x23;
const AMPERSAND = 0x26;
const CLOSING = 0x29;
const ASTERISK = 0x2a;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const ONE = 0x31;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const UNDERSCORE = 0x5f;
const BACKTICK = 0x60;
const TILDE = 0x7e;

/** Deeper list items are read as text of the item around them, which bounds the work on one line. */
const DEEPEST = 16;

/** Columns that make a line indented code. */
const CODE_INDENT = 4;

/** Elements whose content is not running text. A closing tag of any of them ends it, as in CommonMark. */
const RAW_ELEMENTS = ["pre", "script", "style", "textarea"] as const;

/** Other HTML that hides what is in it, by its beginning, with its end. */
const HIDING: readonly (readonly [string, string])[] = [
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<![CDATA[", "]]>"],
];

/**
 * Calls `visit` with each stretch of running text that begins at or before `until`, in order: paragraphs, headings,
 * list items. Inline markup never reaches from one into another. Left out are code blocks, block quotes, and HTML that
 * is code or is not shown. Linear in the text's length. Follows CommonMark, except that
 * - a quote is only the lines that are marked as such: in chats the answer stands right below it;
 * - a fence that its list item does not close is not closed at all.
 */
export function forEachText(text: Units, until: number, visit: (start: number, end: number) => void): void {
  new BlockScanner(text, visit).scan(until);
}

class BlockScanner {
  readonly #text: Units;
  readonly #visit: (start: number, end: number) => void;
  /** The columns where the content of the open list items starts, outermost first. */
  readonly #items: number[] = [];
  /** Where the open paragraph starts; -1 when none is open. */
  #paragraph = -1;
  /** The content column of the list item that the paragraph belongs to. */
  #paragraphBase = 0;
  /** Whether the last line ended in a list marker with nothing behind it. */
  #isBare = false;
  /** The place in the current line, its column, and the line's bounds. */
  #at = 0;
  #column = 0;
  #start = 0;
  #end = 0;

  constructor(text: Units, visit: (start: number, end: number) => void) {
    this.#text = text;
    this.#visit = visit;
  }

  scan(until: number): void {
    const { length } = this.#text;
    let next = 0;
    while (next < length && (next <= until || this.#paragraph !== -1)) next = this.#line(next);
    this.#close(length);
  }

  /** Reads the line that starts here, with all of a code block that it opens. Returns where the next one starts. */
  #line(start: number): number {
    this.#startLine(start);
    if (this.#at === this.#end) return this.#blank();
    this.#isBare = false;
    const base = this.#base();
    if (this.#column - base < CODE_INDENT && this.#isBreak(base)) return this.#begin(base);
    return this.#block(base);
  }

  /** Goes to the first character of a line that is no white space. */
  #startLine(start: number): void {
    this.#start = start;
    this.#end = lineEnd(this.#text, start);
    this.#at = start;
    this.#column = 0;
    this.#indent();
  }

  /** A blank line ends a paragraph, and an item of which only the marker has come. */
  #blank(): number {
    this.#close(this.#start);
    if (this.#isBare) this.#items.pop();
    this.#isBare = false;
    return this.#end + 1;
  }

  /** Reads the rest of the line: list markers, one after the other, then what the innermost item begins with. */
  #block(base: number): number {
    for (let inner: number | undefined = base; inner !== undefined; inner = this.#item(inner)) {
      if (this.#at === this.#end) return this.#end + 1;
      if (this.#column - inner >= CODE_INDENT) return this.#indented(inner);
      const next = this.#special(inner);
      if (next !== undefined) return next;
    }
    if (this.#paragraph === -1) this.#open();
    return this.#end + 1;
  }

  /** Indented code, unless it goes on with a paragraph. */
  #indented(base: number): number {
    if (this.#paragraph === -1) this.#enter(base);
    return this.#end + 1;
  }

  /** Where the next line starts if a block other than a paragraph or list item begins here. */
  #special(base: number): number | undefined {
    switch (unitAt(this.#text, this.#at)) {
      case GREATER:
        return this.#begin(base);
      case AMPERSAND:
        return startsWith(this.#text, this.#at, "&gt;") ? this.#begin(base) : undefined;
      case BACKTICK:
      case TILDE:
        return this.#fence(base);
      case LESS:
        return this.#html(base);
      case HASH:
        return this.#heading(base);
      default:
        return undefined;
    }
  }

  /** Ends the paragraph and the list items that this line is not in. Returns where the next line starts. */
  #begin(base: number): number {
    this.#close(this.#start);
    this.#enter(base);
    return this.#end + 1;
  }

  #heading(base: number): number | undefined {
    const behind = this.#at + runLength(this.#text, this.#at);
    if (behind - this.#at > 6 || (behind < this.#end && !isSpace(unitAt(this.#text, behind)))) return undefined;
    const next = this.#begin(base);
    this.#visit(behind, this.#end);
    return next;
  }

  #fence(base: number): number | undefined {
    const mark = unitAt(this.#text, this.#at);
    const length = runLength(this.#text, this.#at);
    if (length < 3) return undefined;
    if (mark === BACKTICK && this.#hasTick(this.#at + length)) return undefined;
    this.#begin(base);
    for (let next = this.#end + 1; next < this.#text.length; next = this.#end + 1) {
      this.#startLine(next);
      if (this.#at === this.#end) continue;
      if (this.#column < base) break;
      if (this.#column - base < CODE_INDENT && this.#closes(mark, length)) return this.#end + 1;
    }
    return this.#text.length;
  }

  /** Backticks further on in the line make the first ones inline code. */
  #hasTick(from: number): boolean {
    for (let at = from; at < this.#end; at += 1) if (unitAt(this.#text, at) === BACKTICK) return true;
    return false;
  }

  /** Whether the line is a fence of this kind, at least as long, and nothing more. */
  #closes(mark: number, length: number): boolean {
    if (unitAt(this.#text, this.#at) !== mark) return false;
    const run = runLength(this.#text, this.#at);
    return run >= length && skipSpace(this.#text, this.#at + run, this.#end) === this.#end;
  }

  #html(base: number): number | undefined {
    const close = this.#hiddenEnd();
    if (close === undefined) return undefined;
    this.#begin(base);
    if (close === -1) return this.#text.length;
    const end = lineEnd(this.#text, close);
    this.#visit(close, end);
    return end + 1;
  }

  /** Where the hiding HTML that begins here ends; -1: nowhere, `undefined`: none begins here. */
  #hiddenEnd(): number | undefined {
    const text = this.#text;
    if (isAsciiLetter(unitAt(text, this.#at + 1))) {
      return isElement(text, this.#at + 1, RAW_ELEMENTS) ? findClosingTag(text, this.#at, RAW_ELEMENTS) : undefined;
    }
    const hiding = HIDING.find(([start]) => startsWith(text, this.#at, start));
    return hiding === undefined ? undefined : find(text, this.#at + 2, hiding[1]);
  }

  /** Moves behind a list marker and opens its item, whose content column it returns; `undefined` if none begins here. */
  #item(base: number): number | undefined {
    const width = this.#markerWidth();
    if (width === 0) return undefined;
    if (this.#paragraph !== -1 && base === this.#paragraphBase && !this.#interrupts(width)) return undefined;
    this.#begin(base);
    if (this.#items.length === DEEPEST) return undefined;
    this.#at += width;
    this.#column += width;
    const behind = this.#column;
    this.#indent();
    this.#isBare = this.#at === this.#end;
    const hasOwnColumn = !this.#isBare && this.#column - behind <= CODE_INDENT;
    const content = hasOwnColumn ? this.#column : behind + 1;
    this.#items.push(content);
    return content;
  }

  /** An item in the midst of a paragraph has to have content, and a numbered one has to be the first. */
  #interrupts(width: number): boolean {
    const marker = unitAt(this.#text, this.#at);
    if (isAsciiDigit(marker) && (width !== 2 || marker !== ONE)) return false;
    return skipSpace(this.#text, this.#at + width, this.#end) < this.#end;
  }

  #markerWidth(): number {
    const text = this.#text;
    const first = unitAt(text, this.#at);
    let at = this.#at + 1;
    if (isAsciiDigit(first)) {
      while (at < this.#at + 9 && isAsciiDigit(unitAt(text, at))) at += 1;
      const mark = unitAt(text, at);
      if (mark !== DOT && mark !== CLOSING) return 0;
      at += 1;
    } else if (first !== MINUS && first !== ASTERISK && first !== PLUS) {
      return 0;
    }
    return at >= this.#end || isSpace(unitAt(text, at)) ? at - this.#at : 0;
  }

  /** Whether the line is a thematic break, or the underline that makes the paragraph a heading. */
  #isBreak(base: number): boolean {
    const mark = unitAt(this.#text, this.#at);
    if (this.#paragraph !== -1 && base === this.#paragraphBase && (mark === EQUALS || mark === MINUS)) {
      const behind = this.#at + runLength(this.#text, this.#at);
      if (skipSpace(this.#text, behind, this.#end) === this.#end) return true;
    }
    return (mark === MINUS || mark === ASTERISK || mark === UNDERSCORE) && this.#isRule(mark);
  }

  #isRule(mark: number): boolean {
    let marks = 0;
    for (let at = this.#at; at < this.#end; at += 1) {
      const unit = unitAt(this.#text, at);
      if (unit === mark) marks += 1;
      else if (!isSpace(unit)) return false;
    }
    return marks >= 3;
  }

  /** The content column of the innermost list item that a line with this indent can belong to. */
  #base(): number {
    let base = 0;
    for (const column of this.#items) {
      if (column > this.#column) break;
      base = column;
    }
    return base;
  }

  #enter(base: number): void {
    const items = this.#items;
    while (items.length > 0 && (items[items.length - 1] ?? 0) > base) items.pop();
  }

  #open(): void {
    this.#paragraphBase = this.#base();
    this.#enter(this.#paragraphBase);
    this.#paragraph = this.#at;
  }

  #close(end: number): void {
    if (this.#paragraph === -1) return;
    const start = this.#paragraph;
    this.#paragraph = -1;
    this.#visit(start, end);
  }

  /** Moves over white space; a tab goes on to the next column that four divides. */
  #indent(): void {
    const text = this.#text;
    const end = this.#end;
    let at = this.#at;
    let column = this.#column;
    for (; at < end; at += 1) {
      const unit = unitAt(text, at);
      if (!isSpace(unit)) break;
      column += unit === TAB ? 4 - (column % 4) : 1;
    }
    this.#at = at;
    this.#column = column;
  }
}
