import type { Echo } from "../outbound/deliveries.js";
import type { Outbound } from "../outbound/outbound.js";
import type { Self } from "../self.js";
import type { DiscordMessage } from "./wire.js";

/** A post of ours, by whichever trace it has: not every event has all of them. */
export function isOurs(
  { author, application_id: application, webhook_id: webhook }: DiscordMessage,
  self: Self,
  outbound: Pick<Outbound, "isOwnWebhook">,
): boolean {
  if (author.id === self.userId || application === self.applicationId) return true;
  return webhook !== undefined && outbound.isOwnWebhook(webhook);
}

/** A post of ours as a proof that it stands. */
export function echoOf(message: DiscordMessage): Echo {
  return {
    id: message.id,
    channelId: message.channel_id,
    webhookId: message.webhook_id,
    applicationId: message.application_id,
    authorId: message.author.id,
    username: message.author.username,
    content: message.content,
    customIds: message.components.flatMap((component) => customIdsIn(component, 0)),
  };
}

/** Components are nested, and not deeply. */
const DEEPEST = 4;

function customIdsIn(component: unknown, depth: number): readonly string[] {
  if (typeof component !== "object" || component === null || depth > DEEPEST) return [];
  const own = "custom_id" in component && typeof component.custom_id === "string" ? [component.custom_id] : [];
  const inner: readonly unknown[] =
    "components" in component && Array.isArray(component.components) ? component.components : [];
  return [...own, ...inner.flatMap((one) => customIdsIn(one, depth + 1))];
}
