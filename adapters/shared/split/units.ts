import { ZERO_WIDTH_SPACE } from "../zero-width.js";
import { createBlockCounter } from "./blocks.js";
import { type Containers, matchAt } from "./containers.js";
import { cutBefore, cutWithin } from "./cuts.js";
import { bare } from "./lines.js";
import { costOf, type Piece, pieceAt, type Weigh } from "./pieces.js";
import { type Fence, type LineKind, type LineState, type ReadLine, readLine, START } from "./read-line.js";
import type { IsWithinSpan } from "./spans.js";
import { marksOf, quoteMarks, stripLine } from "./strip.js";

/** A line, or a piece of one that is too long, as a part shows it. */
export interface Unit {
  readonly start: number;
  readonly text: string;
  readonly cost: number;
  /** How well the text can be cut before it. */
  readonly cut: number;
  readonly kind: LineKind;
  /** What a reader of the part knows before its line, and behind it. */
  readonly before: LineState;
  readonly after: LineState;
  /** The containers around it whose indentation has been taken. */
  readonly strip: Containers;
  /** Where it begins: within a line, with the next line of a paragraph, or otherwise. */
  readonly from: Opening["from"];
  /** Blocks that the platform begins here. */
  readonly blocks: number;
  /** The head of the table that it is a row of. */
  readonly table: TableHead | undefined;
}

/** What has been seen of a unit. */
interface Seen {
  readonly start: number;
  readonly shown: string;
  readonly read: ReadLine;
  readonly cut: number;
  readonly from: Opening["from"];
  readonly blocks: number;
  readonly table: TableHead | undefined;
}

/** The head of a table with its rule, as lines; none where it takes too much room to be repeated. */
export interface TableHead {
  readonly text: string;
  /** Where it begins among the units of the part; -1: in an earlier one. */
  readonly at: number;
}

/** How a part begins. */
export interface Opening {
  readonly at: number;
  /** Lines to show first: of a fence, or the head of a table. */
  readonly text: string;
  /** The containers around it that began earlier. */
  readonly strip: Containers;
  readonly from: "line" | "paragraph" | "middle";
}

export interface UnitOptions {
  readonly text: string;
  readonly weigh: Weigh;
  readonly most: number;
  readonly endOf: (at: number) => number;
  readonly isWithinSpan: IsWithinSpan;
}

const FENCE_LIKE = /[ \t>\d.)*+-]*(?:```|~~~)/y;

/** What closes the code that a reader is in. */
export function closingOf({ containers, open }: LineState): string | undefined {
  return open.kind === "fence" ? marksOf(containers) + open.mark : undefined;
}

/** The line that opens the code again that a reader is in; without what stood behind the mark where that is long. */
export function reopeningOf({ containers }: LineState, { mark, info }: Fence, longest: number): string {
  return `${quoteMarks(containers)}${mark}${info.length > longest ? "" : info}\n`;
}

/** Reads the units of one part, one after the other, as one sees them who has only the part. */
export function createUnitReader(opening: Opening, options: UnitOptions): () => Unit | undefined {
  const { text, weigh, most, endOf, isWithinSpan } = options;
  const units: Unit[] = [];
  const countBlocks = createBlockCounter();
  const usual = Math.floor(most / 3);
  const largest = opening.text === "" ? most - MARGIN : usual;
  let { at, strip } = opening;
  let state = START;
  let last: Piece = { end: at, cut: "line" };
  let table: TableHead | undefined;
  for (const line of opening.text.split("\n").slice(0, -1)) state = readLine(state, line).after;
  if (state.open.kind === "table") table = { text: opening.text, at: -1 };
  /** The line that is being read: as far as it has been shown, and what was known before it. */
  let line = { text: "", before: state };

  return () => {
    if (at >= text.length) return undefined;
    const start = at;
    const piece = pieceAt(text, start, endOf(start), { weigh, usual, most: mostAt(start), isWithinSpan });
    const unit = isGoingOn() ? moreOfLine(start, piece) : newLine(start, piece);
    units.push(unit);
    last = piece;
    at = piece.end;
    return unit;
  };

  function isGoingOn(): boolean {
    return units.length > 0 && last.cut !== "line";
  }

  /** What has to be closed must leave room for that. */
  function mostAt(start: number): number {
    return state.open.kind === "fence" || matchAt(FENCE_LIKE, text, start) !== null ? usual : largest;
  }

  function newLine(start: number, piece: Piece): Unit {
    const before = state;
    const { shown, read } = calmed(lineOf(text.slice(start, piece.end)), before);
    line = { text: shown, before };
    const isMiddle = units.length === 0 && opening.from === "middle";
    const place = { read, before, above: units.at(-1)?.kind, isWithinSpan: isWithinSpan(start) };
    const isMore = read.kind === "text" && !read.isNew;
    const blocks = countBlocks(read, before);
    const from = isMiddle ? "middle" : isMore ? "paragraph" : "line";
    const head = read.kind === "row" ? table : undefined;
    if (read.kind === "delimiter" && piece.cut === "line") table = headOf(shown, read);
    return unitOf({ start, shown, read, cut: cutBefore(place), from, blocks, table: head });
  }

  /** A further piece tells more of what the line is. */
  function moreOfLine(start: number, piece: Piece): Unit {
    const shown = text.slice(start, piece.end);
    line = { ...line, text: line.text + shown };
    const read = readLine(line.before, bare(line.text));
    const cut = cutWithin(units.at(-1)?.kind ?? read.kind, last.cut === "word");
    return unitOf({ start, shown, read, cut, from: "middle", blocks: 0, table: undefined });
  }

  function unitOf({ start, shown, read, cut, from, blocks, table: head }: Seen): Unit {
    const { kind, after } = read;
    state = after;
    const cost = costOf(shown, weigh);
    return { start, text: shown, cost, cut, kind, before: line.before, after, strip, from, blocks, table: head };
  }

  /** The line without what an earlier part has shown of its structure. */
  function lineOf(raw: string): string {
    const isFirst = units.length === 0;
    if (isFirst && opening.from === "middle")
      return (state.open.kind === "fence" ? quoteMarks(state.containers) : "") + raw;
    const stripped = stripLine(raw, strip);
    strip = stripped.strip;
    // What is indented further would become code where no paragraph goes on.
    return isFirst && opening.from === "paragraph" ? stripped.line.trimStart() : stripped.line;
  }

  /** Lets no code begin or end that did not, and none begin whose end would take too much room. */
  function calmed(shown: string, before: LineState) {
    const read = readLine(before, bare(shown));
    const isFalse =
      units.length === 0 && opening.from !== "line" && (read.kind === "opening" || read.kind === "closing");
    const closing = read.kind === "opening" ? closingOf(read.after) : undefined;
    if (!isFalse && (closing === undefined || costOf(closing, weigh) <= most / 4)) return { shown, read };
    return { shown: ZERO_WIDTH_SPACE + shown, read: readLine(before, bare(ZERO_WIDTH_SPACE + shown)) };
  }

  /** The head above a rule, as far as a later part can begin with it. */
  function headOf(rule: string, read: ReadLine): TableHead | undefined {
    const head = units.at(-1);
    if (head === undefined || head.from === "middle" || !rule.endsWith("\n")) return undefined;
    const marks = quoteMarks(read.after.containers);
    const headAt = readLine(head.before, bare(head.text)).at;
    const lines = `${marks}${head.text.slice(headAt).trim()}\n${marks}${rule.slice(read.at).trim()}\n`;
    return { text: costOf(lines, weigh) <= most / 4 ? lines : "", at: units.length - 1 };
  }
}

/** Room for an invisible space. */
const MARGIN = 4;
