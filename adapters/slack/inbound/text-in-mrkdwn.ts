import { codeSpan, fenced } from "../../shared/text-in-marks.js";
import { type Names, plainTokens } from "./text-in-tokens.js";

const CODE = /```([\s\S]+?)```|`([^`\n]+)`/g;
const BOLD = /(?<![\w*])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![\w*])/g;
const STRIKE = /(?<![\w~])~(?=[^\s~])([^~\n]*[^\s~])~(?![\w~])/g;
/** Three marks quote everything that follows. */
const LONG_QUOTE = /^&gt;&gt;&gt; ?([\s\S]*)/m;

/** Slack's own markup of a message without rich text, as Markdown. */
export function mrkdwnText(text: string, names: Names): string {
  const markdown = withLongQuote(text)
    .split(CODE)
    .map((part, i) => segment(part, i % 3, names))
    .join("");
  return apart(markdown);
}

/** `split` gives text, block code and inline code in turn; the one of the two that there was not is undefined. */
function segment(part: string | undefined, kind: number, names: Names): string {
  if (part === undefined) return "";
  if (kind === 1) return `\n${fenced(plainTokens(part, names).replace(/^\n/, ""))}\n`;
  if (kind === 2) return codeSpan(plainTokens(part, names));
  const marked = part.replace(BOLD, "**$1**").replace(STRIKE, "~~$1~~");
  return plainTokens(marked, names);
}

function withLongQuote(text: string): string {
  return text.replace(LONG_QUOTE, (_, quote: string) => quote.replace(/^/gm, "&gt; "));
}

/** A line behind a quote would still belong to it: an empty one parts them. */
function apart(markdown: string): string {
  return markdown.replace(/^(>.*)\n(?!>|\s*$)/gm, "$1\n\n");
}
