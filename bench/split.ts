import { performance } from "node:perf_hooks";
import { splitMarkdown } from "../adapters/shared/split/split.js";
import { parseMarkdown } from "../adapters/slack/outbound/format-markdown.js";
import { median, type Row } from "./row.js";

const LENGTH = 50_000;
const ROUNDS = 9;
const PARSE_ROUNDS = 1;
const DISCORD_PART = 1_900;
const BAR_MS = 50;

/** Measures cutting a text of 50,000 characters into parts, of several kinds; and, beside it, one full reading of the same text. */
export async function run(): Promise<{ rows: Row[] }> {
  const rows = Object.entries(texts()).flatMap(([name, text]): Row[] => [
    {
      name: `cut 50,000 characters of ${name}`,
      value: median(timesOf(ROUNDS, () => splitMarkdown(text, { most: DISCORD_PART }))),
      unit: "ms",
      bar: BAR_MS,
    },
    {
      name: `read 50,000 characters of ${name} as a tree`,
      value: median(timesOf(PARSE_ROUNDS, () => parseMarkdown(text))),
      unit: "ms",
    },
  ]);
  return { rows };
}

function texts(): Readonly<Record<string, string>> {
  return {
    prose: fill(
      (i) => `The report ${i} is **ready** and waits, see [it](https://e.example/${i}).${i % 5 === 4 ? "\n\n" : " "}`,
    ),
    lists: fill((i) => `${"  ".repeat(i % 4)}- item ${i} with \`code\` and **bold**\n`),
    code: `\`\`\`ts\n${fill((i) => `const x${i} = "${i}" < 3;\n`)}\`\`\``,
    tables: `| a | b | c |\n|---|---|---|\n${fill((i) => `| row ${i} | value ${i} | [x](https://e.example) |\n`)}`,
    "hostile marks": fill((i) => `[a](**b *c _d \`e <f ${i}\n`),
  };
}

function fill(part: (i: number) => string): string {
  let text = "";
  for (let i = 0; text.length < LENGTH; i++) text += part(i);
  return text;
}

function timesOf(rounds: number, work: () => void): number[] {
  return Array.from({ length: rounds }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
}
