import type { Gateway } from "./gateway.js";
import { channelWire } from "./guild-wire.js";
import { Intent } from "./intents.js";
import { messageWire } from "./message-wire.js";
import type { DiscordApp, DiscordChannel, DiscordGuild, DiscordMessage } from "./model.js";
import { rolesWire } from "./people-wire.js";
import { Permission } from "./permissions.js";
import { compact, type Json } from "./wire.js";
import type { Workspace } from "./workspace.js";

/** Makes dispatches of what happens and sends them to the apps that may see it and have asked for it. */
export interface Feed {
  /** Whether MESSAGE_CREATE and MESSAGE_UPDATE say of which kind their channel is. */
  hasChannelType: boolean;
  posted(channel: DiscordChannel, message: DiscordMessage): void;
  changed(channel: DiscordChannel, message: DiscordMessage): void;
  removed(channel: DiscordChannel, ids: readonly string[]): void;
  /** CHANNEL_* or THREAD_*, with the channel as it stands. */
  channel(event: string, channel: DiscordChannel, extra?: Json): void;
  /** Anything about a channel, to those who see it. */
  tell(channel: DiscordChannel, event: string, data: Json, intent?: number): void;
  /** WEBHOOKS_UPDATE: that there is a change, not which. */
  webhooksChanged(channel: DiscordChannel): void;
  /** GUILD_ROLE_UPDATE, for every role. */
  tellRoles(guild: DiscordGuild): void;
  /** Anything about a guild, to its bots. */
  tellGuild(guild: DiscordGuild, event: string, data: Json): void;
  /** Only to this app. */
  tellApp(app: DiscordApp, event: string, data: Json): void;
}

export function createFeed(workspace: Workspace, gateway: Gateway): Feed {
  const messageIntent = (channel: DiscordChannel) =>
    channel.guildId === undefined ? Intent.directMessages : Intent.guildMessages;

  const watchers = (channel: DiscordChannel) =>
    workspace.apps.filter((app) => {
      const isDown = workspace.guildOf(channel)?.isUnavailable ?? false;
      return !isDown && (workspace.permissionsIn(channel, app.id) & Permission.viewChannel) !== 0n;
    });

  function message(event: string, channel: DiscordChannel, it: DiscordMessage): void {
    for (const app of watchers(channel)) {
      gateway.dispatch(app, event, messageIntent(channel), (intents) =>
        messageWire(it, channel, {
          workspace,
          readerId: app.id,
          hasContent: (intents & Intent.content) !== 0,
          isEvent: true,
          hasChannelType: feed.hasChannelType,
        }),
      );
    }
  }

  const feed: Feed = {
    hasChannelType: true,
    posted: (channel, it) => message("MESSAGE_CREATE", channel, it),
    changed: (channel, it) => message("MESSAGE_UPDATE", channel, it),
    removed(channel, ids) {
      const where = { channel_id: channel.id, guild_id: channel.guildId };
      const [event, data] =
        ids.length === 1 ? ["MESSAGE_DELETE", { id: ids[0], ...where }] : ["MESSAGE_DELETE_BULK", { ids, ...where }];
      feed.tell(channel, event, compact(data), messageIntent(channel));
    },
    channel(event, channel, extra = {}) {
      if (channel.isUncached && event === "THREAD_CREATE") return;
      feed.tell(channel, event, { ...channelWire(workspace, channel), ...extra });
    },
    tell(channel, event, data, intent = Intent.guilds) {
      for (const app of watchers(channel)) gateway.dispatch(app, event, intent, () => data);
    },
    webhooksChanged(channel) {
      feed.tell(channel, "WEBHOOKS_UPDATE", { guild_id: channel.guildId, channel_id: channel.id }, Intent.webhooks);
    },
    tellRoles(guild) {
      for (const role of rolesWire(guild)) feed.tellGuild(guild, "GUILD_ROLE_UPDATE", { guild_id: guild.id, role });
    },
    tellGuild(guild, event, data) {
      for (const app of workspace.apps) {
        if (guild.members.has(app.id)) gateway.dispatch(app, event, Intent.guilds, () => data);
      }
    },
    tellApp: (app, event, data) => gateway.dispatch(app, event, 0, () => data),
  };
  return feed;
}
