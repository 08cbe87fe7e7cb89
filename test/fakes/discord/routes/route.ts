import { messageWire } from "../message-wire.js";
import type { DiscordApp, DiscordChannel, DiscordMessage } from "../model.js";
import { isThread, Permission, type PermissionName } from "../permissions.js";
import type { UploadedFile } from "../request-body.js";
import { type Json, Refusal, refusal } from "../wire.js";
import type { World } from "../world.js";

/** One call, as a route sees it. */
export interface Call {
  readonly world: World;
  /** Whose token it bears. */
  readonly app: DiscordApp | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Json;
  /** The body as it came: a list for the commands. */
  readonly raw: unknown;
  readonly files: readonly UploadedFile[];
}

/** What answers one operation: JSON, or `undefined` for 204. */
export interface Route {
  readonly verb: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /** The address itself is the secret; a bot token is of no use. */
  readonly isOpen?: true;
  readonly run: (call: Call) => unknown;
}

/** By operation, as Discord's OpenAPI document calls it. */
export type Routes = Readonly<Record<string, Route>>;

/** The bot that calls; a route that is not open has one. */
export function botOf({ app }: Call): DiscordApp {
  if (!app) throw new Refusal(401, 0, "401: Unauthorized");
  return app;
}

/** A parameter of the path. */
export function param({ params }: Call, name: string): string {
  return params[name] ?? "";
}

/** A channel that the bot sees and may do these things in; a thread has its own right to write. */
export function channelFor(call: Call, needed: readonly PermissionName[] = []): DiscordChannel {
  return openTo(call, botOf(call), param(call, "channel_id"), needed);
}

/** The same for a channel that stands elsewhere than in the path. */
export function openTo(call: Call, app: DiscordApp, id: string, needed: readonly PermissionName[]): DiscordChannel {
  const { workspace } = call.world;
  const channel = workspace.channels.get(id);
  if (!channel) throw refusal(10003);
  const bits = workspace.permissionsIn(channel, app.id);
  if ((bits & Permission.viewChannel) === 0n) throw refusal(50001);
  const wanted = needed.map((name) => (name === "sendMessages" && isThread(channel) ? "sendMessagesInThreads" : name));
  if (wanted.some((name) => (bits & Permission[name]) === 0n)) throw refusal(50013);
  return channel;
}

/** A message as the REST API gives it to this bot, or to a webhook's own caller. */
export function shown(call: Call, message: DiscordMessage, channel: DiscordChannel): Json {
  const { workspace } = call.world;
  return messageWire(message, channel, {
    workspace,
    readerId: call.app?.id ?? message.applicationId ?? "",
    hasContent: call.app?.privileges.has("content") ?? true,
    isEvent: false,
    hasChannelType: false,
  });
}
