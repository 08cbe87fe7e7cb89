import type { Board } from "./board.js";
import { ChannelType, type DiscordChannel, type DiscordMessage } from "./model.js";
import { isThread } from "./permissions.js";
import { buttonLabels, readMessage } from "./render.js";
import { byId } from "./snowflake.js";
import type { Workspace } from "./workspace.js";

/** A message as it stands on the screen. */
export interface Seen {
  readonly id: string;
  /** The channel or thread that it stands in. */
  readonly channelId: string;
  readonly name: string;
  /** The picture that the post set. */
  readonly avatar: string | undefined;
  readonly isApp: boolean;
  readonly isWebhook: boolean;
  readonly text: string;
  readonly isEdited: boolean;
  /** Only the one who looks sees it. */
  readonly isPrivate: boolean;
  /** The message that it answers. */
  readonly replyTo: string | undefined;
  readonly buttons: readonly string[];
  readonly files: readonly string[];
  /** Whom it called, by name: `@ann`, `@&helpers`, `@everyone`. An edit that marks someone counts, to be strict. */
  readonly pinged: readonly string[];
  /** The thread that began on it, in order. */
  readonly thread: readonly Seen[];
  readonly threadId: string | undefined;
}

/** Kinds of messages that are lines about something, and not said by anyone. */
const SYSTEM_LINES = new Set([7, 18, 21]);

/** A channel or thread as everyone sees it, or with what only this person sees in it. */
export function seenIn(
  workspace: Workspace,
  board: Board,
  channel: DiscordChannel,
  viewerId?: string,
): readonly Seen[] {
  if (channel.type === ChannelType.forum) return postsIn(workspace, board, channel, viewerId);
  const own = board.ephemerals.filter((it) => it.channelId === channel.id && it.onlyFor === viewerId);
  const all = [...channel.messages, ...(viewerId === undefined ? [] : own)].toSorted(byId);
  const look = (message: DiscordMessage): Seen => {
    const thread = workspace.channels.get(message.threadId ?? "");
    return {
      ...seenMessage(message, channel, workspace),
      thread: thread && !isThread(channel) ? seenIn(workspace, board, thread, viewerId) : [],
      threadId: thread?.id,
    };
  };
  return all.filter((it) => !SYSTEM_LINES.has(it.type)).map(look);
}

/** The posts of a forum: each by its first message, with the rest below it. */
function postsIn(workspace: Workspace, board: Board, forum: DiscordChannel, viewerId?: string): readonly Seen[] {
  const posts = [...workspace.channels.values()].filter((it) => it.parentId === forum.id);
  return posts.flatMap((post) => {
    const [first, ...rest] = seenIn(workspace, board, post, viewerId);
    return first ? [{ ...first, thread: rest, threadId: post.id }] : [];
  });
}

/** The same as lines: `name: text`, bots and webhooks with a badge, a thread indented below the message it began on. */
export function transcriptOf(seen: readonly Seen[]): readonly string[] {
  return seen.flatMap((message) => [line(message), ...message.thread.map((reply) => `  ${line(reply)}`)]);
}

function line({ name, isApp, text, buttons, files, isEdited, isPrivate }: Seen): string {
  const named = files.map((file) => `[file: ${file}]`);
  const row = buttons.map((label) => `[${label}]`).join(" ");
  const notes = `${isEdited ? " (edited)" : ""}${isPrivate ? " (only visible to you)" : ""}`;
  return `${name}${isApp ? " [APP]" : ""}: ${[text, ...named, row].filter((it) => it !== "").join("\n")}${notes}`;
}

function seenMessage(
  message: DiscordMessage,
  channel: DiscordChannel,
  workspace: Workspace,
): Omit<Seen, "thread" | "threadId"> {
  const author = workspace.users.get(message.authorId);
  const { webhook } = message;
  return {
    id: message.id,
    channelId: channel.id,
    name: webhook ? (message.username ?? webhook.name) : (author?.displayName ?? "Deleted User"),
    avatar: message.avatarUrl,
    isApp: webhook !== undefined || (author?.isBot ?? false),
    isWebhook: webhook !== undefined,
    text: (message.flags & 128) === 0 ? readMessage(message, channel, workspace) : "is thinking…",
    isEdited: message.editedAt !== undefined,
    isPrivate: message.onlyFor !== undefined,
    replyTo: message.replyTo,
    buttons: buttonLabels(message),
    files: message.attachments.map((it) => it.filename),
    pinged: pingedNames(message, channel, workspace),
  };
}

function pingedNames({ pinged }: DiscordMessage, channel: DiscordChannel, workspace: Workspace): readonly string[] {
  const roles = workspace.guildOf(channel)?.roles;
  return [
    ...pinged.users.map((id) => `@${workspace.users.get(id)?.name ?? id}`),
    ...pinged.roles.map((id) => `@&${roles?.get(id)?.name ?? id}`),
    ...(pinged.everyone ? ["@everyone"] : []),
  ];
}
