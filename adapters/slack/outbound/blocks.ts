import type { types } from "@slack/bolt";
import { cleanInbound, type PostBody } from "../../../src/index.js";
import { createTextSplitter } from "../../shared/posts.js";
import { costOf } from "../../shared/split/pieces.js";
import { splitMarkdown } from "../../shared/split/split.js";
import { blockStarts, healBold, parseMarkdown } from "./format-markdown.js";
import { mrkdwnOf } from "./format-mrkdwn.js";
import { mrkdwnPieces } from "./format-pieces.js";
import { calmMentions, escapeWords, neutraliseMarkdown } from "./neutralise.js";
import { LONGEST_MARKDOWN, MOST_BLOCKS, PART, weigh } from "./part-limits.js";
import { splitView, viewBlocks, viewFallback } from "./view-blocks.js";

/** What one message shows. `text` is always there: notifications show it, and what reads no blocks. */
export interface Drawn {
  readonly text: string;
  readonly blocks?: readonly types.KnownBlock[];
}

/** Ways to show one body, best first: as one message, or, where Slack refuses that, in plainer pieces. */
export interface Drawing {
  readonly whole?: Drawn;
  /** Texts in Slack's older format, each in a message of its own; none for what can only be shown whole. */
  pieces(): readonly Drawn[];
}

/** A longer text Slack may cut in two, anywhere. The margin holds a persona's name. */
const LONGEST_TEXT = 3_900;

/** Cuts a body into messages, always in the same way; nothing is lost, and there is at least one. */
export function splitBody(body: PostBody): readonly PostBody[] {
  if (body.kind === "view") return splitView(body.view).map((view) => ({ kind: "view", view }));
  return splitText(body.text);
}

const splitText = createTextSplitter((text) => splitMarkdown(cleanInbound(text), PART));

/** Draws one part of a body. `speaker` is written before a text, for where its author cannot be shown in another way. */
export function draw(body: PostBody, speaker?: string): Drawing {
  if (body.kind === "text") return drawText(cleanInbound(body.text), speaker);
  return { whole: { text: viewFallback(body.view), blocks: viewBlocks(body.view) }, pieces: () => [] };
}

function drawText(text: string, speaker: string | undefined): Drawing {
  if (isPlain(text)) return { whole: { text: named(calmMentions(text), speaker) }, pieces: () => [] };
  const healed = healBold(text);
  const pieces = () => mrkdwnPieces(healed, LONGEST_TEXT).map((piece) => ({ text: named(piece, speaker) }));
  if (costOf(healed, weigh) > LONGEST_MARKDOWN) return { pieces };
  const root = parseMarkdown(healed);
  if (blockStarts(root).length > MOST_BLOCKS) return { pieces };
  const markdown = neutraliseMarkdown(healed, root);
  const fallback = mrkdwnOf(root).trim() || escapeWords(text);
  const whole: Drawn = {
    text: named(fallback, speaker),
    blocks: [{ type: "markdown", text: speaker === undefined ? markdown : markdownNamed(markdown, speaker) }],
  };
  return { whole, pieces };
}

/** Nothing in it means anything to either format, so that it can go as it is. */
function isPlain(text: string): boolean {
  return text.length <= LONGEST_TEXT && text.trim() !== "" && !MARKUP.test(text);
}

const MARKUP = /[*_~`<>[\]|&\\]|:\/\/|www\.|^[ \t]|^[-+#=]|^\d+[.)]/m;

function named(text: string, speaker: string | undefined): string {
  if (speaker === undefined) return text;
  const gap = /^(?:```|[>•☑☐]|\d+\.)/u.test(text) ? "\n" : " ";
  return `*${escapeWords(speaker)}:*${gap}${text}`;
}

function markdownNamed(markdown: string, speaker: string): string {
  const name = escapeWords(speaker).replace(/[*_`~[\]\\]/g, "\\$&");
  // A heading, a list, a fence or a table begins a line of its own.
  const gap = /^(?:[ \t]|#|>|[-+*]\s|\d+[.)]|```|~~~|\||[-*_]{3})/.test(markdown) ? "\n\n" : " ";
  return `**${name}:**${gap}${markdown}`;
}
