import { alignedTable } from "../../shared/split/aligned-table.js";
import type { Node } from "./format-markdown.js";

type Table = Extract<Node, { type: "table" }>;

/** A table as lines of one width, for type of one width: the head, a rule, the rows. Marks are left out, addresses kept. */
export function formatTable(table: Table): string {
  const rows = table.children.map((row) => row.children.map((cell) => plain(cell).replace(/\s+/g, " ").trim()));
  return alignedTable(rows).join("\n");
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
