import type { types } from "@slack/bolt";
import { cleanInbound, type PostBody } from "../../src/index.js";
import { blockStarts, healBold, parseMarkdown } from "./format-markdown.js";
import { mrkdwnOf } from "./format-mrkdwn.js";
import { mrkdwnPieces } from "./format-pieces.js";
import { calmMentions, escapeWords, neutraliseMarkdown } from "./neutralise.js";
import { type Space, splitMarkdown } from "./split.js";
import { costOf } from "./split-units.js";
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

/**
 * A Markdown block takes 12,000 characters and the payload around it some 13,200 as JSON; Slack takes 50 blocks and makes
 * more of a text than one would count. Both with a margin, which also holds a persona's name.
 */
const MARKDOWN: Space = { weigh, most: 11_000, blocks: 45 };

/** A longer text Slack may cut in two, anywhere. The margin holds a persona's name. */
const LONGEST_TEXT = 3_900;

/** Characters as they are sent: written out as entities, and as JSON. */
function weigh(code: number): number {
  if (code === LESS_THAN) return "&lt;".length;
  return code === AT_SIGN || code === QUOTE || code === BACKSLASH || code < SPACE ? 2 : 1;
}

const [LESS_THAN, AT_SIGN, QUOTE, BACKSLASH, SPACE] = [60, 64, 34, 92, 32];

/** Cuts a body into messages, always in the same way; nothing is lost, and there is at least one. */
export function splitBody(body: PostBody): readonly PostBody[] {
  if (body.kind === "view") return splitView(body.view).map((view) => ({ kind: "view", view }));
  const { text } = body;
  const parts =
    recent.get(text) ?? splitMarkdown(cleanInbound(text), MARKDOWN).map((part) => ({ kind: "text", text: part }));
  if (parts.length > 1) remember(text, parts);
  return parts;
}

/** A long text is asked for again with each of its parts. */
const recent = new Map<string, readonly PostBody[]>();
const MOST_RECENT = 8;

function remember(text: string, parts: readonly PostBody[]): void {
  recent.delete(text);
  recent.set(text, parts);
  const [oldest] = recent.keys();
  if (oldest !== undefined && recent.size > MOST_RECENT) recent.delete(oldest);
}

/** Draws one part of a body. `speaker` is written before a text, for where its author cannot be shown in another way. */
export function draw(body: PostBody, speaker?: string): Drawing {
  if (body.kind === "text") return drawText(cleanInbound(body.text), speaker);
  return { whole: { text: viewFallback(body.view), blocks: viewBlocks(body.view) }, pieces: () => [] };
}

function drawText(text: string, speaker: string | undefined): Drawing {
  if (isPlain(text)) return { whole: { text: named(calmMentions(text), speaker) }, pieces: () => [] };
  const healed = healBold(text);
  const root = parseMarkdown(healed);
  const pieces = () => mrkdwnPieces(healed, LONGEST_TEXT).map((piece) => ({ text: named(piece, speaker) }));
  if (costOf(healed, weigh) > MARKDOWN_LIMIT || blockStarts(root).length > (MARKDOWN.blocks ?? 0)) return { pieces };
  const markdown = neutraliseMarkdown(healed, root);
  const fallback = mrkdwnOf(root).trim() || escapeWords(text);
  const whole: Drawn = {
    text: named(fallback, speaker),
    blocks: [{ type: "markdown", text: speaker === undefined ? markdown : markdownNamed(markdown, speaker) }],
  };
  return { whole, pieces };
}

/** Invisible spaces may have come in since the text was cut. */
const MARKDOWN_LIMIT = MARKDOWN.most + 200;

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
