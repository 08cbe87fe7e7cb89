import { distance } from "fastest-levenshtein";

/** Longer words are no misspelt names, and the distance is quadratic in their length. */
const LONGEST_WORD = 64;

/**
 * The form in which two names are the same name: compatibility characters composed (NFKC) and case folded.
 * Idempotent. The way over upper case folds what lower case alone keeps apart: `ß` and `SS`, the two small sigmas.
 */
export function foldName(text: string): string {
  const folded = text.normalize("NFKC").toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
  return folded.normalize("NFKC");
}

/** Levenshtein distance, but two neighbouring letters in the wrong order are one slip and not two. */
function editsBetween(a: string, b: string): number {
  const edits = distance(a, b);
  return edits === 2 && isSwapped(a, b) ? 1 : edits;
}

function isSwapped(a: string, b: string): boolean {
  const at = [...a].findIndex((letter, i) => letter !== b[i]);
  return at >= 0 && a.slice(0, at) + a.charAt(at + 1) + a.charAt(at) + a.slice(at + 2) === b;
}

/**
 * The candidate that a misspelt word most likely meant, for "did you mean"; of equally near ones the first.
 * `undefined` when none is within `maxDistance` edits, by default a third of the word's length and at least one.
 */
export function nearestName(
  word: string,
  candidates: readonly string[],
  maxDistance: number = Math.max(1, Math.floor(word.length / 3)),
): string | undefined {
  if (word.length > LONGEST_WORD) return undefined;
  const folded = foldName(word);
  let nearest: string | undefined;
  let best = maxDistance + 1;
  for (const candidate of candidates) {
    const edits = editsBetween(folded, foldName(candidate));
    if (edits < best) {
      best = edits;
      nearest = candidate;
    }
  }
  return nearest;
}
