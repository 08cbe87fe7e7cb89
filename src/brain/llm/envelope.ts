import { createHash } from "node:crypto";
import type { Entry } from "../../domain/entry.js";
import type { RoomId } from "../../domain/ids.js";
import { createMentionParser } from "../../domain/mention.js";
import type { Persona } from "../../domain/persona.js";
import type { ViewEntry } from "../../ports/brain.js";

/** The longest message that a model is shown whole. */
const TEXT_CHARACTERS = 20_000;
const NAME_CHARACTERS = 80;

/**
 * The code in the lines around foreign text. The same for a room at every turn, so that prompts keep their bytes; it need not be
 * secret, since it is taken out of every text that it surrounds.
 */
export function fenceOf(room: RoomId): string {
  return createHash("sha256").update(`troupe fence ${room}`).digest("hex").slice(0, 12);
}

/** Somebody else's message as a model sees it: a header of ours, then the text between two fence lines. */
export function createEnvelope(persona: Persona, fence: string): (item: ViewEntry) => string {
  const mentionsOf = createMentionParser([persona]);
  const isTo = ({ entry }: ViewEntry) => {
    if (entry.kind === "message" && entry.to !== undefined) return entry.to === persona.name;
    if (entry.kind === "message" && entry.answers === persona.name) return true;
    return mentionsOf(entry.text).some((mention) => mention.kind === "persona");
  };
  return (item) => {
    const header = headerOf(item, !item.own && isTo(item));
    const lines = [fenced(item.entry.text, fence), ...filesOf(item.entry).map((file) => fenced(file, fence))];
    return `${header}\n<<<${fence}\n${lines.join("\n")}\n${fence}>>>`;
  };
}

/** A line that only we write: a header as an envelope has it. Also finds one that a model imitates. */
export const HEADER_LINE = /^[ \t]*\[(?:message|background) [^\]\n|]*\|[^\]\n]*\][ \t]*$/m;

function headerOf({ entry, own, context }: ViewEntry, isTo: boolean): string {
  const label = context === true ? "background" : "message";
  const from = `${inHeader(entry.sender.name)} (${own ? "you" : entry.sender.kind})`;
  const fields = [`${label} ${inHeader(entry.id)}`, minuteOf(entry.at), from];
  return `[${[...fields, ...(isTo ? ["mentions you"] : [])].join(" | ")}]`;
}

/** A time to the minute, UTC: finer would tell a model nothing. */
export function minuteOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** A name or id that stays inside the header it stands in. */
export function inHeader(text: string): string {
  return visible(text)
    .replace(/[\s[\]|]+/g, " ")
    .trim()
    .slice(0, NAME_CHARACTERS);
}

/** Files that are named; of more, their number. */
const NAMED_FILES = 20;

/** What came with a message, a line each. */
function filesOf(entry: Entry): readonly string[] {
  const files = entry.kind === "message" ? (entry.files ?? []) : [];
  const named = files
    .slice(0, NAMED_FILES)
    .map(({ name, type, size }) => `(file ${inHeader(name)}, ${inHeader(type)}, ${Math.ceil(size / 1_000)} kB)`);
  return files.length > NAMED_FILES ? [...named, `(${files.length - NAMED_FILES} more files)`] : named;
}

function fenced(text: string, fence: string): string {
  const safe = visible(text).replace(new RegExp(fence, "gi"), "(code removed)");
  if (safe.length <= TEXT_CHARACTERS) return safe;
  return `${safe.slice(0, TEXT_CHARACTERS)}\n(${safe.length - TEXT_CHARACTERS} more characters cut)`;
}

/** Line breaks of every kind, as one. */
const BREAKS = /\r\n?|[\u2028\u2029\u0085]/g;
/**
 * Characters that a reader does not see but a model reads: controls but tab and newline, direction marks, zero-width spaces, tag
 * characters, the supplementary variation selectors, halves of pairs. Joiners stay: emoji and several scripts need them.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

function visible(text: string): string {
  return text.replace(BREAKS, "\n").replace(INVISIBLE, (char) => (char === "\n" || char === "\t" ? char : ""));
}

/** The text as a pattern that matches just it. */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
