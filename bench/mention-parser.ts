import { performance } from "node:perf_hooks";
import { createMentionParser, type MentionParser } from "../src/domain/mention.js";
import type { Row } from "./row.js";

const LENGTH = 1024 * 1024;
const ROUNDS = 15;
const BAR_MS = 20;

const TEAM = [
  { name: "alpha", displayName: "Alpha" },
  { name: "beta", displayName: "Beta" },
  { name: "rev", displayName: "Rev" },
  { name: "reviewer", displayName: "The Reviewer" },
  { name: "scribe", displayName: "Ops Scribe" },
];

/** Measures the mention parser on hostile texts of one megabyte each. */
export async function run(): Promise<{ rows: Row[] }> {
  const parse = createMentionParser(TEAM);
  const rows = Object.entries(hostileTexts()).map(([name, text]) => {
    const value = bestOf(parse, text);
    return { name: `mention parser, 1 MB of ${name}`, value, unit: "ms", bar: BAR_MS };
  });
  return { rows };
}

/** Texts that make careless parsers slow: constructs that open and never close, long runs, floods of mentions. */
export function hostileTexts(length: number = LENGTH): Readonly<Record<string, string>> {
  const fill = (pattern: string) => flat(`${pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length - 1)}@`);
  return {
    "prose with mentions": fill(
      "Thanks @beta, that works. Could you look at the second part, too?\nIt is `short`.\n\n",
    ),
    "prose without mentions": fill(
      "Thanks, that works. Could you look at the second part, too? It is short.\n",
    ).replaceAll("@", "."),
    "@": fill("@"),
    mentions: fill("@beta "),
    "mentions joined by slashes": fill("@beta/"),
    "short unknown names": fill(" @x"),
    "unknown names": fill(" @gamma"),
    "bracketed @": fill("(@"),
    "foreign letters": fill(" @é"),
    "many foreign letters": fill(foreignLetters()),
    "combining marks": fill(" @vie\u0302\u0323t"),
    "marks without end": fill(`@e${"\u0301\u0323".repeat(length / 2)}`),
    underscores: fill("@b___"),
    "dotted words": fill("@a.b.c.d-e_"),
    "backtick runs of all lengths": fill(tickRuns(length)),
    "backtick runs that shrink": fill(tickRuns(length).split(" ").reverse().join(" ")),
    "single backticks, each in a paragraph": fill("`@\n\n"),
    "escaped backticks": fill("\\`@`` "),
    "unterminated fences": fill("```\n@a\n~~~\n"),
    "fence lines that are none": fill("``` ` @\n"),
    "fences in lists": fill("- ```\n@a\n"),
    "block quotes": fill("> @a\n"),
    "nested block quotes": fill("> "),
    "nested lists": fill("- "),
    "nested lists, line by line": fill(`${"- ".repeat(15)}@\n`),
    numbers: fill("1. @\n2"),
    "rules that are none": fill("* ".repeat(length / 4)),
    "indented lines": fill("    @a\n\n"),
    tabs: fill("\t\t\t\n"),
    newlines: fill("\n"),
    "short lines": fill("a\n"),
    "hash signs": fill("# @\n"),
    "opening brackets": fill("["),
    "closing brackets": fill("]("),
    "links that never close": fill("[a](@("),
    "links with parentheses": fill("[](a"),
    "link titles that never close": fill("[](a (@"),
    "links with mixed titles": fill("[](a \"@[](a '@"),
    "opening angles": fill("<"),
    "tags that never close": fill("<a @ "),
    "tags with open quotes": fill("<a b=\"@<a b='@"),
    "code elements that never close": fill("<code>@ "),
    "closing tags": fill("</x @"),
    "comments that never close": fill("a <!-- @ "),
    "instructions that never close": fill("a <? @ <![CDATA["),
    "HTML lines": fill("<p\n"),
    URLs: fill("https://x.y/@a "),
    "one URL": fill("https://@a?"),
    "URLs with backticks": fill("a://``@`"),
    hosts: fill("www.@"),
    colons: fill(":@/"),
    backslashes: fill("\\"),
    "quoted names": fill('"@beta" '),
    "half characters": fill("@\ud800\udc00\ud800"),
  };
}

/** A string in one piece, as parsed messages are, and not a chain of the parts that it was built from. */
function flat(text: string): string {
  return String(JSON.parse(JSON.stringify(text)));
}

function tickRuns(length: number): string {
  const runs: string[] = [];
  for (let total = 0, run = 1; total < length; run += 1) {
    runs.push("`".repeat(run));
    total += run + 1;
  }
  return runs.join(" ");
}

function foreignLetters(): string {
  const letters: string[] = [];
  for (let codePoint = 0xc0; codePoint < 0xd7ff; codePoint += 1) letters.push(` @${String.fromCodePoint(codePoint)}`);
  return letters.join("");
}

/** The shortest of several rounds: the parser's own time, without what else runs on the machine. */
function bestOf(parse: MentionParser, text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    parse(text);
    best = Math.min(best, performance.now() - start);
  }
  return best;
}
