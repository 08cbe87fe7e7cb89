import { dayKey } from "../text/times.js";
import type { WireEntry } from "../wire.js";
import type { Card, OpenRoom } from "./model.js";

/** One line of the conversation as drawn. `key` is stable over redraws. */
export type Item =
  | { readonly kind: "day"; readonly key: string; readonly at: number }
  | {
      readonly kind: "message";
      readonly key: string;
      readonly entry: WireEntry;
      readonly at: number;
      readonly continues: boolean;
    }
  | { readonly kind: "notice"; readonly key: string; readonly entry: WireEntry; readonly at: number }
  | { readonly kind: "directive"; readonly key: string; readonly entry: WireEntry; readonly at: number }
  | { readonly kind: "activity"; readonly key: string; readonly entries: readonly WireEntry[]; readonly at: number }
  | { readonly kind: "card"; readonly key: string; readonly card: Card };

const GROUP_MS = 5 * 60_000;

interface Drawing {
  readonly items: Item[];
  readonly showActivity: boolean;
  day: string;
}

/** A message goes on under the same head when its author spoke last, a short while ago. */
function continues(previous: Item | undefined, entry: WireEntry, at: number): boolean {
  if (previous?.kind !== "message") return false;
  const { sender } = previous.entry;
  return sender.kind === entry.sender.kind && sender.id === entry.sender.id && at - previous.at < GROUP_MS;
}

function drawActivity(drawing: Drawing, entry: WireEntry, at: number): void {
  const last = drawing.items.at(-1);
  const key = `activity-${entry.seq}`;
  if (last?.kind === "activity" && last.entries[0]?.sender.id === entry.sender.id) {
    drawing.items[drawing.items.length - 1] = { ...last, entries: [...last.entries, entry] };
  } else drawing.items.push({ kind: "activity", key, entries: [entry], at });
}

function drawDay(drawing: Drawing, at: number): void {
  const day = dayKey(at);
  if (day === drawing.day) return;
  drawing.day = day;
  drawing.items.push({ kind: "day", key: `day-${day}`, at });
}

function isActivity(entry: WireEntry): boolean {
  return entry.kind === "tool_call" || entry.kind === "tool_result";
}

function isShown(entry: WireEntry, showActivity: boolean): boolean {
  if (isActivity(entry)) return showActivity;
  return ["message", "notice", "error", "directive", "summary"].includes(entry.kind);
}

function drawEntry(drawing: Drawing, entry: WireEntry): void {
  if (!isShown(entry, drawing.showActivity)) return;
  const at = Date.parse(entry.at);
  drawDay(drawing, at);
  const key = `entry-${entry.seq}`;
  if (isActivity(entry)) drawActivity(drawing, entry, at);
  else if (entry.kind === "message")
    drawing.items.push({ kind: "message", key, entry, at, continues: continues(drawing.items.at(-1), entry, at) });
  else drawing.items.push({ kind: entry.kind === "directive" ? "directive" : "notice", key, entry, at });
}

/** The lines of a room's conversation: entries in log order with day lines between, cards where they were answered. */
export function timeline(room: Pick<OpenRoom, "entries" | "cards">, showActivity: boolean): readonly Item[] {
  const drawing: Drawing = { items: [], showActivity, day: "" };
  const cards = [...room.cards];
  const drawCards = (upTo: number): void => {
    while (cards[0] !== undefined && cards[0].after <= upTo) {
      const card = cards.shift();
      if (card !== undefined) drawing.items.push({ kind: "card", key: card.id, card });
    }
  };
  for (const entry of room.entries) {
    drawCards(entry.seq - 1);
    drawEntry(drawing, entry);
  }
  drawCards(Number.POSITIVE_INFINITY);
  return drawing.items;
}
