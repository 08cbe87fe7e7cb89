import { describe, expect, it } from "vitest";
import type { Schedule } from "../../../src/domain/schedule.js";
import type { Errand } from "../../../src/engine/errands.js";
import type { Fire } from "../../../src/engine/schedules/records.js";
import type { Store } from "../../../src/ports/store.js";
import { createMemoryStore } from "../../../src/store/memory/memory-store.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { createPuppets } from "../../support/puppets.js";
import { ANN, BOB, ROOM, scripted, startRooms } from "../../support/rooms.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function schedulesIn(store: Store): Promise<readonly Schedule[]> {
  return (await store.list<Schedule>(ROOM, "schedule")).map(({ value }) => value);
}

async function fires(store: Store): Promise<readonly string[]> {
  const found = await store.list<Fire>(ROOM, "fire");
  return found.map(({ value: { schedule, state, reason } }) =>
    [schedule, state, reason].filter((word) => word !== undefined).join(" "),
  );
}

describe("a schedule that fires", () => {
  it("runs its persona's turn with the prompt, which stands in no log", async () => {
    const rooms = await startRooms({ personas: [scripted("alpha", ["water", "Water the plants!"])] });

    const made = await rooms.command("schedule once plants 10m alpha Remind them of the water");
    expect(made).toMatchObject({ ok: true, public: true });
    await rooms.clock.advance(10 * MINUTE - 1);
    expect(await rooms.lines()).toEqual([]);
    await rooms.clock.advance(1);

    expect(await rooms.lines()).toEqual(["Alpha: Water the plants!"]);
    expect(rooms.chat.messages.at(-1)?.post).toMatchObject({ identity: { name: "alpha" } });
    const log = await rooms.log();
    expect(log.map(({ entry }) => entry.kind)).toEqual(["notice", "ack", "message"]);
    expect(JSON.stringify(log)).not.toContain("Remind them");
    expect(log.at(-1)?.entry.cause).toMatchObject({ kind: "schedule", root: ANN.id });
    expect(await schedulesIn(rooms.store)).toEqual([]);
    expect(await fires(rooms.store)).toEqual(["plants done"]);
  });

  it("goes on at each time of its expression, in its zone", async () => {
    const rooms = await startRooms({ personas: [scripted("alpha", "Good morning.")] });

    // 09:00 UTC on a Monday; in Berlin it is ten.
    await rooms.command('schedule add morning "0 11 * * * Europe/Berlin" alpha Say hello');
    await rooms.clock.advance(HOUR - 1);
    expect(await rooms.lines()).toEqual([]);
    await rooms.clock.advance(1);
    expect(await rooms.lines()).toHaveLength(1);
    await rooms.clock.advance(48 * HOUR);

    expect(await rooms.lines()).toHaveLength(3);
    expect(await schedulesIn(rooms.store)).toMatchObject([{ fires: 3, enabled: true }]);
  });

  it("waits until what was said before has been answered", async () => {
    const puppets = createPuppets();
    const rooms = await startRooms({ personas: [puppets.persona("alpha")], brains: () => [puppets.brain] });
    puppets.plan("alpha", { wait: true }, { say: "first" });
    puppets.plan("alpha", { say: "second" });
    puppets.plan("alpha", { say: "the scheduled one" });
    await rooms.command("schedule once later 1m alpha Do it");

    await rooms.say("@alpha one");
    await rooms.clock.advance(2 * MINUTE);
    await rooms.say("@alpha two");
    expect(await fires(rooms.store)).toEqual(["later claimed"]);
    puppets.open();
    await rooms.quiet();

    expect(await rooms.lines()).toEqual([
      "Ann: @alpha one",
      "Ann: @alpha two",
      "Alpha: first",
      "Alpha: second",
      "Alpha: the scheduled one",
    ]);
    expect(await fires(rooms.store)).toEqual(["later done"]);
  });

  it("does not pile up: a time that comes while the last one still runs is skipped", async () => {
    const puppets = createPuppets();
    const rooms = await startRooms({ personas: [puppets.persona("alpha")], brains: () => [puppets.brain] });
    puppets.plan("alpha", { wait: true }, { say: "at last" });
    await rooms.command('schedule add tick "* * * * *" alpha Do it');

    await rooms.clock.advance(3 * MINUTE);
    expect(await fires(rooms.store)).toEqual(["tick running", "tick skipped busy", "tick skipped busy"]);
    puppets.open();
    await rooms.quiet();

    expect(await rooms.lines()).toEqual(["Alpha: at last"]);
    expect(await schedulesIn(rooms.store)).toMatchObject([{ fires: 1, enabled: true }]);
  });

  it("shows a fresh turn nothing of what was said before, and leaves the live one's memory alone", async () => {
    const seen: number[] = [];
    const puppets = createPuppets();
    puppets.always("alpha", (turn) => [
      { run: async () => void seen.push((await turn.view(10_000)).length) },
      { say: `turn ${turn.number}` },
    ]);
    const rooms = await startRooms({ personas: [puppets.persona("alpha")], brains: () => [puppets.brain] });
    await rooms.say("@alpha hello");
    await rooms.command("schedule once a 1m alpha Pinned");
    const [record] = await rooms.store.list<Schedule>(ROOM, "schedule");
    const fresh = { ...record?.value, id: "b", fresh: true };
    await rooms.store.commit({
      room: ROOM,
      put: [{ kind: "schedule", key: "b", value: fresh, due: record?.due ?? 0 }],
    });

    await rooms.clock.advance(2 * MINUTE);

    expect(seen).toEqual([1, 3, 1]);
    expect(await rooms.lines()).toEqual(["Ann: @alpha hello", "Alpha: turn 1", "Alpha: turn 2", "Alpha: turn 1"]);
    await rooms.say("@alpha again");
    expect((await rooms.lines()).at(-1)).toBe("Alpha: turn 3");
  });

  it("says nothing when its turn says nothing, and is done all the same", async () => {
    const rooms = await startRooms({ personas: [scripted("alpha", ["never", "x"])] });
    await rooms.command("schedule once quiet 1m alpha Say it only if it matters");
    await rooms.clock.advance(MINUTE);

    expect(await rooms.lines()).toEqual([]);
    expect(await fires(rooms.store)).toEqual(["quiet done"]);
  });

  it("ends after its last fire, and after its expiry", async () => {
    const rooms = await startRooms({
      personas: [
        scripted("alpha", {
          when: "make",
          steps: [
            { tool: "schedule_add", input: { id: "twice", cron: "* * * * *", prompt: "count", max_fires: 2 } },
            {
              tool: "schedule_add",
              input: { id: "short", cron: "* * * * *", prompt: "until", expires_at: "2026-01-05T09:02:30Z" },
            },
          ],
        }),
      ],
    });
    await rooms.say("@alpha make");
    await rooms.clock.advance(10 * MINUTE);

    expect(await schedulesIn(rooms.store)).toMatchObject([
      { id: "short", fires: 2, enabled: false, off: "expired" },
      { id: "twice", fires: 2, enabled: false, off: "max_fires" },
    ]);
    const notices = (await rooms.log()).filter(({ entry }) => entry.kind === "notice");
    expect(notices).toEqual([]);
  });
});

describe("a fire that fails", () => {
  it("is tried again after a growing pause, then the one-shot is off; each time the room gets one line", async () => {
    const rooms = await startRooms({
      personas: [scripted("alpha", { steps: [{ fail: "the model is away." }] })],
    });
    await rooms.command("schedule once job 1m alpha Do it");
    await rooms.clock.advance(MINUTE);
    expect(await schedulesIn(rooms.store)).toMatchObject([{ failures: 1, due: rooms.clock.now() + MINUTE }]);
    await rooms.clock.advance(MINUTE);
    expect(await schedulesIn(rooms.store)).toMatchObject([{ failures: 2, due: rooms.clock.now() + 4 * MINUTE }]);
    await rooms.clock.advance(HOUR);

    expect(await schedulesIn(rooms.store)).toMatchObject([{ enabled: false, off: "failures", failures: 3 }]);
    const lines = (await rooms.log()).filter(({ entry }) => entry.kind === "error").map(({ entry }) => entry.text);
    expect(lines).toEqual([
      "Alpha could not do what its schedule job asks: the model is away. Its next time is 2026-01-05T09:02:00Z.",
      "Alpha could not do what its schedule job asks: the model is away. Its next time is 2026-01-05T09:06:00Z.",
      "Alpha could not do what its schedule job asks: the model is away. It is off now: it failed too often in a row.",
    ]);
    expect(rooms.chat.messages.slice(-3).map(({ post }) => post.identity?.name)).toEqual(["alpha", "alpha", "alpha"]);
  });

  it("counts failures in a row only", async () => {
    const fail = { steps: [{ fail: "no." }], times: 2 };
    const rooms = await startRooms({ personas: [scripted("alpha", fail, "fine")] });
    await rooms.command('schedule add job "* * * * *" alpha Do it');
    await rooms.clock.advance(4 * MINUTE);

    expect(await fires(rooms.store)).toEqual(["job failed no.", "job failed no.", "job done", "job done"]);
    const [job] = await schedulesIn(rooms.store);
    expect(job).toMatchObject({ fires: 2, failures: 0, enabled: true });
    expect(job).not.toHaveProperty("lastError");
  });

  it("is no failure when a person stops it", async () => {
    const puppets = createPuppets();
    const rooms = await startRooms({ personas: [puppets.persona("alpha")], brains: () => [puppets.brain] });
    puppets.plan("alpha", { wait: true }, { say: "not any more" });
    await rooms.command('schedule add job "* * * * *" alpha Do it');
    await rooms.clock.advance(MINUTE);
    await rooms.command("agent stop alpha", BOB);
    await rooms.quiet();

    expect(await fires(rooms.store)).toEqual(["job skipped stopped by Bob"]);
    expect(await schedulesIn(rooms.store)).toMatchObject([{ fires: 0, failures: 0, enabled: true }]);
  });
});

describe("membership", () => {
  it("a persona that is not in the room any more is not brought back: its schedule is off, and the room is told", async () => {
    const rooms = await startRooms({ personas: [scripted("alpha", "hello"), scripted("beta", "hi")] });
    await rooms.command('schedule add job "* * * * *" alpha Do it');
    await rooms.command("agent remove alpha");
    await rooms.clock.advance(3 * MINUTE);

    expect(await rooms.lines()).toEqual([]);
    expect(await schedulesIn(rooms.store)).toMatchObject([{ enabled: false, off: "not_here" }]);
    const told = (await rooms.log()).filter(({ entry }) => entry.text.includes("is off"));
    expect(told.map(({ entry }) => entry.text)).toEqual([
      "The schedule job of Alpha is off: its persona is not in this room.",
    ]);
  });

  it("holds also for one that leaves while its fire waits", async () => {
    const puppets = createPuppets();
    const personas = [puppets.persona("alpha"), puppets.persona("beta")];
    const rooms = await startRooms({ personas, brains: () => [puppets.brain] });
    puppets.plan("beta", { wait: true }, { say: "done" });
    await rooms.command("schedule once job 1m alpha Do it");
    await rooms.say("@beta go");
    await rooms.clock.advance(MINUTE);
    await rooms.command("agent remove alpha");
    puppets.open();
    await rooms.quiet();

    expect(puppets.turns).toEqual(["beta<@beta go"]);
    expect(await fires(rooms.store)).toEqual(["job skipped not_here"]);
    expect(await schedulesIn(rooms.store)).toMatchObject([{ enabled: false, off: "not_here" }]);
  });

  it("a schedule that is removed while its fire waits does not run", async () => {
    const puppets = createPuppets();
    const rooms = await startRooms({ personas: [puppets.persona("alpha")], brains: () => [puppets.brain] });
    puppets.plan("alpha", { wait: true }, { say: "done" });
    await rooms.command("schedule once job 1m alpha Do it");
    await rooms.say("@alpha go");
    await rooms.clock.advance(MINUTE);
    await rooms.command("schedule remove job");
    puppets.open();
    await rooms.quiet();

    expect(puppets.turns).toEqual(["alpha<@alpha go"]);
    expect(await fires(rooms.store)).toEqual(["job skipped removed"]);
    expect(await rooms.store.list<Errand>(ROOM, "errand")).toEqual([]);
  });
});

describe("times that passed unseen", () => {
  it("a cron time is skipped and a one-shot fires once, at the next start", async () => {
    const [store, clock] = [createMemoryStore(), createFakeClock()];
    const personas = [scripted("alpha", ["cron", "the cron one"], ["shot", "the one-shot"])];
    const first = await startRooms({ personas, store, clock });
    await first.command('schedule add daily "0 10 * * *" alpha cron');
    await first.command("schedule once shot 30m alpha shot");
    await first.troupe.stop();
    await clock.advance(49 * HOUR);
    const second = await startRooms({ personas, store, clock });
    await second.quiet();

    expect(await second.lines()).toEqual(["Alpha: the one-shot"]);
    expect(await fires(store)).toEqual(["shot done", "daily skipped missed"]);
    expect(await schedulesIn(store)).toMatchObject([{ id: "daily", fires: 0, due: Date.UTC(2026, 0, 8, 10) }]);
    await clock.advance(24 * HOUR);
    expect((await second.lines()).at(-1)).toBe("Alpha: the cron one");
  });

  it("a schedule that says so makes up for them, once", async () => {
    const [store, clock] = [createMemoryStore(), createFakeClock()];
    const make = {
      when: "make",
      steps: [{ tool: "schedule_add", input: { id: "daily", cron: "0 10 * * *", prompt: "do it", missed: "once" } }],
    };
    const personas = [scripted("alpha", make, "made up for")];
    const first = await startRooms({ personas, store, clock });
    await first.say("@alpha make");
    await first.troupe.stop();
    await clock.advance(72 * HOUR);
    const second = await startRooms({ personas, store, clock });
    await second.quiet();
    await second.clock.advance(MINUTE);

    expect(await second.lines()).toEqual(["Ann: @alpha make", "Alpha: made up for"]);
    expect(await fires(store)).toEqual(["daily done"]);
  });
});
