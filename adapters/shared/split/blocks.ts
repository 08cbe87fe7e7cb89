import type { LineKind, LineState, ReadLine } from "./read-line.js";

/** Lines that begin no block: they go on with what is there. */
const WITHIN = new Set<LineKind>(["blank", "code", "closing", "row"]);

/** Lines that begin what a platform shows by itself; everything between two such blocks it shows together. */
const ALONE = new Set<LineKind>(["heading", "rule", "opening", "delimiter"]);

/** Counts how many blocks a platform begins with each line of a part, rather one too many than one too few. */
export function createBlockCounter(): (read: ReadLine, before: LineState) => number {
  let isInRun = false;
  let isIndented = false;
  return ({ kind, after, isNew }) => {
    if (WITHIN.has(kind)) return 0;
    const wasIndented = isIndented;
    isIndented = kind === "indented" && after.containers.length === 0;
    if (isIndented && wasIndented && !isNew) return 0;
    const isAlone = isIndented || (ALONE.has(kind) && after.containers.length === 0);
    const isMore = isInRun && !isAlone;
    isInRun = !isAlone;
    return isMore ? 0 : 1;
  };
}
