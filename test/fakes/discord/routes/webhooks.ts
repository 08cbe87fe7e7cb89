import { ChannelType, type DiscordChannel, type DiscordWebhook } from "../model.js";
import { checkName } from "../name-rules.js";
import { webhookWire } from "../people-wire.js";
import { createProblems } from "../problems.js";
import { refusal, textOf } from "../wire.js";
import type { World } from "../world.js";
import { botOf, type Call, channelFor, openTo, param, type Routes } from "./route.js";

/** Webhooks that a channel may have. */
const MOST = 15;

const WITH_WEBHOOKS = new Set<number>([
  ChannelType.text,
  ChannelType.announcement,
  ChannelType.forum,
  ChannelType.voice,
]);

/** Making, listing, changing and removing webhooks, as their manager. */
export const webhookRoutes: Routes = {
  list_channel_webhooks: {
    verb: "GET",
    path: "/channels/{channel_id}/webhooks",
    run(call) {
      const channel = channelFor(call, ["manageWebhooks"]);
      refuseOthers(channel);
      return ofChannel(call, channel).map((it) => webhookWire(call.world.workspace, it, call.app));
    },
  },
  create_webhook: {
    verb: "POST",
    path: "/channels/{channel_id}/webhooks",
    run(call) {
      const app = botOf(call);
      const channel = channelFor(call, ["manageWebhooks"]);
      refuseOthers(channel);
      const problems = createProblems();
      checkName("name", textOf(call.body, "name") ?? "", problems);
      problems.throwIfAny();
      if (ofChannel(call, channel).length >= MOST) throw refusal(30007);
      const made = addWebhook(call.world, channel, {
        name: textOf(call.body, "name") ?? "",
        ownerId: app.id,
        isApps: true,
      });
      return webhookWire(call.world.workspace, made, app);
    },
  },
  get_guild_webhooks: {
    verb: "GET",
    path: "/guilds/{guild_id}/webhooks",
    run(call) {
      const { workspace } = call.world;
      const guild = workspace.guilds.get(param(call, "guild_id"));
      if (!guild?.members.has(botOf(call).id)) throw refusal(10004);
      const all = [...workspace.webhooks.values()].filter((it) => it.guildId === guild.id);
      for (const { channelId } of all) openTo(call, botOf(call), channelId, ["manageWebhooks"]);
      return all.map((it) => webhookWire(workspace, it, call.app));
    },
  },
  get_webhook: {
    verb: "GET",
    path: "/webhooks/{webhook_id}",
    run: (call) => webhookWire(call.world.workspace, managed(call), call.app),
  },
  update_webhook: { verb: "PATCH", path: "/webhooks/{webhook_id}", run: update },
  delete_webhook: {
    verb: "DELETE",
    path: "/webhooks/{webhook_id}",
    run(call) {
      removeWebhook(call.world, managed(call));
      return undefined;
    },
  },
};

function refuseOthers(channel: DiscordChannel): void {
  if (!WITH_WEBHOOKS.has(channel.type)) throw refusal(50024);
}

function ofChannel({ world }: Call, { id }: DiscordChannel): readonly DiscordWebhook[] {
  return [...world.workspace.webhooks.values()].filter((it) => it.channelId === id);
}

/** The webhook of the path, for a bot that may manage those of its channel. */
function managed(call: Call): DiscordWebhook {
  const webhook = call.world.workspace.webhooks.get(param(call, "webhook_id"));
  if (!webhook) throw refusal(10015);
  openTo(call, botOf(call), webhook.channelId, ["manageWebhooks"]);
  return webhook;
}

function update(call: Call): unknown {
  const webhook = managed(call);
  const [name, channelId] = [textOf(call.body, "name"), textOf(call.body, "channel_id")];
  const problems = createProblems();
  if (name !== undefined) checkName("name", name, problems);
  problems.throwIfAny();
  if (name !== undefined) webhook.name = name;
  if (channelId !== undefined) {
    openTo(call, botOf(call), channelId, ["manageWebhooks"]);
    moveWebhook(call.world, webhook, channelId);
  }
  return webhookWire(call.world.workspace, webhook, call.app);
}

export interface WebhookSeed {
  readonly name: string;
  readonly ownerId?: string;
  /** It belongs to the owner's app, and not to a person or to nobody. */
  readonly isApps?: boolean;
}

/** Makes a webhook; whoever watches the channel learns that its webhooks have changed, and not how. */
export function addWebhook(world: World, channel: DiscordChannel, seed: WebhookSeed): DiscordWebhook {
  const id = world.workspace.mintId();
  const webhook: DiscordWebhook = {
    id,
    token: `whk_${Buffer.from(id).toString("base64url").padEnd(64, "x")}`,
    name: seed.name.trim(),
    channelId: channel.id,
    guildId: channel.guildId ?? "",
    applicationId: seed.isApps ? (seed.ownerId ?? null) : null,
    creatorId: seed.ownerId,
  };
  world.workspace.webhooks.set(id, webhook);
  tellChange(world, channel.id);
  return webhook;
}

export function removeWebhook(world: World, webhook: DiscordWebhook): void {
  world.workspace.webhooks.delete(webhook.id);
  tellChange(world, webhook.channelId);
}

export function moveWebhook(world: World, webhook: DiscordWebhook, channelId: string): void {
  const from = webhook.channelId;
  webhook.channelId = channelId;
  tellChange(world, from);
  tellChange(world, channelId);
}

function tellChange({ workspace, feed }: World, channelId: string): void {
  const channel = workspace.channels.get(channelId);
  if (channel) feed.webhooksChanged(channel);
}
