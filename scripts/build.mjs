// Builds dist/. The compiler keeps its own increments; the program's bundle and the web room's page are made again only when a
// file of theirs, their configuration or a locked package has changed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const page = join(root, "adapters/web/page");
const locks = ["package-lock.json", "tsconfig.json"].map((name) => join(root, name));

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

/**
 * All files in the folders.
 * @param {readonly string[]} folders
 */
const filesIn = (folders) =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort(),
  );

/**
 * Makes an output, unless it is there and everything that it depends on is as it was. The stamp is a hash over all of that.
 * @param {{ name: string, output: string, files: readonly string[], make: () => void | Promise<void> }} work
 */
const whenChanged = async ({ name, output, files, make }) => {
  const stampFile = join(root, `dist/.${name}-stamp`);
  const hash = createHash("sha256");
  for (const file of [...files, ...locks]) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  const stamp = hash.digest("hex");
  if (existsSync(output) && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  rmSync(stampFile, { force: true });
  await make();
  writeFileSync(stampFile, stamp);
};

run("typescript/bin/tsc", ["-p", "tsconfig.build.json"]);

await whenChanged({
  name: "page",
  output: join(root, "dist/adapters/web/page/index.html"),
  files: filesIn([page]),
  make: () => run("vite/bin/vite.js", ["build", "--config", "adapters/web/page/vite.config.ts", "--logLevel", "warn"]),
});

const bin = join(root, "dist/bin");
await whenChanged({
  name: "bin",
  output: join(bin, "troupe.js"),
  files: filesIn(["src", "adapters", "scripts"].map((name) => join(root, name))).filter(
    (file) => !file.startsWith(page),
  ),
  make: async () => (await import("./bundle.mjs")).bundleProgram(bin),
});
