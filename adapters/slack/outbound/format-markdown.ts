import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { findCode } from "../../shared/split/spans.js";
import { ZERO_WIDTH_SPACE } from "../../shared/zero-width.js";

/** A parsed Markdown text. */
export type Root = ReturnType<typeof fromMarkdown>;
/** Any part of it. */
export type Node = Root | Root["children"][number];

/** From where to where something stands in the source; `end` is behind its last character. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** HTML is words like others: that is how it is shown. */
const EXTENSIONS = [gfm(), { disable: { null: ["htmlFlow", "htmlText"] } }];
const TREE_EXTENSIONS = [gfmFromMarkdown()];

/** Nobody quotes a quote of a quote so often; reading it takes time that grows with the square. */
const OVERDONE = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])){30}/m;
const DEEPEST = 100;

/**
 * Reads Markdown as models write it: CommonMark with GitHub's tables, strike-through, task lists and bare links. What is nested deeper
 * than anybody writes is plain words.
 */
export function parseMarkdown(source: string): Root {
  if (OVERDONE.test(source)) return plainRoot(source);
  const root = fromMarkdown(source, { extensions: EXTENSIONS, mdastExtensions: TREE_EXTENSIONS });
  return isDeep(root) ? plainRoot(source) : root;
}

function plainRoot(source: string): Root {
  const start = { line: 1, column: 1, offset: 0 };
  const position = { start, end: { ...start, offset: source.length } };
  const text = { type: "text" as const, value: source, position };
  return { type: "root", children: [{ type: "paragraph", children: [text], position }] };
}

function isDeep(root: Root): boolean {
  let level: readonly Node[] = [root];
  for (let depth = 0; depth < DEEPEST; depth++) {
    level = level.flatMap((node): readonly Node[] => ("children" in node ? node.children : []));
    if (level.length === 0) return false;
  }
  return true;
}

/** Where a node stands. The parser gives a position to every node of a text. */
export function rangeOf(node: Node): Range {
  return { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 };
}

/** The nodes below, in source order; what `isWanted` takes is not looked into. */
export function findNodes(root: Node, isWanted: (node: Node) => boolean): readonly Node[] {
  const found: Node[] = [];
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (isWanted(node)) found.push(node);
    else if ("children" in node) for (const child of node.children.toReversed()) waiting.push(child);
  }
  return found;
}

/** Blocks that the server shows each by itself; everything between two of them it shows together. */
const ALONE = new Set<Node["type"]>(["heading", "code", "table", "thematicBreak"]);

/** Where each block begins that Slack will make of this text, by what is known of it. */
export function blockStarts(root: Root): readonly number[] {
  const starts: number[] = [];
  let isInRun = false;
  for (const node of root.children) {
    const isAlone = ALONE.has(node.type);
    if (isAlone || !isInRun) starts.push(rangeOf(node).start);
    isInRun = !isAlone;
  }
  return starts;
}

const BOLD = /\*\*(?=\S)([^*\n]*?\S)\*\*/g;
const OPENS_WITH_PUNCTUATION = /^[\p{P}\p{S}]/u;
const ENDS_WITH_PUNCTUATION = /[\p{P}\p{S}]$/u;

/**
 * Lets bold be seen where the rules of Markdown do not see it: beside letters, around words in brackets, as it stands in
 * scripts without spaces. An invisible space goes between the marks and the brackets.
 */
export function healBold(source: string): string {
  let isCode: ((at: number) => boolean) | undefined;
  return source.replace(BOLD, (whole, inner: string, at: number) => {
    if (!isUnseen(source, { inner, at, end: at + whole.length })) return whole;
    isCode ??= findCode(source);
    return isCode(at) || isEscaped(source, at) ? whole : healed1(inner);
  });
}

interface Bold {
  readonly inner: string;
  readonly at: number;
  readonly end: number;
}

/** Marks beside punctuation count only where no letter is on their other side. */
function isUnseen(source: string, { inner, at, end }: Bold): boolean {
  const before = /[^\s\p{P}\p{S}]$/u.test(source.slice(Math.max(0, at - 2), at));
  const after = /^[^\s\p{P}\p{S}]/u.test(source.slice(end, end + 2));
  return (before && OPENS_WITH_PUNCTUATION.test(inner)) || (after && ENDS_WITH_PUNCTUATION.test(inner));
}

function isEscaped(source: string, at: number): boolean {
  return source[at - 1] === "\\";
}

function healed1(inner: string): string {
  const before = OPENS_WITH_PUNCTUATION.test(inner) ? ZERO_WIDTH_SPACE : "";
  const after = ENDS_WITH_PUNCTUATION.test(inner) ? ZERO_WIDTH_SPACE : "";
  return `**${before}${inner}${after}**`;
}
