import type { DiscordApp, DiscordGuild, DiscordMember, DiscordUser, DiscordWebhook } from "./model.js";
import { compact, type Json } from "./wire.js";
import type { Workspace } from "./workspace.js";

export function userWire(user: DiscordUser): Json {
  return {
    id: user.id,
    username: user.name,
    global_name: user.isBot ? null : user.displayName,
    discriminator: user.isBot ? "0001" : "0",
    avatar: user.avatar,
    public_flags: 0,
    ...(user.isBot ? { bot: true } : {}),
  };
}

/** A member as it stands in messages: without the user, who stands beside it. */
export function memberWire(member: DiscordMember): Json {
  return {
    roles: [...member.roles],
    nick: member.nick,
    avatar: null,
    joined_at: "2026-01-01T00:00:00.000000+00:00",
    premium_since: null,
    deaf: false,
    mute: false,
    pending: false,
    flags: 0,
    communication_disabled_until: null,
  };
}

export function rolesWire(guild: DiscordGuild): readonly Json[] {
  return [...guild.roles.values()].map((role) =>
    compact({
      id: role.id,
      name: role.name,
      color: 0,
      colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
      hoist: false,
      icon: null,
      unicode_emoji: null,
      position: role.position,
      permissions: String(role.permissions),
      managed: role.botId !== undefined,
      mentionable: role.isMentionable,
      flags: 0,
      tags: role.botId === undefined ? undefined : { bot_id: role.botId },
    }),
  );
}

/** A webhook as its owner's app sees it; the token of another app's is left out. */
export function webhookWire(workspace: Workspace, webhook: DiscordWebhook, reader: DiscordApp | undefined): Json {
  const creator = workspace.users.get(webhook.creatorId ?? "");
  const isForeign = webhook.applicationId !== null && reader !== undefined && webhook.applicationId !== reader.id;
  return compact({
    id: webhook.id,
    type: 1,
    channel_id: webhook.channelId,
    guild_id: webhook.guildId,
    name: webhook.name,
    avatar: null,
    token: isForeign ? undefined : webhook.token,
    application_id: webhook.applicationId,
    user: creator && userWire(creator),
    url: isForeign ? undefined : `https://discord.com/api/webhooks/${webhook.id}/${webhook.token}`,
  });
}
