import { describe, expect, it } from "vitest";
import { displayWidth } from "../../../adapters/shared/split/aligned-table.js";
import { findTables, tablesAsCode } from "../../../adapters/shared/split/tables.js";

describe("tables in a text", () => {
  it("are found by their rule, with the words of their cells, in lists and quotes too", () => {
    const text = "a\n\n| h | k |\n|:--|--:|\n| 1 \\| 2 | x |\ny\n\n> - p | q\n>   --|--\n>   3 | 4";

    expect(findTables(text).map(({ rows }) => rows)).toEqual([
      [["h", "k"], ["1 | 2", "x"], ["y"]],
      [
        ["p", "q"],
        ["3", "4"],
      ],
    ]);
  });

  it.each([
    ["in code", "```\n| a |\n|---|\n```"],
    ["without a rule", "| a | b |\n| 1 | 2 |"],
    ["with a rule of other columns", "| a | b |\n|---|\n"],
  ])("are none %s", (_, text) => {
    expect(findTables(text)).toEqual([]);
    expect(tablesAsCode(text, 900)).toBe(text);
  });
});

describe("a table as code", () => {
  it("has columns of one width, words without marks, and addresses", () => {
    const text = "x\n\n| a | **b** |\n|---|:-:|\n| 1 | [x](https://u.example) |\n\ny";

    expect(tablesAsCode(text, 900)).toBe(
      "x\n\n```\na   | b\n----|----------------------\n1   | x (https://u.example)\n```\n\ny",
    );
  });

  it("counts characters of East Asian scripts as two columns, and marks on letters as none", () => {
    expect([displayWidth("名前"), displayWidth("e\u0301"), displayWidth("ab")]).toEqual([4, 1, 2]);
    expect(tablesAsCode("| 名前 | b |\n|---|---|\n| x | 数 |", 900)).toBe("```\n名前 | b\n-----|----\nx    | 数\n```");
  });

  it("is in several blocks, each with the head, when it is long", () => {
    const text = `| a | b |\n|---|---|\n${Array.from({ length: 50 }, (_, i) => `| row ${i} | value |`).join("\n")}`;
    const blocks = tablesAsCode(text, 200).split("```\n```");

    expect(blocks.length).toBeGreaterThan(3);
    for (const block of blocks) {
      expect(block).toMatch(/a +\| b\n-+\|-+\nrow \d+/);
      expect(block.length).toBeLessThan(230);
    }
    expect(blocks.join("").match(/row \d+/g)).toEqual(text.match(/row \d+/g));
  });

  it("stays in its list or quote, and marks in its cells do not end the code", () => {
    expect(tablesAsCode("> - a | b\n>   --|--\n>   x```y | 2", 900)).toBe(
      "> - ```\n>   a   | b\n>   ----|----\n>   xy  | 2\n>   ```",
    );
  });

  it("is left as it is where it would become many times as long", () => {
    const text = `${"|a".repeat(50)}|\n${"|-".repeat(50)}|\n| ${"w".repeat(40)} |\n${`${"|".repeat(50)}x|\n`.repeat(200)}`;

    expect(tablesAsCode(text, 900).length).toBeLessThan(text.length * 8 + 1_000);
  });
});
