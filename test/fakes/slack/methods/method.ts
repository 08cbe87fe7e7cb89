import type { Args } from "../args.js";
import { HISTORY_SCOPES } from "../feed.js";
import type { ChannelKind, SlackApp, SlackChannel } from "../model.js";
import { type Json, Refusal } from "../wire.js";
import type { World } from "../world.js";

/** One call of one method by an app that is known. */
export interface Call {
  readonly app: SlackApp;
  readonly args: Args;
  readonly world: World;
}

/** A method of the Web API: what it answers beside `ok: true`, or a `Refusal`. */
export interface Method {
  /** Needed by every call; more may depend on the arguments. */
  readonly scope?: string;
  /** Taken with the app token instead of the bot token. */
  readonly isForAppToken?: boolean;
  readonly run: (call: Call) => Json;
}

export type Methods = Readonly<Record<string, Method>>;

/** Refuses with `missing_scope` and what is needed and granted. */
export function needScope(app: SlackApp, needed: string): void {
  if (!app.scopes.has(needed)) throw new Refusal("missing_scope", { needed, provided: [...app.scopes].join(",") });
}

const READ_SCOPES: Record<ChannelKind, string> = {
  channel: "channels:read",
  group: "groups:read",
  im: "im:read",
  mpim: "mpim:read",
};

/** The scope that looking at this kind of conversation takes. */
export function readScope(kind: ChannelKind): string {
  return READ_SCOPES[kind];
}

/** The channel of this id, when the app may know that it exists. */
export function visibleChannel({ app, args, world }: Call, name = "channel"): SlackChannel {
  const channel = world.workspace.channels.get(args.need(name));
  const isVisible = channel && (channel.kind === "channel" || channel.members.has(app.userId));
  if (!isVisible) throw new Refusal("channel_not_found");
  return channel;
}

/** The channel, when the app may read what is said in it. */
export function readableChannel(call: Call): SlackChannel {
  const channel = visibleChannel(call);
  needScope(call.app, HISTORY_SCOPES[channel.kind]);
  if (!channel.members.has(call.app.userId)) throw new Refusal("not_in_channel");
  return channel;
}

/** The channel that a post goes to: by id, `#name` of a public one, or a user's id for the direct conversation. */
export function writableChannel(call: Call, name = "channel"): SlackChannel {
  const { app, args, world } = call;
  const asked = args.need(name);
  const channel = addressed(world, app, asked);
  const isMember = channel?.members.has(app.userId);
  if (!channel || (channel.kind !== "channel" && !isMember)) throw new Refusal("channel_not_found");
  if (channel.isArchived) throw new Refusal("is_archived");
  if (!isMember && !app.scopes.has("chat:write.public")) throw new Refusal("not_in_channel");
  return channel;
}

function addressed({ workspace }: World, app: SlackApp, asked: string): SlackChannel | undefined {
  const user = workspace.users.get(asked);
  if (user) return workspace.conversationOf([app.userId, user.id]);
  const byId = workspace.channels.get(asked);
  if (byId) return byId;
  return [...workspace.channels.values()].find((it) => it.kind === "channel" && it.name === asked.replace(/^#/, ""));
}
