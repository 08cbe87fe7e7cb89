import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type ConfigSources, loadConfig } from "../../src/config/load.js";
import type { LoadedConfig } from "../../src/config/loaded.js";
import { type ConfigProblem, InvalidConfigError } from "../../src/config/problem.js";
import { createTempDir } from "../support/temp-dir.js";

/** The checkout, where the demo personas are. */
export const packageDir = resolve(import.meta.dirname, "../..");

/** A folder with a configuration and personas, for one test. */
export interface Project {
  readonly dir: string;
  write(path: string, content: string | Uint8Array): void;
  load(sources?: Partial<ConfigSources>): Promise<LoadedConfig>;
  /** The problems of a configuration that must be refused. */
  problems(sources?: Partial<ConfigSources>): Promise<readonly ConfigProblem[]>;
  remove(): void;
}

/** Files by path; a persona `alpha` is there unless the files bring their own. */
export function createProject(files: Readonly<Record<string, string>> = {}): Project {
  const { path: dir, remove } = createTempDir();
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  };
  const load = (sources: Partial<ConfigSources> = {}) => loadConfig({ env: {}, packageDir, cwd: dir, ...sources });
  const all = Object.keys(files).some((path) => path.startsWith("personas/"))
    ? files
    : { "personas/alpha.md": persona("alpha"), ...files };
  for (const [path, content] of Object.entries(all)) write(path, content);
  return {
    dir,
    write,
    load,
    remove,
    problems: async (sources) => {
      const error = await load(sources).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (!(error instanceof InvalidConfigError))
        throw new Error("expected the configuration to be refused", { cause: error });
      return error.problems;
    },
  };
}

/** A scripted persona's file. */
export function persona(name: string, more = ""): string {
  return `---\nname: ${name}\n${more}script: [{ say: "Hello from ${name}." }]\n---\nYou are ${name}.\n`;
}
