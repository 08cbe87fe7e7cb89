import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { unescapeText } from "./wire.js";

type Node = ReturnType<typeof fromMarkdown>["children"][number];

function parse(markdown: string): readonly Node[] {
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }).children;
}

/** How many blocks the server makes of a Markdown block: a run of plain text makes one, each heading, fence, table and rule its own. */
export function expandedBlocks(markdown: string): number {
  const alone = new Set(["heading", "code", "table", "thematicBreak"]);
  let count = 0;
  let isInRun = false;
  for (const { type } of parse(markdown)) {
    if (alone.has(type) || !isInRun) count++;
    isInRun = !alone.has(type);
  }
  return Math.max(1, count);
}

/** What people see of Markdown: no marks, the words of links with their address, code as it is, entities read in it too. */
export function readMarkdown(markdown: string): string {
  return parse(markdown).map(read).join("\n");
}

function read(node: Node): string {
  switch (node.type) {
    case "text":
    case "html":
      return node.value;
    case "inlineCode":
      return `\`${unescapeText(node.value)}\``;
    case "code":
      return `\`\`\`${node.lang ?? ""}\n${unescapeText(node.value)}\n\`\`\``;
    case "break":
      return "\n";
    case "thematicBreak":
      return "---";
    case "image":
      return node.alt ?? node.url;
    case "link":
      return readLink(node.children.map(read).join(""), node.url);
    case "list":
      return node.children
        .map((item, index) => `${node.ordered ? `${(node.start ?? 1) + index}.` : "•"} ${read(item)}`)
        .join("\n");
    case "listItem":
      return `${node.checked == null ? "" : node.checked ? "[x] " : "[ ] "}${node.children.map(read).join("\n")}`;
    case "blockquote":
      return node.children.map(read).join("\n").replace(/^/gm, "> ");
    case "table":
      return node.children.map(read).join("\n");
    case "tableRow":
      return node.children.map(read).join(" | ");
    default:
      return "children" in node ? node.children.map(read).join("") : "";
  }
}

function readLink(words: string, url: string): string {
  return words === url || words === url.replace(/^mailto:/, "") ? words : `${words} (${url})`;
}
