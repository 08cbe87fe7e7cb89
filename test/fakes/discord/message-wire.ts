import { channelWire } from "./guild-wire.js";
import type { DiscordAttachment, DiscordChannel, DiscordMessage } from "./model.js";
import { memberWire, userWire } from "./people-wire.js";
import { compact, type Json } from "./wire.js";
import type { Workspace } from "./workspace.js";

/** Who reads a message: what is empty for an app without the content intent, and what only events have. */
export interface Sight {
  readonly workspace: Workspace;
  readonly readerId: string;
  readonly hasContent: boolean;
  readonly isEvent: boolean;
  /** Whether an event says of which kind its channel is. */
  readonly hasChannelType: boolean;
}

/** A message as this reader gets it. */
export function messageWire(message: DiscordMessage, channel: DiscordChannel, sight: Sight): Json {
  const { workspace } = sight;
  const isOpen = sight.hasContent || isOwnAffair(message, channel, sight.readerId);
  const replied = message.replyTo === undefined ? undefined : channel.messages.find((it) => it.id === message.replyTo);
  const thread = message.threadId === undefined ? undefined : workspace.channels.get(message.threadId);
  return compact({
    id: message.id,
    type: message.type,
    channel_id: channel.id,
    author: authorWire(workspace, message),
    content: isOpen ? message.content : "",
    embeds: isOpen ? message.embeds : [],
    components: isOpen ? message.components : [],
    attachments: isOpen ? message.attachments.map(attachmentWire) : [],
    flags: message.flags,
    timestamp: new Date(message.timestamp).toISOString(),
    edited_timestamp: message.editedAt === undefined ? null : new Date(message.editedAt).toISOString(),
    tts: false,
    pinned: message.isPinned,
    mention_everyone: message.marked.everyone,
    mention_roles: message.marked.roles,
    mentions: message.marked.users.flatMap((id) => workspace.users.get(id) ?? []).map(userWire),
    // History does not know it any more.
    nonce: sight.isEvent ? message.nonce : undefined,
    webhook_id: message.webhook?.id,
    application_id: message.applicationId,
    interaction_metadata: message.interaction,
    thread: thread && channelWire(workspace, thread),
    ...replyParts(message, replied, channel, sight),
    ...(sight.isEvent ? eventParts(message, channel, sight) : {}),
  });
}

function replyParts(
  message: DiscordMessage,
  replied: DiscordMessage | undefined,
  channel: DiscordChannel,
  sight: Sight,
): Json {
  if (message.replyTo === undefined) return {};
  const reference = { type: 0, channel_id: channel.id, guild_id: channel.guildId, message_id: message.replyTo };
  const shown = replied && messageWire({ ...replied, replyTo: undefined }, channel, { ...sight, isEvent: false });
  return { message_reference: compact(reference), referenced_message: shown ?? null };
}

function eventParts(message: DiscordMessage, channel: DiscordChannel, sight: Sight): Json {
  const member = sight.workspace.guildOf(channel)?.members.get(message.authorId);
  return {
    guild_id: channel.guildId,
    member: member && !message.webhook ? memberWire(member) : undefined,
    channel_type: sight.hasChannelType ? channel.type : undefined,
  };
}

function authorWire(workspace: Workspace, message: DiscordMessage): Json {
  const { webhook } = message;
  const user = workspace.users.get(message.authorId);
  if (!webhook)
    return user ? userWire(user) : { id: message.authorId, username: "Deleted User", discriminator: "0000" };
  return {
    id: webhook.id,
    username: message.username ?? webhook.name,
    avatar: message.avatarUrl === undefined ? null : "0123456789abcdef0123456789abcdef",
    discriminator: "0000",
    global_name: null,
    public_flags: 0,
    bot: true,
  };
}

/** What an app may always read: direct messages, its own, and those that mention it. */
function isOwnAffair(message: DiscordMessage, channel: DiscordChannel, readerId: string): boolean {
  if (channel.guildId === undefined) return true;
  return message.authorId === readerId || message.applicationId === readerId || message.marked.users.includes(readerId);
}

function attachmentWire(file: DiscordAttachment): Json {
  return compact({
    id: file.id,
    filename: file.filename,
    size: file.bytes.length,
    url: file.url,
    proxy_url: file.url,
    content_type: file.contentType,
    description: file.description,
  });
}
