import { callsIn } from "./calls.js";
import type { Delivery } from "./courier.js";
import type { Feed } from "./feed.js";
import { messageWire } from "./message-wire.js";
import type { Draft, Ephemeral, SlackChannel, SlackMessage } from "./model.js";
import { type Json, Refusal } from "./wire.js";
import type { Workspace } from "./workspace.js";

/** What came of a post, an edit or a deletion. */
export interface Posted {
  readonly message: SlackMessage;
  readonly deliveries: readonly Delivery[];
}

/** What an edit changes; what is left out stays. */
export interface Change {
  readonly text?: string | undefined;
  /** `null` takes the blocks away. */
  readonly blocks?: readonly Json[] | null | undefined;
  readonly attachments?: readonly Json[] | undefined;
  readonly metadata?: Json | undefined;
  /** Who is shown to have edited it; without it the message does not say so. */
  readonly by?: string | undefined;
}

/** The messages of all channels: the one place that changes them, and tells the feed. */
export interface Board {
  /** Everyone whom posts of apps have called, in order. */
  readonly calls: readonly { readonly channel: string; readonly ts: string; readonly who: string }[];
  readonly ephemerals: Ephemeral[];
  /** A reply to a message that is gone lands in the channel, as it does in Slack. */
  post(channel: SlackChannel, draft: Draft): Posted;
  edit(channel: SlackChannel, message: SlackMessage, change: Change): Posted;
  /** A message with replies leaves a tombstone. */
  remove(channel: SlackChannel, message: SlackMessage): Posted;
  /** The message of this time; refuses with `message_not_found`. */
  find(channel: SlackChannel, ts: string): SlackMessage;
}

interface BoardOptions {
  readonly workspace: Workspace;
  readonly feed: Feed;
  readonly filesUrl: () => string;
  readonly onChange: () => void;
  readonly onPost: (message: SlackMessage) => void;
}

export function createBoard({ workspace, feed, filesUrl, onChange, onPost }: BoardOptions): Board {
  const calls: { channel: string; ts: string; who: string }[] = [];
  const wire = (channel: SlackChannel, message: SlackMessage) =>
    messageWire(message, { workspace, channel, filesUrl: filesUrl() });

  function noteCalls(channel: SlackChannel, message: SlackMessage): void {
    if (!message.app) return;
    for (const who of callsIn(message.text, message.blocks)) calls.push({ channel: channel.name, ts: message.ts, who });
  }

  function file(channel: SlackChannel, message: SlackMessage): void {
    channel.messages.push(message);
    channel.byTs.set(message.ts, message);
    if (message.threadTs !== undefined) channel.byTs.get(message.threadTs)?.replies.push(message);
    for (const shared of message.files ?? [])
      shared.shares.push({ channel: channel.id, ts: message.ts, threadTs: message.threadTs });
  }

  return {
    calls,
    ephemerals: [],
    post(channel, draft) {
      const ts = draft.ts ?? workspace.mintTs();
      if (channel.byTs.has(ts)) throw new Error(`the channel ${channel.name} has a message at ${ts} already`);
      const message = newMessage(channel, draft, ts);
      file(channel, message);
      noteCalls(channel, message);
      onPost(message);
      const deliveries = feed.posted(channel, message);
      onChange();
      return { message, deliveries };
    },
    edit(channel, message, change) {
      const previous = wire(channel, message);
      if (change.text !== undefined) message.text = change.text;
      if (change.blocks !== undefined) message.blocks = change.blocks ?? undefined;
      if (change.attachments !== undefined) message.attachments = change.attachments;
      if (change.metadata !== undefined) message.metadata = change.metadata;
      if (change.by !== undefined) message.edited = { user: change.by, ts: workspace.mintTs() };
      if (change.text !== undefined || change.blocks !== undefined) noteCalls(channel, message);
      const deliveries = feed.changed(channel, message, previous, !message.app && change.by !== undefined);
      onChange();
      return { message, deliveries };
    },
    remove(channel, message) {
      const previous = wire(channel, message);
      const hasReplies = message.replies.length > 0;
      if (hasReplies) message.isTombstone = true;
      else drop(channel, message);
      const deliveries = hasReplies
        ? feed.changed(channel, message, previous, false)
        : feed.deleted(channel, message, previous);
      onChange();
      return { message, deliveries };
    },
    find(channel, ts) {
      const message = channel.byTs.get(ts);
      if (!message || message.isTombstone) throw new Refusal("message_not_found");
      return message;
    },
  };
}

function newMessage(channel: SlackChannel, draft: Draft, ts: string): SlackMessage {
  const threadTs = draft.threadTs !== undefined && channel.byTs.has(draft.threadTs) ? draft.threadTs : undefined;
  return {
    ...draft,
    ts,
    channelId: channel.id,
    threadTs: threadTs === ts ? undefined : threadTs,
    blocks: draft.blocks,
    attachments: draft.attachments,
    metadata: draft.metadata,
    edited: undefined,
    isTombstone: false,
    replies: [],
    reactions: [],
  };
}

function drop(channel: SlackChannel, message: SlackMessage): void {
  channel.messages.splice(channel.messages.indexOf(message), 1);
  channel.byTs.delete(message.ts);
  const siblings = channel.byTs.get(message.threadTs ?? "")?.replies;
  siblings?.splice(siblings.indexOf(message), 1);
}
