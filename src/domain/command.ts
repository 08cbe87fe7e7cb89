import { COMMAND_WORDS } from "./persona.js";

/** A command as words: `name` is one of the command table's, `args` what followed. */
export interface ParsedCommand {
  readonly name: string;
  readonly args: readonly string[];
  /** The arguments as they were typed. */
  readonly text: string;
}

const WORDS: ReadonlySet<string> = new Set(COMMAND_WORDS);
const PREFIXES = new Set(["agent", "task", "schedule"]);

/**
 * Parses what stands after the slash, or after a mention of the app. `agent` may lead and is dropped; `task` and
 * `schedule` lead their own families. `undefined` when the first word is no command word.
 */
export function parseCommand(text: string): ParsedCommand | undefined {
  const [first, ...args] = splitWords(text);
  if (first === undefined) return undefined;
  const word = first.toLowerCase();
  const rest = textAfter(text, 1);
  if (word === "agent") return wordCommand(args, rest);
  return PREFIXES.has(word) || WORDS.has(word) ? { name: word, args, text: rest } : undefined;
}

/** After an explicit `agent` the next word is the command, known or not: the answer names the nearest one. */
function wordCommand([name = "help", ...args]: readonly string[], text: string): ParsedCommand {
  return { name: name.toLowerCase(), args, text: textAfter(text, 1) };
}

/** What stands behind the first so many words, as it was typed; without the quotes, where it is one quoted text. */
export function textAfter(text: string, words: number): string {
  const [last] = [...text.matchAll(WORD)].slice(0, words).slice(-1);
  const rest = text.slice(last === undefined ? 0 : last.index + last[0].length).trim();
  return /^"([^"]*)"$/.exec(rest)?.[1] ?? rest;
}

/** Whether a text is a slash command rather than a message (web rooms have no native ones). */
export function isSlashCommand(text: string): boolean {
  return /^\/(agent|task|schedule)(\s|$)/i.test(text);
}

/** Splits at white space; double quotes keep words together. Total: an open quote ends with the text. */
function splitWords(text: string): readonly string[] {
  return [...text.matchAll(WORD)].map((match) => match[1] ?? match[0]);
}

const WORD = /"([^"]*)"?|\S+/g;
