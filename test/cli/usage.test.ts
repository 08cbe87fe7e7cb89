import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { createProject, LOADER, MAIN, runCli, spawnCli } from "../support/cli.js";

const LOG_IMPORTS = resolve(import.meta.dirname, "../support/log-imports.mjs");

describe("The command line", () => {
  it("lists every command that works, and none that does not yet", async () => {
    const { code, stdout } = await runCli(["--help"], { cwd: createProject() });

    expect(code).toBe(0);
    const commands = [...stdout.matchAll(/^ {2}([a-z]+) (?: |\[|<)/gm)].map((match) => match[1]);
    expect(commands).toEqual([
      "start",
      "demo",
      "init",
      "check",
      "doctor",
      "manifest",
      "invite",
      "schema",
      "rooms",
      "room",
      "log",
      "pairs",
      "simulate",
      "help",
    ]);
  });

  it.each([
    ["rooms", 0],
    ["rome", 2],
    ["room web:local:none", 1],
  ])("ends its process with that code: %s", async (line, expected) => {
    const { code } = await spawnCli(line.split(" "), { cwd: createProject() });

    expect(code).toBe(expected);
  });

  it("colours on a terminal only, and never against NO_COLOR", async () => {
    const cwd = createProject();

    const plain = await runCli(["check"], { cwd });
    const coloured = await runCli(["check"], { cwd, tty: true });
    const refused = await runCli(["check"], { cwd, tty: true, env: { NO_COLOR: "1" } });

    expect(coloured.stdout).toContain("\u001b[32mReady\u001b[39m");
    expect(refused.stdout).toBe(plain.stdout);
    expect(plain.stdout).toMatch(/^Ready/);
  });

  it.skipIf(!existsSync("/dev/full"))("fails with one line when its output cannot be written", () => {
    const { status, stderr } = spawnSync(
      "sh",
      ["-c", '"$@" > /dev/full', "sh", process.execPath, "--import", LOADER, MAIN, "--version"],
      { encoding: "utf8", cwd: createProject() },
    );

    expect(stderr).toBe("troupe: the output cannot be written (ENOSPC): write it elsewhere, or free space\n");
    expect(status).toBe(1);
  });

  it("tells its version", async () => {
    const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, "../../package.json"), "utf8"));

    const { code, stdout } = await runCli(["--version"], { cwd: createProject() });

    expect([code, stdout]).toEqual([0, `${version}\n`]);
  });

  it.each([
    ["an unknown command", ["roms"], "Did you mean rooms?"],
    ["an unknown flag", ["rooms", "--jsn"], "Did you mean --json?"],
    ["a command of a later version", ["tasks"], "unknown command 'tasks'"],
    ["a word too many", ["check", "twice"], "too many arguments"],
    ["a missing room", ["log"], "missing required argument 'id'"],
    ["a port that is none", ["start", "--port", "65536"], "a whole number from 0 to 65535"],
    ["a number that is none", ["log", "web:local:main", "--after", "-1"], "a whole number from 0 on"],
    ["a schema that is none", ["schema", "team"], "Allowed choices are config, persona"],
    ["no command at all", [], "Usage: troupe"],
  ])("ends with 2 and says what is right after %s", async (_, args, words) => {
    const { code, stdout, stderr } = await runCli(args, { cwd: createProject() });

    expect(stderr).toContain(words);
    expect([code, stdout]).toEqual([2, ""]);
  });

  it.each(["--help", "check", "init", "manifest slack"])(
    "loads no store, server, model or platform for %s",
    async (line) => {
      const project = createProject();
      const log = join(project, "imports");
      writeFileSync(log, "");

      const { code } = await spawnCli(line.split(" "), {
        cwd: project,
        env: { IMPORTS_LOG: log },
        imports: [LOG_IMPORTS],
      });

      expect(code).toBe(0);
      const imports = readFileSync(log, "utf8").split("\n");
      expect(imports).toContain("commander");
      expect(
        imports.filter((name) =>
          /^(better-sqlite3|hono|@hono\/.*|@slack\/.*|discord\.js|ai|@ai-sdk\/.*|prom-client|pino)$/.test(name),
        ),
      ).toEqual([]);
    },
  );
});
