/** How many colours the style sheet has for personas (`tone-0` to `tone-9`). */
const TONES = 10;

function hash(text: string): number {
  let value = 2_166_136_261;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return value;
}

/**
 * The colour class of a persona. Members of a room take colours in roster order, so that two of them differ
 * as long as there are colours; anybody else gets one by name.
 */
export function toneOf(id: string, roster: readonly string[]): string {
  const place = roster.indexOf(id);
  return `tone-${(place >= 0 ? place : hash(id)) % TONES}`;
}
