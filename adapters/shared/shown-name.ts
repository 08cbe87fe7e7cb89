const LONGEST = 80;

/** What is not seen, reorders what is seen, or breaks the line. The joiner stays: it makes one emoji of several. */
const UNSEEN = /(?!\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** Markup, links and tokens, as what looks like it and is none. */
const LOOKS: Readonly<Record<string, string>> = {
  "[": "(",
  "]": ")",
  "<": "‹",
  ">": "›",
  "*": "∗",
  "`": "'",
  "\\": "",
};

/**
 * Somebody's display name as it may stand among our own words: one line, and no markup, link or token. `undefined` when nothing is
 * left of it.
 */
export function shownName(name: string | undefined): string | undefined {
  const line = (name ?? "")
    .replace(UNSEEN, " ")
    .replace(/[[\]<>*`\\]/g, (mark) => LOOKS[mark] ?? "")
    .replace(/(~~|__|\|\|)+/g, "")
    .replace(/:\/\//g, ": //")
    .replace(/\s+/g, " ")
    .replace(/^[ #>=+-]+/, "")
    .trim();
  return [...line].slice(0, LONGEST).join("").trim() || undefined;
}
