const SEGMENTS = new Intl.Segmenter();
/** Drawn two cells wide by terminals: East Asian letters, full-width forms, pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\ufe0f/u;

const PLAIN = /^[ -~]*$/;

/** How many cells a text takes on a terminal. */
export function cellsOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let cells = 0;
  for (const { segment } of SEGMENTS.segment(text)) cells += WIDE.test(segment) ? 2 : 1;
  return cells;
}

/** The text in exactly so many cells: cut with an ellipsis, or filled up with spaces. */
export function inCells(text: string, cells: number): string {
  const needed = cellsOf(text);
  if (needed <= cells) return text + " ".repeat(cells - needed);
  let cut = "";
  let used = 0;
  for (const { segment } of SEGMENTS.segment(text)) {
    const width = cellsOf(segment);
    if (used + width > cells - 1) break;
    cut += segment;
    used += width;
  }
  return `${cut}…${" ".repeat(cells - 1 - used)}`;
}
