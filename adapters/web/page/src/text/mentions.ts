/** Who can be mentioned here: the handle, and what else the same persona is called. */
export interface Mentionable {
  readonly name: string;
  readonly displayName: string;
}

/** A piece of text; with `persona` it is a mention of that persona, written as it stands. */
export interface Piece {
  readonly text: string;
  readonly persona?: string;
}

const NAME_CHARACTER = /[\p{L}\p{N}_-]/u;
/** An `@` after one of these belongs to an address, a path or an escape. */
const BLOCKS_BEFORE = /[\p{L}\p{N}_./@\\"]/u;

function namesOf(roster: readonly Mentionable[]): readonly { readonly spelled: string; readonly persona: string }[] {
  const all = roster.flatMap((member) =>
    [member.name, member.displayName].map((name) => ({ spelled: name.toLowerCase(), persona: member.name })),
  );
  return all.filter((name) => name.spelled !== "").sort((a, b) => b.spelled.length - a.spelled.length);
}

function endsName(text: string, at: number): boolean {
  const next = text[at];
  if (next === undefined) return true;
  if (NAME_CHARACTER.test(next)) return false;
  const after = text[at + 1];
  return !(next === "/" && after !== undefined && NAME_CHARACTER.test(after));
}

/**
 * Splits plain text at the mentions that would count, for showing them: longest name first, upper and lower case
 * alike. It follows the engine's grammar closely but decides nothing; who was woken is in the outcome.
 */
export function splitMentions(text: string, roster: readonly Mentionable[]): readonly Piece[] {
  const names = namesOf(roster);
  const lower = text.toLowerCase();
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    const before = text[at - 1];
    if (at < from || (before !== undefined && BLOCKS_BEFORE.test(before))) continue;
    const found = names.find(
      ({ spelled }) => lower.startsWith(spelled, at + 1) && endsName(text, at + 1 + spelled.length),
    );
    if (found === undefined) continue;
    const end = at + 1 + found.spelled.length;
    if (at > from) pieces.push({ text: text.slice(from, at) });
    pieces.push({ text: text.slice(at, end), persona: found.persona });
    from = end;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}
