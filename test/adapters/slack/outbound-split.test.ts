import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitMarkdown } from "../../../adapters/shared/split/split.js";
import { draw, splitBody } from "../../../adapters/slack/outbound/blocks.js";
import { findNodes, parseMarkdown } from "../../../adapters/slack/outbound/format-markdown.js";
import { mrkdwnPieces } from "../../../adapters/slack/outbound/format-pieces.js";

const small = { weigh: () => 1, most: 300, blocks: 6 };

/** The words and the code that people see, without spaces. */
function visible(markdown: string): string {
  const leaves = findNodes(parseMarkdown(markdown), (node) => "value" in node);
  return leaves
    .map((node) => ("value" in node ? node.value : ""))
    .join("")
    .replace(/[\s\u200b]/g, "");
}

const word = fc.stringMatching(/^[a-z]{1,12}$/);
const line = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(" "));
const blockOf = fc.oneof(
  line,
  fc.tuple(line, line).map((lines) => lines.join("\n")),
  line.map((text) => `## ${text}`),
  fc.array(line, { minLength: 1, maxLength: 9 }).map((items) => items.map((item) => `- ${item}`).join("\n")),
  fc
    .array(line, { minLength: 1, maxLength: 5 })
    .map((items) => items.map((item, i) => `${"  ".repeat(i)}- ${item}`).join("\n")),
  fc.array(line, { minLength: 1, maxLength: 30 }).map((lines) => `\`\`\`ts\n${lines.join("\n")}\n\`\`\``),
  fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.map((text) => `> ${text}`).join("\n")),
  line.map((text) => `**${text}** and \`${text}\``),
);
const markdown = fc.array(blockOf, { minLength: 1, maxLength: 14 }).map((blocks) => blocks.join("\n\n"));

describe("a text cut in parts", () => {
  it("loses nothing, keeps the order, and each part fits and reads as Markdown of its own", () => {
    fc.assert(
      fc.property(markdown, (source) => {
        const parts = splitMarkdown(source, small);

        expect(parts.map(visible).join("")).toBe(visible(source));
        expect(parts.every((part) => part.length <= small.most && part.trim() !== "")).toBe(true);
        expect(splitMarkdown(source, small)).toEqual(parts);
        for (const part of parts)
          expect(part.match(/^\s*```/gm)?.length ?? 0).toSatisfy((fences: number) => fences % 2 === 0);
      }),
      { numRuns: 60 },
    );
  });

  it("is whole again when its parts are put together, whatever is in it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 900 }), (source) => {
        fc.pre(!/[`~\n]/.test(source) && source.trim() !== "");

        const parts = splitMarkdown(source, small);

        expect(parts.join("").replace(/\s/g, "")).toBe(source.replace(/\s/g, ""));
        expect(parts.every((part) => part.length <= small.most)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("closes code at a cut and opens it again with its language, in lists and quotes too", () => {
    const code = Array.from({ length: 50 }, (_, i) => `line ${i};`);

    const [first = "", second = ""] = splitMarkdown(["```ts", ...code, "```"].join("\n"), small);
    const [quoted = "", more = ""] = splitMarkdown(
      ["> ```ts", ...code.map((text) => `> ${text}`), "> ```"].join("\n"),
      small,
    );

    expect(first).toMatch(/^```ts\nline 0;\n[^`]*\n```$/);
    expect(second).toMatch(/^```ts\nline \d+;\n[^`]*\n```$/);
    expect(quoted).toMatch(/^> ```ts\n> line 0;\n[^`]*\n> ```$/);
    expect(more).toMatch(/^> ```ts\n> line \d+;\n/);
  });

  it("is cut between blocks rather than within, between words rather than within, and never through a character", () => {
    const family = "👨‍👩‍👧‍👦";

    expect(splitMarkdown(`${"a ".repeat(100)}\n\n${"b ".repeat(100)}`, small)).toEqual([
      "a ".repeat(100).trim(),
      "b ".repeat(100),
    ]);
    expect(splitMarkdown(`${"word ".repeat(100)}`, small).every((part) => /^word.*word ?$/.test(part))).toBe(true);
    expect(splitMarkdown(family.repeat(60), small).every((part) => part.replaceAll(family, "") === "")).toBe(true);
    const bold = `${"word ".repeat(57)}**bold words stay together** ${"word ".repeat(30)}`;
    expect(splitMarkdown(bold, small).some((part) => part.includes("**bold words stay together**"))).toBe(true);
  });

  it("has no more blocks in a part than Slack takes", () => {
    const headings = Array.from({ length: 120 }, (_, i) => `# ${i}\n\ntext ${i}`).join("\n\n");

    const bodies = splitBody({ kind: "text", text: headings });

    expect(bodies).toHaveLength(6);
    expect(bodies.map((body) => (body.kind === "text" ? visible(body.text) : "")).join("")).toBe(visible(headings));
  });

  it.each([
    ["angle brackets", "<".repeat(12_000)],
    ["quotation marks", '"'.repeat(15_000)],
    ["one long line", "x".repeat(30_000)],
    ["short lines", "x\n".repeat(9_000)],
    ["wide rows", `| a | b |\n|---|---|\n${`| ${"y".repeat(90)} | z |\n`.repeat(150)}`],
    ["a long language", `\`\`\`${"z".repeat(12_000)}\ncode\n\`\`\``],
  ])("fits Slack's limits with %s, as Markdown and as plain pieces", (_, text) => {
    for (const body of splitBody({ kind: "text", text })) {
      const { whole } = draw(body);
      expect(JSON.stringify(whole?.blocks ?? [])?.length).toBeLessThan(13_000);
      expect(mrkdwnPieces(body.kind === "text" ? body.text : "", 3_900).every((piece) => piece.length <= 3_900)).toBe(
        true,
      );
    }
  });

  it.each([
    ["list items", "- a\n"],
    ["marks", "**a*b_"],
    ["open brackets", "[a]("],
    ["notes", "[^1]: a\n\n"],
  ])("holds in each part only as much as is read in a moment, of 100,000 characters of %s", (_, piece) => {
    for (const body of splitBody({ kind: "text", text: piece.repeat(100_000 / piece.length) })) {
      const text = body.kind === "text" ? body.text : "";
      expect(text.split("\n").length).toBeLessThanOrEqual(500);
      expect(text.match(/[*_[\]~]/g)?.length ?? 0).toBeLessThanOrEqual(1_340);
    }
  });

  it("is one part when it is short, and even when there is nothing to see", () => {
    expect(splitBody({ kind: "text", text: "hello" })).toEqual([{ kind: "text", text: "hello" }]);
    expect(splitBody({ kind: "text", text: "  " })).toHaveLength(1);
  });
});
