import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const script = "scripts/check-native.mjs";

describe("The check after an installation", () => {
  let bare: string;

  beforeAll(() => {
    bare = mkdtempSync(join(tmpdir(), "troupe-native-"));
    cpSync(join(root, script), join(bare, script));
  });

  afterAll(() => rmSync(bare, { recursive: true, force: true }));

  const check = (folder: string, env: Record<string, string> = {}) =>
    spawnSync(process.execPath, [script], { cwd: folder, env, encoding: "utf8" });

  it("says nothing when the native file is there", () => {
    expect(check(root)).toMatchObject({ status: 0, stdout: "", stderr: "" });
  });

  it("fails with one line that says what to install when the native file is missing", () => {
    const { status, stderr } = check(bare);

    expect(status).toBe(1);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toContain("Install python3, make and g++");
  });

  it.each([{ npm_config_omit: "dev optional" }, { npm_config_package_lock_only: "true" }])(
    "accepts an installation that was asked to go without: %o",
    (env) => {
      expect(check(bare, env).status).toBe(0);
    },
  );
});
