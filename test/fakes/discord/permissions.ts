import { ChannelType, type DiscordChannel, type DiscordGuild } from "./model.js";

/** The permission bits, by the names of Discord's documentation. */
export const Permission = {
  kickMembers: 1n << 1n,
  administrator: 1n << 3n,
  manageChannels: 1n << 4n,
  manageGuild: 1n << 5n,
  addReactions: 1n << 6n,
  viewChannel: 1n << 10n,
  sendMessages: 1n << 11n,
  manageMessages: 1n << 13n,
  embedLinks: 1n << 14n,
  attachFiles: 1n << 15n,
  readMessageHistory: 1n << 16n,
  mentionEveryone: 1n << 17n,
  useExternalEmojis: 1n << 18n,
  manageRoles: 1n << 28n,
  manageWebhooks: 1n << 29n,
  useApplicationCommands: 1n << 31n,
  manageThreads: 1n << 34n,
  createPublicThreads: 1n << 35n,
  createPrivateThreads: 1n << 36n,
  sendMessagesInThreads: 1n << 38n,
  bypassSlowmode: 1n << 52n,
} as const;

export type PermissionName = keyof typeof Permission;

const ALL = (1n << 53n) - 1n;

/** What @everyone may in a new server. */
export const EVERYONE_MAY = bitsOf([
  "addReactions",
  "viewChannel",
  "sendMessages",
  "embedLinks",
  "attachFiles",
  "readMessageHistory",
  "useExternalEmojis",
  "useApplicationCommands",
  "createPublicThreads",
  "sendMessagesInThreads",
]);

/** The bits of these permissions together. */
export function bitsOf(names: readonly PermissionName[]): bigint {
  return names.reduce((bits, name) => bits | Permission[name], 0n);
}

/** What a member may in the server at large. */
export function guildPermissions(guild: DiscordGuild, userId: string): bigint {
  if (guild.ownerId === userId) return ALL;
  const member = guild.members.get(userId);
  if (!member) return 0n;
  const held = [guild.id, ...member.roles].reduce((bits, id) => bits | (guild.roles.get(id)?.permissions ?? 0n), 0n);
  return held & Permission.administrator ? ALL : held;
}

/**
 * What a member may in a channel: the roles, then what the channel (a thread's parent) says of everyone, of the roles together and of
 * the member. Who may not see it may nothing; who may not write there may not do what goes with writing.
 */
export function channelPermissions(guild: DiscordGuild, channel: DiscordChannel, userId: string): bigint {
  const base = guildPermissions(guild, userId);
  if (base === ALL) return base;
  const roles = guild.members.get(userId)?.roles ?? new Set<string>();
  const everyone = channel.overwrites.filter((it) => it.id === guild.id);
  const ofRoles = channel.overwrites.filter((it) => it.type === 0 && roles.has(it.id));
  const own = channel.overwrites.filter((it) => it.type === 1 && it.id === userId);
  let bits = base;
  for (const step of [everyone, ofRoles, own]) {
    bits &= ~step.reduce((sum, it) => sum | it.deny, 0n);
    bits |= step.reduce((sum, it) => sum | it.allow, 0n);
  }
  return bits & Permission.viewChannel ? bits : 0n;
}

const THREADS = new Set<number>([ChannelType.announcementThread, ChannelType.publicThread, ChannelType.privateThread]);

export function isThread(channel: DiscordChannel): boolean {
  return THREADS.has(channel.type);
}
