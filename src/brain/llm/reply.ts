import type { Persona } from "../../domain/persona.js";
import { escapePattern, HEADER_LINE } from "./envelope.js";

/**
 * What a model wrote, as it may be posted under the persona's name: without the header, fence or name that models copy from what
 * they read, and cut where a model goes on to write other members' messages. Empty: nothing to post.
 */
export function cleanReply(text: string, persona: Persona, fence: string): string {
  const bare = withoutFence(text, fence);
  const leading = HEADER_LINE.exec(bare);
  const headless =
    leading !== null && bare.slice(0, leading.index).trim() === ""
      ? bare.slice(leading.index + leading[0].length)
      : bare;
  const next = HEADER_LINE.exec(headless);
  const own = next === null ? headless : headless.slice(0, next.index);
  const cleaned = withoutName(own.trim(), persona);
  return /[^\p{Z}\p{C}]/u.test(cleaned) ? cleaned : "";
}

function withoutFence(text: string, fence: string): string {
  return text.replace(new RegExp(`(?:<<<)?${fence}(?:>>>)?\\n?`, "gi"), "");
}

/** `Alpha:`, `**Alpha:**`, `[Alpha]` and their like at the start, also repeated; only the persona's own names. */
function withoutName(text: string, persona: Persona): string {
  const name = `(?:${[persona.displayName, persona.name].map(escapePattern).join("|")})(?: \\((?:agent|bot|you)\\))?`;
  const labelled = `([*_]{0,3})(?:@?${name}|\\[@?${name}\\]|<@?${name}>)(?:\\1 ?:|:\\1)`;
  const bracketed = `[*_]{0,3}(?:\\[${name}\\]|<${name}>)[*_]{0,3}(?=\\s|$)`;
  return text.replace(new RegExp(`^(?:(?:${labelled}|${bracketed})\\s*){1,3}`, "iu"), "");
}

/** A message that the persona has sent by a tool. */
export interface Posted {
  readonly text: string;
  /** The receiver's handle and display name. */
  readonly names: readonly string[];
}

/**
 * Whether the reply only repeats, but for case, spacing, punctuation and a leading mention of the receiver, what the persona has
 * posted in this turn. The same words to somebody else are no repetition.
 */
export function repeatsPosted(reply: string, posted: readonly Posted[]): boolean {
  return posted.some(({ text, names }) => fold(text, names) === fold(reply, names));
}

function fold(text: string, names: readonly string[]): string {
  const words = withoutMention(text.normalize("NFKC").trim(), names).toLowerCase();
  const plain = words.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  // A mention of somebody else is more than its words.
  if (plain === "" || words.startsWith("@")) return words;
  return plain;
}

function withoutMention(text: string, names: readonly string[]): string {
  if (names.length === 0) return text;
  const longestFirst = names.map((name) => name.normalize("NFKC")).sort((a, b) => b.length - a.length);
  const mention = `@(?:${longestFirst.map(escapePattern).join("|")})(?![\\p{L}\\p{N}_-])`;
  return text.replace(new RegExp(`^(?:${mention}[\\s,.:;]*)+`, "iu"), "");
}
