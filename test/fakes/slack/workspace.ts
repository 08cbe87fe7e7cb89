import type { Clock } from "../../../src/ports/clock.js";
import { type AppSeed, installedApp } from "./app-seed.js";
import type { ChannelKind, PostShape, SlackApp, SlackChannel, SlackUser } from "./model.js";

/** How a person is added. */
export interface UserSeed {
  readonly name: string;
  readonly displayName?: string;
  /** A stranger's team. */
  readonly teamId?: string;
  readonly isAdmin?: boolean;
  readonly isOwner?: boolean;
}

/** How a channel is added; members are names of people and apps. */
export interface ChannelSeed {
  readonly name: string;
  readonly kind?: ChannelKind;
  readonly members?: Iterable<string>;
  /** Shared with another team by Slack Connect. */
  readonly isShared?: boolean;
}

/** Who and what there is in one team, and the ids and times it gives out. */
export interface Workspace {
  readonly clock: Clock;
  readonly team: { readonly id: string; readonly name: string; readonly domain: string };
  readonly users: ReadonlyMap<string, SlackUser>;
  readonly apps: readonly SlackApp[];
  readonly channels: ReadonlyMap<string, SlackChannel>;
  /** User groups, by handle. */
  readonly userGroups: Map<string, string>;
  /** The shape of customised posts that set none themselves. */
  postShape: PostShape;
  addUser(seed: UserSeed): SlackUser;
  addApp(seed: AppSeed): SlackApp;
  addChannel(seed: ChannelSeed): SlackChannel;
  /** By id or name, case ignored; throws for one that is not there, as that is the test's mistake. */
  user(nameOrId: string): SlackUser;
  app(nameOrId: string): SlackApp;
  channel(nameOrId: string): SlackChannel;
  findUser(nameOrId: string): SlackUser | undefined;
  findChannel(nameOrId: string): SlackChannel | undefined;
  /** The direct conversation of exactly these, opened when there is none. */
  conversationOf(userIds: readonly string[]): SlackChannel;
  /** The next time stamp: never the same twice. */
  mintTs(): string;
  mintId(prefix: string): string;
}

export function createWorkspace(clock: Clock, teamId = "T0HOME"): Workspace {
  const users = new Map<string, SlackUser>();
  const apps: SlackApp[] = [];
  const channels = new Map<string, SlackChannel>();
  let lastMicros = 0;
  let lastId = 0;

  const mintId = (prefix: string) => `${prefix}0${(++lastId).toString(36).toUpperCase().padStart(8, "0")}`;
  const isNamed = (name: string, asked: string) => name.toLowerCase() === asked.toLowerCase();
  const findUser = (asked: string) =>
    users.get(asked) ??
    [...users.values()].find((user) => isNamed(user.name, asked) || isNamed(user.displayName, asked));
  const findChannel = (asked: string) =>
    channels.get(asked) ?? [...channels.values()].find((channel) => isNamed(channel.name, asked.replace(/^#/, "")));

  function addChannel(seed: ChannelSeed): SlackChannel {
    const kind = seed.kind ?? "channel";
    const channel: SlackChannel = {
      id: mintId(kind === "im" ? "D" : kind === "mpim" ? "G" : "C"),
      name: seed.name,
      kind,
      members: new Set([...(seed.members ?? [])].map((member) => known(findUser(member), "user", member).id)),
      isShared: seed.isShared ?? false,
      isArchived: false,
      messages: [],
      byTs: new Map(),
    };
    channels.set(channel.id, channel);
    return channel;
  }

  return {
    clock,
    team: { id: teamId, name: "Home", domain: "home" },
    users,
    apps,
    channels,
    userGroups: new Map(),
    postShape: "bot_message",
    addUser(seed) {
      const user: SlackUser = {
        id: mintId("U"),
        name: seed.name,
        displayName: seed.displayName ?? seed.name,
        teamId: seed.teamId ?? teamId,
        isAdmin: (seed.isAdmin ?? false) || (seed.isOwner ?? false),
        isOwner: seed.isOwner ?? false,
        isBot: false,
        isDeleted: false,
      };
      users.set(user.id, user);
      return user;
    },
    addApp(seed) {
      const app = installedApp(seed, { appId: mintId("A"), botId: mintId("B"), userId: mintId("U") });
      apps.push(app);
      const { userId: id, name, displayName } = app;
      const standing = { teamId, isAdmin: false, isOwner: false, isBot: true, isDeleted: false };
      users.set(id, { id, name, displayName, ...standing });
      return app;
    },
    addChannel,
    user: (asked) => known(findUser(asked), "user", asked),
    app: (asked) =>
      known(
        apps.find((app) => [app.appId, app.botId, app.userId].includes(asked) || isNamed(app.name, asked)),
        "app",
        asked,
      ),
    channel: (asked) => known(findChannel(asked), "channel", asked),
    findUser,
    findChannel,
    conversationOf(userIds) {
      const wanted = new Set(userIds);
      const kind = wanted.size > 2 ? "mpim" : "im";
      const isIt = (channel: SlackChannel) =>
        channel.kind === kind &&
        channel.members.size === wanted.size &&
        [...wanted].every((id) => channel.members.has(id));
      const existing = [...channels.values()].find(isIt);
      if (existing) return existing;
      const names = [...wanted].map((id) => known(users.get(id), "user", id).name);
      return addChannel({
        name: kind === "im" ? names.join(" and ") : `mpdm-${names.join("--")}-1`,
        kind,
        members: wanted,
      });
    },
    mintTs() {
      lastMicros = Math.max(lastMicros + 1, Math.trunc(clock.now()) * 1000);
      return `${Math.trunc(lastMicros / 1e6)}.${String(lastMicros % 1e6).padStart(6, "0")}`;
    },
    mintId,
  };
}

function known<T>(found: T | undefined, what: string, asked: string): T {
  if (found === undefined) throw new Error(`the fake workspace has no ${what} "${asked}"`);
  return found;
}
