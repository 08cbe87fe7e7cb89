import { createHash } from "node:crypto";
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  InteractionContextType,
  PermissionFlagsBits,
} from "discord.js";
import type { AgentCommand, AgentFamily, AgentInput } from "../team.js";

// Discord's own limits.
const LONGEST_ABOUT = 100;
const MOST_CHOICES = 25;
const MOST_SUBCOMMANDS = 25;

/** A choice as Discord offers it. */
export interface Choice {
  readonly name: string;
  readonly value: string;
}

interface OptionDefinition {
  readonly type: number;
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  readonly autocomplete?: boolean;
  readonly choices?: readonly Choice[];
  readonly max_length?: number;
  readonly min_value?: number;
  readonly options?: readonly OptionDefinition[];
}

/** A command in the form in which Discord registers it. */
export interface CommandDefinition {
  readonly type: number;
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionDefinition[];
  readonly default_member_permissions?: string | null;
  readonly contexts?: readonly number[];
}

/** `guild`: for one server; `direct`: for direct conversations, where the commands of servers are not offered. */
export type CommandScope = "guild" | "direct";

/**
 * `/agent`, `/schedule`, with a subcommand for every row of the table. Offered to everybody who may write, since half of it is for all; the rest is for
 * admins, and the engine looks at that when it is used.
 */
export function slashCommand({ name, about: text, commands }: AgentFamily, scope: CommandScope): CommandDefinition {
  const options = commands.slice(0, MOST_SUBCOMMANDS).map((command) => subcommand(command, commands));
  const common = { type: ApplicationCommandType.ChatInput, name, description: about(text), options };
  return scope === "guild"
    ? { ...common, default_member_permissions: String(PermissionFlagsBits.SendMessages) }
    : { ...common, contexts: [InteractionContextType.BotDM] };
}

function subcommand({ name, summary, who, inputs }: AgentCommand, commands: readonly AgentCommand[]): OptionDefinition {
  return {
    type: ApplicationCommandOptionType.Subcommand,
    name,
    description: about(who === "admin" ? `${summary} (admins)` : summary),
    options: inputs.map((input) => option(input, commands)),
  };
}

function option({ name, summary, takes, required }: AgentInput, commands: readonly AgentCommand[]): OptionDefinition {
  const common = { name, description: about(summary), ...(required ? { required } : {}) };
  const text = { ...common, type: ApplicationCommandOptionType.String };
  if (takes === "number") return { ...common, type: ApplicationCommandOptionType.Integer, min_value: 0 };
  if (takes === "text") return { ...text, max_length: LONGEST_TEXT };
  if (takes === "persona" || takes === "personas") return { ...text, max_length: LONGEST_TEXT, autocomplete: true };
  const words = takes === "command" ? commands.map((command) => command.name) : takes;
  return { ...text, choices: words.slice(0, MOST_CHOICES).map((word) => ({ name: word, value: word })) };
}

const LONGEST_TEXT = 1_000;

function about(summary: string): string {
  const characters = [...summary];
  return characters.length <= LONGEST_ABOUT ? summary : `${characters.slice(0, LONGEST_ABOUT - 1).join("")}…`;
}

/** The same for definitions that mean the same, whatever Discord adds to them or leaves out. */
export function definitionHash(definitions: readonly unknown[]): string {
  const plain = definitions.map(essence).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(plain)).digest("hex");
}

/** What counts of a definition, in a fixed order: what is empty, `false` or absent is the same. */
function essence(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(essence);
  if (typeof value !== "object" || value === null) return value;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  return Object.fromEntries(
    KEYS.filter((key) => !isNothing(fields[key])).map((key) => [key, essence(fields[key])] as const),
  );
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);
}

const KEYS = [
  "autocomplete",
  "choices",
  "contexts",
  "default_member_permissions",
  "description",
  "max_length",
  "min_value",
  "name",
  "options",
  "required",
  "type",
  "value",
] as const;
