import { blockStarts, findNodes, type Node, parseMarkdown, type Range, rangeOf } from "./format-markdown.js";

/** How well a text can be cut before a unit, best first. */
export const CUT = { block: 0, line: 1, code: 2, word: 3, anywhere: 4, fence: 5 } as const;

/** Code between fences: how to close it, and how to open it again with its language. */
export interface Fence {
  readonly open: string;
  readonly close: string;
  /** What each of its lines begins with: nothing, unless it stands in a list or a quote. */
  readonly indent: string;
}

/** A line, or a piece of one that is too long. All units of a text together are the text. */
export interface Unit {
  readonly text: string;
  readonly cost: number;
  readonly cut: number;
  /** The code that a cut before this unit would go through. */
  readonly fence?: Fence;
  readonly isMidLine: boolean;
  /** Blocks that Slack begins here. */
  readonly blocks: number;
}

/** What characters cost, and what no unit may cost more than. */
export interface UnitOptions {
  readonly weigh: Weigh;
  readonly most: number;
}

/** What one UTF-16 unit costs. */
export type Weigh = (code: number) => number;

export function costOf(text: string, weigh: Weigh): number {
  let cost = 0;
  for (let at = 0; at < text.length; at++) cost += weigh(text.charCodeAt(at));
  return cost;
}

/** Cuts Markdown into units that can be put together again in parts. */
export function unitsOf(source: string, options: UnitOptions): readonly Unit[] {
  const map = mapOf(source);
  return linesOf(source).flatMap((line) =>
    piecesOf(source, line, map, options).map(({ start, end, cut }): Unit => {
      const text = source.slice(start, end);
      const fence = rangeAround(map.fences, start);
      return {
        text,
        cost: costOf(text, options.weigh),
        cut: start === line.start ? lineCut(start, map, fence) : cut,
        ...(fence ? { fence: fence.fence } : {}),
        isMidLine: start !== line.start,
        blocks: countBelow(map.blocks, end) - countBelow(map.blocks, start),
      };
    }),
  );
}

interface FenceRange extends Range {
  readonly fence: Fence;
  /** Where its first line of code begins, and its last line, the closing one. */
  readonly inside: number;
  readonly closing: number;
}

/** What of the structure a cut has to know. All lists are in order, and no two ranges of one list overlap. */
interface SourceMap {
  readonly tops: readonly number[];
  readonly blocks: readonly number[];
  readonly fences: readonly FenceRange[];
  /** Links, bold words and the like: a cut would show their marks. */
  readonly spans: readonly Range[];
}

const SPANS = new Set<Node["type"]>(["strong", "emphasis", "delete", "inlineCode", "link", "image"]);

function mapOf(source: string): SourceMap {
  const root = parseMarkdown(source);
  return {
    tops: root.children.map((node) => rangeOf(node).start),
    blocks: blockStarts(root),
    fences: findNodes(root, (node) => node.type === "code").flatMap((node) => fenceOf(source, rangeOf(node)) ?? []),
    spans: findNodes(root, (node) => SPANS.has(node.type)).map(rangeOf),
  };
}

/** The language of code is one word; whatever else stands there is not repeated. */
const LONGEST_OPENING = 100;

function fenceOf(source: string, { start, end }: Range): FenceRange | undefined {
  const mark = /^(?:`{3,}|~{3,})/.exec(source.slice(start, end))?.[0];
  if (mark === undefined) return undefined;
  const lineStart = source.lastIndexOf("\n", start - 1) + 1;
  // The dot of a list cannot be repeated; what stands below it is indented as far.
  const indent = source.slice(lineStart, start).replace(/[^>\s]/g, " ");
  const lineEnd = source.indexOf("\n", start);
  const opening = source.slice(start, Math.min(lineEnd === -1 ? end : lineEnd, end, start + LONGEST_OPENING));
  return {
    start,
    end,
    fence: { open: `${indent}${opening}\n`, close: `${indent}${mark}`, indent },
    inside: lineEnd + 1,
    closing: source.lastIndexOf("\n", end - 1) + 1,
  };
}

function lineCut(start: number, { tops, spans }: SourceMap, fence: FenceRange | undefined): number {
  // Code cut off from the fence beside it would leave an empty one.
  if (fence) return start === fence.inside || start >= fence.closing ? CUT.fence : CUT.code;
  if (tops[countBelow(tops, start)] === start) return CUT.block;
  return rangeAround(spans, start) ? CUT.anywhere : CUT.line;
}

/** How many of the numbers, which are in order, are smaller. */
function countBelow(sorted: readonly number[], limit: number): number {
  return countWhile(sorted, (number) => number < limit);
}

/** The range that a cut at this place would go through. */
function rangeAround<R extends Range>(ranges: readonly R[], at: number): R | undefined {
  const range = ranges[countWhile(ranges, ({ start }) => start < at) - 1];
  return range !== undefined && at < range.end ? range : undefined;
}

/** How many items from the first on are such; behind the first that is not, none is. */
function countWhile<T>(items: readonly T[], isSuch: (item: T) => boolean): number {
  let low = 0;
  for (let high = items.length; low < high; ) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && isSuch(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Piece extends Range {
  /** How well the text can be cut before it. */
  readonly cut: number;
}

/** The lines with their ends. */
function linesOf(source: string): readonly Range[] {
  const lines: Range[] = [];
  for (let start = 0; start < source.length; ) {
    const lineEnd = source.indexOf("\n", start);
    const end = lineEnd === -1 ? source.length : lineEnd + 1;
    lines.push({ start, end });
    start = end;
  }
  return lines;
}

/** A line in pieces that are not too long: between words if there are some, else between characters. */
function piecesOf(source: string, line: Range, { spans }: SourceMap, options: UnitOptions): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let piece: Piece | undefined = { start: line.start, end: line.start, cut: CUT.line }; piece; ) {
    const next = nextPiece(source, { start: piece.start, end: line.end }, spans, options);
    pieces.push({ ...piece, end: next?.start ?? line.end });
    piece = next;
  }
  return pieces;
}

/** What has to stand in the next piece of the line; nothing when the rest fits. */
function nextPiece(
  source: string,
  rest: Range,
  spans: readonly Range[],
  { weigh, most }: UnitOptions,
): Piece | undefined {
  let spent = 0;
  let [space, freeSpace] = [0, 0];
  for (let at = rest.start; at < rest.end; at++) {
    spent += weigh(source.charCodeAt(at));
    if (spent > most) return cutAt(source, rest.start, { at, space, freeSpace });
    if (!isSpace(source, at) || isSpace(source, at + 1)) continue;
    space = at + 1;
    if (!rangeAround(spans, space)) freeSpace = space;
  }
  return undefined;
}

function isSpace(source: string, at: number): boolean {
  return source[at] === " " || source[at] === "\t";
}

interface Places {
  /** What does not fit any more. */
  readonly at: number;
  /** Behind the last space, and behind the last one that is not within a link or the like. */
  readonly space: number;
  readonly freeSpace: number;
}

function cutAt(source: string, start: number, { at, space, freeSpace }: Places): Piece {
  const end = source.length;
  if (freeSpace > start) return { start: freeSpace, end, cut: CUT.word };
  if (space > start) return { start: space, end, cut: CUT.anywhere };
  return { start: characterStart(source, start, at), end, cut: CUT.anywhere };
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Longer than what people see as one character usually is. */
const WINDOW = 64;

/** Where the visible character at this place begins; but behind `start`, so that something is cut off. */
function characterStart(source: string, start: number, at: number): number {
  const from = Math.max(start, at - WINDOW);
  const { index = 0 } = graphemes.segment(source.slice(from, at + WINDOW)).containing(at - from) ?? {};
  if (from + index > start) return from + index;
  const isHalf = /[\udc00-\udfff]/.test(source[at] ?? "");
  return Math.max(start + 1, isHalf ? at - 1 : at);
}
