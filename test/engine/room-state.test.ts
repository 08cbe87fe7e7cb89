import { describe, expect, it } from "vitest";
import type { BudgetNotice } from "../../src/domain/notice.js";
import { createPair, type Pair } from "../../src/domain/pair.js";
import { RECORDS } from "../../src/engine/records.js";
import { ROOM, scripted, startRooms } from "../support/rooms.js";

/** A budget notice of the n-th minute. */
function notice(n: number, state: BudgetNotice["state"]): BudgetNotice {
  return { type: "budget", session: ROOM, state, at: n * 60_000, used: 6, limit: 6, waiting: [] };
}

/** A pair of the n-th thread that spoke last in the n-th minute. */
function pair(n: number, state: Pair["state"]): Pair {
  const session = `${ROOM}:${n}`;
  const fresh = createPair(ROOM, { session, agent: "alpha" }, { session, agent: "beta" });
  return { ...fresh, state, held: 1, counters: { ...fresh.counters, times: [n * 60_000] } };
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
/** Keys in the order of their numbers. */
const keyOf = (n: number) => String(n).padStart(4, "0");

async function startRoom() {
  const rooms = await startRooms({ personas: [scripted("alpha", "Hello."), scripted("beta", "Hello.")] });
  await rooms.say("@alpha hello");
  const state = async () => {
    const found = await rooms.troupe.reader.room(ROOM);
    if (found === undefined) throw new Error("expected the room to be there");
    return found;
  };
  return { rooms, state };
}

describe("a room's state", () => {
  it("lists every notice that waits for a person, and of the others the newest 50", async () => {
    const { rooms, state } = await startRoom();
    // The open ones are the oldest: age alone must not hide what waits.
    const put = [
      ...numbers(1, 120).map((n) => ({ kind: RECORDS.notice, key: keyOf(n), value: notice(n, "open") })),
      ...numbers(121, 240).map((n) => ({ kind: RECORDS.notice, key: keyOf(n), value: notice(n, "done") })),
    ];
    await rooms.store.commit({ room: ROOM, put });

    const { notices } = await state();

    expect(notices.map(({ id }) => id)).toEqual([...numbers(1, 120), ...numbers(191, 240)].map(keyOf));
  });

  it("lists every pair that is not open, and of the open ones the 50 that spoke last", async () => {
    const { rooms, state } = await startRoom();
    const pairs = [
      ...numbers(1, 60).map((n) => pair(n, n % 2 === 0 ? "paused" : "releasing")),
      ...numbers(61, 180).map((n) => pair(n, "open")),
    ];
    await rooms.store.commit({
      room: ROOM,
      put: pairs.map((value) => ({ kind: RECORDS.pair, key: value.id, value })),
    });

    const { pairs: listed } = await state();

    const expected = [...numbers(1, 60), ...numbers(131, 180)].map((n) => `alpha@${n}~beta@${n}`);
    expect(listed.map(({ id }) => id).sort()).toEqual(expected.sort());
    expect(listed.find(({ id }) => id === "alpha@61~beta@61")).toBeUndefined();
  });

  it("tells the guard's thresholds that hold in this room", async () => {
    const { rooms, state } = await startRoom();
    await rooms.command("agent guard alternations 4");

    expect((await state()).guard).toMatchObject({ enabled: true, alternations: 4, repeats: 3 });
  });
});
