import { describe, expect, it } from "vitest";
import { alphaAndBeta, pausesIn } from "../support/guarded-rooms.js";
import { createPuppets } from "../support/puppets.js";
import { quarrelsome } from "../support/quarrel.js";
import { ROOM, startRooms } from "../support/rooms.js";
import { countTurns } from "./support.js";

const MINUTE = 60_000;

/** Two personas that answer each other once a minute for as long as they may, each time in other words. */
async function slowLoop(
  work: { readonly inTurn?: number; readonly file?: boolean; readonly failed?: boolean; readonly same?: boolean } = {},
) {
  const puppets = createPuppets();
  const rooms = await startRooms({
    personas: [puppets.persona("alpha"), puppets.persona("beta")],
    brains: () => [puppets.brain],
    budget: 50,
  });
  let turns = 0;
  const wait = { run: () => new Promise<void>((resolve) => void rooms.clock.after(MINUTE, resolve)) };
  for (const [name, other] of [
    ["alpha", "beta"],
    ["beta", "alpha"],
  ] as const) {
    puppets.always(name, () => {
      const word = String.fromCharCode(97 + (++turns % 26)).repeat(5);
      const isWork = turns === work.inTurn || (work.same && turns % 3 === 0);
      const tool = work.file ? ({ file: "report.md" } as const) : ({ work: "12 passed", ok: !work.failed } as const);
      return [wait, ...(isWork ? [tool] : []), { say: `@${other} ${word}` }];
    });
  }
  await rooms.say("@alpha go");
  await rooms.clock.advance(30 * MINUTE);
  return {
    rooms,
    posts: (await rooms.lines()).length - 1,
    trips: (await pausesIn(rooms.store)).map(({ trip }) => trip),
  };
}

describe("loops of a pair", () => {
  it("case 2: a slow loop under every rate is paused at its tenth exchange, however long it takes", async () => {
    const { posts, trips, rooms } = await slowLoop();

    expect(posts).toBe(10);
    expect(trips).toEqual([{ reason: "alternation", count: 10, limit: 10 }]);
    expect(await alphaAndBeta(rooms.store)).toMatchObject({ state: "paused", held: 1 });
    expect((await rooms.troupe.reader.room(ROOM))?.notices.map(({ view }) => view.title)).toEqual(["Pair paused"]);
  });

  it.each([
    ["one tool call", {}],
    ["one file written", { file: true }],
  ])("case 2: with %s in between the counter starts over", async (_, kind) => {
    // The work of turn 6 comes before that turn's message, which is then exchange 1.
    expect(await slowLoop({ inTurn: 6, ...kind })).toMatchObject({ posts: 15, trips: [{ reason: "alternation" }] });
  });

  it.each([
    ["a failed call", { inTurn: 6, failed: true }, 10],
    ["the same call with the same result again and again", { same: true }, 12],
  ])("case 2: %s is no progress", async (_, work, posts) => {
    expect(await slowLoop(work)).toMatchObject({ posts, trips: [{ reason: "alternation" }] });
  });

  it("case 6: courteous confirmations end at the third, and nobody's model is called any more", async () => {
    const { turns, brains } = countTurns();
    const confirming = (name: string, other: string) => ({
      ...quarrelsome(name, other),
      script: [{ steps: [{ say: `@${other} Confirmed, parked {{turn}}!` }] }],
    });
    const rooms = await startRooms({
      personas: [confirming("alpha", "beta"), confirming("beta", "alpha")],
      brains,
      budget: 100,
    });
    await rooms.say("@alpha is it parked?");
    await rooms.quiet();

    const lines = (await rooms.lines()).slice(1);
    expect(lines.filter((line) => line.startsWith("Alpha"))).toHaveLength(3);
    expect(lines.at(-1)).toBe("Alpha: @beta Confirmed, parked 3!");
    expect(await pausesIn(rooms.store)).toMatchObject([{ trip: { reason: "repeats", count: 3, limit: 3 }, held: 1 }]);
    const before = turns();
    await rooms.clock.advance(MINUTE);
    expect(turns()).toBe(before);
  });

  it("case 6: three confirmations sent without waiting for an answer are paused, too", async () => {
    const puppets = createPuppets();
    const rooms = await startRooms({
      personas: [puppets.persona("alpha"), puppets.persona("beta")],
      brains: () => [puppets.brain],
    });
    puppets.plan("alpha", ...[1, 2, 3].map((n) => ({ send: `Confirmed, parked ${n}!`, to: "beta" })));
    await rooms.say("@alpha confirm");
    await rooms.quiet();

    expect(puppets.answers.map((answer) => answer.split(":")[0])).toEqual(["delivered", "delivered", "held"]);
    expect(puppets.turns.filter((turn) => turn.startsWith("beta"))).toHaveLength(2);
  });
});
