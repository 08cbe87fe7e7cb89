import type { DiscordChannel } from "./model.js";
import type { Workspace } from "./workspace.js";

/**
 * What the app of a person makes of typed text: `@name` of a member or a role becomes a token (the longest name that fits, people
 * first), `#name` a channel's; `@everyone`, `@here` and all other names stay text. Code stays as it is.
 */
export function compose(typed: string, channel: DiscordChannel, workspace: Workspace): string {
  if (!/[@#]/.test(typed)) return typed;
  const tokens = tokensFor(channel, workspace);
  return typed
    .split(/(```[\s\S]*?```|`[^`\n]*`)/)
    .map((piece, index) => (index % 2 === 1 ? piece : withTokens(piece, tokens)))
    .join("");
}

type Tokens = readonly (readonly [name: string, token: string])[];

function tokensFor(channel: DiscordChannel, workspace: Workspace): Tokens {
  const guild = workspace.guildOf(channel);
  const members = guild ? [...guild.members.keys()] : [...channel.members];
  const people = members.flatMap((id) => workspace.users.get(id) ?? []);
  const roles = [...(guild?.roles.values() ?? [])].filter((it) => it.id !== guild?.id);
  const channels = [...workspace.channels.values()].filter((it) => guild && it.guildId === guild.id);
  const all: Tokens = [
    ...people.flatMap(({ id, name, displayName }) => [
      [`@${name}`, `<@${id}>`] as const,
      [`@${displayName}`, `<@${id}>`] as const,
    ]),
    ...roles.map(({ id, name }) => [`@${name}`, `<@&${id}>`] as const),
    ...channels.map(({ id, name }) => [`#${name}`, `<#${id}>`] as const),
  ];
  // The sort keeps people before roles of the same name.
  return all.toSorted(([a], [b]) => b.length - a.length);
}

function withTokens(text: string, tokens: Tokens): string {
  let made = "";
  for (let at = 0; at < text.length; ) {
    const isStart = /[@#]/.test(text[at] ?? "") && !/[\w@<]/.test(text[at - 1] ?? "");
    const hit = isStart ? tokens.find(([name]) => isAt(text, at, name)) : undefined;
    made += hit ? hit[1] : text[at];
    at += hit ? hit[0].length : 1;
  }
  return made;
}

function isAt(text: string, at: number, name: string): boolean {
  const end = at + name.length;
  return text.slice(at, end).toLowerCase() === name.toLowerCase() && !/\w/.test(text[end] ?? "");
}
