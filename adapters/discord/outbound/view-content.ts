import { ButtonStyle, ComponentType } from "discord.js";
import type { Button, View } from "../../../src/index.js";
import { formatText } from "./format.js";
import { plainWords } from "./neutralise.js";
import { customIdOf } from "./view-buttons.js";

const LONGEST_LABEL = 80;
const MOST_IN_ROW = 5;
const MOST_BUTTONS = 25;

/** A view's words as Markdown: the title, the text, and a line for each field. */
export function viewMarkdown({ title, text, fields = [] }: View): string {
  const heading = title === undefined || title === "" ? [] : [`**${plainWords(title)}**`];
  const lines = fields.map(({ label, value }) => `**${plainWords(label)}:** ${plainWords(value)}`);
  return [...heading, ...(text.trim() === "" ? [] : [text]), ...lines].join("\n");
}

/** What a message shows of a view. */
export function viewContent(view: View): string {
  return formatText(viewMarkdown(view));
}

/** Rows of buttons, as many as Discord takes. */
export function buttonRows(buttons: readonly Button[] = []): readonly object[] {
  const drawn = buttons.slice(0, MOST_BUTTONS).map((button) => ({
    type: ComponentType.Button,
    style: styleOf(button),
    custom_id: customIdOf(button),
    label: [...button.label].slice(0, LONGEST_LABEL).join(""),
  }));
  return Array.from({ length: Math.ceil(drawn.length / MOST_IN_ROW) }, (_, row) => ({
    type: ComponentType.ActionRow,
    components: drawn.slice(row * MOST_IN_ROW, (row + 1) * MOST_IN_ROW),
  }));
}

function styleOf({ style }: Button): ButtonStyle {
  if (style === "primary") return ButtonStyle.Primary;
  return style === "danger" ? ButtonStyle.Danger : ButtonStyle.Secondary;
}
