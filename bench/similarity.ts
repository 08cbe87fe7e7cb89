import { performance } from "node:perf_hooks";
import { isNearIdentical } from "../src/domain/similarity.js";
import { median, type Row } from "./row.js";

const LENGTH = 100_000;
const ROUNDS = 25;
const BAR_MS = 20;

/** Measures the comparison of two different messages of 100 kB in several kinds of text: the median of many rounds each. */
export async function run(): Promise<{ rows: Row[] }> {
  const rows = Object.entries(texts()).map(([name, [a, b]]) => {
    const value = median(timesOf(() => isNearIdentical(a, b, 90)));
    return { name: `near-identity, 100 kB of ${name}`, value, unit: "ms", bar: BAR_MS };
  });
  return { rows };
}

/** Pairs of texts that share little, so that no short cut is taken. */
function texts(): Readonly<Record<string, readonly [string, string]>> {
  return {
    prose: [fill((i) => `${WORDS[i % WORDS.length]} `), fill((i) => `${WORDS[(i * 7) % WORDS.length]}s `)],
    "different words": [fill((i) => `${word(i)} `), fill((i) => `${word(i + 50_000)} `)],
    "one-letter words": [fill((i) => `${word(i).charAt(0)} `), fill(() => "x-")],
    "one word": [fill(() => "a"), fill(() => "b")],
    Chinese: [fill((i) => ideograph(i * 31)), fill((i) => ideograph(i * 17))],
    marks: [fill(() => "e\u0301\u0323"), fill(() => "o\u0308\u0323")],
    "fences and headers": [`Alpha: ${fill(() => "```\n")}`, `[Beta] ${fill(() => "~~~\n")}`],
    spaces: [`${fill(() => " ")}a`, `${fill(() => "\n")}b`],
  };
}

const WORDS = "the report is ready and waits for a review by somebody who knows the numbers of the last quarter".split(
  " ",
);

function word(n: number): string {
  return n.toString(26).replace(/\d/g, (digit) => "qrstuvwxyz".charAt(Number(digit)));
}

function ideograph(n: number): string {
  return String.fromCodePoint(0x4e00 + (n % 20_000));
}

/** A text of the full length in one piece, as messages are. */
function fill(part: (i: number) => string): string {
  const parts: string[] = [];
  for (let length = 0, i = 0; length < LENGTH; i++) {
    parts.push(part(i));
    length += Buffer.byteLength(part(i));
  }
  return parts.join("");
}

function timesOf(work: () => void): number[] {
  return Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
}
