import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createProject, spawnCli } from "../support/cli.js";

describe("troupe demo", { timeout: 60_000 }, () => {
  it("prints the conversation past the budget and the pause to its end, the same each time, and leaves nothing behind", async () => {
    const project = createProject({ "troupe.yaml": "this: is not looked at" });
    const temporary = join(project, "tmp");
    mkdirSync(temporary);
    const run = () => spawnCli(["demo"], { cwd: project, env: { TMPDIR: temporary } });

    const [first, second] = [await run(), await run()];

    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(second.stdout).toBe(first.stdout);
    expect(readdirSync(temporary).filter((name) => name.startsWith("troupe"))).toEqual([]);
    expect(readdirSync(project).sort()).toEqual(["tmp", "troupe.yaml"]);
    const speakers = [...first.stdout.matchAll(/^ {2}(\w+) {3,}\S/gm)].map((match) => match[1]);
    const round = ["Alpha", "Beta", "Alpha", "Beta", "Alpha", "Beta"];
    expect(speakers).toEqual([
      "You",
      "Alpha",
      "Beta",
      "Alpha",
      "You",
      ...round,
      "You",
      ...round.slice(0, 4),
      "You",
      "Alpha",
    ]);
    expect(first.stdout).toContain("│ Budget used up ");
    expect(first.stdout).toContain("Alpha was not woken.");
    expect(first.stdout).toContain("  You     [presses Continue]\n");
    expect(first.stdout).toContain("│ Pair paused ");
    expect(first.stdout).toContain("10 messages back and forth without");
    expect(first.stdout).toMatch(/│ Held: 1 +│/);
    expect(first.stdout).toContain("│ [ Resume ]  [ Drop held ] ");
    expect(first.stdout).toContain("  You     [presses Resume]\n");
    expect(first.stdout).toMatch(/Settled\.\n\n.*\n\n$/);
  });
});
