import type { View } from "../../../src/index.js";
import { splitBody, wordsOf } from "../outbound/showing.js";

const LONGEST = 2_000;
const CUT = "\n-# There is more; it is too long to show here.";

/** An answer as texts that each fit one message, at most so many; where there were more, the last one says so. */
export function answerParts(view: View, most: number): readonly string[] {
  const parts = splitBody({ kind: "view", view }).map(wordsOf);
  if (parts.length <= most) return parts;
  return parts
    .slice(0, most)
    .map((part, index) => (index < most - 1 ? part : part.slice(0, LONGEST - CUT.length) + CUT));
}
