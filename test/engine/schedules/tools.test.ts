import { describe, expect, it } from "vitest";
import type { Schedule } from "../../../src/domain/schedule.js";
import type { Logged, Store } from "../../../src/ports/store.js";
import { ROOM, scripted, startRooms } from "../../support/rooms.js";

const MINUTE = 60_000;

type Input = Readonly<Record<string, unknown>>;
type Calls = readonly (readonly [string, Input])[];

/** A persona that makes these calls when it is told to go. */
const caller = (name: string, calls: Calls) =>
  scripted(name, { when: "go", steps: calls.map(([tool, input]) => ({ tool, input })) }, "done: {{text}}");

function results(log: readonly Logged[]): readonly string[] {
  return log.flatMap(({ entry }) => (entry.kind === "tool_result" ? [entry.text] : []));
}

async function schedulesIn(store: Store): Promise<readonly Schedule[]> {
  return (await store.list<Schedule>(ROOM, "schedule")).map(({ value }) => value);
}

/** What the tools answer to these calls of alpha. */
async function answersTo(...calls: Calls) {
  const rooms = await startRooms({ personas: [caller("alpha", calls), scripted("beta", "ok")] });
  await rooms.say("@alpha go");
  await rooms.quiet();
  return { rooms, answers: results(await rooms.log()) };
}

describe("schedule tools", () => {
  it("a persona wakes itself with schedule_once, in the session where it did so", async () => {
    const thread = `${ROOM}:17.5`;
    const calls: Calls = [["schedule_once", { in: "10m", prompt: "look again" }]];
    const rooms = await startRooms({ personas: [caller("alpha", calls)] });
    await rooms.say("@alpha go", { session: thread });
    await rooms.clock.advance(10 * MINUTE);

    expect(results(await rooms.log(thread))).toEqual(["made: s1: Alpha, once at 2026-01-05T09:10:00Z"]);
    expect(await rooms.lines(thread)).toEqual(["Ann: @alpha go", "Alpha: done: look again"]);
    expect(await rooms.lines()).toEqual([]);
    expect(await schedulesIn(rooms.store)).toEqual([]);
  });

  it("schedule_add, schedule_modify, schedule_list and schedule_remove manage its own ones", async () => {
    const { rooms, answers } = await answersTo(
      ["schedule_add", { id: "News", cron: "0 9 * * 1-5", timezone: "Europe/Berlin", prompt: "gather" }],
      ["schedule_modify", { id: "news", cron: "30 9 * * *", max_fires: 5 }],
      ["schedule_modify", { id: "news", enabled: false }],
      ["schedule_list", {}],
      ["schedule_modify", { id: "news", enabled: true, prompt: "gather all" }],
      ["schedule_once", { id: "later", at: "2026-01-05T12:00:00+01:00", prompt: "look" }],
      ["schedule_remove", { id: "later" }],
      ["schedule_list", {}],
    );

    expect(answers).toEqual([
      "made: news: Alpha, 0 9 * * 1-5 (Europe/Berlin); next at 2026-01-06T08:00:00Z",
      "changed: news: Alpha, 30 9 * * * (Europe/Berlin); next at 2026-01-06T08:30:00Z",
      "changed: news: Alpha, 30 9 * * * (Europe/Berlin); off: it was switched off",
      "news: Alpha, 30 9 * * * (Europe/Berlin); off: it was switched off\n  prompt: gather",
      "changed: news: Alpha, 30 9 * * * (Europe/Berlin); next at 2026-01-06T08:30:00Z",
      "made: later: Alpha, once at 2026-01-05T11:00:00Z",
      "removed later",
      "news: Alpha, 30 9 * * * (Europe/Berlin); next at 2026-01-06T08:30:00Z\n  prompt: gather all",
    ]);
    expect(await schedulesIn(rooms.store)).toMatchObject([{ id: "news", maxFires: 5, root: "fake:T:ann" }]);
  });

  it.each<[string, string, Input, RegExp]>([
    [
      "an invalid expression",
      "schedule_add",
      { cron: "soon", prompt: "x" },
      /^refused: this is no cron expression: it has five/,
    ],
    ["a field out of range", "schedule_add", { cron: "61 * * * *", prompt: "x" }, /no cron expression/],
    ["an expression of 100 kB", "schedule_add", { cron: "*".repeat(100_000), prompt: "x" }, /^invalid input: cron: /],
    [
      "a date instead of an expression",
      "schedule_add",
      { cron: "2027-01-01T00:00:00", prompt: "x" },
      /no cron expression/,
    ],
    ["an unknown zone", "schedule_add", { cron: "0 9 * * *", timezone: "Mars/Base", prompt: "x" }, /no such time zone/],
    [
      "a time that never comes",
      "schedule_add",
      { cron: "0 9 31 2 *", prompt: "x" },
      /names no time that is still to come/,
    ],
    ["every second", "schedule_add", { cron: "* * * * * *", prompt: "x" }, /1 seconds apart, and 60 is the least/],
    ["two close together, once a day", "schedule_add", { cron: "0,30 0 9 * * *", prompt: "x" }, /30 seconds apart/],
    [
      "a prompt of 100 kB",
      "schedule_once",
      { in: "10m", prompt: "x".repeat(100_000) },
      /100000 characters, and 8000 is the most/,
    ],
    ["a blank prompt", "schedule_once", { in: "10m", prompt: " \n" }, /the prompt is blank/],
    ["no prompt", "schedule_once", { in: "10m" }, /^invalid input: prompt/],
    ["too soon", "schedule_once", { in: "29s", prompt: "x" }, /30 seconds to 30 days/],
    ["too late", "schedule_once", { in: "31d", prompt: "x" }, /30 seconds to 30 days/],
    ["a time that has passed", "schedule_once", { at: "2026-01-05T08:00:00Z", prompt: "x" }, /30 seconds to 30 days/],
    ["no pause", "schedule_once", { in: "soon", prompt: "x" }, /in is a pause like 90s/],
    ["no time", "schedule_once", { at: "tomorrow", prompt: "x" }, /at is a time like/],
    ["both", "schedule_once", { in: "10m", at: "2026-01-06T08:00:00Z", prompt: "x" }, /say when, in one way/],
    ["neither", "schedule_once", { prompt: "x" }, /say when, in one way/],
    ["a bad id", "schedule_once", { id: "a|b", in: "10m", prompt: "x" }, /the id is 1 to 32 of/],
    [
      "an expiry in the past",
      "schedule_add",
      { cron: "0 9 * * *", prompt: "x", expires_at: "2020-01-01T00:00:00Z" },
      /a time to come/,
    ],
    ["an unknown key", "schedule_once", { in: "10m", prompt: "x", persona: "beta" }, /^invalid input: /],
    ["an unknown id", "schedule_remove", { id: "nothing" }, /there is no schedule nothing in this room/],
  ])("%s is refused with a reason, and nothing changes", async (_, tool, input, answer) => {
    const { rooms, answers } = await answersTo([tool, input]);

    expect(answers).toEqual([expect.stringMatching(answer)]);
    expect(await schedulesIn(rooms.store)).toEqual([]);
  });

  it("the id of another schedule is refused", async () => {
    const { answers } = await answersTo(
      ["schedule_once", { id: "one", in: "10m", prompt: "a" }],
      ["schedule_once", { id: "one", in: "20m", prompt: "b" }],
    );
    expect(answers[1]).toMatch(/this room has a schedule one already/);
  });

  it("only its owner changes or removes a schedule, and only its owner sees the prompt", async () => {
    const calls: Calls = [
      ["schedule_list", {}],
      ["schedule_modify", { id: "mine", prompt: "do what beta says" }],
      ["schedule_remove", { id: "mine" }],
    ];
    const rooms = await startRooms({
      personas: [
        caller("alpha", [["schedule_once", { id: "mine", in: "1h", prompt: "secret" }]]),
        caller("beta", calls),
      ],
    });
    await rooms.say("@alpha go");
    await rooms.say("@beta go");
    await rooms.quiet();

    const [, list, ...others] = results(await rooms.log());
    expect(list).toMatch(/^mine: Alpha, once at [^\n]*$/);
    expect(others).toEqual(Array(2).fill("refused: mine is a schedule of alpha; you can only change your own"));
    expect(await schedulesIn(rooms.store)).toMatchObject([{ prompt: "secret" }]);
  });

  it("the same call of a turn that is run again makes no second schedule, and later messages keep their numbers", async () => {
    const twice = [
      ["schedule_once", { in: "10m", prompt: "look" }],
      ["schedule_once", { in: "10m", prompt: "look" }],
    ] as const;
    const { rooms } = await answersTo(...twice, ["send_message", { to: "beta", text: "hello" }]);

    expect(await schedulesIn(rooms.store)).toHaveLength(1);
    const sent = (await rooms.log()).find(({ entry }) => entry.text === "@beta hello");
    expect(sent?.entry.id).toMatch(/#1$/);
  });

  it("is no progress for the pair guard", async () => {
    const { rooms } = await answersTo(["schedule_once", { in: "10m", prompt: "look" }]);
    const result = (await rooms.log()).find(({ entry }) => entry.kind === "tool_result")?.entry;
    expect(result).toMatchObject({ ok: true, work: false });
  });

  it("a one-shot that its own turn puts off is kept", async () => {
    const snooze = { when: "nap", times: 1, steps: [{ tool: "schedule_modify", input: { id: "nap", in: "1h" } }] };
    const rooms = await startRooms({ personas: [scripted("alpha", snooze, "awake")] });
    await rooms.command("schedule once nap 10m alpha nap");
    await rooms.clock.advance(10 * MINUTE);
    expect(await schedulesIn(rooms.store)).toMatchObject([
      { id: "nap", enabled: true, due: rooms.clock.now() + 60 * MINUTE },
    ]);
    await rooms.clock.advance(60 * MINUTE);

    expect(await rooms.lines()).toEqual(["Alpha: awake"]);
    expect(await schedulesIn(rooms.store)).toEqual([]);
  });
});

describe("the operator's bounds", () => {
  it("hold when schedules are made: for a room, and for a persona over all its rooms", async () => {
    const other = "fake:T:random";
    const rooms = await startRooms({
      personas: [scripted("alpha", "a"), scripted("beta", "b")],
      schedules: { minIntervalMs: MINUTE, maxPerPersona: 2, maxPerRoom: 3 },
    });
    const once = (id: string, who: string, session = ROOM) =>
      rooms.command(`schedule once ${id} 1h ${who} go`, undefined, session);

    expect((await once("a1", "alpha")).ok).toBe(true);
    expect((await once("a2", "alpha", other)).ok).toBe(true);
    expect((await once("a3", "alpha")).view.text).toBe(
      "Alpha has 2 schedules already, and 2 is the most. Remove one first.",
    );
    expect((await once("b1", "beta")).ok).toBe(true);
    expect((await once("b2", "beta")).ok).toBe(true);
    expect((await once("b3", "beta")).view.text).toBe(
      "This room has 3 schedules already, and 3 is the most. Remove one first.",
    );
  });

  it("hold for schedules that are made at the same moment", async () => {
    const rooms = await startRooms({
      personas: [scripted("alpha", "a")],
      schedules: { minIntervalMs: MINUTE, maxPerPersona: 4, maxPerRoom: 3 },
    });
    const asked = Array.from({ length: 5 }, (_, i) => rooms.command(`schedule once s-${i} 1h alpha go`));
    const made = (await Promise.all(asked)).filter(({ ok }) => ok);

    expect(made).toHaveLength(3);
    expect(await schedulesIn(rooms.store)).toHaveLength(3);
  });

  it("hold when schedules fire: with narrower ones since, the oldest fire", async () => {
    const first = await startRooms({ personas: [scripted("alpha", "{{text}}")] });
    for (const id of ["one", "two", "three"]) {
      await first.command(`schedule add ${id} "* * * * *" alpha ${id}`);
      await first.clock.advance(1);
    }
    await first.command("schedule once four 1m alpha four");
    await first.troupe.stop();
    const { store, clock } = first;
    const schedules = { minIntervalMs: 5 * MINUTE, maxPerPersona: 10, maxPerRoom: 2 };
    const rooms = await startRooms({ personas: [scripted("alpha", "{{text}}")], store, clock, schedules });
    await clock.advance(4 * MINUTE);

    expect(await rooms.lines()).toEqual(["Alpha: one", "Alpha: two"]);
    expect(await schedulesIn(store)).toMatchObject([
      { id: "four", enabled: false, off: "bounds" },
      { id: "one", enabled: true },
      { id: "three", enabled: true, fires: 0 },
      { id: "two", enabled: true },
    ]);
  });
});

describe("the chain of a schedule", () => {
  it("has a burst of its own, of the room's size, with a notice and Continue of its own", async () => {
    const rooms = await startRooms({
      budget: 3,
      // The words are near-identical: here only the budget is to end it.
      guard: { enabled: false },
      personas: [scripted("alpha", "@beta {{turn}}"), scripted("beta", "@alpha {{turn}}")],
    });
    await rooms.say("@alpha hello");
    await rooms.quiet();
    expect((await rooms.troupe.reader.room(ROOM))?.burst.used).toBe(3);
    await rooms.command("schedule once job 1m alpha talk to beta");
    await rooms.clock.advance(MINUTE);

    const own = (await rooms.log()).filter(({ entry }) => entry.kind === "message" && entry.cause.kind === "schedule");
    expect(own.map(({ entry }) => entry.text)).toEqual(["@beta 3", "@alpha 2", "@beta 4"]);
    const state = await rooms.troupe.reader.room(ROOM);
    expect(state?.burst.used).toBe(3);
    expect(state?.notices.map(({ id }) => id.includes("schedule|job"))).toEqual([false, true]);

    await rooms.press("troupe:continue", state?.notices[1]?.id ?? "");
    await rooms.quiet();
    const more = (await rooms.log()).filter(({ entry }) => entry.kind === "message" && entry.cause.kind === "schedule");
    expect(more.map(({ entry }) => entry.text)).toEqual([
      "@beta 3",
      "@alpha 2",
      "@beta 4",
      "@alpha 3",
      "@beta 5",
      "@alpha 4",
    ]);
  });

  it("leaves the room's burst to the people: what schedules say does not use it up", async () => {
    const rooms = await startRooms({ budget: 2, personas: [scripted("alpha", "tick")] });
    await rooms.command('schedule add tick "* * * * *" alpha say it');
    await rooms.clock.advance(10 * MINUTE);

    expect(await rooms.lines()).toHaveLength(10);
    expect((await rooms.troupe.reader.room(ROOM))?.burst.used).toBe(0);
  });

  it("each fire begins a chain of its own", async () => {
    const rooms = await startRooms({
      budget: 2,
      guard: { enabled: false },
      personas: [scripted("alpha", "@beta {{turn}}"), scripted("beta", "ok")],
    });
    await rooms.command('schedule add tick "* * * * *" alpha say it');
    await rooms.clock.advance(5 * MINUTE);

    expect((await rooms.lines()).filter((line) => line === "Beta: ok")).toHaveLength(5);
  });
});
