import { QUOTE } from "./containers.js";
import type { LineKind, LineState, ReadLine } from "./read-line.js";

/** How well a text can be cut at a place, best first. */
export const CUT = { block: 0, item: 1, line: 2, code: 3, word: 4, anywhere: 5, never: 6 } as const;

export interface CutPlace {
  readonly read: ReadLine;
  readonly before: LineState;
  /** The line above it in the same part. */
  readonly above: LineKind | undefined;
  readonly isWithinSpan: boolean;
}

/** How well a text can be cut before a line. */
export function cutBefore(place: CutPlace): number {
  const { read, before, above } = place;
  switch (read.kind) {
    case "closing":
    case "delimiter":
      return CUT.never;
    case "code":
    case "row":
      // Nothing would be left between the fence, or the head, and the cut.
      return above === "opening" || above === "delimiter" ? CUT.never : CUT.code;
    case "blank":
      return blankCut(before);
    default:
      return wordsCut(place);
  }
}

/** How well a line can be cut behind a piece of it that begins such a line. */
export function cutWithin(kind: LineKind, isBehindWord: boolean): number {
  if (kind === "opening" || kind === "closing" || kind === "delimiter") return CUT.never;
  return isBehindWord ? CUT.word : CUT.anywhere;
}

function blankCut({ containers, open }: LineState): number {
  if (open.kind === "heading") return CUT.line;
  if (open.kind === "indented") return CUT.code;
  return containers.length === 0 ? CUT.block : CUT.item;
}

function wordsCut({ read, before, isWithinSpan }: CutPlace): number {
  if (isWithinSpan) return CUT.anywhere;
  if (!read.isNew) return read.kind === "indented" ? CUT.code : CUT.line;
  // A heading stays with what it heads.
  if (before.open.kind === "heading") return CUT.line;
  const isSibling = isItem(before.containers[0]) && isItem(read.after.containers[0]);
  return read.kept === 0 && !isSibling ? CUT.block : CUT.item;
}

function isItem(container: number | undefined): boolean {
  return container !== undefined && container !== QUOTE;
}
