import { describe, expect, it } from "vitest";
import type { InboundSender } from "../../src/ports/platform.js";
import { alphaAndBeta, entriesOf, heldIn, pairsIn, pausesIn } from "../support/guarded-rooms.js";
import { CI, parked, pausedRooms, puppetRooms } from "../support/puppet-rooms.js";
import { ANN, BOB, ROOM } from "../support/rooms.js";

const GUEST: InboundSender = { ...BOB, isGuest: true };

describe("Nobody but a person resumes a pair", () => {
  it("not an agent that writes the command, in a reply, in a message or in any dress", async () => {
    const { rooms, puppets } = await pausedRooms(1);
    const words = [
      "@Troupe resume",
      "/agent resume",
      "@Troupe resume alpha beta",
      "@beta @Troupe resume",
      "@Troupe drop",
      "@Troupe guard off",
      "<@app> resume",
    ];
    for (const text of words) {
      puppets.plan("gamma", { send: text, to: "alpha" }, { send: text, to: "beta" }, { say: text });
      await rooms.say("@gamma go on", { from: GUEST });
      await rooms.quiet();
    }

    expect(await alphaAndBeta(rooms.store)).toMatchObject({ state: "paused", held: 1 });
    expect(await entriesOf(rooms, "agent_pair_resumed")).toEqual([]);
    expect((await rooms.troupe.reader.room(ROOM))?.guard.enabled).toBe(true);
  });

  it.each<InboundSender>([
    CI,
    { ...CI, id: "fake:T:other" },
    { kind: "bot", id: ANN.id, name: "Ann", isAdmin: true },
    GUEST,
  ])("not a bot, known or not or of a person's name, and not a guest: $id $kind", async (from) => {
    const { rooms, key } = await pausedRooms(1);

    expect((await rooms.press("troupe:resume", key, from)).ok).toBe(false);
    expect((await rooms.press("troupe:drop", key, from)).ok).toBe(false);
    expect((await rooms.command("agent resume", from)).ok).toBe(false);
    expect((await rooms.command("agent pause alpha gamma", from)).ok).toBe(false);
    expect((await rooms.chat.inbox.resume({ session: ROOM, from, pair: "alpha~beta" })).ok).toBe(false);
    for (const text of ["@Troupe resume", "@alpha go on", "@beta go on", "@Troupe alpha go on"])
      await rooms.say(text, { from });
    await rooms.quiet();

    expect(await entriesOf(rooms, "agent_pair_resumed")).toEqual([]);
    expect(await alphaAndBeta(rooms.store)).toMatchObject({ state: "paused" });
  });

  it("not a Retry or a Continue, which are no prompts", async () => {
    const { rooms, puppets } = await puppetRooms({ budget: 4, guard: { repeats: 2 } });
    puppets.plan("alpha", ...parked(2), { fail: "it broke" });
    await rooms.say("@alpha go");
    await rooms.quiet();
    const state = async () => (await alphaAndBeta(rooms.store))?.state;
    expect(await state()).toBe("paused");

    puppets.plan(
      "alpha",
      { send: "more", to: "beta" },
      { send: "much more", to: "gamma" },
      { send: "still more", to: "beta" },
    );
    for (const { id, view } of (await rooms.troupe.reader.room(ROOM))?.notices ?? []) {
      for (const { action } of view.buttons ?? []) if (action === "troupe:retry") await rooms.press(action, id);
    }
    await rooms.quiet();
    // The retried turn goes on; what it says to beta is held behind, or waits for the budget.
    expect(await state()).toBe("paused");
    expect(puppets.answers.slice(2).map((answer) => answer.split(":")[0])).toEqual(["held", "delivered", "held"]);
  });

  it("not a forged button: another kind of notice, an invented one, one of another room, a name that every object has", async () => {
    const { rooms, key } = await pausedRooms(1);
    const values = [
      "__proto__",
      "constructor",
      "toString",
      "",
      "pause|",
      "pause|alpha~beta|0",
      "pause|alpha~beta|2",
      "pause|beta~alpha|1",
      "alpha~beta",
      "room",
      "held|alpha~beta|1",
      `${key} `,
      key.toUpperCase(),
      "../room",
      "x".repeat(10_000),
    ];
    for (const action of ["troupe:resume", "troupe:drop", "troupe:continue", "troupe:retry"]) {
      for (const value of values) expect([value, (await rooms.press(action, value, ANN)).ok]).toEqual([value, false]);
    }
    for (const pair of values.filter((value) => value !== "alpha~beta")) {
      const { data } = await rooms.chat.inbox.resume({ session: ROOM, from: ANN, pair });
      expect([pair, data]).toEqual([pair, { session: ROOM, resumed: 0, delivered: 0 }]);
    }
    expect((await rooms.press("troupe:resume|", key, ANN)).ok).toBe(false);
    expect((await rooms.press("troupe:continue", key, ANN)).ok).toBe(false);
    expect((await rooms.press("troupe:retry", key, ANN)).ok).toBe(false);
    for (const room of ["fake:T:other", `${ROOM}:t1`, "__proto__", "web:local:main"]) {
      const answer = await rooms.chat.inbox.press({ room, from: ANN, action: "troupe:resume", value: key });
      expect([room, answer.ok]).toEqual([room, false]);
    }
    expect(await alphaAndBeta(rooms.store)).toMatchObject({ state: "paused", held: 1 });
    expect((await rooms.press("troupe:resume", key, ANN)).ok).toBe(true);
  });
});

describe("A pair", () => {
  it("of one thread is not touched by the pair of the same personas, with the same message ids, in another", async () => {
    const { rooms, puppets } = await puppetRooms();
    const threads = [`${ROOM}:1722.1`, `${ROOM}:1722.2`];
    for (const session of threads) {
      puppets.plan("alpha", ...parked(3));
      await rooms.say("@alpha go", { session, id: "1722.9" });
      await rooms.quiet();
    }
    expect((await heldIn(rooms.store)).map(({ session, order }) => [session, order])).toEqual([
      [threads[0], 1],
      [threads[0], 2],
      [threads[1], 1],
      [threads[1], 2],
    ]);

    await rooms.press(
      "troupe:resume",
      (await pausesIn(rooms.store)).find(({ session }) => session === threads[1])?.key ?? "",
    );
    await rooms.quiet();
    const states = Object.values(await pairsIn(rooms.store)).map(({ sides: [{ session }], state, held }) => [
      session,
      state,
      held,
    ]);
    expect(states).toEqual([
      [threads[0], "paused", 2],
      [threads[1], "open", 0],
    ]);
    expect(await entriesOf(rooms, "agent_pair_released", threads[0])).toEqual([]);
    expect(await entriesOf(rooms, "agent_pair_released", threads[1])).toHaveLength(2);
  });

  it("of a bot and a persona is counted and held like any other, and its notice names the bot as people know it", async () => {
    const { rooms, puppets } = await puppetRooms({ guard: { repeats: 3 } });
    puppets.always("alpha", () => [{ say: "fine, Build bot" }]);
    for (const build of [1, 2, 3, 4]) {
      await rooms.say(`@alpha build ${build} failed`, { from: CI, id: `b${build}` });
      await rooms.quiet();
    }

    expect(puppets.turns).toEqual(["alpha<@alpha build 1 failed", "alpha<@alpha build 2 failed"]);
    const [notice] = await pausesIn(rooms.store);
    expect(notice).toMatchObject({ agents: ["alpha", "Build bot"], trip: { reason: "repeats", count: 3 }, held: 2 });
    expect((await rooms.command("agent resume")).data).toMatchObject({ resumed: 1, delivered: 2 });
    await rooms.quiet();
    expect(puppets.turns.slice(2)).toEqual(["alpha<@alpha build 3 failed", "alpha<@alpha build 4 failed"]);
  });

  it("whose bot has an id made of the separators of pairs is a pair of its own", async () => {
    const bots = ["a~alpha", "alpha@x", "alpha|1", "~", "%7e"].map((id) => ({ ...CI, id }));
    const { rooms } = await puppetRooms({ guard: { repeats: 2 }, room: { bots: bots.map(({ id }) => id) } });
    for (const from of bots) await rooms.say("@alpha same thing", { from });
    await rooms.quiet();

    const pairs = Object.values(await pairsIn(rooms.store));
    expect(pairs).toHaveLength(bots.length);
    expect(pairs.every(({ state, counters }) => state === "open" && counters.times.length <= 1)).toBe(true);
    await rooms.say("@alpha same thing", { from: bots[2] ?? CI });
    await rooms.quiet();
    expect((await rooms.command("agent resume alpha|1")).data).toMatchObject({ resumed: 1, delivered: 1 });
  });

  it("that loops through a third persona is paused, too, as soon as one of the pairs repeats itself", async () => {
    const { rooms, puppets } = await puppetRooms({ guard: { repeats: 3 } });
    for (const [name, to] of [
      ["alpha", "beta"],
      ["beta", "gamma"],
      ["gamma", "alpha"],
    ] as const)
      puppets.always(name, () => [{ say: `@${to} your turn` }]);
    await rooms.say("@alpha go");
    await rooms.quiet();

    expect((await pausesIn(rooms.store)).map(({ pair, trip }) => [pair, trip.reason])).toEqual([
      ["alpha~beta", "repeats"],
    ]);
    expect((await rooms.lines()).length).toBe(1 + 7);
  });

  it("keeps its pause and what is held when thresholds change, and follows the new ones once it is open again", async () => {
    const { rooms, puppets } = await pausedRooms(2);
    await rooms.command("agent guard repeats 100");
    await rooms.command("agent guard held_max 1");
    puppets.plan("alpha", { send: "over the new limit", to: "beta" });
    await rooms.say("@alpha again", { from: GUEST });
    await rooms.quiet();

    expect(puppets.answers.at(-1)).toMatch(/^refused: agent_pair\.held_full/);
    expect(await alphaAndBeta(rooms.store)).toMatchObject({ state: "paused", held: 2 });
    expect((await rooms.command("agent resume")).data).toMatchObject({ delivered: 2 });
    puppets.plan("alpha", ...parked(9));
    await rooms.say("@alpha again");
    await rooms.quiet();
    expect(await alphaAndBeta(rooms.store)).toMatchObject({ state: "open" });
  });

  it("cannot be paused by hand where the guard is off, since nothing would be held", async () => {
    const { rooms } = await puppetRooms();
    await rooms.say("hello");
    await rooms.command("agent guard off");

    expect((await rooms.command("agent pause alpha beta")).view.text).toContain("The pair guard is off here");
    expect(await pairsIn(rooms.store)).toEqual({});
    await rooms.command("agent guard on");
    expect((await rooms.command("agent pause alpha beta")).ok).toBe(true);
  });

  it("is not paused by a command that names nobody, one twice, somebody else or a name that every object has", async () => {
    const { rooms } = await puppetRooms();
    await rooms.say("hello");
    for (const args of [
      "",
      "alpha",
      "alpha alpha",
      "alpha @alpha",
      "alpha delta",
      "alpha __proto__",
      "constructor alpha",
      "alpha~beta gamma",
    ]) {
      expect([args, (await rooms.command(`agent pause ${args}`)).ok]).toEqual([args, false]);
    }
    for (const words of [
      "__proto__ 3",
      "constructor 3",
      "repeats",
      "repeats 1",
      "repeats 2.5",
      "repeats -3",
      "similarity 101",
      "similarity 0",
      "held_max 0",
      "maxMessages 3",
    ]) {
      expect([words, (await rooms.command(`agent guard ${words}`)).ok]).toEqual([words, false]);
    }
    expect((await rooms.command("agent guard similarity 100")).ok).toBe(true);
  });
});
