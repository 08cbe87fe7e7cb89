import { ZERO_WIDTH_SPACE } from "../zero-width.js";
import { alignedTable } from "./aligned-table.js";
import { bare, forEachLine } from "./lines.js";
import { type LineState, readLine, START } from "./read-line.js";
import { marksOf } from "./strip.js";
import { cellsOf } from "./table-lines.js";

/** A table in a Markdown text: where it stands, from its head to behind its last row, and the words of its cells. */
export interface FoundTable {
  readonly start: number;
  readonly end: number;
  /** The head first; Markdown as it is written. */
  readonly rows: readonly (readonly string[])[];
  /** What its first line and every other begin with: the marks of the list or quote that it stands in. */
  readonly firstMarks: string;
  readonly marks: string;
}

/** Finds the tables of a Markdown text by its lines, in one pass; none in code. */
export function findTables(text: string): readonly FoundTable[] {
  const found: (FoundTable & { end: number; rows: (readonly string[])[] })[] = [];
  let state: LineState = START;
  let head = { start: 0, line: "", at: 0 };
  forEachLine(text, (start, end) => {
    const line = bare(text.slice(start, end));
    const { kind, after, at } = readLine(state, line);
    state = after;
    const table = kind === "row" ? found.at(-1) : undefined;
    if (kind === "delimiter") {
      const firstMarks = head.line.slice(0, head.at);
      const rows = [cellsOf(head.line.slice(head.at))];
      found.push({ start: head.start, end: start + line.length, rows, firstMarks, marks: marksOf(after.containers) });
    }
    if (table) {
      table.rows.push(cellsOf(line.slice(at)));
      table.end = start + line.length;
    }
    head = { start, line, at };
  });
  return found;
}

/** A table of many empty columns would become many times as long. */
const MOST_GROWTH = 8;

/**
 * A Markdown text with each of its tables as aligned columns in a block of code, for where tables are not shown. A table longer than
 * `longest` characters becomes several blocks, each with the head.
 */
export function tablesAsCode(text: string, longest: number): string {
  let shown = "";
  let at = 0;
  for (const table of findTables(text)) {
    const drawn = drawnIn(table, longest);
    const isTooLong = drawn.length > (table.end - table.start) * MOST_GROWTH + longest;
    shown += text.slice(at, table.start) + (isTooLong ? text.slice(table.start, table.end) : drawn);
    at = table.end;
  }
  return shown + text.slice(at);
}

function drawnIn({ rows, firstMarks, marks }: FoundTable, longest: number): string {
  const [head = "", rule = "", ...body] = alignedTable(rows.map((row) => row.map(plainCell)));
  const headLength = head.length + rule.length;
  const blocks: string[][] = [];
  let length = 0;
  for (const line of body) {
    const block = blocks.at(-1);
    if (block === undefined || length + line.length > longest) {
      blocks.push([line]);
      length = headLength + line.length;
    } else {
      block.push(line);
      length += line.length + 1;
    }
  }
  const top = [head, rule].map(calm);
  const lines = (blocks.length === 0 ? [[]] : blocks).flatMap((block) => ["```", ...top, ...block.map(calm), "```"]);
  return lines.map((line, index) => (index === 0 ? firstMarks : marks) + line).join("\n");
}

/** Three marks in a cell would end the code. */
function calm(line: string): string {
  return line.replaceAll("```", `\`${ZERO_WIDTH_SPACE}\`\``);
}

const LINK = /!?\[([^[\]\n]*)\]\(<?([^()<>\s]*)>?\)/g;
const MARKS = /\*\*|__|~~|`+/g;

/** A cell's words without marks, which code would show; addresses are kept. */
function plainCell(cell: string): string {
  if (cell.startsWith("`") && cell.endsWith("`")) return cell.replace(/^`+|`+$/g, "").trim();
  const words = cell.replace(LINK, (_, label: string, url: string) =>
    label === "" || label === url ? url : `${label} (${url})`,
  );
  return words
    .replace(MARKS, "")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(/\s+/g, " ");
}
