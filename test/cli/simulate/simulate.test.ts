import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../../src/config/load.js";
import { createEngine, fileStorage } from "../../../src/main.js";
import { packageDir } from "../../../src/package.js";
import type { InboundSender } from "../../../src/ports/platform.js";
import { createProject, runCli, scriptedPersona, writeIn } from "../../support/cli.js";
import { quietLogger } from "../../support/rooms.js";

const ROOM = "web:local:main";
const ANN: InboundSender = { kind: "person", id: "ann", name: "Ann", isAdmin: true };

/** A project whose room holds a quarrel: the budget ended it, Continue went on, the guard paused it, Resume ended the pause. */
async function quarrelled(): Promise<string> {
  const project = createProject({
    "personas/alpha.md": scriptedPersona("alpha", 'say: "@beta {{turn}} is that so?"'),
    "personas/beta.md": scriptedPersona("beta", 'say: "@alpha {{turn}} I say yes."'),
    "troupe.yaml": "multi_agent: { burst_budget: 4 }\npair_guard: { repeats: 9 }\n",
  });
  const config = await loadConfig({ env: {}, cwd: project, packageDir });
  const troupe = createEngine({ config, env: {}, storage: fileStorage(config.dataDir), logger: quietLogger });
  await troupe.start();
  const to = { session: ROOM, from: ANN, direct: true };
  const press = async (action: string) => {
    await troupe.idle();
    const notices = (await troupe.reader.room(ROOM))?.notices.filter(({ state }) => state === "open") ?? [];
    const button = notices.flatMap(({ view }) => view.buttons ?? []).find((one) => one.action === action);
    await troupe.inbox.press({ room: ROOM, from: ANN, action, value: button?.value ?? "" });
  };
  await troupe.inbox.command({ ...to, text: "agent guard alternations 6" });
  await troupe.inbox.message({ ...to, id: "p1", text: "@alpha argue", at: Date.UTC(2026, 0, 5) });
  await press("troupe:continue");
  await press("troupe:resume");
  await troupe.idle();
  await troupe.stop();
  return project;
}

async function simulate(cwd: string, ...args: readonly string[]): Promise<string> {
  const ran = await runCli(["simulate", ...args], { cwd });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  return ran.stdout;
}

/** Everything below the first line, which names what is replayed. */
const below = (text: string) => text.slice(text.indexOf("\n"));
const rowsOf = (text: string) => text.split("\n").filter((line) => /^ *\d+ {2}/.test(line));

describe("troupe simulate", { timeout: 30_000 }, () => {
  it("replays a stored room with the room's own thresholds, and finds everything as recorded", async () => {
    const project = await quarrelled();

    const text = await simulate(project, ROOM);

    expect(text).toMatch(/^web:local:main {2}\d+ messages, personas: alpha, beta\n/);
    expect(text).toContain("budget 4 · fan-out 1 · wake always · guard: 6 back and forth, 9 alike at 90 %");
    expect(text).toMatch(/\n +\d+ {2}Ann +@alpha argue +· +· +· +· {2}wakes alpha\n/);
    expect(text).toMatch(/beta +@alpha 2 I say yes\. +4\/4 +· +· +· {2}budget used up: alpha waits\n/);
    expect(text).toMatch(/\[Continue\] +0\/4 +4\/6 +2\/9 +4\/20 {2}wakes alpha\n/);
    expect(text).toMatch(
      /beta +@alpha 3 I say yes\. +2\/4 +6\/6 +3\/9 +6\/20 {2}held for alpha: back and forth, paused\n/,
    );
    expect(text).toMatch(/\[Resume\] +resumes: held messages wake alpha\n/);
    expect(text).toMatch(/#\d+ {2}The budget is used up, 4 of 4: alpha waits\. Ann continues at #\d+\.\n/);
    expect(text).toMatch(
      /#\d+ {2}alpha and beta are paused: 6 messages back and forth without progress \(limit 6\)\. 1 held\. Ann resumes at #\d+: 1 delivered\.\n/,
    );
    expect(text).toMatch(/Everything is as recorded: (\d+) of \1\.\n$/);
    expect(text).not.toContain("≠");
  });

  it("makes the same of the log in a file, in each of its forms", async () => {
    const project = await quarrelled();
    const log = (await runCli(["log", ROOM, "--json"], { cwd: project })).stdout;
    const entries = log
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    writeIn(project, "log.jsonl", `\n${log}\n`);
    writeIn(project, "list.json", JSON.stringify(entries, undefined, 2));
    writeIn(project, "page.json", JSON.stringify({ entries, next: null }));

    const room = await simulate(project, ROOM);

    for (const file of ["log.jsonl", "list.json", "page.json"]) {
      const text = await simulate(project, file, "--alternations", "6");
      expect(below(text)).toBe(below(room));
      expect(text.startsWith(`${file}  `)).toBe(true);
    }
  });

  it("marks what other thresholds would change, and cuts what would not have been said", async () => {
    const project = await quarrelled();

    const strict = await simulate(project, ROOM, "--alternations", "3");
    const off = await simulate(project, ROOM, "--guard", "off", "--budget", "50");

    expect(strict).toMatch(/held for beta: back and forth, paused {2}≠ woke beta\n/);
    expect(strict).toMatch(/not said: it ends at #\d+ {2}≠ /);
    expect(strict).toMatch(/\d+ of \d+ would be different from what is recorded \(≠\): the first at #\d+\.\n$/);
    expect(off).toContain("· guard off\n");
    expect(off).toMatch(/\[Continue\] +not pressed: nothing waits {2}≠ woke alpha\n/);
    expect(off).toMatch(/\[Resume\] +not pressed: nothing waits {2}≠ was pressed\n/);
    expect(off).toContain("Nobody would have been stopped.");
    expect(rowsOf(off).filter((row) => /held|not said/.test(row.split("≠")[0] ?? ""))).toEqual([]);
  });

  it("replays a pasted conversation, and tells how near it came to a pause", async () => {
    const text =
      "Ann: @alpha go\nalpha: @beta is it 3?\nbeta: @alpha it is 4.\nalpha: @beta is it 5?\nAnn: @gama help\n";
    const project = createProject({ "talk.txt": text });

    const shown = await simulate(project, "talk.txt");

    expect(shown).toContain("talk.txt  5 messages, personas: Alpha, Beta\n");
    expect(rowsOf(shown)[1]).toMatch(/^ 2 {2}Alpha {2}@beta is it 3\? +1\/6 +1\/10 +1\/3 +1\/20 {2}wakes Beta$/);
    expect(rowsOf(shown)[4]).toMatch(/wakes Alpha \(@gama is not here\)$/);
    expect(shown).toContain(
      "Nearest to a pause: 3 of 10 back and forth at #4, 2 of 3 alike in a row at #4, 3 of 20 in the window at #4.\n",
    );
    expect(shown).toMatch(/Nothing is recorded to compare with\.\n$/);
  });

  it("gives the same as JSON", async () => {
    const project = createProject({ "talk.txt": "Ann: @alpha go\nalpha: @beta 1\nbeta: @alpha 2\nalpha: @beta 1\n" });

    const report = JSON.parse(await simulate(project, "talk.txt", "--json", "--alternations", "2"));

    expect(report).toMatchObject({
      source: "talk.txt",
      personas: ["alpha", "beta"],
      settings: { budget: 6, fanout: 1, wake: "always" },
      guard: { enabled: true, alternations: 2 },
      pauses: [
        { agents: ["alpha", "beta"], trip: { reason: "alternation", count: 2, limit: 2 }, seq: 3, resumed: null },
      ],
      exhaustions: [],
      differences: 0,
    });
    expect(report.steps.map(({ seq, outcome }: { seq: number; outcome: object }) => [seq, outcome])).toEqual([
      [1, { kind: "decided", deliveries: [{ persona: "alpha", result: "woke" }] }],
      [2, expect.objectContaining({ kind: "decided" })],
      [3, expect.objectContaining({ deliveries: [expect.objectContaining({ result: "held" })] })],
      [4, { kind: "unsaid", end: 3 }],
    ]);
  });

  it("colours on a terminal, and shows hostile text without letting it drive the terminal", async () => {
    const project = createProject({ "talk.txt": "Ann: @alpha \u009b31m red \u202e back\nalpha: 漢字 @Ann ok\n" });

    const plain = await simulate(project, "talk.txt", "--personas", "alpha");
    const { stdout } = await runCli(["simulate", "talk.txt"], { cwd: project, tty: true });

    expect(plain).toContain("⟨U+009B⟩31m red ⟨U+202E⟩ back");
    expect(plain).not.toContain("\u001b");
    expect(stdout).toContain("\u001b[32mwakes Alpha\u001b[39m");
    expect(stdout).not.toContain("\u009b");
  });

  it("says what is wrong with what it cannot replay", async () => {
    const files = {
      "empty.txt": "",
      "prose.txt": "Nobody says anything here.\n",
      "broken.jsonl": '{"seq":1}\n{"seq":\n',
      "form.jsonl":
        '{"seq":1,"id":"a","kind":"message","sender":{"kind":"robot","id":"x","name":"X"},"text":"","at":"now"}\n',
    };
    const project = createProject(files);
    const failure = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await runCli(["simulate", ...args], { cwd: project });
      expect(stdout).toBe("");
      return [code, stderr];
    };

    expect(await failure("lost.txt")).toEqual([
      1,
      expect.stringMatching(/^troupe: there is no file lost\.txt, .*troupe rooms/),
    ]);
    expect(await failure("web:local:none")).toEqual([
      1,
      expect.stringMatching(/^troupe: there is no room web:local:none/),
    ]);
    for (const name of ["empty.txt", "prose.txt"])
      expect(await failure(name)).toEqual([
        1,
        expect.stringMatching(/ holds no conversation: expected lines such as /),
      ]);
    expect(await failure("broken.jsonl")).toEqual([
      1,
      expect.stringMatching(/broken\.jsonl:1 is no entry|broken\.jsonl:2 is no JSON/),
    ]);
    expect(await failure("form.jsonl")).toEqual([
      1,
      expect.stringMatching(/form\.jsonl: entry 1 is no entry of a log: sender\.kind/),
    ]);
    expect(await failure("prose.txt", "--host", "x")).toEqual([1, expect.any(String)]);
    expect(await failure("x", "--repeats", "1")).toEqual([2, expect.stringContaining("a whole number from 2 to 1000")]);
    expect(await failure("x", "--guard", "maybe")).toEqual([2, expect.stringContaining("Allowed choices are on, off")]);
  });

  it("replays the example of the guide as the guide shows it", async () => {
    const guide = readFileSync(join(packageDir, "docs/guard.md"), "utf8");
    const [, talk = ""] = /```text title=parking\.txt\n([\s\S]*?)```/.exec(guide) ?? [];
    const shown = [...guide.matchAll(/```console\n\$ troupe simulate parking\.txt(.*)\n([\s\S]*?)```/g)];
    const project = createProject({ "parking.txt": talk });

    expect(shown.length).toBeGreaterThan(1);
    for (const [, flags = "", output] of shown) {
      const args = flags.split(" ").filter((word) => word !== "");
      expect(await simulate(project, "parking.txt", ...args)).toBe(output);
    }
  });
});
