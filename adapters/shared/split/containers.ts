import { indentAt, isBlankAt, type LineCursor, takeIndent, takeMark } from "./line-cursor.js";

/** What lines stand in: a quote, or an item of a list by the columns that its text is indented. From the outermost on. */
export type Containers = readonly number[];

export const QUOTE = 0;

/** Nobody quotes a quote of a quote so often. */
export const DEEPEST = 30;

/** Takes the marks of the containers that the line goes on; says how many these are. */
export function takeContainers(cursor: LineCursor, containers: Containers): number {
  const isBlank = isBlankAt(cursor);
  let count = 0;
  for (const container of containers) {
    if (container === QUOTE ? !takeQuote(cursor) : !takeItemIndent(cursor, container, isBlank)) break;
    count++;
  }
  return count;
}

function takeItemIndent(cursor: LineCursor, columns: number, isBlank: boolean): boolean {
  if (indentAt(cursor) < columns && !isBlank && !isBlankAt(cursor)) return false;
  takeIndent(cursor, columns);
  return true;
}

/** Takes the mark of a quote, if one stands here. */
export function takeQuote(cursor: LineCursor): boolean {
  const indent = indentAt(cursor);
  if (indent > 3 || cursor.line[markPlace(cursor)] !== ">") return false;
  takeIndent(cursor, indent);
  takeMark(cursor, 1);
  takeIndent(cursor, 1);
  return true;
}

/** Whether a container might begin here, by the first character. */
export function mayBegin(cursor: LineCursor): boolean {
  const at = markPlace(cursor);
  return at < cursor.line.length && ">-+*0123456789".includes(cursor.line.charAt(at));
}

const BULLET = /[-+*](?=[ \t\r]|$)/y;
const NUMBER = /(\d{1,9})[.)](?=[ \t\r]|$)/y;

/**
 * Takes the mark of a list's item, if one stands here; says by how many columns its text is indented. Within a paragraph only some
 * begin one.
 */
export function takeItem(cursor: LineCursor, isInParagraph: boolean): number | undefined {
  const indent = indentAt(cursor);
  const place = markPlace(cursor);
  const mark = matchAt(BULLET, cursor.line, place) ?? matchAt(NUMBER, cursor.line, place);
  if (indent > 3 || mark === null) return undefined;
  const [{ length }, number] = mark;
  const isEmpty = isBlankAt({ ...cursor, at: place + length });
  if (isInParagraph && (isEmpty || (number !== undefined && Number(number) !== 1))) return undefined;
  takeIndent(cursor, indent);
  takeMark(cursor, length);
  const gap = isEmpty || indentAt(cursor) > 4 ? 1 : indentAt(cursor);
  takeIndent(cursor, gap);
  return indent + length + gap;
}

/** Where the next character stands that is no white space. */
export function markPlace({ line, at }: LineCursor): number {
  let place = at;
  while (line[place] === " " || line[place] === "\t") place++;
  return place;
}

/** What a sticky expression finds at this place. */
export function matchAt(expression: RegExp, line: string, place: number): RegExpExecArray | null {
  expression.lastIndex = place;
  return expression.exec(line);
}
