import { messageWire } from "../message-wire.js";
import type { Draft, SlackChannel, SlackMessage } from "../model.js";
import { type Json, Refusal } from "../wire.js";
import { readContent, readIdentity, readMetadata, readThread } from "./content.js";
import { type Call, type Methods, visibleChannel, writableChannel } from "./method.js";

/** Longer texts are refused when they replace another. */
const LONGEST_UPDATE = 4_000;

/** The methods that post and change messages. */
export const chatMethods: Methods = {
  "chat.postMessage": { scope: "chat:write", run: postMessage },
  "chat.update": { scope: "chat:write", run: update },
  "chat.delete": { scope: "chat:write", run: remove },
  "chat.postEphemeral": { scope: "chat:write", run: postEphemeral },
};

function postMessage(call: Call): Json {
  const { app, args, world } = call;
  if (args.has("as_user")) throw new Refusal("as_user_not_supported");
  const channel = writableChannel(call);
  const draft: Draft = {
    app,
    ...readContent(call),
    ...readIdentity(call),
    metadata: readMetadata(call),
    threadTs: readThread(call, channel.id),
    isBroadcast: args.flag("reply_broadcast") || undefined,
  };
  const [first, ...rest] = split(draft, world.limiter.limits.splitTextAt);
  const { message } = world.board.post(channel, first ?? draft);
  for (const more of rest) world.board.post(channel, more);
  world.statuses.delete(`${channel.id} ${message.threadTs ?? message.ts}`);
  return { channel: channel.id, ts: message.ts, message: wire(call, channel, message) };
}

/** A long text becomes two messages, cut anywhere, as it happens in practice. */
function split(draft: Draft, at: number): readonly Draft[] {
  if (at === 0 || draft.blocks || draft.text.length <= at) return [draft];
  return [
    { ...draft, text: draft.text.slice(0, at) },
    { ...draft, text: draft.text.slice(at) },
  ];
}

/** A text without blocks takes the blocks away, and only then the message says that it was edited. A look of its own stays. */
function update(call: Call): Json {
  const { app, args, world } = call;
  const channel = visibleChannel(call);
  if (channel.isArchived) throw new Refusal("is_archived");
  const message = world.board.find(channel, args.need("ts"));
  if (message.app !== app) throw new Refusal("cant_update_message");
  const { text, blocks, attachments } = readContent(call, LONGEST_UPDATE);
  const metadata = readMetadata(call);
  const by = blocks ? undefined : app.userId;
  world.board.edit(channel, message, { text, blocks: blocks ?? null, attachments, metadata, by });
  return { channel: channel.id, ts: message.ts, text: message.text, message: wire(call, channel, message) };
}

function remove(call: Call): Json {
  const { app, args, world } = call;
  const channel = visibleChannel(call);
  const message = world.board.find(channel, args.need("ts"));
  if (message.app !== app) throw new Refusal("cant_delete_message");
  world.board.remove(channel, message);
  return { channel: channel.id, ts: message.ts };
}

function postEphemeral(call: Call): Json {
  const { app, args, world } = call;
  const channel = writableChannel(call);
  const user = world.workspace.users.get(args.need("user"));
  if (!user) throw new Refusal("user_not_found");
  if (!channel.members.has(user.id)) throw new Refusal("user_not_in_channel");
  const { text, blocks } = readContent(call);
  const { username, icons } = readIdentity(call);
  const ts = world.workspace.mintTs();
  const threadTs = args.text("thread_ts") || undefined;
  world.board.ephemerals.push({
    ts,
    channelId: channel.id,
    userId: user.id,
    app,
    threadTs,
    text,
    blocks,
    username,
    icons,
  });
  return { message_ts: ts };
}

function wire({ world }: Call, channel: SlackChannel, message: SlackMessage): Json {
  return messageWire(message, { workspace: world.workspace, channel, withMetadata: true, filesUrl: world.url() });
}

/** Reactions and the status line: what stands at a message. */
export const markMethods: Methods = {
  "reactions.add": {
    scope: "reactions:write",
    run(call) {
      const { app, args, world } = call;
      const channel = visibleChannel(call);
      const message = world.board.find(channel, args.need("timestamp"));
      react(call, message, args.need("name"));
      const item = { type: "message", channel: channel.id, ts: message.ts };
      const at = { event_ts: world.workspace.mintTs(), item_user: message.userId ?? message.app?.userId };
      world.feed.tell({ type: "reaction_added", user: app.userId, reaction: args.need("name"), item, ...at }, channel);
      return {};
    },
  },
  "assistant.threads.setStatus": {
    scope: "chat:write",
    run(call) {
      const { app, args, world } = call;
      const channel = visibleChannel(call, "channel_id");
      const { username } = readIdentity(call);
      const key = `${channel.id} ${args.need("thread_ts")}`;
      const text = args.text("status") ?? "";
      if (text === "") world.statuses.delete(key);
      else world.statuses.set(key, { text, username, app: app.name, at: world.workspace.clock.now() });
      return {};
    },
  },
};

function react({ app }: Call, message: SlackMessage, name: string): void {
  const standing = message.reactions.find((reaction) => reaction.name === name);
  if (standing?.users.includes(app.userId)) throw new Refusal("already_reacted");
  if (standing) standing.users.push(app.userId);
  else message.reactions.push({ name, users: [app.userId] });
}
