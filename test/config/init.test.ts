import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { checkProject } from "../../src/config/check.js";
import { initProject } from "../../src/config/init.js";
import { configSchema } from "../../src/config/schema.js";
import { createTempDir } from "../support/temp-dir.js";
import { packageDir } from "./project.js";

let temp: ReturnType<typeof createTempDir>;
beforeEach(() => {
  temp = createTempDir();
});
afterEach(() => temp.remove());

describe("a new project", () => {
  it("has a configuration, an example of the environment and two personas", async () => {
    const dir = join(temp.path, "new", "project");

    expect(await initProject(dir)).toEqual({
      written: ["troupe.yaml", ".env.example", "personas/planner.md", "personas/critic.md"],
      kept: [],
    });
    expect(readdirSync(dir).toSorted()).toEqual([".env.example", "personas", "troupe.yaml"]);
  });

  it.skipIf(process.platform !== "linux")("is refused where the system lets nobody make a folder", async () => {
    await expect(initProject("/proc/new/project")).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining("/proc/new/project cannot be written"),
    });
  });

  it("passes the check without a key", async () => {
    await initProject(temp.path);
    const report = await checkProject({ env: {}, packageDir, cwd: temp.path });

    expect(report).toMatchObject({ ok: true, problems: [], config: { team: "my-team", warnings: [] } });
    expect(report.config?.personas.map(({ name, brain }) => [name, brain])).toEqual([
      ["critic", "script"],
      ["planner", "script"],
    ]);
  });

  it("passes the check with models once the scripts are removed", async () => {
    await initProject(temp.path);
    for (const name of ["planner", "critic"]) {
      const path = join(temp.path, "personas", `${name}.md`);
      writeFileSync(path, readFileSync(path, "utf8").replace(/^script:\n( .*\n)+/m, ""));
    }
    const env = {
      OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:1/v1",
      TROUPE_DEFAULT_MODEL: "openai-compatible:llama3.1",
    };
    const report = await checkProject({ env, packageDir, cwd: temp.path });

    expect(report).toMatchObject({ ok: true, problems: [] });
    expect(
      report.config?.personas.every(({ brain, model }) => brain === "llm" && model === env.TROUPE_DEFAULT_MODEL),
    ).toBe(true);
  });

  it("is still valid with every comment of its configuration taken away, and names every key", async () => {
    await initProject(temp.path);
    const text = readFileSync(join(temp.path, "troupe.yaml"), "utf8");
    const bare = text
      .replace(/^# (?=( *)[a-z_]+: |( *)[a-z_]+:$|( *)"web:| {2,})/gm, "")
      .replace(/^(Providers|Default|yaml-language-server).*$/gm, "");
    const value: unknown = parse(bare);

    expect(configSchema.safeParse(value).error?.issues).toBeUndefined();
    expect(Object.keys(value as object).toSorted()).toEqual(Object.keys(configSchema.shape).toSorted());
  });

  it("overwrites nothing, and says what it kept", async () => {
    writeFileSync(join(temp.path, "troupe.yaml"), "team: mine\n");
    await initProject(temp.path);
    const again = await initProject(temp.path);

    expect(readFileSync(join(temp.path, "troupe.yaml"), "utf8")).toBe("team: mine\n");
    expect(again).toEqual({
      written: [],
      kept: ["personas/critic.md", "personas/planner.md", "troupe.yaml", ".env.example"],
    });
  });

  it("adds no examples to a folder with personas", async () => {
    await initProject(temp.path);
    const { path: other, remove } = createTempDir();
    await initProject(other);
    const result = await initProject(other);
    remove();

    expect(result.written).not.toContain("personas/planner.md");
  });

  it("says so when the folder cannot be written", async () => {
    const file = join(temp.path, "file");
    writeFileSync(file, "");

    await expect(initProject(file)).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining("cannot be written"),
    });
    expect(statSync(file).isFile()).toBe(true);
  });
});
