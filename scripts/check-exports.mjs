// Imports every export path of the built package by the package's own name, as a user's program would, and checks that
// the types it promises were emitted. Then does as much for the bundle: loads what it would load later, and runs it.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = resolve(import.meta.dirname, "..");
const { name, version, bin, exports: paths } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
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

const program = join(root, bin.troupe);
const parts = readdirSync(join(program, ".."))
  .map((file) => join(program, "..", file))
  .filter((file) => file.endsWith(".js") && file !== program);
for (const part of parts) {
  await import(pathToFileURL(part).href).catch((error) => problems.push(`${part} cannot be loaded: ${error.message}`));
}
const { status, stdout } = spawnSync(process.execPath, [program, "--version"], { encoding: "utf8" });
if (status !== 0 || stdout.trim() !== version) problems.push(`${bin.troupe} --version does not print ${version}.`);
console.log(`${bin.troupe}: ${parts.length} further files`);

for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
