import {
  type Containers,
  DEEPEST,
  markPlace,
  matchAt,
  mayBegin,
  QUOTE,
  takeContainers,
  takeItem,
  takeQuote,
} from "./containers.js";
import { cursorOf, indentAt, isBlankAt, type LineCursor } from "./line-cursor.js";
import { cellCount, isDelimiter } from "./table-lines.js";

/** What kind of line one is. A table's head is text until its rule has been seen. */
export type LineKind =
  | "blank"
  | "text"
  | "heading"
  | "rule"
  | "opening"
  | "code"
  | "closing"
  | "indented"
  | "delimiter"
  | "row";

/** Where a reader of Markdown stands between two lines. */
export interface LineState {
  readonly containers: Containers;
  readonly open: Open;
}

/** What the last line left open, that the next may go on. */
export type Open =
  | { readonly kind: "nothing" | "heading" | "indented" | "table" }
  /** With its last line, which may be the head of a table. */
  | { readonly kind: "paragraph"; readonly last: string }
  | Fence;

/** Code between fences, by the mark that opened it and what stood behind the mark. */
export interface Fence {
  readonly kind: "fence";
  readonly mark: string;
  readonly info: string;
}

/** A line as read. */
export interface ReadLine {
  readonly kind: LineKind;
  /** Where a reader stands behind it. */
  readonly after: LineState;
  /** How many of the containers before it are also around it. */
  readonly kept: number;
  /** Whether it begins something: a block, or an item. */
  readonly isNew: boolean;
  /** Where its words begin, behind the marks of what it stands in. */
  readonly at: number;
}

/** Where reading begins. */
export const START: LineState = { containers: [], open: { kind: "nothing" } };

/** Reads the structure of one line of Markdown, without its end; in steps that grow with the line. */
export function readLine(before: LineState, line: string): ReadLine {
  const cursor = cursorOf(line);
  const { containers, open } = before;
  const kept = takeContainers(cursor, containers);
  const isWithin = kept === containers.length;
  if (isWithin && open.kind === "fence") {
    const isClosing = closes(open, cursor);
    const after = isClosing ? { containers, open: NOTHING } : before;
    return { kind: isClosing ? "closing" : "code", after, kept, isNew: false, at: cursor.at };
  }
  const head = isWithin && open.kind === "paragraph" ? open.last : undefined;
  const marked = head === undefined ? undefined : underlineKind(head, cursor);
  if (marked) {
    const after = { containers, open: marked === "heading" ? HEADING : TABLE };
    return { kind: marked, after, kept, isNew: false, at: markPlace(cursor) };
  }
  const around = takeNew(cursor, isWithin ? containers : containers.slice(0, kept), head !== undefined);
  return readLeaf(cursor, before, { containers: around, kept, isNested: around.length > kept, isWithin });
}

/** What a line makes of the paragraph above it. */
function underlineKind(head: string, cursor: LineCursor): "delimiter" | "heading" | undefined {
  if (isDelimiterOf(head, cursor)) return "delimiter";
  return isUnderline(cursor) ? "heading" : undefined;
}

const TABLE: Open = { kind: "table" };
const NOTHING: Open = { kind: "nothing" };
const HEADING: Open = { kind: "heading" };

/** Takes the marks of containers that begin here; answers all that are around the rest of the line. */
function takeNew(cursor: LineCursor, around: Containers, isInParagraph: boolean): Containers {
  if (!mayBegin(cursor)) return around;
  const containers = [...around];
  while (containers.length < DEEPEST && !isRule(cursor)) {
    const isFirst = containers.length === around.length;
    const item = takeQuote(cursor) ? QUOTE : takeItem(cursor, isInParagraph && isFirst);
    if (item === undefined) break;
    containers.push(item);
  }
  return containers;
}

interface Place {
  readonly containers: Containers;
  readonly kept: number;
  readonly isNested: boolean;
  readonly isWithin: boolean;
}

function readLeaf(cursor: LineCursor, before: LineState, place: Place): ReadLine {
  const { containers, kept, isNested, isWithin } = place;
  const { open } = before;
  const at = markPlace(cursor);
  const begun = (kind: LineKind, opens: Open): ReadLine => {
    return { kind, after: { containers, open: opens }, kept, isNew: true, at };
  };
  const gone = (kind: LineKind, after: LineState): ReadLine => ({ kind, after, kept, isNew: false, at });
  if (isBlankAt(cursor)) {
    const after = behindBlank(before, place);
    return isNested ? begun("blank", NOTHING) : gone("blank", after);
  }
  if (indentAt(cursor) > 3) {
    if (open.kind === "paragraph" && !isNested) return gone("text", before);
    const isMore = open.kind === "indented" && isWithin && !isNested;
    return isMore ? gone("indented", before) : begun("indented", INDENTED);
  }
  const marked = isOneOf(LEAF_MARKS, cursor.line, at) ? markedLeaf(cursor, at) : undefined;
  if (marked) return begun(...marked);
  return textLeaf(cursor.line.slice(at), before, place, { begun, gone });
}

interface Answers {
  begun(kind: LineKind, opens: Open): ReadLine;
  gone(kind: LineKind, after: LineState): ReadLine;
}

function textLeaf(words: string, before: LineState, { isNested, isWithin }: Place, { begun, gone }: Answers): ReadLine {
  const { containers, open } = before;
  // A line of a paragraph needs no marks of what the paragraph stands in.
  if (open.kind === "paragraph" && !isNested)
    return gone("text", { containers, open: { kind: "paragraph", last: isWithin ? words : "" } });
  if (open.kind === "table" && isWithin && !isNested) return gone("row", before);
  return begun("text", { kind: "paragraph", last: words });
}

const INDENTED: Open = { kind: "indented" };

function markedLeaf(cursor: LineCursor, at: number): readonly [LineKind, Open] | undefined {
  if (matchAt(HEADING_MARK, cursor.line, at)) return ["heading", HEADING];
  if (isRule(cursor)) return ["rule", NOTHING];
  const fence = fenceAt(cursor.line, at);
  return fence && ["opening", fence];
}

/** A blank line ends paragraphs and tables, but not code that is indented, and what a heading heads comes behind it. */
function behindBlank(before: LineState, { containers, isWithin }: Place): LineState {
  const { open } = before;
  const staysOpen = open.kind === "nothing" || open.kind === "heading" || open.kind === "indented";
  return isWithin && staysOpen ? before : { containers, open: NOTHING };
}

const HEADING_MARK = /#{1,6}(?=[ \t\r]|$)/y;
const RULE_MARK = /([-_*])(?:[ \t]*\1){2,}[ \t\r]*$/y;
const UNDERLINE = /(?:=+|-+)[ \t\r]*$/y;
const OPENING_TICKS = /(`{3,})([^`]*)$/y;
const OPENING_TILDES = /(~{3,})([\s\S]*)$/y;
const CLOSING = /(`{3,}|~{3,})[ \t\r]*$/y;

/** Most lines begin with a letter: looking at that spares looking for anything else. */
const RULE_MARKS = "-_*";
const UNDERLINE_MARKS = "=-";
const DELIMITER_MARKS = "|:-";
const LEAF_MARKS = "#`~-_*";

function isOneOf(marks: string, line: string, at: number): boolean {
  return at < line.length && marks.includes(line.charAt(at));
}

function isRule(cursor: LineCursor): boolean {
  const at = markPlace(cursor);
  return isOneOf(RULE_MARKS, cursor.line, at) && indentAt(cursor) <= 3 && matchAt(RULE_MARK, cursor.line, at) !== null;
}

function isUnderline(cursor: LineCursor): boolean {
  const at = markPlace(cursor);
  const isMark = isOneOf(UNDERLINE_MARKS, cursor.line, at) && indentAt(cursor) <= 3;
  return isMark && matchAt(UNDERLINE, cursor.line, at) !== null;
}

function isDelimiterOf(head: string, cursor: LineCursor): boolean {
  const at = markPlace(cursor);
  if (!isOneOf(DELIMITER_MARKS, cursor.line, at) || indentAt(cursor) > 3) return false;
  const line = cursor.line.slice(at);
  // An item of a list goes before.
  return !/^-[ \t]/.test(line) && isDelimiter(line) && cellCount(line) === cellCount(head);
}

function fenceAt(line: string, at: number): Fence | undefined {
  const [, mark = "", info = ""] = matchAt(OPENING_TICKS, line, at) ?? matchAt(OPENING_TILDES, line, at) ?? [];
  return mark === "" ? undefined : { kind: "fence", mark, info: info.trim() };
}

function closes({ mark }: Fence, cursor: LineCursor): boolean {
  if (indentAt(cursor) > 3) return false;
  const [, closing = ""] = matchAt(CLOSING, cursor.line, markPlace(cursor)) ?? [];
  return closing.length >= mark.length && closing[0] === mark[0];
}
