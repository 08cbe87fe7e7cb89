// Imports every export path of the built package by the package's own name, as a user's program would, and checks that
// the types it promises were emitted.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const { name, exports: paths } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const problems = [];

for (const [path, target] of Object.entries(paths)) {
  if (typeof target === "string") continue;
  const specifier = name + path.slice(1);
  try {
    const names = Object.keys(await import(specifier));
    if (names.length === 0) problems.push(`${specifier} exports nothing.`);
    if (!existsSync(join(root, target.types))) problems.push(`${specifier} has no types at ${target.types}.`);
    console.log(`${specifier}: ${names.join(", ")}`);
  } catch (error) {
    problems.push(`${specifier} cannot be imported: ${error instanceof Error ? error.message : error}`);
  }
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
