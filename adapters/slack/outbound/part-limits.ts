import type { Limits } from "../../shared/split/split.js";

/** Slack takes 50 blocks and makes more of a text than one would count. */
export const MOST_BLOCKS = 45;

/** A Markdown block takes 12,000 characters and the payload around it some 13,200 as JSON. The margin holds a persona's name. */
export const LONGEST_MARKDOWN = 11_200;

/**
 * What one message holds of a text. Slack would take three times as much, but a part is also read for the plainer form beside it, and
 * everything else waits meanwhile.
 */
export const PART: Limits = { weigh: weighReading, most: 4_000, blocks: MOST_BLOCKS };

const [LESS_THAN, AT_SIGN, QUOTE, BACKSLASH, SPACE, NEWLINE] = [60, 64, 34, 92, 32, 10];

/** Characters as they are sent: written out as entities, and as JSON. */
export function weigh(code: number): number {
  if (code === LESS_THAN) return "&lt;".length;
  return code === AT_SIGN || code === QUOTE || code === BACKSLASH || code < SPACE ? 2 : 1;
}

const MARKS = new Set([..."*_[]~"].map((mark) => mark.charCodeAt(0)));

/** Likewise, with the time that reading takes: a line's is that of a few words, a mark's that of some letters. */
function weighReading(code: number): number {
  if (code === NEWLINE) return 8;
  return MARKS.has(code) ? 3 : weigh(code);
}
