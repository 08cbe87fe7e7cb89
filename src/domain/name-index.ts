import { classAt, decomposed, FOLDS, foldOf, GLUE, JOINER, MARK, WORD } from "./characters.js";
import { codePointAt, sizeAt, type Units, unitAt, unitsOf } from "./scan.js";

/** A name found in a text: what it stands for, and the place behind it. */
export interface NameMatch<T> {
  readonly target: T;
  readonly end: number;
}

/** What names go on with from here, by unit: the common ones in an array, which is faster than a map. */
interface Node<T> {
  readonly ascii: (Node<T> | undefined)[];
  readonly other: Map<number, Node<T>>;
  target: T | undefined;
}

const DOT = 0x2e;
const COMBINING = 0x300;

/** No character of a name takes more units; ordering marks takes quadratic time, so a text must not ask for more. */
const LONGEST_CHARACTER = 32;

/** Finds the longest known name at a place of a text. Reads at most as far as the longest name goes. */
export class NameIndex<T> {
  readonly #root: Node<T> = emptyNode();
  /** Whether a name holds combining marks: if none does, no character with marks can match, and ordering them is dear. */
  #hasMarks = false;

  /** Makes a name stand for `target`; for a name that is there already, `merge` decides. */
  add(name: string, target: T, merge: (present: T) => T): void {
    const units = decomposed(name);
    if (units === "") return;
    this.#hasMarks ||= /\p{M}/u.test(units);
    let node = this.#root;
    for (const unit of unitsOf(units)) node = grow(node, unit);
    node.target = node.target === undefined ? target : merge(node.target);
  }

  /** The longest name that starts at `from` and ends as a whole name. */
  longest(text: Units, from: number): NameMatch<T> | undefined {
    let target: T | undefined;
    let end = from;
    let node: Node<T> | undefined = this.#root;
    for (let at = from; ; ) {
      const unit = unitAt(text, at);
      const isPlain = unit < 128 && unitAt(text, at + 1) < COMBINING;
      const next = isPlain ? at + 1 : characterEnd(text, at);
      if (!isPlain && !this.#hasMarks && next - at > sizeAt(text, at)) break;
      node = isPlain ? followPlain(node, unit) : follow(node, text, at, next);
      if (node === undefined) break;
      at = next;
      if (node.target === undefined || !endsName(text, at)) continue;
      target = node.target;
      end = at;
    }
    return target === undefined ? undefined : { target, end };
  }
}

/**
 * Whether a name may end at this place: the name does not go on there. A dot goes on only as in `beta.dev`;
 * `_` and `-` only when a letter or digit follows them, so that `_@beta_` and `@beta -` are both beta.
 */
export function endsName(text: Units, end: number): boolean {
  const bits = classAt(text, end);
  if ((bits & (WORD | GLUE | JOINER)) === 0) return true;
  const word = unitAt(text, end) === DOT ? end + 1 : skipGlue(text, end);
  return (classAt(text, word) & WORD) === 0;
}

/** The first place from `at` on without a glue character. */
export function skipGlue(text: Units, at: number): number {
  let end = at;
  while ((classAt(text, end) & GLUE) !== 0) end += sizeAt(text, end);
  return end;
}

function emptyNode<T>(): Node<T> {
  return { ascii: new Array<Node<T> | undefined>(128).fill(undefined), other: new Map(), target: undefined };
}

function grow<T>(node: Node<T>, unit: number): Node<T> {
  const present = child(node, unit);
  if (present !== undefined) return present;
  const grown = emptyNode<T>();
  if (unit < 128) node.ascii[unit] = grown;
  else node.other.set(unit, grown);
  return grown;
}

function child<T>(node: Node<T>, unit: number): Node<T> | undefined {
  return unit < 128 ? node.ascii[unit] : node.other.get(unit);
}

/** The place behind a character and its marks, which are taken together: only together have they one order. */
function characterEnd(text: Units, at: number): number {
  let end = at + sizeAt(text, at);
  while (unitAt(text, end) >= COMBINING && end - at < LONGEST_CHARACTER && (classAt(text, end) & MARK) !== 0) {
    end += sizeAt(text, end);
  }
  return end;
}

/** The node behind one ASCII character without marks; `undefined` also at the end of the text. */
function followPlain<T>(from: Node<T>, unit: number): Node<T> | undefined {
  if (unit < 0) return undefined;
  return from.ascii[unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit];
}

/** The node behind any character, with its marks. */
function follow<T>(from: Node<T>, text: Units, at: number, end: number): Node<T> | undefined {
  if (end - at === sizeAt(text, at) && (classAt(text, at) & FOLDS) === 0) {
    const node = child(from, unitAt(text, at));
    return node === undefined || end - at === 1 ? node : child(node, unitAt(text, at + 1));
  }
  const units = foldedCharacter(text, at, end);
  let node: Node<T> | undefined = from;
  for (let place = 0; node !== undefined && place < units.length; place += 1) {
    node = child(node, units.charCodeAt(place));
  }
  return node;
}

/** A character folded and decomposed, with its marks in the one order that Unicode gives them. */
function foldedCharacter(text: Units, at: number, end: number): string {
  let place = at + sizeAt(text, at);
  let units = foldOf(codePointAt(text, at));
  if (place === end) return units;
  for (; place < end; place += sizeAt(text, place)) units += foldOf(codePointAt(text, place));
  return units.length === 2 ? units : units.normalize("NFKD");
}
