import type { Node } from "./format-markdown.js";

type Table = Extract<Node, { type: "table" }>;

/** A wider cell does not push the others apart. */
const WIDEST = 40;

/** A table as lines of one width, for type of one width: the head, a rule, the rows. Marks are left out, addresses kept. */
export function formatTable(table: Table): string {
  const rows = table.children.map((row) => row.children.map((cell) => plain(cell).replace(/\s+/g, " ").trim()));
  const [head = [], ...body] = rows;
  const widths = head.map((_, column) => Math.min(WIDEST, Math.max(3, ...rows.map((row) => width(row[column] ?? "")))));
  const rule = widths.map((size) => "-".repeat(size)).join("-|-");
  const line = (row: readonly string[]) =>
    widths
      .map((size, column) => padded(row[column] ?? "", size))
      .join(" | ")
      .trimEnd();
  return [line(head), rule, ...body.map(line)].join("\n");
}

function plain(node: Node): string {
  switch (node.type) {
    case "link": {
      const label = node.children.map(plain).join("");
      return label === node.url || `mailto:${label}` === node.url ? label : `${label} (${node.url})`;
    }
    case "image":
      return node.alt ? `${node.alt} (${node.url})` : node.url;
    case "break":
      return " ";
    default:
      if ("value" in node) return node.value;
      return "children" in node ? node.children.map(plain).join("") : "";
  }
}

function padded(text: string, size: number): string {
  return text + " ".repeat(Math.max(0, size - width(text)));
}

/** In columns: characters of East Asian scripts take two. */
function width(text: string): number {
  return [...text].reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60\p{Emoji_Presentation}]/u;
