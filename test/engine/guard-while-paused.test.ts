import { describe, expect, it } from "vitest";
import type { InboundSender } from "../../src/ports/platform.js";
import { createMemoryStore } from "../../src/store/memory/memory-store.js";
import { createFakeChat } from "../fakes/chat-platform.js";
import { alphaAndBeta, entriesOf, heldIn, pausesIn } from "../support/guarded-rooms.js";
import { parked, pausedRooms, puppetRooms } from "../support/puppet-rooms.js";
import type { Act } from "../support/puppets.js";
import { BOB, ROOM } from "../support/rooms.js";
import { watchStore } from "../support/watched-store.js";

const GUEST: InboundSender = { ...BOB, isGuest: true };

describe("While a pair is paused", () => {
  it("somebody who leaves is not woken by what is released, and nothing is lost without a word", async () => {
    const { rooms, puppets } = await pausedRooms(2);
    // Beta leaves after the release was committed and before its turn: the room is busy.
    puppets.plan("gamma", { wait: true });
    await rooms.say("@gamma think");
    await rooms.quiet();
    expect((await rooms.command("agent resume")).data).toMatchObject({ delivered: 2 });
    await rooms.command("agent remove beta");
    puppets.open();
    await rooms.quiet();

    expect(puppets.turns.filter((turn) => turn.startsWith("beta<"))).toHaveLength(1);
    const log = await rooms.log();
    const outcomes = log.flatMap(({ entry, outcome }) => (entry.kind === "agent_pair_released" ? [outcome] : []));
    expect(outcomes).toEqual([
      { kind: "ignored", reason: "unknown_mention" },
      { kind: "ignored", reason: "unknown_mention" },
    ]);
    expect(await rooms.store.dirty(10)).toEqual([]);
  });

  it("a receiver who left makes the release fail, again and then for good, one message after the other", async () => {
    const { rooms } = await pausedRooms(2);
    await rooms.command("agent remove beta");

    const held = async () => (await alphaAndBeta(rooms.store))?.held;
    expect((await rooms.command("agent resume")).data).toMatchObject({ resumed: 1, delivered: 0 });
    expect([await held(), (await alphaAndBeta(rooms.store))?.trip?.reason]).toEqual([2, "release_failed"]);
    await rooms.command("agent resume");
    expect([await held(), (await alphaAndBeta(rooms.store))?.state]).toEqual([1, "paused"]);
    await rooms.command("agent resume");

    expect(await alphaAndBeta(rooms.store)).toMatchObject({ state: "open", held: 0 });
    expect((await entriesOf(rooms, "agent_pair_dropped")).map(({ order }) => order)).toEqual([1, 2]);
    expect((await pausesIn(rooms.store)).map(({ state, delivered, dropped }) => [state, delivered, dropped])).toEqual([
      ["done", 0, 0],
      ["done", 0, 1],
      ["done", 0, 1],
    ]);
  });

  it("a receiver who left and came back gets everything", async () => {
    const { rooms, puppets } = await pausedRooms(2);
    await rooms.command("agent remove beta");
    await rooms.command("agent resume");
    await rooms.command("agent add beta");

    expect((await rooms.command("agent resume")).data).toMatchObject({ resumed: 1, delivered: 2 });
    await rooms.quiet();
    expect(puppets.turns.filter((turn) => turn.startsWith("beta<"))).toHaveLength(3);
  });

  it("the guard switched off drops what nobody is there to get, and leaves nothing paused", async () => {
    const { rooms } = await pausedRooms(2);
    await rooms.command("agent remove beta");
    await rooms.command("agent guard off");

    expect(await alphaAndBeta(rooms.store)).toMatchObject({ state: "open", held: 0 });
    expect(await entriesOf(rooms, "agent_pair_dropped")).toHaveLength(2);
    expect((await pausesIn(rooms.store)).map(({ state, dropped }) => [state, dropped])).toEqual([["done", 2]]);
  });

  it("a sender who left is still heard, once", async () => {
    const { rooms, puppets } = await pausedRooms(1);
    await rooms.command("agent remove alpha");

    expect((await rooms.command("agent resume")).data).toMatchObject({ delivered: 1 });
    await rooms.quiet();
    expect(puppets.turns.filter((turn) => turn.startsWith("beta<"))).toEqual([
      "beta<@beta parked 0",
      "beta<@beta parked 1",
    ]);
  });

  it("continued messages of the pair are held behind, and the budget's notice stands beside the pause", async () => {
    const { rooms, puppets } = await puppetRooms({ budget: 3, guard: { repeats: 2 } });
    puppets.plan("alpha", ...parked(2), { send: "third", to: "gamma" }, { send: "fourth", to: "beta" });
    await rooms.say("@alpha go");
    await rooms.quiet();
    const notices = (await rooms.troupe.reader.room(ROOM))?.notices ?? [];
    expect(notices.map(({ id, state }) => [id.split("|")[0], state]).sort()).toEqual([
      ["budget", "open"],
      ["pause", "open"],
    ]);
    expect(puppets.answers.map((answer) => answer.split(":")[0])).toEqual([
      "delivered",
      "held",
      "suppressed",
      "suppressed",
    ]);

    await rooms.press("troupe:continue", notices.find(({ id }) => id.startsWith("budget"))?.id ?? "");
    await rooms.quiet();
    expect(puppets.turns.slice(2)).toEqual(["gamma<@gamma third"]);
    expect((await heldIn(rooms.store)).map(({ order }) => order)).toEqual([1, 2]);
    expect((await rooms.command("agent resume")).data).toMatchObject({ delivered: 2 });
    await rooms.quiet();
    expect(puppets.turns.slice(3)).toEqual(["beta<@beta parked 1", "beta<@beta fourth"]);
  });

  it("fifty messages of the greatest length are held in small records and a small notice, and arrive whole", async () => {
    const store = watchStore(createMemoryStore());
    const { rooms, puppets } = await puppetRooms({ store, chat: createFakeChat() });
    const long = `${"all work and no play ".repeat(4_762)}`.slice(0, 99_990);
    puppets.plan("alpha", ...Array.from({ length: 51 }, (): Act => ({ send: long, to: "beta" })));
    await rooms.say("@alpha go");
    await rooms.quiet();

    expect(await alphaAndBeta(store)).toMatchObject({ held: 50 });
    const puts = store.commits
      .flatMap(({ change }) => change.put ?? [])
      .filter(({ kind }) => ["pair", "held", "notice"].includes(kind));
    expect(Math.max(...puts.map(({ value }) => JSON.stringify(value).length))).toBeLessThan(3_000);
    expect(puppets.answers.every((answer) => answer.length < 1_000)).toBe(true);

    expect((await rooms.command("agent resume")).data).toMatchObject({ delivered: 50 });
    await rooms.quiet();
    const received = puppets.turns.filter((turn) => turn.startsWith("beta<"));
    expect(received).toHaveLength(51);
    expect(new Set(received)).toEqual(new Set([`beta<@beta ${long}`]));
  });

  it("a turn that a person retries may speak to the other, and is held", async () => {
    const { rooms, puppets } = await pausedRooms(1);
    puppets.plan("beta", { fail: "it broke" });
    await rooms.say("@beta are you there?", { from: GUEST });
    await rooms.quiet();
    const failed = (await rooms.troupe.reader.room(ROOM))?.notices.find(({ id }) => id.startsWith("failed"));
    puppets.plan("beta", { say: "@alpha did you mean me?" });
    await rooms.press("troupe:retry", failed?.id ?? "", GUEST);
    await rooms.quiet();

    expect(await alphaAndBeta(rooms.store)).toMatchObject({ state: "paused", held: 2 });
    expect((await heldIn(rooms.store)).map(({ to }) => to)).toEqual(["beta", "alpha"]);
  });
});
