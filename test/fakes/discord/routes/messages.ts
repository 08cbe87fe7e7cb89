import { allowedIn } from "../mentions.js";
import { checkEdit, checkMessage } from "../message-rules.js";
import { ChannelType, type DiscordChannel, type DiscordMessage } from "../model.js";
import { isThread, Permission } from "../permissions.js";
import { byId } from "../snowflake.js";
import { isRecord, type Json, Refusal, records, refusal, textOf } from "../wire.js";
import { botOf, type Call, channelFor, param, type Routes, shown } from "./route.js";
import { attachmentsOf, keptAttachments } from "./uploads.js";

/** A nonce is remembered for "a few minutes". */
const NONCE_MS = 5 * 60_000;

const BY_DEFAULT = ["users", "roles", "everyone"];

export const messageRoutes: Routes = {
  create_message: { verb: "POST", path: "/channels/{channel_id}/messages", run: create },
  list_messages: { verb: "GET", path: "/channels/{channel_id}/messages", run: list },
  get_message: {
    verb: "GET",
    path: "/channels/{channel_id}/messages/{message_id}",
    run(call) {
      const channel = channelFor(call, ["readMessageHistory"]);
      return shown(call, call.world.board.find(channel, param(call, "message_id")), channel);
    },
  },
  update_message: { verb: "PATCH", path: "/channels/{channel_id}/messages/{message_id}", run: edit },
  delete_message: {
    verb: "DELETE",
    path: "/channels/{channel_id}/messages/{message_id}",
    run(call) {
      const channel = channelFor(call);
      const message = call.world.board.find(channel, param(call, "message_id"));
      const isOwn = message.authorId === botOf(call).id && !message.webhook;
      if (!isOwn) channelFor(call, ["manageMessages"]);
      call.world.board.remove(channel, [message]);
      return undefined;
    },
  },
};

function create(call: Call): unknown {
  const app = botOf(call);
  const { board, workspace } = call.world;
  const channel = channelFor(call, ["sendMessages"]);
  const { body, files } = call;
  checkMessage(body, files, "bot");
  if (channel.type === ChannelType.forum || channel.type === ChannelType.category) throw refusal(50008);
  if (files.length > 0) channelFor(call, ["attachFiles"]);
  refuseClosed(call, channel);
  refuseHaste(call, channel);
  const replyTo = replyIn(call, channel);
  const isTwin = twinTest(body, app.id, workspace.clock.now());
  const twin = channel.messages.findLast(isTwin);
  if (twin) return { ...shown(call, twin, channel), nonce: twin.nonce };
  if (board.removed.some((it) => it.channelId === channel.id && isTwin(it))) throw refusal(10008);
  const message = board.post(channel, {
    authorId: app.id,
    content: textOf(body, "content") ?? "",
    embeds: records(body.embeds),
    components: withIds(records(body.components)),
    attachments: attachmentsOf(call, channel.id),
    flags: typeof body.flags === "number" ? body.flags : 0,
    replyTo,
    nonce: typeof body.nonce === "number" ? body.nonce : textOf(body, "nonce"),
    mentions: { allowed: allowedIn(body), byDefault: BY_DEFAULT, speakerId: app.id },
  });
  return { ...shown(call, message, channel), nonce: message.nonce };
}

/** A locked thread takes nothing from those who do not manage threads. */
export function refuseClosed(call: Call, channel: DiscordChannel, speakerId = call.app?.id): void {
  if (!isThread(channel) || !channel.isLocked || speakerId === undefined) return;
  const bits = call.world.workspace.permissionsIn(channel, speakerId);
  if ((bits & Permission.manageThreads) === 0n) throw refusal(channel.isArchived ? 50083 : 160005);
}

/** Slow mode, which is for bots too unless they may pass it by. */
function refuseHaste(call: Call, channel: DiscordChannel): void {
  const { id } = botOf(call);
  const { workspace } = call.world;
  if (channel.slowmode === 0 || (workspace.permissionsIn(channel, id) & Permission.bypassSlowmode) !== 0n) return;
  const last = channel.messages.findLast((it) => it.authorId === id);
  if (last && workspace.clock.now() - last.timestamp < channel.slowmode * 1000) throw refusal(20016);
}

function replyIn(call: Call, channel: DiscordChannel): string | undefined {
  const reference = call.body.message_reference;
  if (!isRecord(reference)) return undefined;
  const id = textOf(reference, "message_id") ?? "";
  const bits = call.world.workspace.permissionsIn(channel, botOf(call).id);
  if ((bits & Permission.readMessageHistory) === 0n) throw refusal(160002);
  if (channel.messages.some((it) => it.id === id)) return id;
  if (reference.fail_if_not_exists === false) return undefined;
  throw new Refusal(400, 50035, "Invalid Form Body", {
    message_reference: { _errors: [{ code: "REPLIES_UNKNOWN_MESSAGE", message: "Unknown message" }] },
  });
}

/** With `enforce_nonce`, what this bot has said with the same one a short while ago. */
function twinTest(body: Json, appId: string, now: number): (message: DiscordMessage) => boolean {
  const { nonce, enforce_nonce: isEnforced } = body;
  if (isEnforced !== true || nonce === undefined || nonce === null) return () => false;
  return (it) =>
    it.authorId === appId &&
    it.nonce !== undefined &&
    String(it.nonce) === String(nonce) &&
    now - it.timestamp < NONCE_MS;
}

function list(call: Call): unknown {
  const channel = channelFor(call);
  const { query, world } = call;
  const bits = world.workspace.permissionsIn(channel, botOf(call).id);
  const limit = Number(query.limit ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    const problem = { code: "NUMBER_TYPE_MAX", message: "int value should be less than or equal to 100." };
    throw new Refusal(400, 50035, "Invalid Form Body", { limit: { _errors: [problem] } });
  }
  // Without the right to read history there is nothing to see, and no complaint.
  if ((bits & Permission.readMessageHistory) === 0n) return [];
  return page(channel.messages.toSorted(byId), query, limit)
    .toReversed()
    .map((message) => shown(call, message, channel));
}

/** Oldest first: next to `after`, before `before`, around `around`, or the newest. */
function page(
  messages: readonly DiscordMessage[],
  { after, before, around }: Call["query"],
  limit: number,
): readonly DiscordMessage[] {
  if (after !== undefined) return messages.filter((it) => BigInt(it.id) > BigInt(after)).slice(0, limit);
  if (before !== undefined) return messages.filter((it) => BigInt(it.id) < BigInt(before)).slice(-limit);
  if (around === undefined) return messages.slice(-limit);
  const older = messages.filter((it) => BigInt(it.id) <= BigInt(around)).slice(-Math.ceil(limit / 2));
  const newer = messages.filter((it) => BigInt(it.id) > BigInt(around)).slice(0, Math.floor(limit / 2));
  return [...older, ...newer];
}

function edit(call: Call): unknown {
  const app = botOf(call);
  const channel = channelFor(call);
  const { board } = call.world;
  const message = board.find(channel, param(call, "message_id"));
  if (message.authorId !== app.id || message.webhook) throw refusal(50005);
  change(call, channel, message, { byDefault: BY_DEFAULT, speakerId: app.id });
  return shown(call, message, channel);
}

/** Changes a message as a body says; an edit that names no `allowed_mentions` is read by the defaults again. */
export function change(
  call: Call,
  channel: DiscordChannel,
  message: DiscordMessage,
  by: { readonly byDefault: readonly string[]; readonly speakerId: string | undefined },
): void {
  const { body, files, world } = call;
  if (channel.isArchived) throw refusal(50083);
  const { content, embeds, components, attachments, flags } = message;
  checkEdit(body, files, { content, embeds, components, attachments, flags });
  const isNamed = (name: string) => body[name] !== undefined;
  world.board.edit(channel, message, {
    content: isNamed("content") ? (textOf(body, "content") ?? "") : undefined,
    embeds: isNamed("embeds") ? records(body.embeds) : undefined,
    components: isNamed("components") ? withIds(records(body.components)) : undefined,
    attachments: isNamed("attachments") || files.length > 0 ? keptAttachments(call, channel.id, message) : undefined,
    mentions: isNamed("content") || isNamed("allowed_mentions") ? { ...by, allowed: allowedIn(body) } : undefined,
  });
}

/** Discord numbers the components that have no number. */
export function withIds(components: readonly Json[]): readonly Json[] {
  let next = 0;
  const number = (it: Json): Json => {
    next++;
    const id = typeof it.id === "number" && it.id > 0 ? it.id : next;
    return { ...it, id, ...(Array.isArray(it.components) ? { components: records(it.components).map(number) } : {}) };
  };
  return components.map(number);
}
