import { messageWire } from "../message-wire.js";
import type { ChannelKind, SlackChannel, SlackMessage } from "../model.js";
import { compact, type Json, Refusal } from "../wire.js";
import type { World } from "../world.js";
import { type Call, type Methods, needScope, readableChannel, readScope, visibleChannel } from "./method.js";
import { page } from "./paging.js";

/** The methods that look at conversations. */
export const conversationMethods: Methods = {
  "conversations.info": {
    run(call) {
      const channel = visibleChannel(call);
      needScope(call.app, readScope(channel.kind));
      return { channel: channelWire(channel, call) };
    },
  },
  "conversations.list": { run: list },
  "conversations.members": {
    run(call) {
      const channel = visibleChannel(call);
      needScope(call.app, readScope(channel.kind));
      const { items, metadata } = page([...channel.members], call.args);
      return { members: items, response_metadata: metadata };
    },
  },
  "conversations.open": { run: open },
  "conversations.history": {
    run(call) {
      const channel = readableChannel(call);
      const roots = channel.messages.filter((it) => it.threadTs === undefined || it.isBroadcast);
      return messages(call, channel, { list: inWindow(roots, call).reverse(), standard: 100 });
    },
  },
  "conversations.replies": {
    run(call) {
      const channel = readableChannel(call);
      const asked = channel.byTs.get(call.args.need("ts"));
      const root = channel.byTs.get(asked?.threadTs ?? asked?.ts ?? "");
      if (!root) throw new Refusal("thread_not_found");
      // The root heads the thread whatever window is asked for.
      return messages(call, channel, { list: [root, ...inWindow(root.replies, call)], standard: 1_000 });
    },
  },
};

function list(call: Call): Json {
  const { app, args, world } = call;
  const types = (args.text("types") ?? "public_channel").split(",").map(kindOf);
  for (const kind of types) needScope(app, readScope(kind));
  const found = [...world.workspace.channels.values()].filter(
    (channel) =>
      types.includes(channel.kind) &&
      (channel.kind === "channel" || channel.members.has(app.userId)) &&
      !(args.flag("exclude_archived") && channel.isArchived),
  );
  const { items, metadata } = page(found, args);
  return { channels: items.map((channel) => channelWire(channel, call)), response_metadata: metadata };
}

function kindOf(type: string): ChannelKind {
  switch (type.trim()) {
    case "public_channel":
      return "channel";
    case "private_channel":
      return "group";
    case "im":
    case "mpim":
      return type.trim() === "im" ? "im" : "mpim";
    default:
      throw new Refusal("invalid_types");
  }
}

function open(call: Call): Json {
  const { app, args, world } = call;
  if (args.has("channel")) return { channel: { id: visibleChannel(call).id } };
  const ids = args.need("users").split(",");
  needScope(app, ids.length > 1 ? "mpim:write" : "im:write");
  if (ids.some((id) => !world.workspace.users.has(id))) throw new Refusal("user_not_found");
  const channel = world.workspace.conversationOf([app.userId, ...ids]);
  return { channel: args.flag("return_im") ? channelWire(channel, call) : { id: channel.id } };
}

function inWindow(messages: readonly SlackMessage[], { args }: Call): SlackMessage[] {
  const oldest = Number(args.text("oldest") ?? 0);
  const latest = Number(args.text("latest") ?? Number.POSITIVE_INFINITY);
  if (Number.isNaN(oldest)) throw new Refusal("invalid_ts_oldest");
  if (Number.isNaN(latest)) throw new Refusal("invalid_ts_latest");
  const isInclusive = args.flag("inclusive");
  return messages.filter(({ ts }) => {
    const at = Number(ts);
    return (at > oldest && at < latest) || (isInclusive && (at === oldest || at === latest));
  });
}

function messages(call: Call, channel: SlackChannel, found: { list: readonly SlackMessage[]; standard: number }): Json {
  const { args, world } = call;
  const withMetadata = args.flag("include_all_metadata");
  const sizes = world.limiter.limits.isHistoryScarce ? { standard: 15, most: 15 } : { standard: found.standard };
  const { items, metadata, hasMore } = page(found.list, args, sizes);
  const sight = { workspace: world.workspace, channel, withMetadata, filesUrl: world.url() };
  return compact({
    messages: items.map((message) => messageWire(message, sight)),
    has_more: hasMore,
    response_metadata: hasMore ? metadata : undefined,
  });
}

/** A channel as the app sees it. */
function channelWire(channel: SlackChannel, { app, world }: { app: Call["app"]; world: World }): Json {
  const isIm = channel.kind === "im";
  const other = [...channel.members].find((id) => id !== app.userId);
  return compact({
    id: channel.id,
    name: isIm ? undefined : channel.name,
    name_normalized: isIm ? undefined : channel.name,
    is_channel: channel.kind === "channel",
    is_group: channel.kind === "group",
    is_im: isIm,
    is_mpim: channel.kind === "mpim",
    is_private: channel.kind !== "channel",
    is_archived: channel.isArchived,
    is_ext_shared: channel.isShared,
    is_member: isIm ? undefined : channel.members.has(app.userId),
    num_members: isIm ? undefined : channel.members.size,
    user: isIm ? other : undefined,
    context_team_id: world.workspace.team.id,
  });
}
