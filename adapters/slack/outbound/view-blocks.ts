import type { types } from "@slack/bolt";
import { type Button, type Field, type View, viewText } from "../../../src/index.js";
import { splitMarkdown } from "../../shared/split/split.js";
import { toMrkdwn } from "./format-mrkdwn.js";
import { mrkdwnPieces, shortened } from "./format-pieces.js";
import { escapeWords, plainWords } from "./neutralise.js";
import { PART } from "./part-limits.js";

type Block = types.KnownBlock;

const LONGEST_SECTION = 3_000;
const LONGEST_FIELD = 2_000;
const MOST_FIELDS = 10;
const LONGEST_LABEL = 75;
const LONGEST_VALUE = 2_000;
const MOST_BUTTONS = 25;
/** An edit with a longer text is refused, even beside blocks. */
const LONGEST_FALLBACK = 3_900;
/**
 * A view as blocks: the title and text, the fields, and all buttons in the last block. Each button's `action_id` is its action,
 * with a number behind it where the message has that action already; its value is untouched.
 */
export function viewBlocks({ title, text, fields = [], buttons = [] }: View): readonly Block[] {
  const heading = title === undefined || title === "" ? "" : `*${escapeWords(shortened(title, 150))}*\n`;
  const sections = text.trim() === "" ? [] : mrkdwnPieces(text, LONGEST_SECTION - heading.length);
  const [first = "", ...rest] = sections;
  return [
    ...[heading + first, ...rest].filter((words) => words !== "").map(section),
    ...fieldBlocks(fields),
    ...buttonBlocks(buttons),
  ];
}

/** The text beside the blocks of a view: what a notification shows. */
export function viewFallback(view: View): string {
  const [begin = "", ...rest] = splitMarkdown(viewText(view), PART);
  const text = toMrkdwn(begin);
  return shortened(rest.length > 0 ? `${text}\n…` : text, LONGEST_FALLBACK);
}

/** A view in as many messages as its text needs: the title on the first, fields and buttons on the last. */
export function splitView(view: View): readonly View[] {
  const texts = splitMarkdown(view.text, PART);
  if (texts.length === 1) return [view];
  const { title, fields, buttons, text: _, ...shared } = view;
  return texts.map((text, index) => ({
    ...shared,
    text,
    ...(index === 0 && title !== undefined ? { title } : {}),
    ...(index === texts.length - 1 && fields !== undefined ? { fields } : {}),
    ...(index === texts.length - 1 && buttons !== undefined ? { buttons } : {}),
  }));
}

function section(text: string): Block {
  return { type: "section", text: { type: "mrkdwn", text } };
}

function fieldBlocks(fields: readonly Field[]): readonly Block[] {
  const cells = fields.map(({ label, value }) => ({
    type: "mrkdwn" as const,
    text: shortened(`*${escapeWords(label)}*\n${escapeWords(value)}`, LONGEST_FIELD),
  }));
  return inGroups(cells, MOST_FIELDS).map((group) => ({ type: "section", fields: [...group] }));
}

function buttonBlocks(buttons: readonly Button[]): readonly Block[] {
  // A value that was cut would mean something else.
  const usable = buttons.filter(({ value }) => value.length <= LONGEST_VALUE).slice(0, MOST_BUTTONS);
  const elements = usable.map((button, index) => {
    const isRepeated = usable.findIndex(({ action }) => action === button.action) < index;
    return {
      type: "button" as const,
      action_id: isRepeated ? `${button.action}:${index}` : button.action,
      text: { type: "plain_text" as const, text: shortened(plainWords(button.label), LONGEST_LABEL) },
      value: button.value,
      ...(button.style === undefined ? {} : { style: button.style }),
    };
  });
  return elements.length === 0 ? [] : [{ type: "actions", elements }];
}

function inGroups<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
