// Runs the suites and says what was left out and how to bring it in. `--long` adds the long campaigns and coverage;
// everything else on the command line goes to Vitest.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join, relative, resolve } from "node:path";
import { z } from "zod";
import { missingNative } from "./check-native.mjs";

/** Programs that some suites need, and how to get them. */
const TOOLS = [{ command: "chromium", suites: "The browser suites", install: "apt-get install -y chromium" }];

const root = resolve(import.meta.dirname, "..");
const reportFile = join(root, "coverage/tests.json");

/** @param {string} command */
const isOnPath = (command) =>
  (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

const report = z.object({
  testResults: z.array(z.object({ name: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

/** The test files in which something was skipped, read from Vitest's own report. */
const skippedFiles = () =>
  report
    .parse(JSON.parse(readFileSync(reportFile, "utf8")))
    .testResults.filter((file) =>
      file.assertionResults.some(({ status }) => status !== "passed" && status !== "failed"),
    )
    .map((file) => relative(root, file.name));

const problem = await missingNative();
if (problem !== undefined) {
  console.error(problem);
  process.exit(1);
}

const args = process.argv.slice(2);
const isLong = args.includes("--long");
const vitestArgs = [
  "run",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${reportFile}`,
  ...(isLong ? ["--coverage"] : []),
  ...args.filter((argument) => argument !== "--long"),
];
rmSync(reportFile, { force: true });
const { status } = spawnSync(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), ...vitestArgs], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, ...(isLong ? { TROUPE_LONG: "1" } : {}) },
});

for (const { command, suites, install } of TOOLS) {
  if (!isOnPath(command)) console.log(`${suites} were skipped: ${command} is not on PATH. Install it: ${install}`);
}
if (existsSync(reportFile)) {
  const files = skippedFiles();
  if (files.length > 0) console.log(`Skipped in: ${files.join(", ")}`);
}
process.exitCode = status ?? 1;
