import { describe, expect, it } from "vitest";
import type { Store } from "../../src/ports/store.js";
import { createMemoryKeyValue } from "../../src/store/memory/memory-key-value.js";
import { createMemoryStore } from "../../src/store/memory/memory-store.js";
import { createFakeChat } from "../fakes/chat-platform.js";
import { createFakeClock, settle } from "../support/fake-clock.js";
import { alphaAndBeta, entriesOf, heldIn, openPause, pairsIn } from "../support/guarded-rooms.js";
import { parked, pausedRooms, puppetRooms } from "../support/puppet-rooms.js";
import { createPuppets } from "../support/puppets.js";
import { ANN, BOB, ROOM } from "../support/rooms.js";
import { watchStore } from "../support/watched-store.js";

describe("A held message", () => {
  it("is told to its sender as held, with the pause's data, and to the log with its whole text", async () => {
    const { rooms, puppets } = await puppetRooms();
    puppets.plan("alpha", ...parked(2));
    await rooms.say("@alpha go");
    await rooms.quiet();

    expect(puppets.answers[0]).toBe("delivered: beta answers after your turn");
    const [, code, data] = /^held: (\S+): .*?(\{.*\})$/.exec(puppets.answers[1] ?? "") ?? [];
    expect(code).toBe("agent_pair.paused");
    expect(JSON.parse(data ?? "")).toEqual({
      held: true,
      promptId: "held|alpha~beta|1",
      sessions: [
        { session: ROOM, agent: "alpha" },
        { session: ROOM, agent: "beta" },
      ],
      trip: { reason: "repeats", count: 2, limit: 2 },
    });
    expect(await entriesOf(rooms, "agent_pair_held")).toMatchObject([{ text: "@beta parked 1", to: "beta", order: 1 }]);
    const results = await entriesOf(rooms, "tool_result");
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    const log = await rooms.log();
    const parts = log.flatMap(({ entry, outcome }) =>
      entry.kind === "message" && outcome?.kind === "parts" ? outcome.parts : [],
    );
    expect(parts.map(({ result, ref }) => [result, ref])).toEqual([
      ["woke", undefined],
      ["woke", undefined],
      ["held", "held|alpha~beta|1"],
    ]);
  });

  it("is the fiftieth at most: the next one stays visible, is not delivered, and says so", async () => {
    const { rooms, puppets } = await puppetRooms();
    puppets.plan("alpha", ...parked(52));
    await rooms.say("@alpha go");
    await rooms.quiet();

    expect(puppets.answers.filter((answer) => answer.startsWith("held"))).toHaveLength(50);
    expect(puppets.answers.at(-1)).toMatch(/^refused: agent_pair\.held_full: .*not delivered/);
    expect(await alphaAndBeta(rooms.store)).toMatchObject({ held: 50 });
    expect((await rooms.lines()).at(-1)).toBe("Alpha: @beta parked 51");
    expect((await rooms.command("agent resume")).data).toEqual({ session: ROOM, resumed: 1, delivered: 50 });
    await rooms.quiet();
    const released = await entriesOf(rooms, "agent_pair_released");
    expect(released.map(({ order }) => order)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    expect(puppets.turns.filter((turn) => turn.startsWith("beta<"))).toEqual(
      Array.from({ length: 51 }, (_, i) => `beta<@beta parked ${i}`),
    );
  });

  it("sent while fifty others are being released goes behind them and is not lost", async () => {
    const { rooms, puppets } = await puppetRooms();
    puppets.plan(
      "alpha",
      ...parked(51),
      { wait: true },
      { send: "one more", to: "beta" },
      { send: "and another", to: "beta" },
    );
    await rooms.say("@alpha go");
    await rooms.quiet();

    const resumed = rooms.command("agent resume");
    puppets.open();
    await resumed;
    await rooms.quiet();

    const others = puppets.answers.slice(51);
    expect(others.filter((answer) => /^(held|delivered)/.test(answer))).toHaveLength(2);
    expect(puppets.turns.filter((turn) => turn.startsWith("beta<")).slice(-2)).toEqual([
      "beta<@beta one more",
      "beta<@beta and another",
    ]);
    expect(await heldIn(rooms.store)).toEqual([]);
  });

  it("of both directions is released in the order in which both were held, also against the clock", async () => {
    const { rooms, puppets } = await puppetRooms();
    await rooms.say("hello");
    await rooms.command("agent pause alpha beta");
    const guest = { ...BOB, isGuest: true } as const;
    for (const [i, name] of ["alpha", "beta", "alpha", "beta"].entries()) {
      puppets.plan(name, { send: `note ${"abcd"[i]}`, to: name === "alpha" ? "beta" : "alpha" });
      rooms.clock.set(rooms.clock.now() - 60_000);
      await rooms.say(`@${name} go`, { from: guest });
      await rooms.quiet();
    }

    expect((await rooms.command("agent resume")).data).toMatchObject({ delivered: 4 });
    await rooms.quiet();
    expect(puppets.turns.slice(-4)).toEqual([
      "beta<@beta note a",
      "alpha<@alpha note b",
      "beta<@beta note c",
      "alpha<@alpha note d",
    ]);
  });

  it("neither interrupts nor overtakes when it is released: what waited before goes first", async () => {
    const { rooms, puppets } = await puppetRooms();
    puppets.plan("alpha", ...parked(2));
    await rooms.say("@alpha go");
    await rooms.quiet();
    puppets.plan("gamma", { wait: true }, { say: "done" });
    await rooms.say("@gamma think");
    await rooms.say("@gamma and then this");
    await rooms.quiet();

    await rooms.command("agent resume", BOB);
    await rooms.quiet();
    expect(puppets.waiting).toBe(1);
    puppets.open();
    await rooms.quiet();

    expect(puppets.turns.slice(2)).toEqual(["gamma<@gamma think", "gamma<@gamma and then this", "beta<@beta parked 1"]);
  });

  it("is answered with what became of it when its sender's turn is repeated after a crash", async () => {
    const inner = createMemoryStore();
    const [settings, clock, puppets] = [createMemoryKeyValue("settings"), createFakeClock(), createPuppets()];
    const first = watchStore(inner);
    const { rooms } = await puppetRooms({ store: first, settings, clock }, puppets);
    puppets.plan("alpha", ...parked(3), { wait: true });
    await rooms.say("@alpha go");
    await rooms.quiet();
    const before = [...puppets.answers];
    first.cut();

    puppets.plan("alpha", ...parked(3), { send: "another thing", to: "beta" });
    const { rooms: next } = await puppetRooms(
      { store: watchStore(inner), settings, clock, chat: createFakeChat() },
      puppets,
    );
    await next.quiet();

    expect(puppets.answers.slice(3, 6)).toEqual(before);
    expect(puppets.answers[6]).toContain('"promptId":"held|alpha~beta|3"');
    expect((await next.lines()).filter((line) => line.startsWith("Alpha"))).toHaveLength(4);
    expect((await heldIn(inner)).map(({ order }) => order)).toEqual([1, 2, 3]);
  });
});

describe("A resume", () => {
  it("waits until what the last process left open has been settled", async () => {
    const inner = createMemoryStore();
    const settings = createMemoryKeyValue("settings");
    const { key } = await pausedRooms(2, { store: inner, settings });
    const chat = createFakeChat();
    let openStore = () => {};
    const opened = new Promise<void>((resolve) => {
      openStore = resolve;
    });
    const slow: Store = Object.assign(watchStore(inner), {
      due: async (...args: Parameters<Store["due"]>) => {
        await opened;
        return inner.due(...args);
      },
    });
    const starting = puppetRooms({ store: slow, settings, chat });
    await settle(50);

    const answers: string[] = [];
    const { inbox } = chat;
    const resumes = [
      inbox.press({ room: ROOM, from: BOB, action: "troupe:resume", value: key }),
      inbox.command({ session: ROOM, from: BOB, text: "agent resume" }),
      inbox.resume({ session: ROOM, from: BOB, pair: "alpha~beta" }),
    ].map((answer) => answer.then(({ data, view }) => answers.push(JSON.stringify(data ?? view.text))));
    await inbox.message({ id: "p2", session: ROOM, from: BOB, text: "@Troupe resume", at: 0 });
    await settle(50);
    expect(answers).toEqual([]);
    expect(await alphaAndBeta(inner)).toMatchObject({ state: "paused" });

    openStore();
    await Promise.all(resumes);
    const { rooms } = await starting;
    await rooms.quiet();
    expect(answers.filter((answer) => answer.includes('"delivered":2'))).toHaveLength(1);
    expect(await entriesOf(rooms, "agent_pair_resumed")).toHaveLength(1);
  });

  it("by two people at once happens once", async () => {
    const { rooms, puppets, key } = await pausedRooms(2);

    const answers = await Promise.all([
      rooms.press("troupe:resume", key, ANN),
      rooms.press("troupe:resume", key, BOB),
      rooms.command("agent resume", BOB),
      rooms.chat.inbox.resume({ session: ROOM, from: ANN, pair: "alpha~beta" }),
    ]);
    await rooms.quiet();

    const resumed = answers.map(({ data }) => (data as { resumed?: number } | undefined)?.resumed ?? 0);
    expect(resumed.reduce((sum, n) => sum + n, 0)).toBe(1);
    expect(await entriesOf(rooms, "agent_pair_resumed")).toHaveLength(1);
    expect(puppets.turns.filter((turn) => turn.startsWith("beta"))).toHaveLength(3);
  });

  it("by a prompt and a button at once happens once, and the prompt is answered once", async () => {
    const { rooms, puppets, key } = await pausedRooms(2);

    await Promise.all([rooms.say("@beta wrap up", { from: BOB }), rooms.press("troupe:resume", key, ANN)]);
    await rooms.quiet();

    expect(await entriesOf(rooms, "agent_pair_resumed")).toHaveLength(1);
    expect(puppets.turns.filter((turn) => turn === "beta<@beta wrap up")).toHaveLength(1);
    expect((await entriesOf(rooms, "agent_pair_released")).map(({ order }) => order)).toEqual([1, 2]);
    expect(await alphaAndBeta(rooms.store)).toMatchObject({ state: "open", held: 0 });
  });

  it("by a prompt that is delivered twice happens once", async () => {
    const { rooms, puppets } = await pausedRooms(2);

    await rooms.say("@beta wrap up", { from: BOB, id: "p9" });
    await rooms.say("@beta wrap up", { from: BOB, id: "p9" });
    await rooms.quiet();

    expect(puppets.turns.filter((turn) => turn === "beta<@beta wrap up")).toHaveLength(1);
    expect(await entriesOf(rooms, "agent_pair_resumed")).toHaveLength(1);
  });

  it("by a prompt restarts the counters of all pairs of its persona, and of no other", async () => {
    const { rooms, puppets } = await puppetRooms({ guard: { alternations: 3 } });
    puppets.plan("alpha", { send: "one", to: "beta" }, { send: "two", to: "gamma" });
    puppets.plan("beta", { send: "three", to: "gamma" });
    await rooms.say("@alpha go");
    await rooms.quiet();
    await rooms.say("@alpha again");
    await rooms.quiet();

    const runs = Object.entries(await pairsIn(rooms.store)).map(([id, { counters }]) => [
      id,
      counters.run,
      counters.times.length,
    ]);
    expect(runs).toEqual([
      ["alpha~beta", 0, 0],
      ["alpha~gamma", 0, 0],
      ["beta~gamma", 1, 1],
    ]);
  });

  it("takes everything from the channel, and only the thread's own pairs from a thread", async () => {
    const { rooms, puppets } = await puppetRooms();
    const threads = [`${ROOM}:t1`, `${ROOM}:t2`];
    for (const session of [ROOM, ...threads]) {
      puppets.plan("alpha", ...parked(2));
      await rooms.say("@alpha go", { session, id: "same" });
      await rooms.quiet();
    }
    const states = async () => Object.entries(await pairsIn(rooms.store)).map(([id, { state }]) => `${id} ${state}`);
    expect(await states()).toEqual(["alpha@t1~beta@t1 paused", "alpha@t2~beta@t2 paused", "alpha~beta paused"]);

    expect((await rooms.command("agent resume beta alpha", BOB, threads[0])).data).toEqual({
      session: threads[0],
      resumed: 1,
      delivered: 1,
    });
    await rooms.quiet();
    expect(await states()).toEqual(["alpha@t1~beta@t1 open", "alpha@t2~beta@t2 paused", "alpha~beta paused"]);
    expect((await rooms.command("agent resume", BOB)).data).toEqual({ session: ROOM, resumed: 2, delivered: 2 });
    await rooms.quiet();
    expect((await entriesOf(rooms, "agent_pair_released", threads[1])).map(({ entry }) => entry)).toEqual([
      expect.stringContaining(">alpha#2"),
    ]);
  });

  it("of a pair of another thread or room resumes nothing", async () => {
    const { rooms, key } = await pausedRooms(2);
    const other = "fake:T:random";
    await rooms.say("hello", { session: other });

    expect((await rooms.chat.inbox.press({ room: other, from: ANN, action: "troupe:resume", value: key })).ok).toBe(
      false,
    );
    expect((await rooms.chat.inbox.resume({ session: other, from: ANN, pair: "alpha~beta" })).data).toMatchObject({
      resumed: 0,
      delivered: 0,
    });
    expect(
      (await rooms.chat.inbox.resume({ session: `${ROOM}:t9`, from: ANN, pair: "alpha~beta" })).data,
    ).toMatchObject({ resumed: 0 });
    expect((await rooms.command("agent resume", ANN, other)).ok).toBe(false);
    expect(await alphaAndBeta(rooms.store)).toMatchObject({ state: "paused", held: 2 });
  });

  it("by a person counts as a directive for the burst, and one by the system does not", async () => {
    const { rooms, puppets } = await pausedRooms(2, { budget: 4 });
    const used = async () => (await rooms.troupe.reader.room(ROOM))?.burst.used;
    expect(await used()).toBe(3);
    await rooms.command("agent resume", BOB);
    expect(await used()).toBe(0);
    await rooms.quiet();

    puppets.plan("alpha", ...parked(3));
    await rooms.say("@alpha go");
    await rooms.quiet();
    expect(await used()).toBe(3);
    await rooms.command("agent guard off");
    expect(await used()).toBe(3);
    expect(await entriesOf(rooms, "agent_pair_resumed")).toMatchObject([
      { sender: { kind: "person" } },
      { sender: { kind: "system" } },
    ]);
  });

  it("clears the room's attention mark; so does a person who speaks or looks, and nobody else", async () => {
    const attention = async () => (await rooms.troupe.reader.room(ROOM))?.attention;
    const { rooms } = await pausedRooms(2);
    expect(await attention()).toBe(true);
    await rooms.say("beep", { from: { kind: "bot", id: "fake:T:ci", name: "CI", isAdmin: true } });
    expect(await attention()).toBe(true);
    await rooms.say("what is this?", { from: { ...BOB, isGuest: true } });
    expect(await attention()).toBe(false);

    await rooms.command("agent resume");
    await rooms.command("agent pause alpha beta");
    expect(await attention()).toBe(true);
    await rooms.troupe.reader.opened(ROOM);
    expect(await attention()).toBe(false);
    await rooms.command("agent resume");
    await rooms.command("agent pause alpha beta");
    await rooms.command("agent resume");
    expect(await attention()).toBe(false);
  });

  it("goes on by itself when the store fails for a moment, and at the next message when it failed for long", async () => {
    const store = watchStore(createMemoryStore());
    const { rooms, puppets, key } = await pausedRooms(2, { store });
    const releases = () =>
      store.commits.filter(({ result }) => result.entries.some(({ kind }) => kind === "agent_pair_released")).length;
    const isRelease = (append: readonly { entry: { kind: string } }[] = []) =>
      append.some(({ entry }) => entry.kind === "agent_pair_released");
    let failures = 2;
    store.before = ({ append }) => (isRelease(append) && failures-- > 0 ? "fails" : undefined);
    const pressed = rooms.press("troupe:resume", key);
    await rooms.clock.advance(10_000);
    expect((await pressed).data).toMatchObject({ delivered: 2 });
    await rooms.quiet();

    puppets.plan("alpha", ...parked(2));
    await rooms.say("@alpha go");
    await rooms.quiet();
    store.before = ({ append }) => (isRelease(append) ? "fails" : undefined);
    const stuck = rooms.press("troupe:resume", await openPause(store));
    await rooms.clock.advance(60_000);
    await stuck;
    expect(await alphaAndBeta(store)).toMatchObject({ state: "releasing", held: 1 });

    store.before = () => undefined;
    puppets.plan("alpha", { send: "still there?", to: "beta" });
    await rooms.say("@alpha go", { from: { ...BOB, isGuest: true } });
    await rooms.quiet();
    expect(await alphaAndBeta(store)).toMatchObject({ state: "open", held: 0 });
    expect(puppets.turns.slice(-2)).toEqual(["beta<@beta parked 1", "beta<@beta still there?"]);
    expect(releases()).toBe(4);
  });
});
