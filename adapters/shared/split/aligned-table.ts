/** A wider cell does not push the others apart. */
const WIDEST = 40;

/** Rows as lines of one width, for type of one width: the head, a rule, the other rows. */
export function alignedTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = widthsOf(rows);
  const [head = [], ...body] = rows;
  const rule = widths.map((size) => "-".repeat(size)).join("-|-");
  return [lineOf(head, widths), rule, ...body.map((row) => lineOf(row, widths))];
}

/** The head says how many columns there are. */
function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  const widths = (rows[0] ?? []).map(() => 3);
  for (const row of rows) {
    for (const [column, cell] of row.slice(0, widths.length).entries()) {
      const width = Math.min(WIDEST, displayWidth(cell));
      if (width > (widths[column] ?? 0)) widths[column] = width;
    }
  }
  return widths;
}

/** Nothing is drawn behind the last cell that says something: a table of empty columns would grow without bounds. */
function lineOf(row: readonly string[], widths: readonly number[]): string {
  const end = row.slice(0, widths.length).findLastIndex((cell) => cell !== "") + 1;
  const cells = row.slice(0, end).map((cell, column) => padded(cell, widths[column] ?? 0));
  return cells.join(" | ").trimEnd();
}

function padded(text: string, size: number): string {
  return text + " ".repeat(Math.max(0, size - displayWidth(text)));
}

const NARROW = /^[ -~]*$/;
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60\p{Emoji_Presentation}]/u;
const NO_WIDTH = /[\p{Mark}\p{Cf}]/u;

/** How many columns a text takes in type of one width: characters of East Asian scripts take two, marks on others none. */
export function displayWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : NO_WIDTH.test(character) ? 0 : 1;
  return width;
}
