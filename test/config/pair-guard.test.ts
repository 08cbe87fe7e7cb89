import { chmodSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { checkProject } from "../../src/config/check.js";
import { formatProblem } from "../../src/config/problem.js";
import { GUARD_DEFAULTS, GUARD_KEYS } from "../../src/domain/guard-settings.js";
import { engineConfig } from "../../src/from-config.js";
import { createProject, type Project, packageDir } from "./project.js";

const projects: Project[] = [];
afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

function projectOf(pairGuard?: string): Project {
  const project = createProject(pairGuard === undefined ? {} : { "troupe.yaml": `pair_guard: ${pairGuard}\n` });
  projects.push(project);
  return project;
}

/** Problems of a configuration, errors and warnings. */
async function said(project: Project, env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  return (await checkProject({ env, packageDir, cwd: project.dir })).problems.map(formatProblem);
}

const VARIABLES = {
  TROUPE_PAIR_ALTERNATIONS: "alternations",
  TROUPE_PAIR_REPEATS: "repeats",
  TROUPE_PAIR_SIMILARITY: "similarity",
  TROUPE_PAIR_MAX_MESSAGES: "max_messages",
  TROUPE_PAIR_WINDOW_SECS: "window_secs",
} as const;

describe("the pair guard's configuration", () => {
  it("reaches the engine: the guard's own defaults, what the file says, and above it what the environment says", async () => {
    const file = "{ enabled: true, alternations: 6, repeats: 4, similarity: 80, held_max: 9, resume: admins }";
    const env = { TROUPE_PAIR_GUARD: "0", TROUPE_PAIR_ALTERNATIONS: "7", TROUPE_PAIR_MAX_MESSAGES: "0" };

    const defaults = engineConfig(await projectOf().load());
    const set = engineConfig(await projectOf(file).load({ env }));

    expect([defaults.guard, defaults.resume]).toEqual([GUARD_DEFAULTS, "members"]);
    expect(set.resume).toBe("admins");
    expect(set.guard).toEqual({
      enabled: false,
      alternations: 7,
      repeats: 4,
      similarity: 80,
      maxMessages: 0,
      windowSecs: 600,
      heldMax: 9,
    });
  });

  it("is switched on from the environment where the file switches it off", async () => {
    const { pairGuard } = await projectOf("{ enabled: false }").load({ env: { TROUPE_PAIR_GUARD: "1" } });

    expect(pairGuard.settings.enabled).toBe(true);
  });

  it.each(Object.entries(GUARD_KEYS))("takes %s within the guard's own range only", async (name, { key, min, max }) => {
    for (const value of [min, max]) {
      const { pairGuard } = await projectOf(`{ ${name}: ${value} }`).load();
      expect(pairGuard.settings[key]).toBe(value);
    }
    for (const value of [min - 1, max + 1, "many", "2.5"]) {
      expect(await said(projectOf(`{ ${name}: ${value} }`))).toEqual([
        expect.stringMatching(
          new RegExp(`^troupe\\.yaml:1:\\d+: must be a whole number from ${min} to ${max} \\(pair_guard\\.${name}\\)`),
        ),
      ]);
    }
  });

  it.each(Object.entries(VARIABLES))("names %s when its value is out of range", async (variable, name) => {
    const { min, max } = GUARD_KEYS[name];

    for (const value of [String(max + 1), "-1", "many"]) {
      expect(await said(projectOf(), { [variable]: value })).toEqual([
        `environment: must be a whole number from ${min} to ${max} (${variable})`,
      ]);
    }
  });

  it("names the switch, a misspelt variable and a misspelt key", async () => {
    expect(await said(projectOf(), { TROUPE_PAIR_GUARD: "off" })).toEqual([
      "environment: must be 0 or 1 (TROUPE_PAIR_GUARD)",
    ]);
    expect(await said(projectOf(), { TROUPE_PAIR_REPEAT: "3" })).toEqual([
      "environment: is not a known variable (TROUPE_PAIR_REPEAT) — did you mean TROUPE_PAIR_REPEATS?",
    ]);
    expect(await said(projectOf("{ window: 3 }"))).toEqual([
      expect.stringContaining("is not a known key (pair_guard.window)"),
    ]);
    expect(await said(projectOf("{ resume: everybody }"))).toEqual([
      expect.stringContaining("must be members or admins (pair_guard.resume)"),
    ]);
  });
});

describe("the notify command", () => {
  it("is a program and its arguments, run in the folder of the configuration", async () => {
    const project = createProject({ "conf/troupe.yaml": 'pair_guard: { notify_command: [sh, -c, "cat > told"] }\n' });
    projects.push(project);

    const { pairGuard, warnings } = await project.load({ file: "conf/troupe.yaml", env: { PATH: "/usr/bin:/bin" } });

    expect(pairGuard.notify).toEqual({ program: "sh", args: ["-c", "cat > told"], cwd: join(project.dir, "conf") });
    expect(warnings).toEqual([]);
  });

  it("may be left empty", async () => {
    expect((await projectOf("{ notify_command: }").load()).pairGuard).not.toHaveProperty("notify");
  });

  it.each(["cat", "[]", "{ program: cat }"])("is refused as %s, which is no list of words", async (value) => {
    expect(await said(projectOf(`{ notify_command: ${value} }`))).toEqual([
      expect.stringMatching(/must be a list: the program, then its arguments \(pair_guard\.notify_command\)$/),
    ]);
  });

  it("draws a warning when its program is not there or may not be run", async () => {
    const project = createProject({
      "notify.sh": "#!/bin/sh\n",
      "troupe.yaml": "pair_guard: { notify_command: [./notify.sh] }\n",
    });
    projects.push(project);
    const lost = projectOf("{ notify_command: [no-such-pager, now] }");

    const [mayNot] = await said(project);
    chmodSync(join(project.dir, "notify.sh"), 0o755);
    const fine = await said(project);
    const [missing] = await said(lost, { PATH: "/usr/bin:/bin" });

    expect(mayNot).toMatch(
      /^troupe\.yaml:1:\d+: there is no program "\.\/notify\.sh" from ".*", so nobody .* — write its whole path/,
    );
    expect(fine).toEqual([]);
    expect(missing).toMatch(
      /^troupe\.yaml:1:32: there is no program "no-such-pager" in PATH.*\(pair_guard\.notify_command\[0\]\)/,
    );
  });
});
