import { COMMAND_WORDS } from "./persona.js";

/** A command as words: `name` is one of the command table's, `args` what followed. */
export interface ParsedCommand {
  readonly name: string;
  readonly args: readonly string[];
}

const WORDS: ReadonlySet<string> = new Set(COMMAND_WORDS);
const PREFIXES = new Set(["agent", "task", "schedule"]);

/**
 * Parses what stands after the slash, or after a mention of the app. `agent` may lead and is dropped; `task` and
 * `schedule` lead their own families. `undefined` when the first word is no command word.
 */
export function parseCommand(text: string): ParsedCommand | undefined {
  const [first, ...rest] = splitWords(text.trim());
  if (first === undefined) return undefined;
  const word = first.toLowerCase();
  if (word === "agent") return rest.length === 0 ? { name: "help", args: [] } : wordCommand(rest);
  if (PREFIXES.has(word)) return { name: word, args: rest };
  return WORDS.has(word) ? { name: word, args: rest } : undefined;
}

/** After an explicit `agent` the next word is the command, known or not: the answer names the nearest one. */
function wordCommand([name, ...args]: readonly string[]): ParsedCommand {
  return { name: (name ?? "help").toLowerCase(), args };
}

/** Whether a text is a slash command rather than a message (web rooms have no native ones). */
export function isSlashCommand(text: string): boolean {
  return /^\/(agent|task|schedule)(\s|$)/i.test(text);
}

/** Splits at white space; double quotes keep words together. Total: an open quote ends with the text. */
function splitWords(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]*)"?|\S+/g)].map((match) => match[1] ?? match[0]);
}
