import { cleanInbound } from "../domain/clean-text.js";
import { MAX_MESSAGE_LENGTH } from "./config.js";

/** The last line of a reply that was longer than a message may be. */
const CUT = `\n… (cut: the reply was longer than ${MAX_MESSAGE_LENGTH.toLocaleString("en")} characters)`;
/** So much of a reply is looked at: what is cleaned away does not count, but an endless reply must not be read to its end. */
const MAX_READ = 4 * MAX_MESSAGE_LENGTH;
/** Deeper values are no input of a tool, and walking them would exhaust the stack. */
const MAX_DEPTH = 100;

/** A brain's reply as it enters the log: clean, without blank lines around it, and no longer than a message may be. */
export function replyWords(text: string): { readonly text: string; readonly isCut: boolean } {
  const words = trimmed(cleanInbound(text.slice(0, MAX_READ)));
  if (text.length <= MAX_READ && words.length <= MAX_MESSAGE_LENGTH) return { text: words, isCut: false };
  const kept = words.slice(0, MAX_MESSAGE_LENGTH - CUT.length).replace(/[\ud800-\udbff]$/, "");
  return { text: `${kept.trimEnd()}${CUT}`, isCut: true };
}

/** Any value a brain returns, every text in it clean (keys too). */
export function cleanValue(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return cleanInbound(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [cleanInbound(key), cleanValue(item, depth + 1)]),
  );
}

/** Without blank lines before and white space after. An indent stays: it makes a first line code. */
function trimmed(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
}
