import type { Json } from "./wire.js";

/** The kinds of channel, by the number that stands on the wire. */
export const ChannelType = {
  text: 0,
  dm: 1,
  voice: 2,
  category: 4,
  announcement: 5,
  announcementThread: 10,
  publicThread: 11,
  privateThread: 12,
  forum: 15,
} as const;

/** A person, or the user of a bot. */
export interface DiscordUser {
  readonly id: string;
  /** The unique name, in lower case. */
  readonly name: string;
  readonly displayName: string;
  readonly isBot: boolean;
  readonly avatar: string | null;
}

/** The privileged intents, as they are switched on in the portal. */
export type Privilege = "content" | "members" | "presences";

/** An application; its id is its bot user's. */
export interface DiscordApp {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  readonly user: DiscordUser;
  readonly privileges: Set<Privilege>;
  /** The token is worth nothing any more. */
  isRevoked: boolean;
  /** Registered commands, by the guild's id or `global`, and how often they were put there. */
  readonly commands: Map<string, readonly Json[]>;
  commandPuts: number;
}

export interface DiscordRole {
  readonly id: string;
  readonly name: string;
  permissions: bigint;
  readonly position: number;
  isMentionable: boolean;
  /** The app whose own role this is. */
  readonly botId?: string;
}

export interface DiscordMember {
  readonly userId: string;
  readonly roles: Set<string>;
  nick: string | null;
}

/** What a channel allows and denies a role (0) or a member (1). */
export interface Overwrite {
  readonly id: string;
  readonly type: 0 | 1;
  allow: bigint;
  deny: bigint;
}

export interface DiscordGuild {
  readonly id: string;
  readonly name: string;
  ownerId: string;
  readonly roles: Map<string, DiscordRole>;
  readonly members: Map<string, DiscordMember>;
  /** An outage: the guild is there, and nothing is heard of it. */
  isUnavailable: boolean;
}

/** A channel, a thread or a direct conversation, with its messages, oldest first. */
export interface DiscordChannel {
  readonly id: string;
  name: string;
  readonly type: number;
  readonly guildId: string | undefined;
  /** A thread's channel, or the category. */
  readonly parentId: string | undefined;
  readonly overwrites: Overwrite[];
  /** Of a direct conversation; of a private thread those who were brought in. */
  readonly members: Set<string>;
  readonly ownerId: string | undefined;
  isArchived: boolean;
  isLocked: boolean;
  /** A thread that apps are not told about when they connect or when it begins. */
  readonly isUncached: boolean;
  /** Seconds between two messages of one author; 0 is off. */
  slowmode: number;
  lastMessageId: string | null;
  readonly messages: DiscordMessage[];
}

export interface DiscordWebhook {
  readonly id: string;
  readonly token: string;
  name: string;
  channelId: string;
  readonly guildId: string;
  readonly applicationId: string | null;
  readonly creatorId: string | undefined;
}

/** A file of a message, as the CDN has it. */
export interface DiscordAttachment {
  readonly id: string;
  readonly filename: string;
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
  readonly description: string | undefined;
  url: string;
}

/** Whom a message called: with a sound, not only with a colour. */
export interface Pinged {
  readonly users: readonly string[];
  readonly roles: readonly string[];
  readonly everyone: boolean;
}

export interface DiscordMessage {
  readonly id: string;
  readonly channelId: string;
  readonly type: number;
  readonly authorId: string;
  readonly webhook: DiscordWebhook | undefined;
  /** What the post of a webhook called itself. */
  readonly username: string | undefined;
  readonly avatarUrl: string | undefined;
  readonly applicationId: string | undefined;
  content: string;
  embeds: readonly Json[];
  components: readonly Json[];
  attachments: readonly DiscordAttachment[];
  flags: number;
  readonly timestamp: number;
  editedAt: number | undefined;
  isPinned: boolean;
  readonly replyTo: string | undefined;
  readonly nonce: string | number | undefined;
  /** Only this person sees it. */
  readonly onlyFor: string | undefined;
  /** The interaction it answers. */
  readonly interaction: Json | undefined;
  /** What the message marks now, for `mentions` and its like. */
  marked: Pinged;
  /** Whom it called when it was posted, and whom an edit marked besides. */
  pinged: Pinged;
  /** The thread that began on it. */
  threadId: string | undefined;
}

/** The flag of a message that only one person sees. */
export const EPHEMERAL = 64;
