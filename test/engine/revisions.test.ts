import { describe, expect, it } from "vitest";
import { ANN, BOB, ROOM, scripted, startRooms } from "../support/rooms.js";

const slow = scripted("alpha", { steps: [{ delayMs: 1_000 }, { say: "you said: {{text}}" }] });

describe("a revised message", () => {
  it("that still waits is answered as it was edited, once", async () => {
    const rooms = await startRooms({ personas: [slow] });
    await rooms.say("@alpha one", { id: "1" });
    await rooms.say("@alpha tow", { id: "2" });

    await rooms.chat.inbox.revise({ session: ROOM, id: "2", from: ANN.id, text: "@alpha two" });
    await rooms.clock.advance(5_000);

    expect((await rooms.lines()).filter((line) => line.startsWith("Alpha"))).toEqual([
      "Alpha: you said: @alpha one",
      "Alpha: you said: @alpha two",
    ]);
    expect((await rooms.store.find(ROOM, "2"))?.outcome).toEqual({ kind: "superseded" });
  });

  it("that still waits and is deleted is not answered", async () => {
    const rooms = await startRooms({ personas: [slow] });
    await rooms.say("@alpha one", { id: "1" });
    await rooms.say("@alpha two", { id: "2" });

    await rooms.chat.inbox.revise({ session: ROOM, id: "2", from: ANN.id });
    await rooms.clock.advance(5_000);

    expect((await rooms.lines()).filter((line) => line.startsWith("Alpha"))).toEqual(["Alpha: you said: @alpha one"]);
    expect((await rooms.store.find(ROOM, "2"))?.outcome).toEqual({ kind: "superseded" });
  });

  it("that was answered already changes nothing, edited or deleted", async () => {
    const rooms = await startRooms({ personas: [scripted("alpha", "hello")] });
    await rooms.say("@alpha one", { id: "1" });

    await rooms.chat.inbox.revise({ session: ROOM, id: "1", from: ANN.id, text: "@alpha other" });
    await rooms.chat.inbox.revise({ session: ROOM, id: "1", from: ANN.id });
    await rooms.quiet();

    expect(await rooms.lines()).toEqual(["Ann: @alpha one", "Alpha: hello"]);
  });

  it("that gets its first mention by an edit wakes once, in its own thread, and restarts no burst", async () => {
    const rooms = await startRooms({ personas: [scripted("alpha", "hello")], room: { reply: "thread" } });
    await rooms.say("good morning", { id: "1" });

    for (let i = 0; i < 2; i++) {
      await rooms.chat.inbox.revise({ session: ROOM, id: "1", from: ANN.id, text: "good morning @alpha" });
      await rooms.quiet();
    }

    expect(await rooms.lines(`${ROOM}:1`)).toEqual(["Ann: good morning @alpha", "Alpha: hello"]);
    expect(await rooms.store.burst(ROOM, 10)).toEqual({ used: 0, start: 1 });
  });

  it("that waits in a thread of its own is answered there as it was edited last, or not at all", async () => {
    const rooms = await startRooms({
      personas: [slow],
      room: { reply: "thread" },
      limits: { maxConcurrentTurns: 1 },
    });
    for (const id of ["1", "2", "3"]) await rooms.say(`@alpha number ${id}`, { id });

    await rooms.chat.inbox.revise({ session: ROOM, id: "2", from: ANN.id, text: "@alpha second" });
    await rooms.chat.inbox.revise({ session: ROOM, id: "2", from: ANN.id, text: "@alpha the second" });
    await rooms.chat.inbox.revise({ session: ROOM, id: "3", from: ANN.id });
    await rooms.clock.advance(5_000);

    expect(await rooms.lines(`${ROOM}:2`)).toContain("Alpha: you said: @alpha the second");
    expect((await rooms.lines(`${ROOM}:3`)).filter((line) => line.startsWith("Alpha"))).toEqual([]);
  });

  it("of somebody else, or one that is not known, is left alone", async () => {
    const rooms = await startRooms({ personas: [slow] });
    await rooms.say("@alpha one", { id: "1" });
    await rooms.say("@alpha two", { id: "2" });

    await rooms.chat.inbox.revise({ session: ROOM, id: "2", from: BOB.id });
    await rooms.chat.inbox.revise({ session: ROOM, id: "9", from: ANN.id, text: "@alpha nine" });
    await rooms.clock.advance(5_000);

    expect((await rooms.lines()).filter((line) => line.startsWith("Alpha"))).toHaveLength(2);
  });
});

describe("messages that were missed", () => {
  it("are kept as context, wake nobody, and are listed in one line, once", async () => {
    const rooms = await startRooms({ personas: [scripted("alpha", "hello")] });
    const missed = ["@alpha are you there?", "just talk"].map((text, i) => ({
      id: `m${i}`,
      session: ROOM,
      from: ANN,
      text,
      at: 1,
    }));

    await rooms.chat.inbox.missed(ROOM, missed);
    await rooms.chat.inbox.missed(ROOM, missed);
    await rooms.quiet();

    expect(
      (await rooms.log()).map(({ entry, outcome }) => [
        entry.kind,
        outcome?.kind === "ignored" ? outcome.reason : null,
      ]),
    ).toEqual([
      ["message", "expired"],
      ["message", "no_mention"],
      ["notice", null],
    ]);
    expect((await rooms.log())[2]?.entry.text).toMatch(
      /^One message came while Troupe was away.*\n> Ann: @alpha are you there\?$/,
    );
  });
});
