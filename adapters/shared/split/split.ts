import { CUT } from "./cuts.js";
import { bare, createLineEnds } from "./lines.js";
import { costOf, type Weigh } from "./pieces.js";
import { type LineState, readLine, START } from "./read-line.js";
import { findSpans } from "./spans.js";
import { stripBehind } from "./strip.js";
import { closingOf, createUnitReader, type Opening, reopeningOf, type Unit, type UnitOptions } from "./units.js";

/** What fits one part: characters by what they cost, and blocks. */
export interface Limits {
  /** The most that the characters of a part may cost together; at least 50. */
  readonly most: number;
  /** Absent: one each. */
  readonly weigh?: Weigh;
  /** How many blocks a platform may make of a part; absent: as many as there are. */
  readonly blocks?: number;
}

/**
 * Cuts Markdown into parts that each fit, in work that grows with the text: between blocks if it can, else between lines, else
 * between words. Code that a cut goes through is closed before it and opened again behind it, a table begins again with its head.
 * Nothing is lost; there is at least one part, and the same text is always cut in the same way.
 */
export function splitMarkdown(text: string, limits: Limits): readonly string[] {
  const { most, weigh = () => 1, blocks = Number.POSITIVE_INFINITY } = limits;
  if (isSmall(text, { most, weigh, blocks }) && isClosed(text)) return [text];
  const options: UnitOptions = { text, weigh, most, endOf: createLineEnds(text), isWithinSpan: findSpans(text) };
  const parts: string[] = [];
  let opening: Opening = { at: 0, text: "", strip: [], from: "line" };
  while (opening.at < text.length) {
    const part = takePart(opening, options, blocks);
    if (part.text.trim() !== "") parts.push(part.text);
    opening = part.next;
  }
  return parts.length > 0 ? parts : [text.slice(0, 1)];
}

/** A block takes a line at least. */
function isSmall(text: string, { most, weigh, blocks }: Required<Limits>): boolean {
  if (text.length > most || costOf(text, weigh) > most) return false;
  return blocks === Number.POSITIVE_INFINITY || text.split("\n", blocks + 1).length <= blocks;
}

/** Whether all code that begins in a text also ends there. */
function isClosed(text: string): boolean {
  if (!/```|~~~/.test(text)) return true;
  let state = START;
  for (const line of text.split("\n")) state = readLine(state, line).after;
  return closingOf(state) === undefined;
}

interface Part {
  readonly text: string;
  readonly next: Opening;
}

function takePart(opening: Opening, options: UnitOptions, mostBlocks: number): Part {
  const { text, weigh, most } = options;
  const start = opening.text === "" && opening.from === "line" ? behindBlanks(opening.at, options) : opening.at;
  const from = { ...opening, at: start };
  const read = createUnitReader(from, options);
  const units: Unit[] = [];
  const spentBefore = [costOf(opening.text, weigh)];
  let spent = spentBefore[0] ?? 0;
  let blocks = opening.text === "" ? 0 : 1;
  for (let unit = read(); unit; unit = read()) {
    units.push(unit);
    spent += unit.cost;
    blocks += unit.blocks;
    const closing = closingOf(unit.after);
    const isFull = spent + (closing === undefined ? 0 : costOf(`\n${closing}`, weigh)) > most || blocks > mostBlocks;
    if (isFull && units.length > 1) return partBefore(bestCut(units, spentBefore, options), units, from, options);
    spentBefore.push(spent);
  }
  return { text: shownOf(opening, units), next: { ...opening, at: text.length } };
}

/** Lines at the begin of a part that show nothing. */
function behindBlanks(at: number, { text, endOf }: UnitOptions): number {
  let start = at;
  while (start < text.length && text.slice(start, endOf(start)).trim() === "") start = endOf(start);
  return start;
}

/** The best place to cut in the latter half of what fits; of equal ones the last. A table that fits a part is kept whole. */
function bestCut(units: readonly Unit[], spentBefore: readonly number[], options: UnitOptions): number {
  const end = units.length - 1;
  const half = (spentBefore[end] ?? 0) / 2;
  let best = end;
  for (let at = end; at > 0 && (spentBefore[at] ?? 0) >= half; at--) {
    if ((units[at]?.cut ?? CUT.never) < (units[best]?.cut ?? CUT.never)) best = at;
  }
  const table = units[best]?.table;
  if (table === undefined || table.at < 1) return best;
  const spent = spentBefore[table.at] ?? 0;
  const isWorthIt = spent >= options.most / 4 && fitsWhole(units[table.at]?.start ?? 0, options);
  return isWorthIt ? table.at : best;
}

/** Whether everything up to the next blank line fits one part. */
function fitsWhole(start: number, { text, weigh, most }: UnitOptions): boolean {
  let spent = 0;
  for (let at = start; at < text.length; ) {
    const line = text.slice(at, Math.min(at + most + 1, text.length));
    const newline = line.indexOf("\n");
    const whole = newline === -1 ? line : line.slice(0, newline + 1);
    if (whole.trim() === "") return true;
    spent += costOf(whole, weigh);
    if (spent > most) return false;
    at += whole.length;
  }
  return true;
}

/** The part that ends before the unit, and how the next one begins. */
function partBefore(cut: number, units: readonly Unit[], opening: Opening, options: UnitOptions): Part {
  const within = units.slice(0, cut);
  const shown = shownOf(opening, within);
  const isCode = within.at(-1)?.after.open.kind === "fence";
  return { text: isCode ? shown : shown.trimEnd(), next: openingAt(cut, units, options) };
}

/** What a part shows, with its code closed. */
function shownOf({ text }: Opening, units: readonly Unit[]): string {
  const shown = text + units.map((unit) => unit.text).join("");
  const last = units.at(-1);
  const closing = last && closingOf(last.after);
  return closing === undefined ? shown : `${bare(shown)}\n${closing}`;
}

/** The language of code is one word; a long description is not repeated. */
const LONGEST_INFO = 100;

function openingAt(cut: number, units: readonly Unit[], options: UnitOptions): Opening {
  const { weigh, most } = options;
  const [last, next] = [units[cut - 1], units[cut]];
  if (last === undefined || next === undefined) throw new RangeError("A cut has a unit on both of its sides");
  const state = next.from === "middle" ? wholeLineState(cut, units, options) : last.after;
  const begun = { at: next.start, from: next.from, strip: stripBehind(last.strip, last.after.containers) };
  if (state.open.kind !== "fence") return { ...begun, text: next.table?.text ?? "" };
  const opening = reopeningOf(state, state.open, LONGEST_INFO);
  const isDear = costOf(opening, weigh) > most / 4;
  return { ...begun, text: isDear ? reopeningOf(state, state.open, -1) : opening };
}

/** What the line that is cut through leaves open, as a whole: it may be another kind of line than its begin alone. */
function wholeLineState(cut: number, units: readonly Unit[], { text, endOf }: UnitOptions): LineState {
  const [last, next] = [units[cut - 1], units[cut]];
  if (last === undefined || next === undefined) return START;
  if (last.kind !== "opening" && last.kind !== "closing") return last.after;
  const first = units.slice(0, cut).findLastIndex(({ from }) => from !== "middle");
  const begin = units.slice(Math.max(first, 0), cut).map((unit) => unit.text);
  return readLine(last.before, bare(begin.join("") + text.slice(next.start, endOf(next.start)))).after;
}
