/** A place in a line of Markdown, as its structure is read from left to right. Tabs go to the next of every four columns. */
export interface LineCursor {
  readonly line: string;
  at: number;
  /** The column that the place shows in. */
  column: number;
  /** Columns of a tab that have not been taken yet. */
  spare: number;
}

const [TAB, NEWLINE, RETURN, SPACE] = [9, 10, 13, 32];

export function cursorOf(line: string): LineCursor {
  return { line, at: 0, column: 0, spare: 0 };
}

/** The columns of white space that come next. */
export function indentAt({ line, at, column, spare }: LineCursor): number {
  let columns = spare;
  for (let place = at; place < line.length; place++) {
    const code = line.charCodeAt(place);
    if (code === TAB) columns += 4 - ((column + columns) % 4);
    else if (code === SPACE) columns++;
    else break;
  }
  return columns;
}

/** Takes so many columns of white space, or as many as there are. */
export function takeIndent(cursor: LineCursor, columns: number): void {
  let left = columns;
  while (left > 0) {
    if (cursor.spare === 0 && !loadSpace(cursor)) return;
    const taken = Math.min(left, cursor.spare);
    cursor.spare -= taken;
    cursor.column += taken;
    left -= taken;
  }
}

function loadSpace(cursor: LineCursor): boolean {
  const code = cursor.line.charCodeAt(cursor.at);
  if (code !== TAB && code !== SPACE) return false;
  cursor.spare = code === TAB ? 4 - (cursor.column % 4) : 1;
  cursor.at++;
  return true;
}

/** Takes characters that are no white space. */
export function takeMark(cursor: LineCursor, length: number): void {
  cursor.at += length;
  cursor.column += length;
}

/** What is left of the line, as it shows. */
export function restOf({ line, at, spare }: LineCursor): string {
  return spare === 0 ? line.slice(at) : " ".repeat(spare) + line.slice(at);
}

/** Whether nothing but white space comes. */
export function isBlankAt({ line, at }: LineCursor): boolean {
  for (let place = at; place < line.length; place++) {
    const code = line.charCodeAt(place);
    if (code !== SPACE && code !== TAB && code !== RETURN && code !== NEWLINE) return false;
  }
  return true;
}
