import { flat } from "./component-rules.js";
import type { DiscordApp, DiscordChannel, DiscordMessage } from "./model.js";
import { numberOf, textOf } from "./wire.js";
import type { World } from "./world.js";

/** A button as someone saw it: it can be pressed even when it is gone by then. */
export interface Button {
  readonly label: string;
  readonly customId: string;
  readonly componentId: number | undefined;
  readonly isDisabled: boolean;
  readonly app: DiscordApp;
  readonly channel: DiscordChannel;
  /** As it was when it was seen. */
  readonly message: DiscordMessage;
}

/** The buttons that a person sees in a channel and its threads, newest first. */
export function buttonsIn({ workspace, board }: World, channel: DiscordChannel, viewerId: string): readonly Button[] {
  const own = board.ephemerals.filter((it) => it.onlyFor === viewerId && it.channelId === channel.id);
  return [...channel.messages, ...own].toReversed().flatMap((message) => {
    const app = workspace.apps.find((it) => it.id === (message.applicationId ?? message.authorId));
    return app ? buttonsOf(app, channel, message) : [];
  });
}

function buttonsOf(app: DiscordApp, channel: DiscordChannel, message: DiscordMessage): readonly Button[] {
  return flat(message.components).flatMap((it) => {
    const customId = textOf(it, "custom_id");
    if (it.type !== 2 || customId === undefined) return [];
    const label = textOf(it, "label") ?? "";
    const isDisabled = it.disabled === true;
    return { label, customId, componentId: numberOf(it, "id"), isDisabled, app, channel, message: { ...message } };
  });
}
