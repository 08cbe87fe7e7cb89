import type { Json } from "./wire.js";

/** The four kinds of conversation, as `channel_type` names them. */
export type ChannelKind = "channel" | "group" | "im" | "mpim";

/**
 * How a post with a name of its own comes back in events and history: with the subtype and no user; as a plain message with the bot's
 * user; or with nothing but the bot id.
 */
export type PostShape = "bot_message" | "plain" | "bare";

/** A person, or an app's bot user. */
export interface SlackUser {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
  /** Another team's id makes a stranger. */
  readonly teamId: string;
  readonly isAdmin: boolean;
  readonly isOwner: boolean;
  readonly isBot: boolean;
  isDeleted: boolean;
}

/** An installed app with its bot user and tokens. */
export interface SlackApp {
  readonly name: string;
  readonly displayName: string;
  readonly appId: string;
  readonly botId: string;
  readonly userId: string;
  readonly token: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly scopes: Set<string>;
  readonly events: Set<string>;
  readonly commands: Set<string>;
  isRevoked: boolean;
  isUninstalled: boolean;
  /** Where events go over HTTP; without it they go to the app's sockets. */
  requestUrl: string | undefined;
}

/** A file, hosted here or elsewhere. */
export interface SlackFile {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly mimetype: string;
  readonly filetype: string;
  readonly ownerId: string;
  readonly bytes: Uint8Array;
  /** The address of a file that is only linked to. */
  readonly externalUrl?: string;
  /** The download answers with a redirect to here. */
  readonly redirectsTo?: string;
  /** The event names the file only by its id. */
  readonly isChecked?: boolean;
  readonly shares: { channel: string; ts: string; threadTs: string | undefined }[];
}

/** What an author sends, before it has a place and a time. */
export interface Draft {
  readonly userId?: string | undefined;
  readonly app?: SlackApp | undefined;
  readonly text: string;
  readonly blocks?: readonly Json[] | undefined;
  readonly attachments?: readonly Json[] | undefined;
  readonly threadTs?: string | undefined;
  readonly isBroadcast?: boolean | undefined;
  readonly username?: string | undefined;
  readonly icons?: Json | undefined;
  readonly metadata?: Json | undefined;
  readonly files?: readonly SlackFile[] | undefined;
  readonly clientMsgId?: string | undefined;
  readonly shape?: PostShape | undefined;
  /** Forces the time, to have the same one in two channels. */
  readonly ts?: string | undefined;
}

/** A message in a channel. */
export interface SlackMessage extends Draft {
  readonly ts: string;
  readonly channelId: string;
  readonly threadTs: string | undefined;
  text: string;
  blocks: readonly Json[] | undefined;
  attachments: readonly Json[] | undefined;
  metadata: Json | undefined;
  edited: { readonly user: string; readonly ts: string } | undefined;
  isTombstone: boolean;
  readonly replies: SlackMessage[];
  readonly reactions: { readonly name: string; readonly users: string[] }[];
}

/** A conversation with its members and messages, oldest first. */
export interface SlackChannel {
  readonly id: string;
  name: string;
  readonly kind: ChannelKind;
  readonly members: Set<string>;
  readonly isShared: boolean;
  isArchived: boolean;
  readonly messages: SlackMessage[];
  readonly byTs: Map<string, SlackMessage>;
}

/** Something only one person sees. */
export interface Ephemeral {
  readonly ts: string;
  readonly channelId: string;
  readonly userId: string;
  readonly app: SlackApp;
  readonly threadTs: string | undefined;
  readonly username: string | undefined;
  readonly icons: Json | undefined;
  text: string;
  blocks: readonly Json[] | undefined;
}
