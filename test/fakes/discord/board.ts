import type { Feed } from "./feed.js";
import { joined, type MentionRules, mentionsIn, NOBODY } from "./mentions.js";
import {
  ChannelType,
  type DiscordAttachment,
  type DiscordChannel,
  type DiscordMessage,
  type DiscordWebhook,
  EPHEMERAL,
} from "./model.js";
import { isThread } from "./permissions.js";
import { type Json, refusal } from "./wire.js";
import type { Workspace } from "./workspace.js";

/** What an author sends, before it has a place, an id and a time. */
export interface Draft {
  readonly authorId: string;
  readonly content: string;
  readonly type?: number | undefined;
  readonly webhook?: DiscordWebhook | undefined;
  readonly username?: string | undefined;
  readonly avatarUrl?: string | undefined;
  readonly applicationId?: string | undefined;
  readonly embeds?: readonly Json[] | undefined;
  readonly components?: readonly Json[] | undefined;
  readonly attachments?: readonly DiscordAttachment[] | undefined;
  readonly flags?: number | undefined;
  readonly replyTo?: string | undefined;
  readonly nonce?: string | number | undefined;
  readonly onlyFor?: string | undefined;
  readonly interaction?: Json | undefined;
  readonly id?: string | undefined;
  readonly mentions: Omit<MentionRules, "repliedTo">;
}

/** What an edit changes; what is not named stays. */
export interface Change {
  readonly content?: string | undefined;
  readonly embeds?: readonly Json[] | undefined;
  readonly components?: readonly Json[] | undefined;
  readonly attachments?: readonly DiscordAttachment[] | undefined;
  readonly flags?: number | undefined;
  /** Nobody has edited it: a link preview, a pin. */
  readonly isSilent?: boolean | undefined;
  readonly mentions?: Omit<MentionRules, "repliedTo"> | undefined;
}

/** The messages of all channels: posted, changed and taken away, with the dispatches that go with it. */
export interface Board {
  /** What only one person sees, of all channels. */
  readonly ephemerals: readonly DiscordMessage[];
  /** What has been taken away, the latest last. */
  readonly removed: readonly DiscordMessage[];
  /** Links get their preview at once, with a change that nobody made, before the one who posts has an answer. */
  previewsLinks: boolean;
  post(channel: DiscordChannel, draft: Draft): DiscordMessage;
  edit(channel: DiscordChannel, message: DiscordMessage, change: Change): void;
  remove(channel: DiscordChannel, messages: readonly DiscordMessage[]): void;
  /** Throws Unknown Message for one that is not there. */
  find(channel: DiscordChannel, id: string): DiscordMessage;
  findEphemeral(id: string): DiscordMessage | undefined;
}

export interface BoardDeps {
  readonly workspace: Workspace;
  readonly feed: Feed;
  readonly onPost: (message: DiscordMessage) => void;
  readonly onChange: () => void;
}

export function createBoard({ workspace, feed, onPost, onChange }: BoardDeps): Board {
  const ephemerals: DiscordMessage[] = [];
  const removed: DiscordMessage[] = [];
  /** Ids of messages, by channel: history is long in some tests. */
  const index = new WeakMap<DiscordChannel, Map<string, DiscordMessage>>();
  const indexOf = (channel: DiscordChannel) => {
    const standing = index.get(channel) ?? new Map<string, DiscordMessage>();
    index.set(channel, standing);
    return standing;
  };

  const board: Board = {
    ephemerals,
    removed,
    previewsLinks: false,
    post(channel, draft) {
      const message = build(workspace, channel, draft, indexOf(channel));
      if (message.onlyFor !== undefined) {
        ephemerals.push(message);
        onChange();
        return message;
      }
      wake(feed, channel);
      channel.messages.push(message);
      indexOf(channel).set(message.id, message);
      channel.lastMessageId = message.id;
      onPost(message);
      feed.posted(channel, message);
      onChange();
      const [link] = message.content.match(/https?:\/\/\S+/) ?? [];
      if (board.previewsLinks && link)
        board.edit(channel, message, { isSilent: true, embeds: [{ type: "link", url: link }] });
      return message;
    },
    edit(channel, message, change) {
      apply(message, change, workspace.clock.now());
      if (change.mentions) {
        message.marked = mentionsIn(workspace, channel, message.content, change.mentions);
        message.pinged = joined(message.pinged, message.marked);
      }
      if (message.onlyFor === undefined) feed.changed(channel, message);
      onChange();
    },
    remove(channel, messages) {
      const gone = new Set(messages);
      removed.push(...messages);
      for (const list of [channel.messages, ephemerals]) {
        const left = list.filter((it) => !gone.has(it));
        list.splice(0, list.length, ...left);
      }
      const seen = messages.filter((it) => it.onlyFor === undefined);
      for (const { id } of seen) indexOf(channel).delete(id);
      if (seen.length > 0)
        feed.removed(
          channel,
          seen.map((it) => it.id),
        );
      onChange();
    },
    find(channel, id) {
      const found = indexOf(channel).get(id);
      if (!found) throw refusal(10008);
      return found;
    },
    findEphemeral: (id) => ephemerals.find((it) => it.id === id),
  };
  return board;
}

function apply(message: DiscordMessage, change: Change, now: number): void {
  if (change.content !== undefined) message.content = change.content.trim();
  message.embeds = change.embeds ?? message.embeds;
  message.components = change.components ?? message.components;
  message.attachments = change.attachments ?? message.attachments;
  message.flags = change.flags ?? message.flags;
  if (!change.isSilent) message.editedAt = now;
}

/** A post brings an archived thread back; a locked one never gets so far. */
function wake(feed: Feed, channel: DiscordChannel): void {
  if (!isThread(channel) || !channel.isArchived) return;
  channel.isArchived = false;
  feed.channel("THREAD_UPDATE", channel);
}

function build(
  workspace: Workspace,
  channel: DiscordChannel,
  draft: Draft,
  standing: ReadonlyMap<string, DiscordMessage>,
): DiscordMessage {
  const content = draft.content.trim();
  const repliedTo = standing.get(draft.replyTo ?? "");
  const flags = (draft.flags ?? 0) | (draft.onlyFor === undefined ? 0 : EPHEMERAL);
  const marked =
    draft.onlyFor === undefined ? mentionsIn(workspace, channel, content, { ...draft.mentions, repliedTo }) : NOBODY;
  return {
    id: draft.id ?? firstIdOf(channel) ?? workspace.mintId(),
    channelId: channel.id,
    type: draft.type ?? (draft.replyTo === undefined ? 0 : 19),
    authorId: draft.authorId,
    webhook: draft.webhook,
    username: draft.username,
    avatarUrl: draft.avatarUrl,
    applicationId: draft.applicationId,
    content,
    embeds: draft.embeds ?? [],
    components: draft.components ?? [],
    attachments: draft.attachments ?? [],
    flags,
    timestamp: workspace.clock.now(),
    editedAt: undefined,
    isPinned: false,
    replyTo: draft.replyTo,
    nonce: draft.nonce,
    onlyFor: draft.onlyFor,
    interaction: draft.interaction,
    marked,
    pinged: marked,
    threadId: undefined,
  };
  /** The first message of a forum post has the id of its thread. */
  function firstIdOf(at: DiscordChannel): string | undefined {
    const parent = workspace.channels.get(at.parentId ?? "");
    return isThread(at) && parent?.type === ChannelType.forum && at.lastMessageId === null ? at.id : undefined;
  }
}
