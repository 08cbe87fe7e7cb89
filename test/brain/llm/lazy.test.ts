import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const run = promisify(execFile);
const ROOT = new URL("../../../", import.meta.url);

/** A loader hook that prints the address of every module that is loaded. It runs in its own thread, so it writes at once. */
const HOOK = `import { writeSync } from "node:fs";
export async function load(url, context, next) { writeSync(1, url + "\\n"); return next(url, context); }`;

/** Addresses of all modules that a fresh process loads for this import. */
async function loadedBy(path: string): Promise<readonly string[]> {
  const program = `import { register } from "node:module";
register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(HOOK)}`)});
await import(${JSON.stringify(new URL(path, ROOT).href)});`;
  const { stdout } = await run(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", program], {
    cwd: ROOT,
  });
  return stdout.split("\n");
}

function isModelLibrary(url: string): boolean {
  return /\/node_modules\/(ai|@ai-sdk)\//.test(url);
}

describe("an idle bot with model personas", () => {
  it("has loaded neither the model library nor a provider", async () => {
    const loaded = await loadedBy("src/brain/llm/llm-brain.ts");

    expect(loaded.some((url) => url.includes("/brain/turn-run"))).toBe(true);
    expect(loaded.filter(isModelLibrary)).toEqual([]);
  });

  it("loads the library with its first turn, and still no provider that the turn does not need", async () => {
    const loaded = await loadedBy("src/brain/llm/turn-loop.ts");

    expect(loaded.some((url) => url.includes("/node_modules/ai/"))).toBe(true);
    expect(loaded.filter((url) => /@ai-sdk\/(anthropic|openai|google|openai-compatible)\//.test(url))).toEqual([]);
  });
});
