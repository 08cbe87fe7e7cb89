import type { IsWithinSpan } from "./spans.js";

/** What one UTF-16 unit costs; at least one. */
export type Weigh = (code: number) => number;

/** What the characters of a text cost together. */
export function costOf(text: string, weigh: Weigh): number {
  let cost = 0;
  for (let at = 0; at < text.length; at++) cost += weigh(text.charCodeAt(at));
  return cost;
}

/** A piece of a line, and how well the line can be cut behind it. */
export interface Piece {
  readonly end: number;
  readonly cut: "line" | "word" | "anywhere";
}

export interface PieceOptions {
  readonly weigh: Weigh;
  /** What a piece may cost. */
  readonly usual: number;
  /** What it may cost where a word, a link or the like would be cut otherwise. */
  readonly most: number;
  readonly isWithinSpan: IsWithinSpan;
}

/**
 * The first piece of what a line has from `start` to `end`: all of it if it costs no more than usual; else up to the last word that
 * fits, or up to the next where a link or the like would be cut otherwise.
 */
export function pieceAt(text: string, start: number, end: number, options: PieceOptions): Piece {
  const { weigh, usual, most, isWithinSpan } = options;
  const line = { text, start, end };
  const full = reachOf(line, usual, weigh);
  if (full === end) return { end, cut: "line" };
  const isFree = (at: number) => isWordStart(text, at) && !isWithinSpan(at);
  const word = lastPlace(start, full, isFree);
  if (word !== undefined) return { end: word, cut: "word" };
  const furthest = reachOf(line, most, weigh);
  for (let at = full + 1; at <= furthest && at < end; at++) if (isFree(at)) return { end: at, cut: "word" };
  if (furthest === end) return { end, cut: "line" };
  const anyWord = lastPlace(start, full, (at) => isWordStart(text, at));
  return { end: anyWord ?? characterStart(text, start, full), cut: "anywhere" };
}

/** The first place of a line that is dearer to reach than this, or its end. */
function reachOf(
  { text, start, end }: { text: string; start: number; end: number },
  most: number,
  weigh: Weigh,
): number {
  let spent = 0;
  for (let at = start; at < end; at++) {
    spent += weigh(text.charCodeAt(at));
    if (spent > most) return at;
  }
  return end;
}

/** The last such place behind `start`, up to `end`. */
function lastPlace(start: number, end: number, isSuch: (at: number) => boolean): number | undefined {
  for (let at = end; at > start; at--) if (isSuch(at)) return at;
  return undefined;
}

function isWordStart(text: string, at: number): boolean {
  return isSpace(text, at - 1) && !isSpace(text, at);
}

function isSpace(text: string, at: number): boolean {
  return text[at] === " " || text[at] === "\t";
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Longer than what people see as one character usually is. */
const LONGEST_CHARACTER = 64;

/** Where the visible character at this place begins; but behind `start`, so that something is cut off. */
function characterStart(text: string, start: number, at: number): number {
  const { index = 0 } = graphemes.segment(text.slice(start, at + LONGEST_CHARACTER)).containing(at - start) ?? {};
  if (index > 0) return start + index;
  const isHalf = at > start + 1 && /[\udc00-\udfff]/.test(text[at] ?? "");
  return Math.max(start + 1, isHalf ? at - 1 : at);
}
