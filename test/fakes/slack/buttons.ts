import type { Board } from "./board.js";
import type { Button } from "./interactions.js";
import { messageWire } from "./message-wire.js";
import type { Ephemeral, SlackChannel, SlackMessage } from "./model.js";
import { isRecord, type Json, records, textOf } from "./wire.js";
import type { Workspace } from "./workspace.js";

interface Place {
  readonly workspace: Workspace;
  readonly board: Board;
  readonly channel: SlackChannel;
  /** Buttons of messages that only this person sees count too. */
  readonly viewerId: string;
  readonly filesUrl: string;
}

/** All buttons that this person can press in a channel, the newest message first. */
export function buttonsIn({ workspace, board, channel, viewerId, filesUrl }: Place): readonly Button[] {
  const shown = board.ephemerals.filter((it) => it.channelId === channel.id && it.userId === viewerId);
  const standing: readonly (SlackMessage | Ephemeral)[] = [...channel.messages.filter(({ app }) => app), ...shown];
  return standing
    .toSorted((a, b) => Number(b.ts) - Number(a.ts))
    .flatMap((message) => {
      const wire = "replies" in message ? messageWire(message, { workspace, channel, filesUrl }) : undefined;
      return elementsOf(message.blocks).flatMap((element) => buttonOf(element, { message, channel, wire }));
    });
}

interface Element {
  readonly element: Json;
  readonly blockId: string;
}

function elementsOf(blocks: readonly Json[] = []): readonly Element[] {
  return blocks.flatMap((block) => {
    const elements = [...records(block.elements), ...(isRecord(block.accessory) ? [block.accessory] : [])];
    return elements.map((element) => ({ element, blockId: textOf(block, "block_id") ?? "" }));
  });
}

interface Standing {
  readonly message: SlackMessage | Ephemeral;
  readonly channel: SlackChannel;
  readonly wire: Json | undefined;
}

function buttonOf({ element, blockId }: Element, { message, channel, wire }: Standing): readonly Button[] {
  const { app, ts: messageTs, threadTs } = message;
  if (element.type !== "button" || !app) return [];
  const label = isRecord(element.text) ? (textOf(element.text, "text") ?? "") : "";
  const actionId = textOf(element, "action_id") ?? "";
  const value = textOf(element, "value");
  return [{ label, actionId, blockId, value, app, channel, messageTs, threadTs, message: wire }];
}
