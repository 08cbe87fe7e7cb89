import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { createProject, type RunningService, runCli, scriptedPersona, startService } from "../support/cli.js";
import { call, json } from "../support/http-client.js";
import { WEB_ROOM, webPerson } from "../support/web-room.js";

const PAIR = "alpha~beta";
const INTRUDER = resolve(import.meta.dirname, "../support/intruder.mjs");

interface Tried {
  readonly report: { readonly at: string };
  readonly environment: readonly string[];
  readonly keys: number;
  readonly statuses: readonly number[];
  readonly database: string;
}

/** A running service with two personas that loop and have just been paused, at the third message. */
async function paused(pairGuard: string, env: Readonly<Record<string, string>> = {}) {
  const project = createProject({
    "troupe.yaml": `pair_guard: { alternations: 3, ${pairGuard} }\n`,
    "personas/alpha.md": scriptedPersona("alpha", 'say: "@beta is that so?"'),
    "personas/beta.md": scriptedPersona("beta", 'say: "Yes, @alpha."'),
  });
  const service = await startService(project, env);
  const person = webPerson(service);
  await person.say("@alpha go");
  await person.until(({ kind }) => kind === "agent_pair_held");
  return { project, service, person };
}

function resume({ port }: RunningService, key: string | undefined) {
  const path = `/api/rooms/${encodeURIComponent(WEB_ROOM)}/pairs/${encodeURIComponent(PAIR)}/resume`;
  return call(port, path, { method: "POST", ...(key === undefined ? {} : { key }) });
}

async function pairsOf({ port, key }: RunningService): Promise<unknown> {
  const answered = await call(port, `/api/rooms/${encodeURIComponent(WEB_ROOM)}`, { key });
  // Our own service's form, as product.md has it.
  return (json(answered) as { readonly pairs: unknown }).pairs;
}

const PAUSED = { id: PAIR, personas: ["alpha", "beta"], state: "paused", reason: "alternation", held: 1 };

/** What the notify command has written, once it has. */
async function tried(project: string): Promise<readonly Tried[]> {
  const file = join(project, "tried.json");
  // The file is there before its first line is whole.
  const written = () => (existsSync(file) ? readFileSync(file, "utf8") : "");
  while (!written().endsWith("\n")) await new Promise((done) => setTimeout(done, 10));
  const lines = written().trim().split("\n");
  return lines.map((line): Tried => JSON.parse(line));
}

const asIntruder = `notify_command: ["${process.execPath}", "${INTRUDER}", "${WEB_ROOM}", "${PAIR}"]`;

describe("A paused pair of a running service", { timeout: 60_000 }, () => {
  it("is resumed by no child with its environment, the data folder and the page; only by the person, and once", async () => {
    const { project, service, person } = await paused(asIntruder, { ANTHROPIC_API_KEY: "sk-0123456789" });
    const [first, ...more] = await tried(project);

    expect(more).toEqual([]);
    expect(first?.keys).toBeGreaterThan(0);
    expect(first?.statuses.length).toBeGreaterThan(7);
    expect(first?.statuses.filter((status) => ![401, 403, 429].includes(status))).toEqual([]);
    expect(first?.database).toBe("SQLITE_BUSY");
    expect(first?.environment.toSorted()).toEqual(["PATH", "TMPDIR", "TZ"]);

    const { token } = JSON.parse(readFileSync(join(project, "data/service.json"), "utf8"));
    const refused = [await resume(service, undefined), await resume(service, token)];
    expect(refused.map(({ status }) => status)).toEqual([401, 403]);
    expect(await pairsOf(service)).toEqual([PAUSED]);
    expect(await person.lines()).toEqual([
      "You: @alpha go",
      "alpha: @beta is that so?",
      "beta: Yes, @alpha.",
      "alpha: @beta is that so?",
    ]);

    const answered = await resume(service, service.key);
    const log = await person.until(({ kind }) => kind === "agent_pair_released");
    expect([answered.status, json(answered)]).toEqual([200, { session: WEB_ROOM, resumed: 1, delivered: 1 }]);
    expect(log.filter(({ kind }) => kind === "agent_pair_released")).toHaveLength(1);
  });

  it("is told of once, also when the service is killed and starts again", async () => {
    const { project, service } = await paused(asIntruder);
    const [{ report } = { report: undefined }] = await tried(project);

    service.signal("SIGKILL");
    await service.exited;
    const again = await startService(project);
    const pairs = await pairsOf(again);
    again.signal("SIGTERM");
    await again.exited;

    expect(report).toEqual({
      room: WEB_ROOM,
      session: WEB_ROOM,
      pair: ["alpha", "beta"],
      reason: "alternation",
      count: 3,
      limit: 3,
      held: 1,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(pairs).toEqual([PAUSED]);
    expect(await tried(project)).toHaveLength(1);
  });

  it("is listed by the command line, with the service and without it; a notify command that is not there is one line in the log", async () => {
    const { project, service } = await paused('notify_command: ["no-such-pager"]');
    const read = async (...args: readonly string[]) => (await runCli(args, { cwd: project })).stdout;

    const live = [await read("pairs"), await read("pairs", "--json"), await read("room", WEB_ROOM)];
    service.signal("SIGTERM");
    const { stderr } = await service.exited;
    const stored = [await read("pairs"), await read("pairs", "--json"), await read("room", WEB_ROOM)];

    expect(stored).toEqual(live);
    const [table = "", asJson = "", room = ""] = live;
    expect(table).toBe(
      `${WEB_ROOM}  alpha and beta  paused: alternation  1 held\nResume in the room: the button of the notice, or /agent resume A B\n`,
    );
    expect(JSON.parse(asJson)).toEqual({ pairs: [{ room: WEB_ROOM, ...PAUSED }] });
    expect(room).toContain("pairs\n  alpha and beta  paused: alternation  1 held\n");
    const lines = stderr.split("\n").filter((line) => line.includes("the notify command of the pair guard failed"));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("no-such-pager is not there: see pair_guard.notify_command");
  });
});

describe("troupe pairs", () => {
  it("says so when nothing is paused", async () => {
    const { stdout, code } = await runCli(["pairs"], { cwd: createProject() });

    expect([code, stdout]).toEqual([0, "No pair is paused.\n"]);
  });
});
