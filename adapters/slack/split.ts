import { blockStarts, parseMarkdown } from "./format-markdown.js";
import { CUT, costOf, type Fence, type Unit, unitsOf, type Weigh } from "./split-units.js";

/** What fits one message: characters by what they cost, and blocks. */
export interface Space {
  readonly weigh: Weigh;
  readonly most: number;
  /** Absent: as many as there are. */
  readonly blocks?: number;
}

/**
 * Cuts Markdown into parts that each fit: between blocks if it can, else between lines, else between words. Code that a cut
 * goes through is closed before it and opened again behind it, with its language.
 */
export function splitMarkdown(source: string, space: Space): readonly string[] {
  const parts: string[] = [];
  let rest = source;
  while (!fits(rest, space)) {
    const { parts: more, behind } = cutOff(rest, space);
    parts.push(...more);
    rest = behind;
  }
  if (rest.trim() !== "" || parts.length === 0) parts.push(rest);
  return parts;
}

function fits(source: string, { weigh, most, blocks }: Space): boolean {
  if (source.length > most || costOf(source, weigh) > most) return false;
  // A block takes a line at least, so that a text of few lines needs no parsing.
  if (blocks === undefined || source.split("\n", blocks + 1).length <= blocks) return true;
  return blockStarts(parseMarkdown(source)).length <= blocks;
}

interface Cut {
  readonly parts: readonly string[];
  /** What is left, as a text of its own. */
  readonly behind: string;
}

/**
 * The first parts of a text that does not fit: all that one reading shows, as reading is what takes long. Behind the window it may go
 * on otherwise than it seems, so that the last part is cut anew.
 */
function cutOff(source: string, space: Space): Cut {
  const isAll = source.length <= windowOf(space);
  const units = unitsOf(source.slice(0, windowOf(space)), { weigh: space.weigh, most: Math.floor(space.most / 3) });
  const parts: string[] = [];
  let [from, at, reopening] = [0, 0, ""];
  while (from < units.length) {
    const end = partEnd(units, from, reopening, space);
    const next = units[end];
    const length = units.slice(from, end).reduce((sum, { text }) => sum + text.length, 0);
    if (parts.length > 0 && !isAll && at + length > space.most) break;
    const text = reopening + source.slice(at, at + length);
    const part = reopening === "" ? outdented(text.replace(BLANK_LINES, "")) : text;
    parts.push(next?.fence ? closed(part, next.fence) : part.trimEnd());
    reopening = next?.fence ? openingOf(next.fence, next.isMidLine) : "";
    from = end;
    at += length;
  }
  const behind = reopening + source.slice(at);
  return { parts: parts.filter((part) => part.trim() !== ""), behind: reopening === "" ? outdented(behind) : behind };
}

const BLANK_LINES = /^(?:[ \t]*\n)+/;

/** Only as much is read as may be in one part. */
function windowOf({ most }: Space): number {
  return Math.ceil(most * 1.25);
}

function closed(text: string, { close }: Fence): string {
  return `${text.replace(/\n$/, "")}\n${close}`;
}

function openingOf({ open, indent }: Fence, isMidLine: boolean): string {
  return open + (isMidLine ? indent : "");
}

/**
 * Where the part ends that begins with the unit `from`, behind `reopening`: all that fit belong to it, or fewer where a cut reads
 * better.
 */
function partEnd(
  units: readonly Unit[],
  from: number,
  reopening: string,
  { weigh, most, blocks: mostBlocks = Number.POSITIVE_INFINITY }: Space,
): number {
  const spentBefore = [costOf(reopening, weigh)];
  let spent = spentBefore[0] ?? 0;
  let blocks = reopening === "" ? 0 : 1;
  for (let index = from; index < units.length; index++) {
    const unit = units[index];
    spent += unit?.cost ?? 0;
    blocks += unit?.blocks ?? 0;
    const closing = units[index + 1]?.fence?.close;
    const isFull = spent + (closing === undefined ? 0 : costOf(`\n${closing}`, weigh)) > most || blocks > mostBlocks;
    if (isFull && index > from) return from + bestCut(units.slice(from), index - from, spentBefore);
    spentBefore.push(spent);
  }
  return units.length;
}

/** The best place to cut in the latter half of what fits; of equal ones the last. */
function bestCut(units: readonly Unit[], end: number, spentBefore: readonly number[]): number {
  const half = (spentBefore[end] ?? 0) / 2;
  const cutOf = (at: number) => units[at]?.cut ?? CUT.fence;
  let best = end;
  for (let at = end; at > 0 && (spentBefore[at] ?? 0) >= half; at--) {
    if (cutOf(at) < cutOf(best)) best = at;
  }
  return best;
}

/** A text that begins inside a list begins at the margin, or its indentation would make code of it. */
function outdented(text: string): string {
  const indent = /^[ \t]+(?=\S)/.exec(text)?.[0].length ?? 0;
  if (indent === 0) return text;
  const lines = text.split("\n");
  const isWithin = (line: string) => line.trim() === "" || /^[ \t]/.test(line);
  const end = lines.findIndex((line) => !isWithin(line));
  const within = end === -1 ? lines.length : end;
  return lines.map((line, index) => (index < within ? line.slice(sharedIndent(line, indent)) : line)).join("\n");
}

function sharedIndent(line: string, indent: number): number {
  return Math.min(indent, /^[ \t]*/.exec(line)?.[0].length ?? 0);
}
