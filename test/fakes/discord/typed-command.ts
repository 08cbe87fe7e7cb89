import type { DiscordApp, DiscordChannel, DiscordUser } from "./model.js";
import { userWire } from "./people-wire.js";
import { guildPermissions } from "./permissions.js";
import { isRecord, type Json, numberOf, records, textOf } from "./wire.js";
import type { Workspace } from "./workspace.js";

/** A command as it goes into the payload. */
export interface TypedCommand {
  readonly app: DiscordApp;
  readonly data: Json;
}

const SUB = 1;
const GROUP = 2;
const USER = 6;

/** Where a command is typed, and by whom; `isForced` types what the menu would not offer this person. */
export interface Typing {
  readonly workspace: Workspace;
  readonly user: DiscordUser;
  readonly channel: DiscordChannel;
  readonly isForced: boolean;
}

/**
 * Reads `budget n:4 reason:two words` by the registered command's definition, as the app of a person does: subcommands first, then
 * options with their types. Throws for what no person could send. The last option is `focused` while someone is still typing.
 */
export function typedCommand(typing: Typing, name: string, typed: string, isFocused = false): TypedCommand {
  const { app, command } = registered(typing, name.replace(/^\//, ""));
  const resolved: Json = {};
  const words = typed.trim().split(/\s+/).filter(Boolean);
  const options = readLevel({ typing, resolved, isFocused }, command, words);
  const data: Json = { id: command.id, name: command.name, type: 1, options };
  if (textOf(command, "guild_id") !== undefined) data.guild_id = command.guild_id;
  if (Object.keys(resolved).length > 0) data.resolved = resolved;
  return { app, data };
}

function registered({ workspace, channel, user, isForced }: Typing, name: string): { app: DiscordApp; command: Json } {
  for (const app of workspace.apps) {
    for (const scope of [channel.guildId ?? "", "global"]) {
      const command = app.commands.get(scope)?.find((it) => it.name === name);
      if (!command) continue;
      if (!isForced && !isOffered(workspace, channel, user, command)) {
        throw new Error(`${user.name} is not offered /${name} in ${channel.name}`);
      }
      return { app, command };
    }
  }
  throw new Error(`no app has registered /${name} for ${channel.name}`);
}

function isOffered(workspace: Workspace, channel: DiscordChannel, user: DiscordUser, command: Json): boolean {
  const guild = workspace.guildOf(channel);
  const contexts = Array.isArray(command.contexts) ? command.contexts : [0, 1];
  if (!guild) return contexts.includes(1);
  const needed = textOf(command, "default_member_permissions");
  if (needed === undefined) return contexts.includes(0);
  const held = guildPermissions(guild, user.id);
  return contexts.includes(0) && needed !== "0"
    ? (held & BigInt(needed)) === BigInt(needed)
    : guild.ownerId === user.id;
}

interface Reading {
  readonly typing: Typing;
  readonly resolved: Json;
  readonly isFocused: boolean;
}

function readLevel(reading: Reading, holder: Json, words: readonly string[]): readonly Json[] {
  const defined = records(holder.options);
  const isNested = defined.some((it) => it.type === SUB || it.type === GROUP);
  if (!isNested) return readOptions(reading, holder, words);
  const inner = defined.find((it) => it.name === words[0]);
  if (!inner) throw new Error(`/${holder.name} has no "${words[0] ?? ""}"`);
  return [{ type: inner.type, name: inner.name, options: readLevel(reading, inner, words.slice(1)) }];
}

function readOptions(reading: Reading, holder: Json, words: readonly string[]): readonly Json[] {
  const defined = records(holder.options);
  const given = new Map<string, string>();
  let current = "";
  for (const word of words) {
    const name = defined.map((it) => String(it.name)).find((it) => word.startsWith(`${it}:`));
    if (name === undefined && current === "") throw new Error(`"${word}" is no option of /${holder.name}`);
    if (name !== undefined) current = name;
    given.set(current, name === undefined ? `${given.get(current)} ${word}` : word.slice(name.length + 1));
  }
  const missing = defined.find((it) => it.required === true && !given.has(String(it.name)));
  if (missing && !reading.isFocused) throw new Error(`/${holder.name} needs ${missing.name}`);
  const last = [...given.keys()].at(-1);
  return [...given].map(([name, text]) => {
    const option = defined.find((it) => it.name === name) ?? {};
    const isFocused = reading.isFocused && name === last;
    const value = isFocused ? text : typedValue(reading, option, text);
    return { name, type: option.type, value, ...(isFocused ? { focused: true } : {}) };
  });
}

function typedValue({ typing, resolved }: Reading, option: Json, text: string): unknown {
  const choices = records(option.choices);
  const choice = choices.find((it) => it.name === text || String(it.value) === text);
  if (choice) return choice.value;
  if (choices.length > 0) throw new Error(`${option.name} has no choice "${text}"`);
  const type = numberOf(option, "type");
  if (type === USER) return userIn(typing, resolved, text);
  if (type === 7) return typing.workspace.channel(text).id;
  if (type === 5) return text === "true";
  if (type !== 4 && type !== 10) return text;
  return inRange(option, Number(text));
}

function inRange(option: Json, value: number): number {
  const [least, most] = [numberOf(option, "min_value"), numberOf(option, "max_value")];
  if (Number.isNaN(value) || (least !== undefined && value < least) || (most !== undefined && value > most)) {
    throw new Error(`${option.name} cannot be ${value}`);
  }
  return value;
}

function userIn({ workspace }: Typing, resolved: Json, text: string): string {
  const user = workspace.user(text.replace(/^@/, ""));
  const known: Json = isRecord(resolved.users) ? resolved.users : {};
  resolved.users = { ...known, [user.id]: userWire(user) };
  return user.id;
}
