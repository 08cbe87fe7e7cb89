import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { readLine, START } from "../../../adapters/shared/split/read-line.js";

type Node = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>["children"][number];

/** In which lines a parser of Markdown sees fences begin. */
function parsedFences(text: string): readonly number[] {
  const root = fromMarkdown(text, {
    extensions: [gfm(), { disable: { null: ["htmlFlow", "htmlText"] } }],
    mdastExtensions: [gfmFromMarkdown()],
  });
  const found: number[] = [];
  const visit = (node: Node): void => {
    const { start } = node.position ?? {};
    if (node.type === "code" && start && /^(?:```|~~~)/.test(text.slice(start.offset))) found.push(start.line);
    if ("children" in node) for (const child of node.children) visit(child);
  };
  visit(root);
  return found;
}

function scannedFences(text: string): readonly number[] {
  const found: number[] = [];
  let state = START;
  for (const [index, line] of text.split("\n").entries()) {
    const { kind, after } = readLine(state, line);
    state = after;
    if (kind === "opening") found.push(index + 1);
  }
  return found;
}

const EMPTY_ITEM = /(?:-|1\.)[ \t]*(?:\n|$)/;

describe("code between fences, read line by line", () => {
  it("begins where a parser of Markdown sees it begin, in lists and quotes too", () => {
    const token = fc.constantFrom(
      "```",
      "````",
      "~~~",
      "```ts",
      "- ",
      "1. ",
      "> ",
      "    ",
      "  ",
      "\t",
      "\n",
      "\n",
      "\n\n",
      "a",
      "# ",
    );

    fc.assert(
      fc.property(fc.array(token, { minLength: 1, maxLength: 50 }), (tokens) => {
        const text = tokens.join("");
        // An item without words ends at an empty line for the parser only.
        fc.pre(!EMPTY_ITEM.test(text));
        expect(scannedFences(text)).toEqual(parsedFences(text));
      }),
      { numRuns: 200, seed: 11 },
    );
  });
});
