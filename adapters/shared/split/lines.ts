/** Finds the ends of lines; a long line that is asked for often is searched once. */
export function createLineEnds(text: string): (at: number) => number {
  let [from, end] = [0, 0];
  return (at) => {
    if (at >= from && at < end) return end;
    const newline = text.indexOf("\n", at);
    [from, end] = [at, newline === -1 ? text.length : newline + 1];
    return end;
  };
}

/** Goes through the lines of a text with their ends. */
export function forEachLine(text: string, visit: (start: number, end: number) => void): void {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline + 1;
    visit(start, end);
    start = end;
  }
}

/** A line without its end. */
export function bare(line: string): string {
  return line.endsWith("\n") ? line.slice(0, -1) : line;
}
