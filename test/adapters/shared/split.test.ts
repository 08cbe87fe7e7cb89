import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLine, START } from "../../../adapters/shared/split/read-line.js";
import { splitMarkdown } from "../../../adapters/shared/split/split.js";

const token = fc.constantFrom(
  ..."```|````|~~~|```ts|- |* |1. |> |    |  |\t|\n|\n|\n|\n\n|a|b c|# |---|===|`|**x**|_y_|<t a>|\\|[".split("|"),
  "| a | b |\n",
  "|---|---|\n",
  "[l](http://e.example/a)",
  "word word word ",
  "👨‍👩‍👧‍👦",
);
/** Texts in which anything may stand beside anything. */
const anything = fc.array(token, { minLength: 1, maxLength: 300 }).map((tokens) => tokens.join(""));
/** Half of a character of two units. */
const LONE_HALF = /\p{Surrogate}/u;
const most = fc.constantFrom(60, 100, 300, 1_900);

/** Whether code is open behind the last line. */
function endsInCode(text: string): boolean {
  let state = START;
  for (const line of text.split("\n")) state = readLine(state, line).after;
  return state.open.kind === "fence";
}

/** The characters of words, which no cut may change. */
function wordsOf(text: string): string {
  return text.replace(/[^a-z👨]/gu, "");
}

const rows = (count: number) => Array.from({ length: count }, (_, i) => `| row ${i} | value |`).join("\n");

describe("a text cut in parts", () => {
  it("fits in each part, leaves no code open, no half character, and is always cut in the same way", () => {
    fc.assert(
      fc.property(anything, most, (text, limit) => {
        const parts = splitMarkdown(text, { most: limit });

        expect(parts.length).toBeGreaterThan(0);
        expect(parts.filter((part) => part.length > limit)).toEqual([]);
        expect(parts.filter(endsInCode)).toEqual([]);
        expect(parts.filter((part) => LONE_HALF.test(part))).toEqual([]);
        expect(splitMarkdown(text, { most: limit })).toEqual(parts);
      }),
      { numRuns: 150 },
    );
  });

  it("loses nothing where nothing is repeated", () => {
    const plain = anything.map((text) => text.replace(/[`~|]/g, "-"));
    fc.assert(
      fc.property(plain, most, (text, limit) => {
        const parts = splitMarkdown(text, { most: limit });

        expect(wordsOf(parts.join(""))).toBe(wordsOf(text));
      }),
      { numRuns: 100 },
    );
  });

  it("holds all lines of its code and rows in order, however often fences and heads are repeated", () => {
    const block = fc.oneof(
      fc.nat(40).map((count) => (index: number) => `\`\`\`ts\n${lines(index, count, "")}\`\`\``),
      fc.nat(40).map((count) => (index: number) => `- item\n\n  ~~~\n${lines(index, count, "  ")}  ~~~`),
      fc.nat(40).map((count) => (index: number) => `> \`\`\`\n${lines(index, count, "> ")}> \`\`\``),
      fc.nat(40).map((count) => (index: number) => `| h | k |\n|---|---|\n${lines(index, count, "| ")}`),
    );
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 8 }), (blocks) => {
        const text = blocks.map((make, index) => make(index)).join("\n\n");
        const marks = /n\d+x\d+/g;

        const parts = splitMarkdown(text, { most: 300 });

        expect(parts.join("\n").match(marks)).toEqual(text.match(marks));
        expect(parts.filter((part) => part.length > 300 || endsInCode(part))).toEqual([]);
      }),
      { numRuns: 60 },
    );
    function lines(block: number, count: number, marks: string): string {
      return Array.from({ length: count }, (_, line) => `${marks}n${block}x${line};\n`).join("");
    }
  });

  it("needs no cut when its parts are cut again", () => {
    fc.assert(
      fc.property(anything, (text) => {
        const parts = splitMarkdown(text, { most: 300 });

        expect(parts.flatMap((part) => splitMarkdown(part, { most: 300 }))).toEqual(parts);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ["prose", "word **bold words** [link](https://e.example/a) and more. "],
    ["list items", "- a\n"],
    ["one word", "x"],
    ["code", "    x\n```\ny\n"],
    ["rows", "| a | b |\n|---|---|\n| 1 | 2 |\n"],
    ["open brackets", "[a](b <c **d "],
    ["blank lines", "\n"],
    ["spaces", " "],
    ["deep lists", `${" ".repeat(40)}- a\n- b\n  - c\n`],
  ])("looks at each character a few times, however long the text is: %s", (_, piece) => {
    const perCharacter = [20_000, 80_000].map((length) => {
      const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
      let looks = 0;
      splitMarkdown(text, {
        most: 1_900,
        weigh: () => {
          looks += 1;
          return 1;
        },
      });
      return looks / length;
    });

    for (const looks of perCharacter) expect(looks).toBeLessThan(14);
  });
});

describe("code that a cut goes through", () => {
  const code = (count: number, marks = "") => Array.from({ length: count }, (_, i) => `${marks}line ${i};`).join("\n");

  it("is closed, and opened again with its language", () => {
    const parts = splitMarkdown(`\`\`\`ts\n${code(100)}\n\`\`\``, { most: 300 });

    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) expect(part).toMatch(/^```ts\nline \d+;\n[^`]*\n```$/);
  });

  it("is opened again without what stands behind its mark when that is long", () => {
    const [, second = ""] = splitMarkdown(`\`\`\`${"z".repeat(150)}\n${code(200)}\n\`\`\``, { most: 1_900 });

    expect(second).toMatch(/^```\nline \d+;/);
  });

  it("is code in the next part too when it stands deep in a list or in a quote", () => {
    const list = splitMarkdown(`1. a\n   - b\n\n     ~~~sh\n${code(60, "     ")}\n     ~~~`, { most: 300 });
    const quote = splitMarkdown(`> \`\`\`\n${code(60, "> ")}\n> \`\`\``, { most: 300 });

    for (const part of list.slice(1)) expect(part).toMatch(/^~~~sh\nline \d+;\n[^~]*\n~~~$/);
    for (const part of quote) expect(part).toMatch(/^> ```\n> line \d+;\n[^`]*\n> ```$/);
  });

  it("does not begin where a cut leaves its marks at the begin of a part", () => {
    for (let before = 250; before < 300; before++) {
      const text = `${"x".repeat(before)} \`\`\` ${"y".repeat(100)}`;
      expect(splitMarkdown(text, { most: 300 }).filter(endsInCode)).toEqual([]);
    }
  });
});

describe("a table", () => {
  it("begins again with its head and rule in the next part when it is too long for one", () => {
    const parts = splitMarkdown(`| a | b |\n|---|---|\n${rows(60)}`, { most: 300 });

    for (const part of parts) expect(part).toMatch(/^\| a \| b \|\n\|---\|---\|\n\| row \d+ \| value \|/);
    expect(parts.join("\n").match(/row \d+/g)).toEqual(rows(60).match(/row \d+/g));
  });

  it("stays whole where it fits, in a list too", () => {
    const table = `| a | b |\n|---|---|\n${rows(9)}`;
    const [, second = ""] = splitMarkdown(`${"word ".repeat(24)}\n\n${table}\n\n${"word ".repeat(40)}`, { most: 300 });
    const listed = splitMarkdown(`- x\n\n  ${`| a | b |\n|---|---|\n${rows(30)}`.replaceAll("\n", "\n  ")}`, {
      most: 300,
    });

    expect(second.startsWith(table)).toBe(true);
    for (const part of listed.slice(1)) expect(part).toMatch(/^\| a \| b \|\n\|---\|---\|\n\| row/);
  });
});

describe("the place of a cut", () => {
  it("is between blocks before lines, between lines before words, and leaves the first part more than half full", () => {
    const paragraph = "word ".repeat(20).trim();
    const [first = ""] = splitMarkdown([paragraph, paragraph, paragraph, paragraph].join("\n\n"), { most: 300 });
    const [lines = ""] = splitMarkdown(Array.from({ length: 40 }, (_, i) => `line ${i} of a text`).join("\n"), {
      most: 300,
    });

    expect(first).toBe(`${paragraph}\n\n${paragraph}`);
    expect(lines).toMatch(/of a text$/);
    expect(lines.length).toBeGreaterThan(150);
  });

  it.each([
    "<https://e.example/a b c d e f>",
    "[some words of a link](https://e.example/x)",
    "**some bold words**",
    "`a b c d`",
  ])("does not go through %s", (span) => {
    for (let before = 270; before < 300; before += 2) {
      const parts = splitMarkdown(`${"w ".repeat(before / 2)}${span} ${"w ".repeat(80)}`, { most: 300 });
      expect(parts.filter((part) => part.includes(span))).toHaveLength(1);
    }
  });

  it("leaves an address whole that is nearly as long as a part", () => {
    const address = `https://e.example/${"a".repeat(1_700)}`;

    expect(
      splitMarkdown(`${"word ".repeat(300)}${address} end`, { most: 1_900 }).some((part) => part.includes(address)),
    ).toBe(true);
  });

  it("makes no code of what goes on in a list", () => {
    const text = `- a\n  - b\n\n${Array.from({ length: 30 }, (_, i) => `    paragraph ${i}`).join("\n\n")}`;

    for (const part of splitMarkdown(text, { most: 100 }).slice(1)) expect(part).not.toMatch(/^(?: {4}|\t)/m);
  });
});

describe("a text that fits", () => {
  it("is one part, as it is, whether or not there is anything to see", () => {
    for (const text of ["hello", "", " \n", "\n\n```\na\n```\n"])
      expect(splitMarkdown(text, { most: 300 })).toEqual([text]);
  });

  it("has no more blocks than a part may have", () => {
    const parts = splitMarkdown("# a\n\ntext\n\n".repeat(30), { most: 10_000, blocks: 10 });

    for (const part of parts) expect(part.match(/# a|text/g)?.length).toBeLessThanOrEqual(10);
    expect(parts.length).toBeLessThan(10);
  });
});
