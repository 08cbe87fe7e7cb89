import { APP_MENTION, goesOn, harmless, sticks } from "../../shared/text-in-names.js";

/** What the ids in a message stand for. */
export interface Names {
  /** A person's name as it may stand in a text; never read as a mention. */
  person(id: string): string;
  /** The label that a token gives its channel or user group. */
  label(id: string): string | undefined;
  /** Our own bot users: `@name` as it wakes. */
  own(id: string): string | undefined;
}

/** `<…>`, as Slack marks what is not plain text. */
const TOKEN = /<([^<>\n]+)>/g;

/** Slack's plain text with its tokens as what they show, and nothing escaped. Mentions stand apart from the words around them. */
export function plainTokens(text: string, names: Names): string {
  let isAddressing = false;
  const shown = text.replace(TOKEN, (whole: string, token: string, at: number) => {
    const before = text.slice(0, at);
    const mention = token.startsWith("@") && names.own(targetOf(token).slice(1));
    if (!mention) {
      const words = tokenText(token, names);
      return isAddressing && isFirstWord(before) && isName(token) ? `(${words})` : words;
    }
    if (before.trim() === "") isAddressing = mention === APP_MENTION;
    const end = at + whole.length;
    return `${sticks(before) ? " " : ""}${mention}${goesOn(text.slice(end, end + 2)) ? " " : ""}`;
  });
  return unescapeText(shown);
}

/** Whether a token shows a mere name: right behind the app's mention that would address whoever has it. */
function isName(token: string): boolean {
  return /^(?:@|!subteam\^|!date\^)/.test(token);
}

/** Whether nothing but the first mention stands before. */
function isFirstWord(before: string): boolean {
  return /^\s*<@[^<>\n]+>[\s,:]*$/.test(before);
}

/** One token of Slack's plain text as Markdown. */
function tokenText(token: string, names: Names): string {
  const target = targetOf(token);
  const label = token.slice(target.length + 1);
  if (target.startsWith("@")) return names.person(target.slice(1));
  if (target.startsWith("#")) return `#${harmless(label) || target.slice(1)}`;
  if (target.startsWith("!subteam^")) return harmless(label) || target.slice("!subteam^".length);
  if (target.startsWith("!date^")) return harmless(label);
  if (target.startsWith("!")) return `@${target.slice(1)}`;
  return linkText(target, label);
}

function targetOf(token: string): string {
  return token.split("|", 1)[0] ?? "";
}

const ESCAPES: Readonly<Record<string, string>> = { "(": "%28", ")": "%29", "<": "%3C", ">": "%3E" };

/** A link as Markdown; the bare address where it has no other label. */
export function linkText(url: string, label: string): string {
  // What ends an address in Markdown would let its rest be words.
  const whole = url.replace(/[\s()<>]/g, (character) => ESCAPES[character] ?? "%20");
  const address = url.replace(/^mailto:/, "").replace(/\s/g, "%20");
  if (label === "" || label === url || label === address) return address;
  return `[${label.replace(/[[\]]/g, "\\$&")}](${whole})`;
}

/** Undoes Slack's escaping of the three characters that it uses itself, once. */
export function unescapeText(text: string): string {
  return text.replace(/&(lt|gt|amp);/g, (_, name: string) => (name === "lt" ? "<" : name === "gt" ? ">" : "&"));
}
