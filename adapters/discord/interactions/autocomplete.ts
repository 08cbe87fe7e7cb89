import type { AgentFamily, DiscordPersona } from "../team.js";
import type { Choice } from "./commands.js";

export interface Typed {
  readonly command: string;
  readonly subcommand: string;
  /** The option that is being typed, and its text so far. */
  readonly option: string;
  readonly text: string;
}

export interface AutocompleteOptions {
  readonly families: readonly AgentFamily[];
  readonly personas: () => readonly DiscordPersona[];
}

/** Discord shows no more, and takes no longer ones. */
const MOST_CHOICES = 25;
const LONGEST = 100;

/** What can be meant by what was typed so far. From memory alone: Discord waits three seconds, people less. */
export function choicesFor(
  { command, subcommand, option, text }: Typed,
  options: AutocompleteOptions,
): readonly Choice[] {
  const family = options.families.find(({ name }) => name === command);
  const inputs = family?.commands.find(({ name }) => name === subcommand)?.inputs ?? [];
  const takes = inputs.find(({ name }) => name === option)?.takes;
  if (takes !== "persona" && takes !== "personas") return [];
  const before = takes === "personas" ? (/^.*\s/s.exec(text)?.[0] ?? "") : "";
  const chosen = new Set(before.toLowerCase().split(/\s+/));
  const beginning = text.slice(before.length).toLowerCase();
  return options
    .personas()
    .filter(({ name }) => !chosen.has(name))
    .filter((persona) => namesOf(persona).some((name) => name.startsWith(beginning)))
    .map(({ name, displayName }) => ({ name: `${before}${shown(name, displayName)}`, value: `${before}${name}` }))
    .filter((choice) => choice.value.length <= LONGEST)
    .slice(0, MOST_CHOICES)
    .map(({ name, value }) => ({ name: name.slice(0, LONGEST), value }));
}

function namesOf({ name, displayName }: DiscordPersona): readonly string[] {
  const words = displayName.toLowerCase();
  return [name, words, ...words.split(/\s+/)];
}

function shown(name: string, displayName: string): string {
  return displayName.toLowerCase() === name ? displayName : `${displayName} (${name})`;
}
