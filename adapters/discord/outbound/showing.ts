import { cleanInbound, type Post, type PostBody, type View } from "../../../src/index.js";
import { createTextSplitter } from "../../shared/posts.js";
import { splitMarkdown } from "../../shared/split/split.js";
import { tablesAsCode } from "../../shared/split/tables.js";
import { linkOf, type Place, standsIn } from "../place.js";
import { formatText } from "./format.js";
import { plainWords } from "./neutralise.js";
import { viewContent, viewMarkdown } from "./view-content.js";

/** Discord takes no longer messages. */
const LONGEST_CONTENT = 2_000;
/** Leaves room for a line that says what is answered. */
const LONGEST_PART = 1_890;

/** Where parting marks may come in, a character counts twice. */
function weigh(code: number): number {
  return code === AT_SIGN || code === LESS_THAN ? 2 : 1;
}

const [AT_SIGN, LESS_THAN] = [64, 60];

function cut(markdown: string): readonly string[] {
  return splitMarkdown(tablesAsCode(markdown, LONGEST_PART), { most: LONGEST_PART, weigh });
}

/** Cuts a body into messages, always in the same way; nothing is lost, and there is at least one. A part is not cut again. */
export function splitBody(body: PostBody): readonly PostBody[] {
  return body.kind === "text" ? splitText(body.text) : splitView(body.view);
}

const splitText = createTextSplitter((text) => cut(cleanInbound(text)));

/** Buttons stand under the last message. */
function splitView(view: View): readonly PostBody[] {
  const texts = cut(viewMarkdown(view));
  if (texts.length === 1) return [{ kind: "view", view }];
  const { buttons, tone } = view;
  return texts.map((text, index) => ({
    kind: "view",
    view: {
      text,
      ...(tone === undefined ? {} : { tone }),
      ...(index === texts.length - 1 && buttons !== undefined ? { buttons } : {}),
    },
  }));
}

/** One part's own words. Discord takes no message without any. */
export function wordsOf(body: PostBody): string {
  const words = body.kind === "text" ? formatText(cleanInbound(body.text)) : viewContent(body.view);
  return words.trim() === "" ? NOTHING : words;
}

const NOTHING = "…";

/** How one part is shown. */
export interface Showing {
  readonly post: Pick<Post, "body" | "part" | "replyTo">;
  readonly place: Place;
  /** Written before the words, where the message does not bear the name. */
  readonly speaker?: string;
}

/** A message's content: what it answers, who speaks, what is said. */
export function contentOf({ post, place, speaker }: Showing): string {
  const words = wordsOf(post.body);
  const spoken = speaker === undefined ? words : named(words, speaker);
  const answered = answerLine(post, place);
  return shortened(answered.length + spoken.length > LONGEST_CONTENT ? spoken : answered + spoken);
}

/** Webhooks cannot reply, so that a line leads to what is answered: not in a thread on it, and not again in each part. */
function answerLine({ part, replyTo }: Showing["post"], place: Place): string {
  if (part > 0 || replyTo === undefined || replyTo === place.thread) return "";
  return `-# ↪ [jump](${linkOf(place, standsIn(place), replyTo)})\n`;
}

function named(words: string, speaker: string): string {
  // What must begin a line does so.
  const gap = /^(?:```|[>#-] |-# |\d+\. |>>> )/.test(words) ? "\n" : " ";
  return `${speakerMark(speaker)}${gap}${words}`;
}

/** With its spaces no longer than what a part leaves free. */
function speakerMark(speaker: string): string {
  const name = plainWords(speaker);
  return `**${name.length > LONGEST_SPEAKER ? plainWords(speaker.slice(0, LONGEST_SPEAKER / 2)) : name}:**`;
}

const LONGEST_SPEAKER = 100;

/** Not met by parts that we have cut; what is asked for whole is shown as far as it goes. */
function shortened(content: string): string {
  if (content.length <= LONGEST_CONTENT) return content;
  return `${content.slice(0, LONGEST_CONTENT - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

const ANSWER_LINE = /^-# ↪ \[jump\]\(\S+\)\n/;

/** What two messages have in common that say the same: without what stands around the words, and without what Discord strips. */
export function essenceOf(content: string, speaker?: string): string {
  const words = content.replace(ANSWER_LINE, "");
  const mark = speaker === undefined ? "" : speakerMark(speaker);
  const own = mark !== "" && words.startsWith(mark) ? words.slice(mark.length) : words;
  return own
    .replace(/[\u200b\ufeff]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
