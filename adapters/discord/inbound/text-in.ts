import { fenced, quoted } from "../../shared/text-in-marks.js";
import { type Names, plainTokens } from "./text-in-tokens.js";
import type { DiscordMessage } from "./wire.js";

/** Discord ends a block of code at the next three backticks, wherever they stand. */
const FENCE = /```(?:([\w+#.-]*)\n)?([\s\S]*?)```/g;
/** Three marks quote everything that follows. */
const LONG_QUOTE = /^>>> ?([\s\S]*)/m;

/**
 * What a message says, as Markdown. Live mentions of the bot and of personas' roles stand there as `@name`; those in code and
 * quotes stand in Markdown's code and quotes, where they are inert. What it forwards is a quote.
 */
export function textOf({ content, message_snapshots: snapshots }: DiscordMessage, names: Names): string {
  const forwarded = snapshots.map(({ message }) => message.content).filter((text) => text.trim() !== "");
  return [markdownOf(content, names), ...forwarded.map((text) => quoted(markdownOf(text, names)))].join("\n\n").trim();
}

function markdownOf(content: string, names: Names): string {
  // Lines end as they do in what quotes them.
  const lines = content.replace(/\r\n?/g, "\n");
  return plainTokens(withBlocks(withLongQuote(lines)), names).trim();
}

function withLongQuote(text: string): string {
  return text.replace(LONG_QUOTE, (whole, quote: string, at: number) =>
    isInFence(text, at) ? whole : quote.replace(/^/gm, "> "),
  );
}

function isInFence(text: string, at: number): boolean {
  for (const block of text.matchAll(FENCE)) if (block.index < at && at < block.index + block[0].length) return true;
  return false;
}

/** Blocks of code with their fences on lines of their own, as Markdown wants them. What stands in one line is code in Markdown as well. */
function withBlocks(text: string): string {
  return text.replace(FENCE, (whole: string, language: string | undefined, code: string, at: number) => {
    if (!whole.includes("\n")) return whole;
    const line = text.slice(0, at).split("\n").at(-1) ?? "";
    // In a quote every line has the quote's mark, those of the fences too.
    if (line.startsWith("> ")) return whole;
    const behind = text.slice(at + whole.length);
    const [open = "", ...lines] = fenced(code).split("\n");
    const block = [`${open}${language ?? ""}`, ...lines].join("\n");
    return `${line.trim() === "" ? "" : "\n"}${block}${behind === "" || behind.startsWith("\n") ? "" : "\n"}`;
  });
}
