import { describe, expect, it } from "vitest";
import type { PauseReport } from "../../src/engine/guard/notify.js";
import { createMemoryKeyValue } from "../../src/store/memory/memory-key-value.js";
import { createMemoryStore } from "../../src/store/memory/memory-store.js";
import { createFakeChat } from "../fakes/chat-platform.js";
import { createFakeClock, type FakeClock } from "../support/fake-clock.js";
import { heldIn, openPause, pairsIn, pausesIn } from "../support/guarded-rooms.js";
import { BOB, scripted, startRooms, type TestRooms } from "../support/rooms.js";
import { type WatchedStore, watchStore } from "../support/watched-store.js";

/** Alpha sends four near-identical notes in one turn: one is delivered, the second trips, two more go behind it. */
const PERSONAS = [
  scripted("alpha", {
    when: "go",
    steps: [1, 2, 3, 4].map((n) => ({ tool: "send_message", input: { to: "beta", text: `Parked ${n}!` } })),
  }),
  scripted("beta", ["parked", "Got it, {{turn}}."], ["hello", "Hello."]),
];

/** What people see and what the guard has done, once everything is quiet. */
async function endOf(rooms: TestRooms) {
  const log = await rooms.log();
  const acks = log.flatMap(({ entry }) =>
    entry.kind === "ack" && entry.attempt === 1 ? [`${entry.cause.entry}>${entry.persona}`] : [],
  );
  const guard = log.flatMap(({ entry }) =>
    entry.kind === "agent_pair_held" || entry.kind === "agent_pair_released" || entry.kind === "agent_pair_dropped"
      ? [`${entry.kind} ${entry.order} ${entry.entry}`]
      : [],
  );
  return {
    lines: await rooms.lines(),
    guard: guard.sort(),
    released: log.flatMap(({ entry }) => (entry.kind === "agent_pair_released" ? [entry.order] : [])),
    pauses: (await pausesIn(rooms.store)).map(({ state, by, delivered, dropped, held }) => ({
      state,
      by,
      delivered,
      dropped,
      held,
    })),
    pairs: Object.values(await pairsIn(rooms.store)).map(({ state, held, generation, notify, counters }) => ({
      state,
      held,
      generation,
      notify,
      run: counters.run,
    })),
    held: await heldIn(rooms.store),
    startedTwice: acks.filter((ack, i) => acks.indexOf(ack) !== i),
    undecided: log.filter(
      ({ entry, outcome }) => ["message", "agent_pair_released"].includes(entry.kind) && outcome === undefined,
    ).length,
    posts: rooms.chat.messages.map(({ post }) => (post.body.kind === "view" ? post.body.view.text : post.body.text)),
  };
}

interface World {
  readonly inner: ReturnType<typeof createMemoryStore>;
  readonly clock: FakeClock;
  readonly start: (store: WatchedStore) => Promise<TestRooms>;
  readonly reports: PauseReport[];
}

/** What outlives a process: the data, the platform with what is posted there, and time. */
function createWorld(): World {
  const inner = createMemoryStore();
  const [settings, chat, clock] = [createMemoryKeyValue("settings"), createFakeChat(), createFakeClock()];
  const reports: PauseReport[] = [];
  const notifyPause = async (report: PauseReport) => void reports.push(report);
  const start = (store: WatchedStore) =>
    startRooms({ personas: PERSONAS, guard: { repeats: 2 }, budget: 50, store, settings, chat, clock, notifyPause });
  return { inner, clock, start, reports };
}

/** A person's part: says what is to be said (again, if it was not taken) and presses Resume while something is paused. */
async function playPerson(rooms: TestRooms): Promise<void> {
  await rooms.say("@alpha go", { id: "p1" });
  await rooms.clock.advance(5_000);
  for (let key = await openPause(rooms.store); key !== "none"; key = await openPause(rooms.store)) {
    await inTime(rooms.clock, rooms.press("troupe:resume", key, BOB));
    await rooms.clock.advance(5_000);
  }
  await rooms.say("@beta hello", { id: "p2" });
  await rooms.clock.advance(5_000);
}

/** Lets time pass until the promise has settled: what meets a dead store tries again for a while. */
async function inTime<T>(clock: FakeClock, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = promise.finally(() => {
    isSettled = true;
  });
  settled.catch(() => {});
  while (!isSettled) await clock.advance(1_000);
  return settled;
}

/** Runs the whole story; the process dies instead of making the commits of these numbers, and another follows. */
async function story(...deaths: readonly number[]) {
  const { inner, clock, start, reports } = createWorld();
  let commits = 0;
  const lives: WatchedStore[] = [];
  const live = async () => {
    const store = watchStore(inner);
    lives.push(store);
    store.before = () => (deaths.includes(++commits) ? "crash" : undefined);
    const rooms = await inTime(clock, start(store));
    await clock.advance(5_000);
    await playPerson(rooms);
    return rooms;
  };
  let rooms = await live().catch(() => undefined);
  for (let i = 0; i < deaths.length; i++) {
    lives.at(-1)?.cut();
    rooms = await live().catch(() => undefined);
  }
  if (rooms === undefined) throw new Error("the last life was cut short");
  return { end: await endOf(rooms), commits, reports };
}

describe("A pause and its resume", () => {
  it("play as told when nothing dies", async () => {
    const { end, reports } = await story();

    expect(end.lines).toEqual([
      "Ann: @alpha go",
      ...[1, 2, 3, 4].map((n) => `Alpha: @beta Parked ${n}!`),
      ...[1, 2, 3, 4].map((n) => `Beta: Got it, ${n}.`),
      "Ann: @beta hello",
      "Beta: Hello.",
    ]);
    expect(end).toMatchObject({
      released: [1, 2, 3],
      pauses: [{ state: "done", by: "Bob", delivered: 3, dropped: 0, held: 0 }],
      pairs: [{ state: "open", held: 0, run: 0 }],
      held: [],
      startedTwice: [],
      undecided: 0,
    });
    expect(reports).toHaveLength(1);
  });

  it("end the same when the process dies at any commit of the story, and nothing runs or is posted twice", async () => {
    const { end: expected, commits } = await story();
    expect(commits).toBeGreaterThan(40);
    for (let death = 1; death <= commits; death++) {
      const { end, reports } = await story(death);
      expect({ death, ...end }).toEqual({ death, ...expected });
      expect(reports.length).toBe(1);
    }
  }, 120_000);

  it("end the same when it dies and the next process dies soon after", async () => {
    const { end: expected, commits } = await story();
    for (let death = 3; death <= commits; death += 4) {
      const { end } = await story(death, death + 1, death + 3);
      expect({ death, ...end }).toEqual({ death, ...expected });
    }
  }, 120_000);
});
