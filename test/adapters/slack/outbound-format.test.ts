import { describe, expect, it } from "vitest";
import { draw } from "../../../adapters/slack/outbound/blocks.js";
import { toMrkdwn } from "../../../adapters/slack/outbound/format-mrkdwn.js";

const GAP = "\u200b";

function shown(text: string, speaker?: string) {
  const { whole } = draw({ kind: "text", text }, speaker);
  const [block] = whole?.blocks ?? [];
  return { text: whole?.text, markdown: block?.type === "markdown" ? block.text : undefined };
}

describe("Markdown in Slack's older format", () => {
  it.each([
    ["bold, italics, strike-through", "**a** *b* ~~c~~ ***d***", "*a* _b_ ~c~ _*d*_"],
    [
      "a link, and one that says its own address",
      "[t](https://u.example/a?b=1&c=2) https://u.example",
      "<https://u.example/a?b=1&amp;c=2|t> <https://u.example>",
    ],
    ["an address of another kind", "[t](./a.md) [x](javascript:alert)", "t (./a.md) x (javascript:alert)"],
    ["a link by name", "[t][1]\n\n[1]: https://u.example", "<https://u.example|t>"],
    ["headings of any size", "# One **two**\n\n### Three", "*One two*\n\n*Three*"],
    ["lists in lists, and boxes", "- a\n  1. b\n  2. c\n- [x] d\n- [ ] e", "• a\n    1. b\n    2. c\n• ☑ d\n• ☐ e"],
    ["quotes", "> a\n> b\n\nc", "> a\n> b\n\nc"],
    [
      "code, to the letter",
      "`a ** b` and\n\n```ts\nif (a < b) x = **y**;\n```",
      "`a ** b` and\n\n```\nif (a &lt; b) x = **y**;\n```",
    ],
    [
      "a table",
      "| a | b |\n|---|---|\n| 1 | [x](https://u.example) |",
      "```\na   | b\n----|----------------------\n1   | x (https://u.example)\n```",
    ],
    ["bold beside letters", "**重要**です、a**b**c", `*重要*${GAP}です、a${GAP}*b*${GAP}c`],
    ["marks that are none", "\\*a\\* 2 * 3 snake_case_name", `*${GAP}a* 2 * 3 snake_case_name`],
    ["bold over a line's end", "**a\nb**", "*a*\n*b*"],
    ["HTML, as words", "<b>x</b> & y", "&lt;b&gt;x&lt;/b&gt; &amp; y"],
    ["a picture", "![p](https://u.example/p.png)", "<https://u.example/p.png|p>"],
    ["a rule", "a\n\n---\n\nb", "a\n\n———\n\nb"],
    ["code in a list, at the margin", "- a\n  ```\n  x\n    y\n  ```", "• a\n```\nx\n  y\n```"],
  ])("has %s", (_, markdown, expected) => {
    expect(toMrkdwn(markdown)).toBe(expected);
  });

  it("reads a table of East Asian words in columns", () => {
    expect(toMrkdwn("| 名前 | b |\n|---|---|\n| x | 数 |")).toBe("```\n名前 | b\n-----|----\nx    | 数\n```");
  });
});

describe("a drawn text", () => {
  it("is Markdown with the same in plainer form beside it, and words alone where there is nothing to format", () => {
    expect(shown("## Plan\n\n- **a**")).toEqual({ text: "*Plan*\n\n• *a*", markdown: "## Plan\n\n- **a**" });
    expect(shown("Looking at it. @beta what do you think?")).toEqual({
      text: "Looking at it. @beta what do you think?",
      markdown: undefined,
    });
  });

  it("shows bold around brackets, which Markdown alone does not", () => {
    expect(shown("これは**「重要」**です")).toEqual({
      text: `これは${GAP}*${GAP}「重要」${GAP}*${GAP}です`,
      markdown: `これは**${GAP}「重要」${GAP}**です`,
    });
  });

  it("leaves quotes, arrows, entities and code as they are, and no token", () => {
    const text =
      '> a -> b &amp; `x < y` <https://u.example|v> \\<!here>\n\n```js <!here>\nlet a = b < c && "<@U1>";\n```';

    expect(shown(text).markdown).toBe(
      '> a -> b &amp; `x < y` https://u.example|v &lt;!here>\n\n```js &lt;!here>\nlet a = b < c && "&lt;@U1>";\n```',
    );
  });

  it("parts only what calls everybody, not paths, addresses and longer names", () => {
    const text = "@Here @channel. ops@here.example x/@here @hereby @group";

    expect(shown(text).text).toBe(`@${GAP}Here @${GAP}channel. ops@here.example x/@here @hereby @${GAP}group`);
  });

  it.each([
    ["hi", "*Alpha:* hi", undefined],
    ["**hi**", "*Alpha:* *hi*", "**Alpha:** **hi**"],
    ["- hi", "*Alpha:*\n• hi", "**Alpha:**\n\n- hi"],
    ["```\nhi\n```", "*Alpha:*\n```\nhi\n```", "**Alpha:**\n\n```\nhi\n```"],
  ])("begins with the speaker where it has to: %s", (text, mrkdwn, markdown) => {
    expect(shown(text, "Alpha")).toEqual({ text: mrkdwn, markdown });
  });

  it("nested deeper than anybody writes is plain words", () => {
    const { text } = shown(`${"> ".repeat(4_000)}deep`);

    expect(text).toContain("&gt; &gt; &gt;");
    expect(shown(`${"*a ".repeat(300)}${"a* ".repeat(300)}`).text).toContain("a");
  });
});
