import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { showBidi } from "../text/bidi.js";

/** The Markdown tree of a text. */
export type Root = ReturnType<typeof fromMarkdown>;
export type Block = Root["children"][number];

/** A text as it is shown: parsed, or, when formatting it would cost too much, as it stands. */
export type Parsed =
  | { readonly kind: "tree"; readonly source: string; readonly root: Root }
  | { readonly kind: "plain"; readonly source: string };

/** Longer texts are shown plain: a browser should never stand still over one message. */
const LONGEST_FORMATTED = 30_000;
/** More quote, list and emphasis marks than this in a row only nest, and nesting is what makes parsing slow. */
const HOSTILE_NESTING = /(?:[>*_[(\-+~]\s?){200}/;

/** Parses GitHub's Markdown. Never throws; direction controls are written out before anything else. */
export function parseMarkdown(text: string): Parsed {
  const source = showBidi(text);
  if (source.length > LONGEST_FORMATTED || HOSTILE_NESTING.test(source)) return { kind: "plain", source };
  try {
    return {
      kind: "tree",
      source,
      root: fromMarkdown(source, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }),
    };
  } catch {
    return { kind: "plain", source };
  }
}

/** The address if a link may lead there: the web and e-mail only, never a script or a file. */
export function safeAddress(url: string): string | undefined {
  return /^(?:https?:\/\/|mailto:)/i.test(url) ? url : undefined;
}
