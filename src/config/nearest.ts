import { nearestName } from "../domain/names.js";

/** The candidate that a word most likely means. Two edits are always allowed, since letters that change places count as two. */
export function nearestOf(word: string, candidates: readonly string[]): string | undefined {
  return nearestName(word, candidates, Math.max(2, Math.floor(word.length / 3)));
}
