import { readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ConfigError } from "../domain/errors.js";
import { makeFolder } from "../store/make-folder.js";
import { type InitFile, PERSONA_FILES, PROJECT_FILES } from "./init-files.js";
import { codeOf } from "./read-text.js";

/** What `troupe init` did, in paths relative to the folder. */
export interface InitResult {
  readonly written: readonly string[];
  /** Was there before, and is as it was. */
  readonly kept: readonly string[];
}

/**
 * Writes a commented configuration with example personas. Overwrites nothing, and adds no examples to a folder that has
 * personas. Throws `ConfigError` when the folder cannot be written.
 */
export async function initProject(dir: string): Promise<InitResult> {
  try {
    const personas = await personasIn(join(dir, "personas"));
    const written: string[] = [];
    const kept: string[] = personas.map((name) => `personas/${name}`);
    for (const file of [...PROJECT_FILES, ...(personas.length === 0 ? PERSONA_FILES : [])]) {
      (await writeNew(dir, file)) ? written.push(file.path) : kept.push(file.path);
    }
    return { written, kept };
  } catch (error) {
    throw new ConfigError(
      "config_invalid",
      `${dir} cannot be written (${codeOf(error)}) — name a folder that you may write to`,
      {
        cause: error,
      },
    );
  }
}

async function personasIn(dir: string): Promise<readonly string[]> {
  const names = await readdir(dir).catch(() => []);
  return names.filter((name) => name.endsWith(".md")).toSorted();
}

/** Whether the file was written: `false` when there is one already. */
async function writeNew(dir: string, { path, text }: InitFile): Promise<boolean> {
  const target = join(dir, path);
  makeFolder(dirname(target));
  try {
    await writeFile(target, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}
