import { flat } from "../component-rules.js";
import { allowedIn } from "../mentions.js";
import { checkMessage } from "../message-rules.js";
import { ChannelType, type DiscordChannel, type DiscordMessage, type DiscordWebhook } from "../model.js";
import { webhookWire } from "../people-wire.js";
import { isThread } from "../permissions.js";
import { createProblems } from "../problems.js";
import { type Json, records, refusal, textOf } from "../wire.js";
import { answerRoute } from "./answers.js";
import { change, refuseClosed, withIds } from "./messages.js";
import { type Call, param, type Routes, shown } from "./route.js";
import { beginThread } from "./threads.js";
import { attachmentsOf } from "./uploads.js";
import { removeWebhook } from "./webhooks.js";

/** Buttons and menus: for the webhooks of apps. */
const INTERACTIVE = new Set<unknown>([2, 3, 5, 6, 7, 8]);

/** Speaking through a webhook; who has the address needs no token. The addresses of interactions look the same. */
export const executeRoutes: Routes = {
  execute_webhook: {
    verb: "POST",
    path: "/webhooks/{webhook_id}/{webhook_token}",
    isOpen: true,
    run: answerRoute("follow-up", execute),
  },
  get_webhook_by_token: {
    verb: "GET",
    path: "/webhooks/{webhook_id}/{webhook_token}",
    isOpen: true,
    run(call) {
      const { user: _, ...wire } = webhookWire(call.world.workspace, named(call), undefined);
      return wire;
    },
  },
  delete_webhook_by_token: {
    verb: "DELETE",
    path: "/webhooks/{webhook_id}/{webhook_token}",
    isOpen: true,
    run(call) {
      removeWebhook(call.world, named(call));
      return undefined;
    },
  },
  get_webhook_message: {
    verb: "GET",
    path: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}",
    isOpen: true,
    run: answerRoute("get", (call) => {
      const { message, channel } = ownMessage(call);
      return shown(call, message, channel);
    }),
  },
  update_webhook_message: {
    verb: "PATCH",
    path: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}",
    isOpen: true,
    run: answerRoute("edit", (call) => {
      const { webhook, message, channel } = ownMessage(call);
      change(call, channel, message, { byDefault: ["users"], speakerId: webhook.applicationId ?? undefined });
      return shown(call, message, channel);
    }),
  },
  delete_webhook_message: {
    verb: "DELETE",
    path: "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}",
    isOpen: true,
    run: answerRoute("delete", (call) => {
      const { message, channel } = ownMessage(call);
      call.world.board.remove(channel, [message]);
      return undefined;
    }),
  },
};

/** The webhook of the path. A wrong token is as good as no webhook. */
function named(call: Call): DiscordWebhook {
  const webhook = call.world.workspace.webhooks.get(param(call, "webhook_id"));
  if (!webhook) throw refusal(10015);
  if (webhook.token !== param(call, "webhook_token")) throw refusal(10015);
  return webhook;
}

function execute(call: Call): unknown {
  const webhook = named(call);
  const { body, files, query, world } = call;
  const channel = world.workspace.channels.get(webhook.channelId);
  if (!channel) throw refusal(10015);
  const usable = { ...body, components: usableComponents(call, webhook) };
  checkMessage(usable, files, "webhook");
  const place = placeOf(call, channel, webhook);
  refuseClosed(call, place, webhook.applicationId ?? undefined);
  const message = world.board.post(place, {
    authorId: webhook.id,
    webhook,
    username: textOf(body, "username"),
    avatarUrl: textOf(body, "avatar_url"),
    applicationId: webhook.applicationId ?? undefined,
    content: textOf(body, "content") ?? "",
    embeds: records(body.embeds),
    components: withIds(usable.components),
    attachments: attachmentsOf(call, place.id),
    flags: typeof body.flags === "number" ? body.flags : 0,
    mentions: { allowed: allowedIn(body), byDefault: ["users"], speakerId: webhook.applicationId ?? undefined },
  });
  return query.wait === "true" ? shown(call, message, place) : undefined;
}

/** Only the webhook of an app may have buttons; of others everything is dropped, or with `with_components` what can be pressed. */
function usableComponents({ body, query }: Call, webhook: DiscordWebhook): readonly Json[] {
  const components = records(body.components);
  if (webhook.applicationId !== null) return components;
  if (query.with_components !== "true") return [];
  return components.filter((it) => !flat([it]).some(({ type }) => INTERACTIVE.has(type)));
}

/** The webhook's channel, a thread of it, or a new post of a forum. */
function placeOf(call: Call, channel: DiscordChannel, webhook: DiscordWebhook): DiscordChannel {
  const { body, query, world } = call;
  const name = textOf(body, "thread_name");
  const isForum = channel.type === ChannelType.forum;
  if (isForum && query.thread_id === undefined && name === undefined) throw refusal(220001);
  if (query.thread_id !== undefined && name !== undefined) throw refusal(220002);
  if (!isForum && name !== undefined) throw refusal(220003);
  if (name !== undefined) {
    return beginThread(world, { parent: channel.id, name, owner: webhook.applicationId ?? webhook.creatorId ?? "" });
  }
  return query.thread_id === undefined ? channel : threadOf(call, channel, query.thread_id);
}

function threadOf(call: Call, channel: DiscordChannel, id: string): DiscordChannel {
  const problems = createProblems();
  if (!/^\d{17,20}$/.test(id)) problems.add("thread_id", "NUMBER_TYPE_COERCE", `Value "${id}" is not snowflake.`);
  problems.throwIfAny();
  const thread = call.world.workspace.channels.get(id);
  if (!thread || !isThread(thread) || thread.parentId !== channel.id) throw refusal(10003);
  return thread;
}

/** A message that this webhook has posted, where the call says that it stands: strictly there. */
function ownMessage(call: Call): { webhook: DiscordWebhook; message: DiscordMessage; channel: DiscordChannel } {
  const webhook = named(call);
  const { workspace, board } = call.world;
  const channel = workspace.channels.get(call.query.thread_id ?? webhook.channelId);
  if (!channel) throw refusal(10008);
  const message = board.find(channel, param(call, "message_id"));
  if (message.webhook?.id !== webhook.id) throw refusal(10008);
  return { webhook, message, channel };
}
