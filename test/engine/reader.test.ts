import { describe, expect, it } from "vitest";
import type { RoomEvent } from "../../src/ports/reader.js";
import { ROOM, scripted, startRooms } from "../support/rooms.js";

const slow = { ...scripted("alpha", { steps: [{ delayMs: 1_000 }, { say: "done" }] }), avatar: ":compass:" };

describe("the reader", () => {
  it("lists the rooms with their members, and knows no room that does not exist", async () => {
    const rooms = await startRooms({ personas: [slow, scripted("beta")], room: { personas: ["beta"] } });
    expect(await rooms.troupe.reader.rooms()).toEqual([]);
    expect(await rooms.troupe.reader.room(ROOM)).toBeUndefined();

    await rooms.say("hello");
    await rooms.say("hello", { session: "fake:T:other:t1" });

    expect(await rooms.troupe.reader.rooms()).toEqual([
      { id: ROOM, personas: ["beta"], attention: false, seq: 1 },
      { id: "fake:T:other", personas: ["beta"], attention: false, seq: 0 },
    ]);
  });

  it("shows who is at work, in the room itself and in its threads", async () => {
    const rooms = await startRooms({ personas: [slow, scripted("beta")] });
    await rooms.say("@alpha go", { session: `${ROOM}:t1` });

    const busy = async () => (await rooms.troupe.reader.room(ROOM))?.roster.map(({ name, busy }) => [name, busy]);
    expect(await busy()).toEqual([
      ["alpha", true],
      ["beta", false],
    ]);
    expect((await rooms.troupe.reader.room(ROOM))?.roster[0]?.avatar).toBe(":compass:");
    await rooms.clock.advance(1_000);

    expect((await busy())?.[0]).toEqual(["alpha", false]);
  });

  it("reads entries from a place on, at least one and at most five hundred", async () => {
    const rooms = await startRooms({ personas: [slow] });
    for (const text of ["one", "two", "three"]) await rooms.say(text);
    const texts = async (after: number, limit: number) =>
      (await rooms.troupe.reader.entries(ROOM, after, limit)).map(({ entry }) => entry.text);

    expect(await texts(1, 10)).toEqual(["two", "three"]);
    expect(await texts(-5, 0)).toEqual(["one"]);
    expect(await texts(0, 1e9)).toEqual(["one", "two", "three"]);
  });

  it("knows which of the platform's messages are posts of the room, also of one that is only half posted", async () => {
    const long = scripted("alpha", "x".repeat(3_000));
    const rooms = await startRooms({ personas: [long], budget: 1 });
    const { reader } = rooms.troupe;
    await rooms.say("@alpha go", { id: "p1" });
    const ids = rooms.chat.messages.map(({ messageId }) => messageId);
    expect(ids).toHaveLength(2);
    for (const id of ids) expect(await reader.posted(`${ROOM}:t1`, id)).toBe(true);
    for (const id of ["p1", "none", "half"]) expect(await reader.posted(ROOM, id)).toBe(false);
    expect(await reader.posted("fake:T:other", ids[0] ?? "")).toBe(false);

    const half = { session: ROOM, subject: { type: "entry", entry: "e" }, state: "pending", messageIds: ["half"] };
    await rooms.store.commit({ room: ROOM, put: [{ kind: "outbox", key: "row", value: { ...half, attempts: 1 } }] });
    expect(await reader.posted(ROOM, "half")).toBe(true);
  });

  it("clears the mark of a room that somebody opens", async () => {
    const rooms = await startRooms({ personas: [slow, scripted("beta")] });
    await rooms.say("hello");
    await rooms.command("agent pause alpha beta");
    const attention = async () => (await rooms.troupe.reader.room(ROOM))?.attention;
    expect(await attention()).toBe(true);

    await rooms.troupe.reader.opened(ROOM);
    await rooms.troupe.reader.opened(ROOM);
    await rooms.troupe.reader.opened("fake:T:nowhere");

    expect(await attention()).toBe(false);
  });

  it("tells everybody who looks at a room what changes in it, until they look away", async () => {
    const rooms = await startRooms({ personas: [scripted("alpha", "here")] });
    const events: { a: RoomEvent[]; b: RoomEvent[] } = { a: [], b: [] };
    const leaveA = rooms.troupe.reader.subscribe(ROOM, (event) => events.a.push(event));
    const leaveB = rooms.troupe.reader.subscribe(ROOM, (event) => events.b.push(event));

    await rooms.say("@alpha hello");
    leaveA();
    leaveA();
    await rooms.command("agent fanout 2");
    await rooms.troupe.setTeam({ name: "acme", personas: [scripted("alpha", "there")] });
    leaveB();
    await rooms.say("@alpha again");

    expect(events.a.map(({ type }) => type)).toEqual(expect.arrayContaining(["log", "outcome", "typing", "room"]));
    expect(events.b.length).toBeGreaterThan(events.a.length);
    expect(events.b.at(-1)).toEqual({ type: "room" });
    expect(events.b.filter(({ type }) => type === "log")).toHaveLength(4);
  });
});
