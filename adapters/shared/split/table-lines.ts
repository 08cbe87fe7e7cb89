const [BACKSLASH, PIPE] = [92, 124];

/** How many cells a line has as a row of a table: one more than the pipes between them. */
export function cellCount(line: string): number {
  const row = line.trim();
  if (row === "") return 0;
  let cells = 1;
  const end = row.length - 1;
  for (let at = 0; at <= end; at++) {
    const code = row.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === PIPE && at > 0 && at < end) cells++;
  }
  return cells;
}

const DELIMITER = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/;

/** Whether a line is the rule between the head of a table and its rows. */
export function isDelimiter(line: string): boolean {
  const rule = line.trim();
  return rule.includes("|") && DELIMITER.test(rule);
}

/** The cells of a row, as they are written. */
export function cellsOf(line: string): readonly string[] {
  const row = line.trim();
  const cells: string[] = [];
  let start = row.startsWith("|") ? 1 : 0;
  for (let at = start; at < row.length; at++) {
    const code = row.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === PIPE) {
      cells.push(row.slice(start, at));
      start = at + 1;
    }
  }
  if (start < row.length) cells.push(row.slice(start));
  return cells.map((cell) => cell.replaceAll("\\|", "|").trim());
}
