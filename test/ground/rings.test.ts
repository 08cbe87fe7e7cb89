import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

const root = resolve(import.meta.dirname, "../..");

/** Import specifiers that a file of one ring may use, and planted ones that the linter must refuse. */
interface Ring {
  readonly folder: string;
  readonly legal: readonly string[];
  readonly illegal: readonly string[];
}

const outside = ["../main.js", "../cli/x.js", "../../adapters/web/index.js"];

const rings: readonly Ring[] = [
  {
    folder: "src/domain",
    legal: ["./entry.js", "./mention/scan.js", "fastest-levenshtein"],
    illegal: ["../ports/store.js", "../engine/drain.js", "../index.js", "node:fs", "zod", "pino", ...outside],
  },
  {
    folder: "src/domain/mention",
    legal: ["../entry.js", "./scan.js", "../command/parse.js"],
    illegal: ["../../ports/store.js", "../../engine/drain.js", "../../index.js"],
  },
  {
    folder: "src/ports",
    legal: ["./clock.js", "../domain/entry.js"],
    illegal: ["../engine/drain.js", "../store/memory/index.js", "../index.js", "hono", "better-sqlite3", ...outside],
  },
  {
    folder: "src/engine",
    legal: ["./drain.js", "./tools/send-message.js", "../domain/entry.js", "../ports/brain.js", "zod"],
    illegal: [
      "../store/memory/index.js",
      "../brain/script/index.js",
      "../config/load.js",
      "../http/server.js",
      "../index.js",
      "ai",
      "better-sqlite3",
      "node:fs",
      "node:timers/promises",
      ...outside,
    ],
  },
  {
    folder: "src/engine/tools",
    legal: ["../drain.js", "../../ports/store.js"],
    illegal: ["../../store/memory/index.js", "../../brain/llm/index.js", "@hono/node-server"],
  },
  {
    folder: "src/store/sqlite",
    legal: ["better-sqlite3", "node:fs", "../memory/index.js", "../../ports/store.js", "../../engine/drain.js"],
    illegal: ["../../brain/llm/index.js", "../../config/load.js", "../../cli/main.js", "../../main.js"],
  },
  {
    folder: "src/brain/llm",
    legal: ["ai", "../../ports/brain.js"],
    illegal: ["../../store/memory/index.js", "../../http/server.js", "../../index.js"],
  },
  {
    folder: "src/config",
    legal: ["zod", "yaml", "../domain/persona.js", "../store/make-folder.js"],
    illegal: ["../store/memory/index.js", "../brain/llm/index.js", ...outside],
  },
  {
    folder: "src/http",
    legal: ["hono", "../ports/reader.js"],
    illegal: ["../store/memory/index.js", "../config/load.js", ...outside],
  },
  {
    folder: "src/cli",
    legal: ["commander", "../main.js", "../config/load.js", "../domain/ids.js"],
    illegal: ["../engine/drain.js", "../store/sqlite/index.js", "../brain/llm/index.js", "../../adapters/web/index.js"],
  },
  {
    folder: "adapters/web",
    legal: ["../../src/index.js", "./security.js", "hono"],
    illegal: ["../../src/engine/drain.js", "../../src/main.js", "../slack/index.js", "../discord/index.js"],
  },
  {
    folder: "adapters/web/rooms",
    legal: ["../../../src/index.js", "../security.js"],
    illegal: ["../../../src/domain/entry.js", "../../slack/index.js"],
  },
  {
    folder: "adapters/web/page/src",
    legal: ["../../../../src/index.js", "./wire.js", "preact"],
    illegal: ["../../../../src/domain/entry.js", "../../events.js", "node:fs", "hono"],
  },
  {
    folder: "adapters/slack",
    legal: ["../../src/index.js", "../shared/hints.js"],
    illegal: ["../../src/domain/entry.js", "../web/index.js", "../discord/index.js"],
  },
  {
    folder: "adapters/discord",
    legal: ["../../src/index.js", "../shared/hints.js", "discord.js"],
    illegal: ["../../src/domain/entry.js", "../web/index.js", "../slack/index.js"],
  },
  {
    folder: "adapters/shared",
    legal: ["../../src/index.js", "./hints.js"],
    illegal: ["../../src/domain/entry.js", "../slack/index.js", "../discord/index.js", "@slack/bolt", "discord.js"],
  },
];

/** The composition root's own files: no ring below it may import one. */
const rootFiles = readdirSync(join(root, "src")).flatMap((name) => name.match(/^(.+)\.ts$/)?.[1] ?? []);

const belowRoot = rings.filter(({ folder }) => folder.startsWith("src/") && folder !== "src/cli");

/** From a folder of the source tree, the specifier of a file in `src` itself. */
const upTo = (folder: string, name: string) => `${"../".repeat(folder.split("/").length - 1)}${name}.js`;

/** Statements that a ring must refuse because they reach for time, chance or the process instead of being handed it. */
const effects: readonly { readonly folder: string; readonly statement: string; readonly rule: string }[] = [
  { folder: "src/domain", statement: "Date.now()", rule: "noRestrictedGlobals" },
  { folder: "src/domain", statement: "Promise.resolve(1)", rule: "noRestrictedGlobals" },
  { folder: "src/domain", statement: "process.env", rule: "noRestrictedGlobals" },
  { folder: "src/domain", statement: "Math.random()", rule: "noJsRestrictedProperties" },
  { folder: "src/engine", statement: "new Date()", rule: "noRestrictedGlobals" },
  { folder: "src/engine", statement: "setTimeout(String, 1)", rule: "noRestrictedGlobals" },
  { folder: "src/engine", statement: "AbortSignal.timeout(1)", rule: "noJsRestrictedProperties" },
  { folder: "src/engine", statement: "Math.random()", rule: "noJsRestrictedProperties" },
];

const report = z.object({
  diagnostics: z.array(z.object({ category: z.string(), location: z.object({ path: z.string() }) })),
});

let tree: string;
const findings = new Map<string, Set<string>>();

/** A file name that says what is planted in it. */
const fileFor = (folder: string, planted: string) => {
  const name = planted.replaceAll("../", "up-").replace(/[^a-z0-9]+/gi, "-");
  return join(folder, `planted-${name.toLowerCase()}.ts`);
};

const plant = (file: string, text: string) => {
  mkdirSync(join(tree, dirname(file)), { recursive: true });
  writeFileSync(join(tree, file), text);
};

/** The names of the rules that the linter reported for a file of the planted tree. */
const rulesBrokenBy = (file: string): readonly string[] => [...(findings.get(file) ?? [])];

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), "troupe-rings-"));
  for (const file of ["biome.json", "package.json"]) cpSync(join(root, file), join(tree, file));
  for (const { folder, legal, illegal } of rings)
    for (const specifier of [...legal, ...illegal])
      plant(fileFor(folder, specifier), `export { planted } from "${specifier}";\n`);
  for (const { folder } of belowRoot)
    for (const name of rootFiles)
      plant(fileFor(folder, upTo(folder, name)), `export { planted } from "${upTo(folder, name)}";\n`);
  plant("src/planted-cli.ts", 'export { planted } from "./cli/main.js";\n');
  plant("src/planted-store.ts", 'export { planted } from "./store/sqlite/sqlite-store.js";\n');
  for (const { folder, statement } of effects)
    plant(fileFor(folder, statement), `export const planted = ${statement};\n`);
  plant("src/domain/loop-a.ts", 'import type { B } from "./loop-b.js";\nexport type A = B;\n');
  plant("src/domain/loop-b.ts", 'import type { A } from "./loop-a.js";\nexport type B = A | 1;\n');
  plant("src/store/undeclared.ts", 'import "left-pad";\n');
  plant("src/domain/BadName.ts", "export const planted = 1;\n");
  plant("src/domain/floating.ts", "const later = async () => 1;\nlater();\n");
  plant("src/domain/default.ts", "export default 1;\n");
  for (const { category, location } of lint().diagnostics) {
    const file = location.path.replace(`${tree}/`, "");
    findings.set(file, (findings.get(file) ?? new Set()).add(category.split("/").at(-1) ?? category));
  }
}, 60_000);

afterAll(() => rmSync(tree, { recursive: true, force: true }));

const lint = (): z.infer<typeof report> => {
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const args = [biome, "lint", "--reporter=json", "--max-diagnostics=none", "--vcs-enabled=false", "."];
  try {
    execFileSync(process.execPath, args, { cwd: tree, stdio: "pipe" });
    throw new Error("The linter found nothing in a tree full of planted violations.");
  } catch (error) {
    const { stdout } = z.object({ stdout: z.instanceof(Buffer) }).parse(error);
    return report.parse(JSON.parse(stdout.toString()));
  }
};

describe.each(rings)("$folder", ({ folder, legal, illegal }) => {
  it.each(legal)("may import %s", (specifier) => {
    expect(rulesBrokenBy(fileFor(folder, specifier))).not.toContain("noRestrictedImports");
  });

  it.each(illegal)("may not import %s", (specifier) => {
    expect(rulesBrokenBy(fileFor(folder, specifier))).toContain("noRestrictedImports");
  });
});

describe("The composition root", () => {
  it.each(belowRoot)("is out of reach for $folder, every file of it", ({ folder }) => {
    const reachable = rootFiles.filter(
      (name) => !rulesBrokenBy(fileFor(folder, upTo(folder, name))).includes("noRestrictedImports"),
    );

    expect(reachable).toEqual([]);
  });

  it("may import every part, but not the command line that stands on it", () => {
    expect(rulesBrokenBy("src/planted-store.ts")).not.toContain("noRestrictedImports");
    expect(rulesBrokenBy("src/planted-cli.ts")).toContain("noRestrictedImports");
  });
});

describe("The linter", () => {
  it.each(effects)("refuses $statement in $folder", ({ folder, statement, rule }) => {
    expect(rulesBrokenBy(fileFor(folder, statement))).toContain(rule);
  });

  it("counts a cycle of types as a cycle", () => {
    expect(rulesBrokenBy("src/domain/loop-a.ts")).toContain("noImportCycles");
  });

  it.each([
    ["src/store/undeclared.ts", "noUndeclaredDependencies"],
    ["src/domain/BadName.ts", "useFilenamingConvention"],
    ["src/domain/floating.ts", "noFloatingPromises"],
    ["src/domain/default.ts", "noDefaultExport"],
  ])("refuses %s by %s", (file, rule) => {
    expect(rulesBrokenBy(file)).toContain(rule);
  });
});

describe("The source tree", () => {
  const folders = (path: string) =>
    readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );

  it("has no folder under src or adapters that no ring speaks for", () => {
    const known = new Set(rings.map(({ folder }) => folder.split("/").slice(0, 2).join("/")));

    const unknown = [
      ...folders("src").map((n) => `src/${n}`),
      ...folders("adapters").map((n) => `adapters/${n}`),
    ].filter((folder) => !known.has(folder));

    expect(unknown).toEqual([]);
  });
});
