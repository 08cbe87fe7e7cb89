import type { Clock } from "../../../src/ports/clock.js";
import { known } from "./known.js";
import {
  ChannelType,
  type DiscordApp,
  type DiscordChannel,
  type DiscordGuild,
  type DiscordMember,
  type DiscordRole,
  type DiscordUser,
  type DiscordWebhook,
} from "./model.js";
import { bitsOf, channelPermissions, EVERYONE_MAY, isThread, type PermissionName } from "./permissions.js";
import { botRoleOf, createRights, findRole } from "./rights.js";
import type { AppSeed, ChannelSeed, GuildSeed, RoleSeed, ThreadSeed, UserSeed } from "./seeds.js";
import { createMint } from "./snowflake.js";

/** Who and what there is, and the ids it gives out. Discord has one space for all servers. */
export interface Workspace {
  readonly clock: Clock;
  readonly users: ReadonlyMap<string, DiscordUser>;
  readonly apps: readonly DiscordApp[];
  readonly guilds: ReadonlyMap<string, DiscordGuild>;
  readonly channels: Map<string, DiscordChannel>;
  readonly webhooks: Map<string, DiscordWebhook>;
  addUser(seed: UserSeed): DiscordUser;
  addApp(seed: AppSeed): DiscordApp;
  addGuild(seed: GuildSeed): DiscordGuild;
  addRole(guild: string, seed: RoleSeed): DiscordRole;
  addMember(guild: string, name: string): DiscordMember;
  addChannel(seed: ChannelSeed): DiscordChannel;
  addThread(seed: ThreadSeed): DiscordChannel;
  /** By id or name, case ignored; throws for one that is not there, as that is the test's mistake. */
  user(nameOrId: string): DiscordUser;
  app(nameOrId: string): DiscordApp;
  guild(nameOrId: string): DiscordGuild;
  channel(nameOrId: string): DiscordChannel;
  findUser(nameOrId: string): DiscordUser | undefined;
  findChannel(nameOrId: string): DiscordChannel | undefined;
  findRole(guild: DiscordGuild, nameOrId: string): DiscordRole | undefined;
  /** The role that came with the app. */
  botRole(guild: string, app: string): DiscordRole;
  guildOf(channel: DiscordChannel): DiscordGuild | undefined;
  /** Of a thread, the channel it stands in; else the channel itself. */
  rootOf(channel: DiscordChannel): DiscordChannel;
  /** What a user may there; in a direct conversation all, for its two. */
  permissionsIn(channel: DiscordChannel, userId: string): bigint;
  /** Takes (or gives back) a permission from a role or member, in the whole guild or in one channel. */
  deny(guild: string, who: string, names: readonly PermissionName[], channel?: string): void;
  allow(guild: string, who: string, names: readonly PermissionName[], channel?: string): void;
  /** The direct conversation of these two, opened when there is none. */
  conversationOf(userA: string, userB: string): DiscordChannel;
  /** The next id: a snowflake of the clock's time, never the same twice. */
  mintId(): string;
}

const ALL_BITS = (1n << 53n) - 1n;

/** What the invite link asks for. */
const BOT_MAY: readonly PermissionName[] = [
  "viewChannel",
  "sendMessages",
  "sendMessagesInThreads",
  "createPublicThreads",
  "manageWebhooks",
  "readMessageHistory",
  "embedLinks",
  "attachFiles",
  "addReactions",
  "useExternalEmojis",
];

export function createWorkspace(clock: Clock): Workspace {
  const mintId = createMint(clock);
  const users = new Map<string, DiscordUser>();
  const apps: DiscordApp[] = [];
  const guilds = new Map<string, DiscordGuild>();
  const channels = new Map<string, DiscordChannel>();
  const webhooks = new Map<string, DiscordWebhook>();

  const isNamed = (name: string, asked: string) => name.toLowerCase() === asked.toLowerCase();
  /** By both names, in lower case: the first of a name has it. */
  const usersByName = new Map<string, DiscordUser>();
  const findUser = (asked: string) => users.get(asked) ?? usersByName.get(asked.toLowerCase());
  function keep(added: DiscordUser): DiscordUser {
    users.set(added.id, added);
    for (const name of [added.name, added.displayName.toLowerCase()]) {
      if (!usersByName.has(name)) usersByName.set(name, added);
    }
    return added;
  }
  const user = (asked: string) => known(findUser(asked), "user", asked);
  const findApp = (asked: string) => apps.find((it) => it.id === asked || isNamed(it.name, asked));
  const app = (asked: string) => known(findApp(asked), "app", asked);
  const guild = (asked: string) =>
    known(guilds.get(asked) ?? [...guilds.values()].find((it) => isNamed(it.name, asked)), "guild", asked);
  const findChannel = (asked: string) => {
    const [name = "", inGuild] = asked.replace(/^#/, "").split("/").reverse();
    const isIt = (it: DiscordChannel) =>
      isNamed(it.name, name) && (inGuild === undefined || isNamed(guilds.get(it.guildId ?? "")?.name ?? "", inGuild));
    return channels.get(asked) ?? [...channels.values()].find(isIt);
  };
  const channel = (asked: string) => known(findChannel(asked), "channel", asked);
  const guildOf = (it: DiscordChannel) => guilds.get(it.guildId ?? "");
  const rootOf = (it: DiscordChannel) => (isThread(it) && channels.get(it.parentId ?? "")) || it;

  function addRole(within: DiscordGuild, seed: RoleSeed & { botId?: string }): DiscordRole {
    const role: DiscordRole = {
      id: mintId(),
      name: seed.name,
      permissions: bitsOf(seed.may ?? []),
      position: within.roles.size,
      isMentionable: seed.isMentionable ?? false,
      ...(seed.botId ? { botId: seed.botId } : {}),
    };
    within.roles.set(role.id, role);
    for (const name of seed.members ?? []) within.members.get(user(name).id)?.roles.add(role.id);
    return role;
  }

  function addMember(within: DiscordGuild, name: string): DiscordMember {
    const { id, displayName } = user(name);
    const member: DiscordMember = { userId: id, roles: new Set(), nick: null };
    within.members.set(id, member);
    if (findApp(id)) member.roles.add(addRole(within, { name: displayName, may: BOT_MAY, botId: id }).id);
    return member;
  }

  const rights = createRights(findUser);

  function blank(seed: Partial<DiscordChannel> & Pick<DiscordChannel, "id" | "name" | "type">): DiscordChannel {
    const rest = { overwrites: [], members: new Set<string>(), isArchived: false, isLocked: false, isUncached: false };
    const none = { guildId: undefined, parentId: undefined, ownerId: undefined, lastMessageId: null, slowmode: 0 };
    const made: DiscordChannel = { ...rest, ...none, messages: [], ...seed };
    channels.set(made.id, made);
    return made;
  }

  return {
    clock,
    users,
    apps,
    guilds,
    channels,
    webhooks,
    addUser(seed) {
      const { name, displayName = name, isBot = false } = seed;
      return keep({ id: mintId(), name: name.toLowerCase(), displayName, isBot, avatar: null });
    },
    addApp(seed) {
      const { name, displayName = name } = seed;
      const id = mintId();
      const bot: DiscordUser = { id, name: name.toLowerCase(), displayName, isBot: true, avatar: null };
      const added: DiscordApp = {
        id,
        name,
        token: seed.token ?? `${Buffer.from(id).toString("base64url")}.${name}.secret`,
        user: bot,
        privileges: new Set(seed.privileges ?? ["content"]),
        isRevoked: false,
        commands: new Map(),
        commandPuts: 0,
      };
      keep(bot);
      apps.push(added);
      return added;
    },
    addGuild(seed) {
      const id = mintId();
      const ownerId = user(seed.owner).id;
      const added: DiscordGuild = {
        id,
        name: seed.name,
        ownerId,
        roles: new Map(),
        members: new Map(),
        isUnavailable: false,
      };
      const everyone = { id, name: "@everyone", permissions: EVERYONE_MAY, position: 0, isMentionable: false };
      added.roles.set(id, everyone);
      guilds.set(id, added);
      for (const name of new Set([seed.owner, ...(seed.members ?? [])])) addMember(added, name);
      return added;
    },
    addRole: (within, seed) => addRole(guild(within), seed),
    addMember: (within, name) => addMember(guild(within), name),
    addChannel(seed) {
      const within = seed.guild === undefined ? known([...guilds.values()][0], "guild", "first") : guild(seed.guild);
      const added = blank({
        id: mintId(),
        name: seed.name,
        type: ChannelType[seed.kind ?? "text"],
        guildId: within.id,
      });
      if (!seed.onlyFor) return added;
      rights.deny(within, "everyone", ["viewChannel"], added);
      for (const who of seed.onlyFor) rights.allow(within, who, ["viewChannel"], added);
      return added;
    },
    addThread(seed) {
      const parent = channel(seed.parent);
      const ownerId = user(seed.owner).id;
      return blank({
        id: seed.id ?? mintId(),
        name: seed.name,
        type:
          parent.type === ChannelType.announcement
            ? ChannelType.announcementThread
            : ChannelType[seed.kind ?? "publicThread"],
        guildId: parent.guildId,
        parentId: parent.id,
        ownerId,
        members: new Set([ownerId]),
        isUncached: seed.isUncached ?? false,
      });
    },
    user,
    app,
    guild,
    channel,
    findUser,
    findChannel,
    findRole,
    botRole: (within, name) => known(botRoleOf(guild(within), app(name).id), "role of", name),
    guildOf,
    rootOf,
    permissionsIn(at, userId) {
      const within = guildOf(at);
      if (!within) return at.members.has(userId) ? ALL_BITS : 0n;
      const bits = channelPermissions(within, rootOf(at), userId);
      if (at.type !== ChannelType.privateThread || at.members.has(userId)) return bits;
      return bits & bitsOf(["manageThreads"]) ? bits : 0n;
    },
    deny: (within, who, names, at) => rights.deny(guild(within), who, names, at === undefined ? at : channel(at)),
    allow: (within, who, names, at) => rights.allow(guild(within), who, names, at === undefined ? at : channel(at)),
    conversationOf(userA, userB) {
      const both = [user(userA).id, user(userB).id];
      const isIt = (it: DiscordChannel) => it.type === ChannelType.dm && both.every((id) => it.members.has(id));
      const name = both.map((id) => user(id).name).join(" and ");
      return (
        [...channels.values()].find(isIt) ?? blank({ id: mintId(), name, type: ChannelType.dm, members: new Set(both) })
      );
    },
    mintId,
  };
}
