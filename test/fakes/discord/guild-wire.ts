import { ChannelType, type DiscordApp, type DiscordChannel, type DiscordGuild } from "./model.js";
import { memberWire, rolesWire, userWire } from "./people-wire.js";
import { isThread, Permission } from "./permissions.js";
import { timeOf } from "./snowflake.js";
import { compact, type Json } from "./wire.js";
import type { Workspace } from "./workspace.js";

export function channelWire(workspace: Workspace, channel: DiscordChannel): Json {
  if (channel.type === ChannelType.dm) return directWire(workspace, channel);
  return compact({
    id: channel.id,
    type: channel.type,
    guild_id: channel.guildId,
    name: channel.name,
    parent_id: channel.parentId ?? null,
    last_message_id: channel.lastMessageId,
    rate_limit_per_user: channel.slowmode,
    ...(isThread(channel) ? threadParts(channel) : channelParts(channel)),
  });
}

function channelParts(channel: DiscordChannel): Json {
  return {
    position: 0,
    flags: 0,
    nsfw: false,
    topic: null,
    permission_overwrites: channel.overwrites.map((it) => ({
      id: it.id,
      type: it.type,
      allow: String(it.allow),
      deny: String(it.deny),
    })),
    ...(channel.type === ChannelType.forum ? { available_tags: [], default_reaction_emoji: null } : {}),
  };
}

function threadParts(channel: DiscordChannel): Json {
  const begun = new Date(timeOf(channel.id)).toISOString();
  return {
    owner_id: channel.ownerId,
    message_count: channel.messages.length,
    member_count: channel.members.size,
    total_message_sent: channel.messages.length,
    flags: 0,
    thread_metadata: {
      archived: channel.isArchived,
      auto_archive_duration: 1440,
      archive_timestamp: begun,
      create_timestamp: begun,
      locked: channel.isLocked,
      ...(channel.type === ChannelType.privateThread ? { invitable: true } : {}),
    },
  };
}

function directWire(workspace: Workspace, channel: DiscordChannel): Json {
  const others = [...channel.members].flatMap((id) => workspace.users.get(id) ?? []).filter((it) => !it.isBot);
  return {
    id: channel.id,
    type: channel.type,
    last_message_id: channel.lastMessageId,
    flags: 0,
    recipients: others.map(userWire),
  };
}

/** The threads of a guild that an app is told of: alive, seen by it, and not kept from it. */
export function activeThreads(workspace: Workspace, guild: DiscordGuild, app: DiscordApp): readonly DiscordChannel[] {
  return [...workspace.channels.values()].filter(
    (it) => it.guildId === guild.id && isThread(it) && !it.isArchived && maySee(workspace, it, app.id),
  );
}

function maySee(workspace: Workspace, channel: DiscordChannel, userId: string): boolean {
  return (workspace.permissionsIn(channel, userId) & Permission.viewChannel) !== 0n;
}

/** GUILD_CREATE, as one app gets it: every channel, and the threads it may see. */
export function guildWire(workspace: Workspace, guild: DiscordGuild, app: DiscordApp): Json {
  const channels = [...workspace.channels.values()].filter((it) => it.guildId === guild.id && !isThread(it));
  const threads = activeThreads(workspace, guild, app).filter((it) => !it.isUncached);
  const own = guild.members.get(app.id);
  return {
    ...guildParts(guild),
    joined_at: "2026-01-01T00:00:00.000000+00:00",
    large: guild.members.size > 50,
    unavailable: false,
    member_count: guild.members.size,
    members: own ? [{ user: userWire(app.user), ...memberWire(own) }] : [],
    channels: channels.map((it) => channelWire(workspace, it)),
    threads: threads.map((it) => channelWire(workspace, it)),
    voice_states: [],
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}

/** What a guild is by itself. */
export function guildParts(guild: DiscordGuild): Json {
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    splash: null,
    banner: null,
    description: null,
    owner_id: guild.ownerId,
    afk_channel_id: null,
    afk_timeout: 300,
    system_channel_id: null,
    system_channel_flags: 0,
    rules_channel_id: null,
    public_updates_channel_id: null,
    preferred_locale: "en-US",
    verification_level: 0,
    default_message_notifications: 0,
    explicit_content_filter: 0,
    mfa_level: 0,
    nsfw_level: 0,
    premium_tier: 0,
    premium_progress_bar_enabled: false,
    features: [],
    roles: rolesWire(guild),
    emojis: [],
    stickers: [],
  };
}
