import { activeThreads, channelWire } from "../guild-wire.js";
import { allowedIn } from "../mentions.js";
import { checkMessage } from "../message-rules.js";
import { ChannelType, type DiscordChannel, type DiscordMessage } from "../model.js";
import { isThread, Permission } from "../permissions.js";
import { createProblems } from "../problems.js";
import type { ThreadSeed } from "../seeds.js";
import { isRecord, records, refusal, textOf } from "../wire.js";
import type { World } from "../world.js";
import { withIds } from "./messages.js";
import { botOf, type Call, channelFor, param, type Routes, shown } from "./route.js";
import { attachmentsOf } from "./uploads.js";

const THREAD_CREATED = 18;
const THREAD_STARTER = 21;

export const threadRoutes: Routes = {
  create_thread_from_message: {
    verb: "POST",
    path: "/channels/{channel_id}/messages/{message_id}/threads",
    run(call) {
      const channel = channelFor(call, ["createPublicThreads"]);
      if (isThread(channel) || channel.guildId === undefined || channel.type === ChannelType.forum)
        throw refusal(50024);
      const message = call.world.board.find(channel, param(call, "message_id"));
      const name = nameIn(call);
      if (message.threadId !== undefined || call.world.workspace.channels.has(message.id)) throw refusal(160004);
      return channelWire(call.world.workspace, threadOn(call.world, channel, message, { name, owner: botOf(call).id }));
    },
  },
  create_thread: { verb: "POST", path: "/channels/{channel_id}/threads", run: create },
  get_active_guild_threads: {
    verb: "GET",
    path: "/guilds/{guild_id}/threads/active",
    run(call) {
      const { workspace } = call.world;
      const guild = workspace.guilds.get(param(call, "guild_id"));
      if (!guild?.members.has(botOf(call).id)) throw refusal(50001);
      const threads = activeThreads(workspace, guild, botOf(call)).map((it) => channelWire(workspace, it));
      return { threads, members: [] };
    },
  },
  list_public_archived_threads: {
    verb: "GET",
    path: "/channels/{channel_id}/threads/archived/public",
    run(call) {
      const { workspace } = call.world;
      const channel = channelFor(call, ["readMessageHistory"]);
      const isIt = (it: DiscordChannel) => it.parentId === channel.id && it.isArchived && isThread(it);
      const threads = [...workspace.channels.values()].filter(isIt).map((it) => channelWire(workspace, it));
      return { threads, members: [], has_more: false };
    },
  },
  join_thread: {
    verb: "PUT",
    path: "/channels/{channel_id}/thread-members/@me",
    run(call) {
      const thread = channelFor(call);
      if (thread.isArchived) throw refusal(50083);
      thread.members.add(botOf(call).id);
      return undefined;
    },
  },
};

function nameIn(call: Call): string {
  const name = textOf(call.body, "name") ?? "";
  const problems = createProblems();
  problems.length("name", name, 100, 1);
  problems.throwIfAny();
  return name;
}

function create(call: Call): unknown {
  const { body, world } = call;
  const app = botOf(call);
  const parent = channelFor(call);
  const name = nameIn(call);
  if (parent.type === ChannelType.forum) return createPost(call, parent, name);
  if (isThread(parent) || parent.guildId === undefined) throw refusal(50024);
  const isPublic = body.type === ChannelType.publicThread || body.type === ChannelType.announcementThread;
  channelFor(call, [isPublic ? "createPublicThreads" : "createPrivateThreads"]);
  const kind = isPublic ? "publicThread" : "privateThread";
  return channelWire(world.workspace, beginThread(world, { parent: parent.id, name, owner: app.id, kind }));
}

/** A forum's threads begin with a message. */
function createPost(call: Call, parent: DiscordChannel, name: string): unknown {
  const { body, world, files } = call;
  const app = botOf(call);
  channelFor(call, ["sendMessages"]);
  const first = isRecord(body.message) ? body.message : {};
  checkMessage(first, files, "bot");
  const thread = beginThread(world, { parent: parent.id, name, owner: app.id });
  const message = world.board.post(thread, {
    authorId: app.id,
    content: textOf(first, "content") ?? "",
    embeds: records(first.embeds),
    components: withIds(records(first.components)),
    attachments: attachmentsOf({ ...call, body: first }, thread.id),
    mentions: { allowed: allowedIn(first), byDefault: ["users", "roles", "everyone"], speakerId: app.id },
  });
  return { ...channelWire(world.workspace, thread), message: shown(call, message, thread) };
}

/** Begins a thread, and tells those who see it. */
export function beginThread({ workspace, feed }: World, seed: ThreadSeed): DiscordChannel {
  const thread = workspace.addThread(seed);
  feed.channel("THREAD_CREATE", thread, { newly_created: true });
  return thread;
}

/** Begins a thread on a message: it takes the message's id, and the message says so. */
export function threadOn(
  world: World,
  channel: DiscordChannel,
  message: DiscordMessage,
  seed: Pick<ThreadSeed, "name" | "owner" | "isUncached">,
): DiscordChannel {
  const thread = beginThread(world, { ...seed, parent: channel.id, id: message.id });
  message.threadId = thread.id;
  const nobody = { allowed: { parse: [] }, byDefault: [], speakerId: undefined };
  world.board.edit(channel, message, { isSilent: true });
  world.board.post(thread, { authorId: message.authorId, content: "", type: THREAD_STARTER, mentions: nobody });
  return thread;
}

/** The line in the channel that says that someone has begun a thread there without a message. */
export function announceThread(world: World, channel: DiscordChannel, thread: DiscordChannel): void {
  const nobody = { allowed: { parse: [] }, byDefault: [], speakerId: undefined };
  world.board.post(channel, {
    authorId: thread.ownerId ?? "",
    content: thread.name,
    type: THREAD_CREATED,
    mentions: nobody,
  });
}

/** Whether this bot may manage the thread: its own, or by right. */
export function mayManage(world: World, thread: DiscordChannel, appId: string): boolean {
  const bits = world.workspace.permissionsIn(thread, appId);
  return thread.ownerId === appId || (bits & Permission.manageThreads) !== 0n;
}
