import { foldName } from "./names.js";
import { codePointAt, type Units } from "./scan.js";

/** A letter; classes of characters are bits. */
export const LETTER = 1;
/** A digit or another number. */
const DIGIT = 2;
/** A combining mark, which belongs to the character before it. */
export const MARK = 4;
/** `_`, `-` and invisible format characters: part of a name inside it, not at its ends. */
export const GLUE = 8;
/** A character whose folded, decomposed form is another one. */
export const FOLDS = 16;
/** What makes an `@` behind it part of a path, an address or an escape. */
export const JOINER = 32;
/** A double quotation mark. */
export const QUOTE = 64;
/** What a name goes on with. */
export const WORD = LETTER | DIGIT | MARK;

/** Marks a class that is known. */
const SEEN = 128;

/** Found out on first sight: a hostile text asks a million times, and asking a regular expression is slow. */
const classes = new Uint8Array(0x110000);

/** Only of code points that fold to something else; those with one unit in an array, which is faster than a map. */
const folds = new Array<string | undefined>(0x10000).fill(undefined);
const longFolds = new Map<number, string>();

/** What the character at this place is to a name, as bits; 0 for all that ends one, and outside the text. */
export function classAt(text: Units, at: number): number {
  return classOf(codePointAt(text, at));
}

/** What a code point is to a name, as bits; 0 for -1, the end of a text. */
export function classOf(codePoint: number): number {
  if (codePoint < 0) return 0;
  const known = classes[codePoint] ?? 0;
  return known === 0 ? classify(codePoint) : known & ~SEEN;
}

/** A code point folded as names are, in decomposed form. */
export function foldOf(codePoint: number): string {
  if ((classOf(codePoint) & FOLDS) === 0) return String.fromCodePoint(codePoint);
  const known = codePoint < folds.length ? folds[codePoint] : longFolds.get(codePoint);
  if (known !== undefined) return known;
  const fold = decomposed(String.fromCodePoint(codePoint));
  if (codePoint < folds.length) folds[codePoint] = fold;
  else longFolds.set(codePoint, fold);
  return fold;
}

/** The folded text in decomposed form, in which each character folds by itself, whatever stands beside it. */
export function decomposed(text: string): string {
  return foldName(text).normalize("NFKD");
}

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  const bits = kindOf(character) | (decomposed(character) === character ? 0 : FOLDS);
  classes[codePoint] = bits | SEEN;
  return bits;
}

function kindOf(character: string): number {
  if (/\p{L}/u.test(character)) return LETTER;
  if (/\p{N}/u.test(character)) return DIGIT;
  if (/\p{M}/u.test(character)) return MARK;
  if (/[_\-\p{Cf}]/u.test(character)) return GLUE;
  if (/[./@\\]/.test(character)) return JOINER;
  return /["“”„‟]/.test(character) ? QUOTE : 0;
}
