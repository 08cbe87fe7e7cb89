import { describe, expect, it, onTestFinished } from "vitest";
import type { Schedule } from "../../../src/domain/schedule.js";
import type { Errand } from "../../../src/engine/errands.js";
import type { Fire } from "../../../src/engine/schedules/records.js";
import type { Change } from "../../../src/ports/store.js";
import { createMemoryKeyValue } from "../../../src/store/memory/memory-key-value.js";
import { createMemoryStore } from "../../../src/store/memory/memory-store.js";
import { createSqliteStore } from "../../../src/store/sqlite/sqlite-store.js";
import { createFakeChat } from "../../fakes/chat-platform.js";
import { createFakeClock, settle } from "../../support/fake-clock.js";
import { createPuppets } from "../../support/puppets.js";
import { ROOM, scripted, startRooms, type TestRooms } from "../../support/rooms.js";
import { createTempDir } from "../../support/temp-dir.js";
import { type WatchedStore, watchStore } from "../../support/watched-store.js";

const MINUTE = 60_000;

const PERSONAS = [
  scripted("alpha", {
    when: "ask",
    steps: [{ tool: "send_message", input: { to: "beta", text: "Any news?" } }, { say: "I asked." }],
  }),
  scripted("beta", "None."),
];

/** Waits for the file system, which does not go by the clock of the test. */
async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await settle();
}

async function endOf({ store, chat, lines, log }: TestRooms) {
  const fires = await store.list<Fire>(ROOM, "fire");
  return {
    lines: await lines(),
    posts: chat.messages.map(({ post }) => (post.body.kind === "view" ? post.body.view.text : post.body.text)),
    fires: fires.map(({ value: { schedule, at, state } }) => [schedule, at, state]),
    errands: (await store.list<Errand>(ROOM, "errand")).length,
    schedules: (await store.list<Schedule>(ROOM, "schedule")).map(({ value: { id, due, fires, open } }) => ({
      id,
      due,
      fires,
      open,
    })),
    undecided: (await log()).filter(({ entry, outcome }) => entry.kind === "message" && outcome === undefined).length,
  };
}

/** Two schedules have been made; their times come, and the process dies instead of making the commits of these numbers. */
async function story(...deaths: readonly number[]) {
  const inner = createMemoryStore();
  const [settings, chat, clock] = [createMemoryKeyValue("settings"), createFakeChat(), createFakeClock()];
  const start = (store: WatchedStore) => startRooms({ personas: PERSONAS, store, settings, chat, clock });
  const before = await start(watchStore(inner));
  await before.command("schedule once shot 1m alpha ask");
  await before.command('schedule add tick "* * * * *" beta say it');
  await before.troupe.stop();

  let commits = 0;
  let rooms: TestRooms | undefined;
  const lives: WatchedStore[] = [];
  for (let life = 0; life <= deaths.length; life++) {
    lives.at(-1)?.cut();
    const store = watchStore(inner);
    lives.push(store);
    store.before = () => (deaths.includes(++commits) ? "crash" : undefined);
    rooms = await start(store);
    const wait = life === 0 ? MINUTE : 5_000;
    await clock.advance(wait);
  }
  if (rooms === undefined) throw new Error("there was no life");
  await clock.advance(40_000);
  const end = await endOf(rooms);
  await rooms.troupe.stop().catch(() => undefined);
  return { end, commits };
}

describe("Schedules", () => {
  it("fire as told when nothing dies", async () => {
    const { end } = await story();

    expect(end).toMatchObject({
      lines: ["Alpha: @beta Any news?", "Alpha: I asked.", "Beta: None.", "Beta: None."],
      fires: [
        ["shot", Date.UTC(2026, 0, 5, 9, 1), "done"],
        ["tick", Date.UTC(2026, 0, 5, 9, 1), "done"],
      ],
      errands: 0,
      schedules: [{ id: "tick", due: Date.UTC(2026, 0, 5, 9, 2), fires: 1 }],
      undecided: 0,
    });
    expect(end.posts.slice(2)).toEqual(end.lines.map((line) => line.replace(/^\w+: /, "")));
  });

  it("fire once when the process dies at any commit, and nothing is said or posted twice", async () => {
    const { end: expected, commits } = await story();
    expect(commits).toBeGreaterThan(10);
    for (let death = 1; death <= commits; death++) {
      const { end } = await story(death);
      expect({ death, ...end, lines: [...end.lines].sort(), posts: [...end.posts].sort() }).toEqual({
        death,
        ...expected,
        lines: [...expected.lines].sort(),
        posts: [...expected.posts].sort(),
      });
    }
  }, 60_000);

  it("fire once when the next process dies as well", async () => {
    const { end: expected, commits } = await story();
    for (let death = 1; death <= commits; death += 2) {
      const { end } = await story(death, death + 1, death + 3);
      expect([death, ...[...end.lines].sort()]).toEqual([death, ...[...expected.lines].sort()]);
      expect(end).toMatchObject({ fires: expected.fires, errands: 0, schedules: expected.schedules, undecided: 0 });
    }
  }, 60_000);

  it("fire once for two processes that look at the same moment", async () => {
    const inner = createMemoryStore();
    const clock = createFakeClock();
    const first = await startRooms({ personas: PERSONAS, store: watchStore(inner), clock });
    const second = await startRooms({ personas: PERSONAS, store: watchStore(inner), clock });
    await first.command('schedule add tick "* * * * *" beta say it');
    await clock.advance(5 * MINUTE + 40_000);

    const fires = await inner.list<Fire>(ROOM, "fire");
    expect(fires.map(({ value }) => value.state)).toEqual(["done", "done", "done", "done", "done"]);
    expect(await first.lines()).toHaveLength(5);
    await second.troupe.stop();
  });

  it("fire a little later when the store fails at their time", async () => {
    const clock = createFakeClock();
    const store = watchStore(createMemoryStore());
    const rooms = await startRooms({ personas: PERSONAS, store, clock });
    await rooms.command("schedule once shot 1m beta say it");
    let failures = 1;
    const isFire = (change: Change) => change.put?.some(({ kind }) => kind === "fire") ?? false;
    store.before = (change) => (isFire(change) && failures-- > 0 ? "fails" : undefined);
    await clock.advance(MINUTE + 29_000);
    expect(await rooms.lines()).toEqual([]);
    await clock.advance(1_000);

    expect(await rooms.lines()).toEqual(["Beta: None."]);
  });

  it("fire from the file of a store that was closed in between", async () => {
    const { path, remove } = createTempDir();
    onTestFinished(remove);
    const clock = createFakeClock();
    const start = () => startRooms({ personas: PERSONAS, store: createSqliteStore({ dataDir: path, clock }), clock });
    const first = await start();
    await first.command("schedule once shot 1h beta say it");
    await first.command('schedule add tick "0 10 * * *" beta say it');
    await first.troupe.stop();
    await clock.advance(MINUTE);
    const second = await start();
    onTestFinished(() => second.troupe.stop());
    await clock.advance(59 * MINUTE);
    await eventually(async () => (await second.lines()).length === 2);

    const fires = await second.store.list<Fire>(ROOM, "fire");
    expect(fires.map(({ value }) => [value.schedule, value.state])).toEqual([
      ["shot", "done"],
      ["tick", "done"],
    ]);
  });

  it("end as failed when the process dies three times in their turn", async () => {
    const inner = createMemoryStore();
    const clock = createFakeClock();
    const puppets = createPuppets();
    puppets.always("alpha", () => [{ wait: true }]);
    const start = (store: WatchedStore) =>
      startRooms({ personas: [puppets.persona("alpha")], brains: () => [puppets.brain], store, clock });
    let store = watchStore(inner);
    await (await start(store)).command("schedule once job 1m alpha Do it");
    await clock.advance(MINUTE);
    for (let death = 0; death < 3; death++) {
      store.cut();
      store = watchStore(inner);
      await start(store);
      await clock.advance(1_000);
    }

    expect(puppets.turns).toEqual(["alpha<Do it", "alpha<Do it", "alpha<Do it"]);
    const [fire] = await inner.list<Fire>(ROOM, "fire");
    expect(fire?.value).toMatchObject({ state: "failed", reason: "the turn was cut off 3 times." });
    const [job] = await inner.list<Schedule>(ROOM, "schedule");
    expect(job?.value).toMatchObject({ enabled: true, failures: 1 });
  });

  it("do not count an orderly stop in the middle of a turn", async () => {
    const [store, clock, puppets] = [createMemoryStore(), createFakeClock(), createPuppets()];
    const options = { personas: [puppets.persona("alpha")], brains: () => [puppets.brain], store, clock };
    puppets.plan("alpha", { wait: true }, { say: "cut off" });
    puppets.plan("alpha", { say: "here it is" });
    const first = await startRooms(options);
    await first.command("schedule once job 1m alpha Do it");
    await clock.advance(MINUTE);
    const stopped = first.troupe.stop(3_000);
    await clock.advance(3_000);
    await stopped;
    await store.open();
    expect(await store.list<Errand>(ROOM, "errand")).toMatchObject([{ value: { attempt: 0 } }]);
    const second = await startRooms(options);
    await second.quiet();

    expect(await second.lines()).toEqual(["Alpha: here it is"]);
  });
});
