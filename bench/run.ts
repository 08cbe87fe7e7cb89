import { type Bench, isWithin, type Row } from "./row.js";

/** The sets of measurements, in the order in which they run. Each is loaded when its turn comes. */
const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  hop: () => import("./hop.js"),
  routing: () => import("./routing.js"),
  memory: () => import("./memory.js"),
  "mention-parser": () => import("./mention-parser.js"),
  similarity: () => import("./similarity.js"),
  split: () => import("./split.js"),
  page: () => import("./page.js"),
  store: () => import("./store.js"),
  slack: () => import("./slack.js"),
  discord: () => import("./discord.js"),
  "discord-memory": () => import("./discord-memory.js"),
};

/** Run only when they are named: they need a built service or what is not installed with the program, and minutes. */
const BY_NAME = new Set(["slack", "discord", "discord-memory"]);

/**
 * Runs all measurements, or those that are named, and prints one table: value, bar and their ratio. Bars are for a machine that
 * does nothing else; with `--strict` a missed one is exit code 1.
 */
async function main(args: readonly string[]): Promise<void> {
  const names = args.filter((arg) => !arg.startsWith("--"));
  const unknown = names.filter((name) => !(name in BENCHES));
  if (unknown.length > 0) {
    console.error(`There is no ${unknown.join(", ")}. There are: ${Object.keys(BENCHES).join(", ")}.`);
    process.exitCode = 2;
    return;
  }
  const rows: Row[] = [];
  for (const [name, load] of Object.entries(BENCHES)) {
    if (names.length > 0 ? !names.includes(name) : BY_NAME.has(name)) continue;
    console.error(`${name} …`);
    rows.push(...(await (await load()).run()).rows);
  }
  print(rows);
  const missed = rows.filter((row) => !isWithin(row));
  console.log(missed.length === 0 ? "\nEvery bar is kept." : `\nMissed: ${missed.map(({ name }) => name).join("; ")}.`);
  if (missed.length > 0 && args.includes("--strict")) process.exitCode = 1;
}

function print(rows: readonly Row[]): void {
  const cells = rows.map((row) => [
    row.name,
    `${shown(row.value)} ${row.unit}`,
    row.bar === undefined ? "" : `≤ ${row.bar} ${row.unit}`,
    row.bar === undefined ? "" : shown(row.value / row.bar),
    row.bar === undefined ? "" : isWithin(row) ? "ok" : "MISSED",
  ]);
  const table = [["measured", "value", "bar", "value / bar", ""], ...cells];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((line) => (line[column] ?? "").length)));
  for (const line of table) {
    const padded = line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)));
    console.log(padded.join("  ").trimEnd());
  }
}

/** Three figures. */
function shown(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

await main(process.argv.slice(2));
