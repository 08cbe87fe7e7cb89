import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  createProject,
  type RunningService,
  runCli,
  scriptedPersona,
  startCli,
  startService,
  writeIn,
} from "../support/cli.js";
import { WEB_ROOM, webPerson } from "../support/web-room.js";

/** A project in which a person and two personas have talked, its service still running. */
async function talked(...says: readonly string[]): Promise<{ project: string; service: RunningService }> {
  const project = createProject({
    "troupe.yaml": "multi_agent:\n  burst_budget: 2\n",
    "personas/alpha.md": scriptedPersona("alpha", 'say: "I ask. @beta really?"'),
    "personas/beta.md": scriptedPersona("beta", 'say: "Yes, @alpha."'),
  });
  const service = await startService(project);
  const person = webPerson(service);
  for (const text of says) await person.say(text);
  if (says.length > 0) await person.until(({ kind }) => kind === "notice");
  return { project, service };
}

async function stop(service: RunningService): Promise<void> {
  service.signal("SIGTERM");
  await service.exited;
}

/** Runs a command in a project; it must end with 0 and no word on standard error. */
async function read(project: string, ...args: readonly string[]): Promise<string> {
  const ran = await runCli(args, { cwd: project });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  return ran.stdout;
}

const COMMANDS: readonly (readonly string[])[] = [
  ["rooms"],
  ["rooms", "--json"],
  ["room", WEB_ROOM],
  ["room", WEB_ROOM, "--json"],
  ["log", WEB_ROOM],
  ["log", WEB_ROOM, "--json"],
  ["log", WEB_ROOM, "--after", "3"],
];

describe("The reading commands", { timeout: 60_000 }, () => {
  it("answer alike with the service running, and from the store without it", async () => {
    const { project, service } = await talked("@alpha is that so?");

    const live: string[] = [];
    for (const args of COMMANDS) live.push(await read(project, ...args));
    await stop(service);
    const stored: string[] = [];
    for (const args of COMMANDS) stored.push(await read(project, ...args));

    expect(stored).toEqual(live);
    const [rooms = "", roomsJson = "", room = "", roomJson = "", log = "", logJson = "", rest = ""] = stored;
    expect(rooms).toMatch(/^web:local:main {2}alpha, beta {2}\d+ entries\n$/);
    expect(JSON.parse(roomsJson)).toMatchObject({ rooms: [{ id: WEB_ROOM, personas: ["alpha", "beta"] }] });
    expect(room).toContain("burst     2/2 (configuration)");
    expect(room).toContain("Budget used up: ");
    expect(JSON.parse(roomJson)).toMatchObject({ id: WEB_ROOM, burst: { used: 2, budget: 2 }, workers: [], tasks: [] });
    expect(log).toMatch(/ 1 {2}\d\d:\d\d:\d\d {2}You: @alpha is that so\? \[woke alpha\]\n/);
    expect(log).toMatch(/beta: Yes, @alpha\. \[suppressed alpha\]\n/);
    const entries = logJson
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
    expect(entries[0]).toMatchObject({
      kind: "message",
      sender: { kind: "person", id: "web:local:person", name: "You" },
      text: "@alpha is that so?",
      cause: { kind: "person" },
      outcome: { kind: "parts", parts: [{ persona: "alpha", result: "woke" }] },
    });
    expect(rest).not.toMatch(/^ +3 /m);
    expect(rest).toMatch(/^ +4 /m);
  });

  it("read a data folder whose service was killed and has left its file behind", async () => {
    const { project, service } = await talked("@alpha is that so?");

    service.signal("SIGKILL");
    await service.exited;
    const rooms = await read(project, "rooms");

    expect(existsSync(join(project, "data/service.json"))).toBe(true);
    expect(rooms).toContain(WEB_ROOM);
  });

  it("pass by a service file whose process number and port belong to others now", async () => {
    const { project, service } = await talked("@alpha is that so?");
    const other = await startService(createProject());
    await stop(service);
    const stale = { url: other.url, token: "the token of a service that is gone", pid: process.pid };
    writeIn(project, "data/service.json", JSON.stringify(stale));

    const rooms = await read(project, "rooms");

    expect(rooms).toContain(WEB_ROOM);
  });

  it("say so when there is nothing yet, and make nothing", async () => {
    const project = createProject();

    const rooms = await read(project, "rooms");
    const json = await read(project, "rooms", "--json");
    const { code, stderr } = await runCli(["room", WEB_ROOM], { cwd: project });

    expect(rooms).toBe("No rooms yet: a room is made by its first message.\n");
    expect(JSON.parse(json)).toEqual({ rooms: [] });
    expect([code, stderr]).toEqual([1, `troupe: there is no room ${WEB_ROOM}: troupe rooms lists what there is\n`]);
    expect(existsSync(join(project, "data"))).toBe(false);
  });

  it.each(["room", "log"])("name the nearest room when %s is asked for one that does not exist", async (command) => {
    const { project } = await talked("@alpha is that so?");

    const { code, stdout, stderr } = await runCli([command, "web:local:mian"], { cwd: project });

    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toBe("troupe: there is no room web:local:mian: did you mean web:local:main?\n");
  });
});

describe("troupe log", { timeout: 60_000 }, () => {
  let project: string;
  let service: RunningService;

  it("shows texts from outside without letting them drive the terminal", async () => {
    ({ project, service } = await talked());
    const person = webPerson(service);
    await person.say("@beta red \u009b31m and \u202eright to left\n\tsecond line");
    await person.until(({ sender }) => sender.kind === "agent");

    const log = await read(project, "log", WEB_ROOM);

    expect(log).toContain("You: @beta red ⟨U+009B⟩31m and ⟨U+202E⟩right to left\n");
    expect(log).toMatch(/\n {19}second line /);
  });

  it("follows what comes until it is interrupted, and then ends with 0", async () => {
    ({ project, service } = await talked("@alpha is that so?"));
    const following = startCli(["log", WEB_ROOM, "--follow"], { cwd: project });
    await following.written(/Budget used up/);

    await webPerson(service).say("@beta and now?");
    await following.written(/You: @beta and now\?/);
    following.signal("SIGINT");
    const ran = await following.exited;

    expect(ran).toMatchObject({ code: 0, stderr: "" });
    const seqs = [...ran.stdout.matchAll(/^ +(\d+) {2}\d\d:/gm)].map((match) => Number(match[1]));
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  it("says that following needs the service when none runs", async () => {
    ({ project, service } = await talked("@alpha is that so?"));
    await stop(service);

    const { code, stdout, stderr } = await runCli(["log", WEB_ROOM, "--follow"], { cwd: project });

    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^troupe: --follow needs a running service, .*troupe start\n$/);
  });

  it("ends with 1 when the service that it follows ends", async () => {
    ({ project, service } = await talked("@alpha is that so?"));
    const following = startCli(["log", WEB_ROOM, "--follow"], { cwd: project });
    await following.written(/Budget used up/);

    await stop(service);
    const { code, stderr } = await following.exited;

    expect([code, stderr]).toEqual([1, "troupe: The service does not answer any more.\n"]);
  });

  it("ends quietly when its reader has seen enough", async () => {
    ({ project, service } = await talked("@alpha is that so?"));
    const following = startCli(["log", WEB_ROOM, "--follow"], { cwd: project });
    await following.written(/Budget used up/);

    following.closeStdout();
    await webPerson(service).say("@beta and now?");
    const { code, stderr } = await following.exited;

    expect([code, stderr]).toEqual([0, ""]);
  });
});
