/**
 * Whether two messages say nearly the same (behaviour 2.1.8): lower-cased, digits and punctuation dropped, then the
 * Jaccard index of the two sets of words, with or without a transport's header and fence around the texts. "Step 3 of 9"
 * equals "step 4 of 9". Two texts without any word are equal. Symmetric, and linear in the length of the texts.
 */
export function isNearIdentical(a: string, b: string, percent: number): boolean {
  if (a === b || areAlike(a, b, percent)) return true;
  const [left, right] = [unframed(a), unframed(b)];
  if (!left.isFramed && !right.isFramed) return false;
  // Two different headers are no transport's: in "Paris: sunny" and "Rome: sunny" they are what is said.
  if (left.header !== right.header && left.header !== "" && right.header !== "") return false;
  return areAlike(left.body, right.body, percent);
}

function areAlike(a: string, b: string, percent: number): boolean {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  if (left.size === 0 || right.size === 0) return left.size === right.size;
  const [small, large] = left.size <= right.size ? [left, right] : [right, left];
  let shared = 0;
  for (const word of small) if (large.has(word)) shared++;
  return shared * 100 >= percent * (left.size + right.size - shared);
}

/** Begins with a letter of any script; marks alone (those that choose an emoji's look, too) are no word. */
const WORD = /\p{L}[\p{L}\p{M}]*/gu;

/** Scripts that are written without spaces: their words cannot be told apart, so pairs of letters stand for them. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function wordsOf(text: string): ReadonlySet<string> {
  const found = text.normalize("NFKC").toLowerCase().match(WORD) ?? [];
  if (!UNSPACED.test(text)) return new Set(found);
  const words = new Set<string>();
  for (const word of found) {
    if (UNSPACED.test(word)) addBigrams(words, word);
    else words.add(word);
  }
  return words;
}

/** The code points of a word, two and two; a single one stands for itself. */
function addBigrams(words: Set<string>, word: string): void {
  let [before, at] = [0, firstSize(word, 0)];
  if (at === word.length) words.add(word);
  while (at < word.length) {
    const end = at + firstSize(word, at);
    words.add(word.slice(before, end));
    before = at;
    at = end;
  }
}

/** Length of the code point at a place. */
function firstSize(word: string, at: number): number {
  return (word.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** A text without a transport's rendering around it; `header` is empty where there is none. */
interface Framed {
  readonly header: string;
  readonly body: string;
  /** There was something to take away. */
  readonly isFramed: boolean;
}

/** `Name:`, `**Name:**`, `**Name**:`, `[Name]` or `[Name]:` at the beginning. */
const HEADER = /^(?:\*\*)?(?:\[([\p{L}\p{N}_ -]{1,80})\](?=[\s*:])|([\p{L}\p{N}_ -]{1,80})(?=:|\*\*:))[:*]{0,3}\s*/u;

function unframed(text: string): Framed {
  const trimmed = text.trim();
  const match = HEADER.exec(trimmed);
  const header = (match?.[1] ?? match?.[2] ?? "").trim().toLowerCase();
  const body = unfenced(trimmed.slice(match?.[0].length ?? 0));
  return { header, body, isFramed: body.length < trimmed.length };
}

/** Takes away a fence that holds the whole text. */
function unfenced(body: string): string {
  const fence = /^(`{3,}|~{3,})[^\n]*\n/.exec(body);
  if (!fence?.[1] || !body.endsWith(fence[1])) return body;
  return body.slice(fence[0].length, -fence[1].length);
}
