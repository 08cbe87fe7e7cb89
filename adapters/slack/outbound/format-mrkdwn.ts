import { ZERO_WIDTH_SPACE } from "../../shared/zero-width.js";
import { type Node, parseMarkdown } from "./format-markdown.js";
import { formatTable } from "./format-table.js";
import { escapeEntities, escapeWords as words } from "./neutralise.js";

/** Markdown in Slack's older format, for where it reads no other: texts, sections, answers. It calls nobody. */
export function toMrkdwn(markdown: string): string {
  return mrkdwnOf(parseMarkdown(markdown));
}

/** The same of a text that has been parsed. */
export function mrkdwnOf(root: Node): string {
  return blocksOf(root, { addresses: addressesIn(root), isBold: false });
}

interface Around {
  /** Of `[words][name]`, by name. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Bold inside of bold would end it. */
  readonly isBold: boolean;
}

function addressesIn(root: Node): ReadonlyMap<string, string> {
  const children = "children" in root ? root.children : [];
  return new Map(children.flatMap((node) => (node.type === "definition" ? [[node.identifier, node.url]] : [])));
}

function blocksOf(parent: Node, around: Around): string {
  const children: readonly Node[] = "children" in parent ? parent.children : [];
  return children
    .map((node) => block(node, around))
    .filter((text) => text !== "")
    .join("\n\n");
}

function block(node: Node, around: Around): string {
  switch (node.type) {
    case "heading":
      return marked("*", inline(node, { ...around, isBold: true }));
    case "code":
      return fenced(node.value);
    case "blockquote":
      return blocksOf(node, around).replace(/^/gm, "> ");
    case "list":
      return node.children.map((item, index) => listItem(item, bullet(node, index), around)).join("\n");
    case "table":
      return fenced(formatTable(node));
    case "thematicBreak":
      return "———";
    case "definition":
      return "";
    case "footnoteDefinition":
      return `[${words(node.identifier)}] ${blocksOf(node, around)}`;
    default:
      return inline(node, around);
  }
}

function fenced(code: string): string {
  // Three marks in the code would end it.
  return `\`\`\`\n${escapeEntities(code).replaceAll("```", `\`${ZERO_WIDTH_SPACE}\`\``)}\n\`\`\``;
}

type List = Extract<Node, { type: "list" }>;
type ListItem = List["children"][number];

function bullet(list: List, index: number): string {
  return list.ordered ? `${(list.start ?? 1) + index}.` : "•";
}

function listItem(item: ListItem, mark: string, around: Around): string {
  const box = item.checked === true ? "☑ " : item.checked === false ? "☐ " : "";
  const [first = "", ...rest] = item.children.map((node) => block(node, around));
  return [`${mark} ${box}${first}`, ...rest.map(indented)].join("\n");
}

/** Code stays at the margin: every space in it counts. */
function indented(text: string): string {
  let isCode = false;
  const lines = text.split("\n").map((line) => {
    const isFence = line === "```";
    if (isFence) isCode = !isCode;
    return isFence || isCode ? line : `    ${line}`;
  });
  return lines.join("\n");
}

/** What may stand beside a mark without an invisible space between. */
const BOUNDARY = /[\s.,:;!?'"()[\]{}\-/\u200b]/;

function inline(parent: Node, around: Around): string {
  const children: readonly Node[] = "children" in parent ? parent.children : [];
  let out = "";
  let endsMarked = false;
  let last: string | undefined;
  for (const node of children) {
    const text = span(node, around);
    if (text === "") continue;
    const isMarked = MARKED.has(node.type);
    const next = text.codePointAt(0) ?? 0;
    const needsGap =
      (isMarked && last !== undefined && !BOUNDARY.test(last)) ||
      (endsMarked && !BOUNDARY.test(String.fromCodePoint(next)));
    out += (needsGap ? ZERO_WIDTH_SPACE : "") + text;
    endsMarked = isMarked;
    last = text.at(-1);
  }
  return out;
}

/** Slack sees marks only at the edge of words. */
const MARKED = new Set<Node["type"]>(["strong", "emphasis", "delete", "inlineCode"]);

function span(node: Node, around: Around): string {
  switch (node.type) {
    case "text":
      return words(node.value).replace(OPENING_MARK, `$&${ZERO_WIDTH_SPACE}`);
    case "strong":
      return around.isBold ? inline(node, around) : marked("*", inline(node, { ...around, isBold: true }));
    case "emphasis":
      return marked("_", inline(node, around));
    case "delete":
      return marked("~", inline(node, around));
    case "inlineCode":
      // A mark in the code ends it, and what follows is words.
      return `\`${node.value.includes("`") ? words(node.value) : escapeEntities(node.value)}\``;
    case "break":
      return "\n";
    case "link":
      return link(node.url, inline(node, around));
    case "image":
      return link(node.url, words(node.alt ?? ""));
    case "linkReference":
      return link(around.addresses.get(node.identifier) ?? "", inline(node, around));
    case "imageReference":
      return link(around.addresses.get(node.identifier) ?? "", words(node.alt ?? ""));
    case "footnoteReference":
      return `[${words(node.identifier)}]`;
    default:
      return inline(node, around);
  }
}

/** A mark that is meant as a character, where Slack would take it for the begin of something. */
const OPENING_MARK = /(?<![\p{L}\p{N}])[*_~`](?=[^\s*_~`])/gu;

/** A mark holds for one line only. */
function marked(mark: string, inner: string): string {
  return inner
    .split("\n")
    .map((line) => (line.trim() === "" ? line : `${mark}${line}${mark}`))
    .join("\n");
}

function link(url: string, label: string): string {
  if (!/^(?:https?:\/\/|mailto:|tel:)/i.test(url)) return [label, url && `(${words(url)})`].filter(Boolean).join(" ");
  const address = escapeEntities(url).replaceAll("|", "%7C").replace(/\s/g, "%20");
  const shown = label.replaceAll("\n", " ").replaceAll("|", "¦");
  const isItself = shown === "" || shown === address || `mailto:${shown}` === address;
  return isItself ? `<${address}>` : `<${address}|${shown}>`;
}
