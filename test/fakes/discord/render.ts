import { flat } from "./component-rules.js";
import type { DiscordChannel, DiscordMessage } from "./model.js";
import { records, textOf } from "./wire.js";
import type { Workspace } from "./workspace.js";

/** What people read of a message: the text with names for tokens, then embeds and the text of components. */
export function readMessage(message: DiscordMessage, channel: DiscordChannel, workspace: Workspace): string {
  const texts = flat(message.components).flatMap((it) => (it.type === 10 ? (textOf(it, "content") ?? "") : []));
  const parts = [message.content, ...message.embeds.map(embedText), ...texts].filter((it) => it !== "");
  return parts.map((part) => nameTokens(part, channel, workspace)).join("\n");
}

/** The labels of its buttons. */
export function buttonLabels(message: DiscordMessage): readonly string[] {
  return flat(message.components).flatMap((it) => (it.type === 2 ? (textOf(it, "label") ?? "") : []));
}

function embedText(embed: Record<string, unknown>): string {
  const fields = records(embed.fields).map((it) => `${it.name}: ${it.value}`);
  return [textOf(embed, "title"), textOf(embed, "description"), ...fields].filter(Boolean).join("\n");
}

function nameTokens(text: string, channel: DiscordChannel, workspace: Workspace): string {
  const guild = workspace.guildOf(channel);
  return text.replaceAll(/<(@!?|@&|#)(\d{17,20})>/g, (whole, sign: string, id: string) => {
    if (sign === "#") return `#${workspace.channels.get(id)?.name ?? "unknown"}`;
    if (sign === "@&") return `@${guild?.roles.get(id)?.name ?? "deleted-role"}`;
    const user = workspace.users.get(id);
    return user ? `@${user.displayName}` : whole;
  });
}
