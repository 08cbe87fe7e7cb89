import type { AgentFamily, AgentInput } from "../team.js";
import type { CommandWire } from "./wire.js";

/** A subcommand with its options as the words that a person would have typed: `agent budget 4`. */
export function wordsOf({ data }: Pick<CommandWire, "data">, families: readonly AgentFamily[]): string {
  const [subcommand] = data.options;
  if (subcommand === undefined) return data.name;
  const commands = families.find(({ name }) => name === data.name)?.commands;
  const inputs = commands?.find(({ name }) => name === subcommand.name)?.inputs ?? [];
  const values = new Map(subcommand.options.map(({ name, value }) => [name, value]));
  const known = inputs.map((input) => wordOf(input, values.get(input.name)));
  // What an older version has registered still says something.
  const unknown = subcommand.options.filter(({ name }) => inputs.every((input) => input.name !== name));
  const words = [...known, ...unknown.map(({ value }) => quoted(String(value ?? "")))];
  return [data.name, subcommand.name, ...words].filter((word) => word !== "").join(" ");
}

function wordOf({ takes }: AgentInput, value: string | number | boolean | undefined): string {
  const text = String(value ?? "").trim();
  // Several names: who writes one with spaces puts it in quotes, as after a mention.
  return takes === "personas" ? text : quoted(text);
}

/** Quotes keep a name with spaces together. */
function quoted(text: string): string {
  return /\s/.test(text) ? `"${text.replaceAll('"', "")}"` : text;
}
