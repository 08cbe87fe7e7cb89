import type { DiscordChannel } from "./model.js";
import { isThread } from "./permissions.js";
import { moveWebhook, removeWebhook } from "./routes/webhooks.js";
import type { ChannelSeed } from "./seeds.js";
import type { World } from "./world.js";

/** What is done to a server by those who run it. Names as everywhere. */
export interface Admin {
  /** A channel that apps learn of; `workspace.addChannel` adds one that was always there. */
  createChannel(seed: ChannelSeed): DiscordChannel;
  deleteChannel(channel: string): void;
  renameChannel(channel: string, name: string): void;
  /** Closes a thread so that only those who manage threads can open it again. */
  lock(thread: string): void;
  archive(thread: string): void;
  /** Moves the app's webhooks of a channel to another, or takes them away. */
  moveWebhooks(channel: string, to: string): void;
  removeWebhooks(channel: string): void;
  /** The app is thrown out of the server, and may be asked in again. */
  removeBot(guild: string): void;
  inviteBot(guild: string): void;
  /** An outage: the server is there, and nothing is heard of it. */
  outage(guild: string, isDown: boolean): void;
  /** Tells the app that rights have changed, as after `workspace.deny` and `allow`. */
  tellRights(guild: string): void;
}

/** The gestures; `guildFor` gives GUILD_CREATE as the app gets it. */
export function createAdmin(
  world: World,
  appId: string,
  guildFor: (guildId: string) => Record<string, unknown>,
): Admin {
  const { workspace, feed } = world;
  const app = () => workspace.app(appId);

  function close(asked: string, how: Partial<Pick<DiscordChannel, "isArchived" | "isLocked">>): void {
    const thread = workspace.channel(asked);
    Object.assign(thread, how);
    feed.channel("THREAD_UPDATE", thread);
  }

  const webhooksOf = (asked: string) => {
    const { id } = workspace.channel(asked);
    return [...workspace.webhooks.values()].filter((it) => it.channelId === id && it.applicationId === appId);
  };

  return {
    createChannel(seed) {
      const channel = workspace.addChannel(seed);
      feed.channel("CHANNEL_CREATE", channel);
      return channel;
    },
    deleteChannel(asked) {
      const channel = workspace.channel(asked);
      feed.channel(isThread(channel) ? "THREAD_DELETE" : "CHANNEL_DELETE", channel);
      workspace.channels.delete(channel.id);
      for (const it of workspace.channels.values()) if (it.parentId === channel.id) workspace.channels.delete(it.id);
      for (const it of workspace.webhooks.values()) if (it.channelId === channel.id) workspace.webhooks.delete(it.id);
    },
    renameChannel(asked, name) {
      const channel = workspace.channel(asked);
      channel.name = name;
      feed.channel(isThread(channel) ? "THREAD_UPDATE" : "CHANNEL_UPDATE", channel);
    },
    lock: (thread) => close(thread, { isLocked: true }),
    archive: (thread) => close(thread, { isArchived: true }),
    moveWebhooks(asked, to) {
      for (const webhook of webhooksOf(asked)) moveWebhook(world, webhook, workspace.channel(to).id);
    },
    removeWebhooks(asked) {
      for (const webhook of webhooksOf(asked)) removeWebhook(world, webhook);
    },
    removeBot(asked) {
      const guild = workspace.guild(asked);
      feed.tellApp(app(), "GUILD_DELETE", { id: guild.id });
      guild.members.delete(appId);
    },
    inviteBot(asked) {
      workspace.addMember(asked, appId);
      feed.tellApp(app(), "GUILD_CREATE", guildFor(workspace.guild(asked).id));
    },
    outage(asked, isDown) {
      const guild = workspace.guild(asked);
      guild.isUnavailable = isDown;
      const [event, data] = isDown
        ? ["GUILD_DELETE", { id: guild.id, unavailable: true }]
        : ["GUILD_CREATE", guildFor(guild.id)];
      feed.tellApp(app(), event, data);
    },
    tellRights(asked) {
      const guild = workspace.guild(asked);
      feed.tellRoles(guild);
      for (const channel of workspace.channels.values()) {
        if (channel.guildId === guild.id && !isThread(channel)) feed.channel("CHANNEL_UPDATE", channel);
      }
    },
  };
}
