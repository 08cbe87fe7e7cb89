// Builds dist/. The compiler keeps its own increments for the program; the web room's page is built again only when a
// file of it, its configuration or a locked package has changed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const page = join(root, "adapters/web/page");
const pageOutput = join(root, "dist/adapters/web/page/index.html");
const stampFile = join(root, "dist/.page-stamp");

/**
 * Runs a package's command line with this Node and ends the build when it fails.
 * @param {string} script
 * @param {readonly string[]} args
 */
const run = (script, args) => {
  const path = join(root, "node_modules", script);
  if (!existsSync(path)) {
    console.error(`The build needs ${script.split("/")[0]}: run npm ci without --omit=dev.`);
    process.exit(1);
  }
  const { status } = spawnSync(process.execPath, [path, ...args], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
};

/** A hash over everything that the built page depends on. */
const pageStamp = () => {
  const files = readdirSync(page, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash("sha256");
  for (const file of [...files, join(root, "package-lock.json"), join(root, "tsconfig.json")]) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex");
};

run("typescript/bin/tsc", ["-p", "tsconfig.build.json"]);

const stamp = pageStamp();
if (!existsSync(pageOutput) || !existsSync(stampFile) || readFileSync(stampFile, "utf8") !== stamp) {
  run("vite/bin/vite.js", ["build", "--config", "adapters/web/page/vite.config.ts", "--logLevel", "warn"]);
  writeFileSync(stampFile, stamp);
}
