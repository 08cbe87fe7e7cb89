import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import type { Row } from "./row.js";

const BAR_KB = 150;
const PAGE = resolve(import.meta.dirname, "../dist/adapters/web/page");

/** Weighs the web room's page as it is built in `dist/`: every file that a browser loads, gzipped. */
export async function run(): Promise<{ rows: Row[] }> {
  if (!existsSync(PAGE)) throw new Error("the page is not built: run npm run build first");
  const files = readdirSync(PAGE, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const bytes = files.map((file) => gzipSync(readFileSync(join(file.parentPath, file.name)), { level: 9 }).length);
  const total = bytes.reduce((sum, size) => sum + size, 0);
  return { rows: [{ name: "web page, gzipped", value: total / 1000, unit: "kB", bar: BAR_KB }] };
}
