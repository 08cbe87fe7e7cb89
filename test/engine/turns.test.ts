import { describe, expect, it } from "vitest";
import type { Brain, Turn } from "../../src/ports/brain.js";
import { createMemoryKeyValue } from "../../src/store/memory/memory-key-value.js";
import { createMemoryStore } from "../../src/store/memory/memory-store.js";
import { createFakeChat } from "../fakes/chat-platform.js";
import { BOB, ROOM, scripted, startRooms } from "../support/rooms.js";

const slow = scripted("alpha", { steps: [{ delayMs: 5_000 }, { say: "done" }] });

/** A brain that hangs until the test lets it go, whatever its signal says. */
function stubborn(): Brain & { turns: Turn[]; letGo(): void } {
  let letGo = () => {};
  const turns: Turn[] = [];
  return {
    kind: "script",
    turns,
    letGo: () => letGo(),
    async *run(turn) {
      turns.push(turn);
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
      yield { type: "end", reason: "done", text: "late" };
    },
    async close() {},
  };
}

describe("a turn", () => {
  it("that fails shows one line with Retry, wakes nobody and does not count; Retry runs it once", async () => {
    const personas = [
      scripted("alpha", { times: 1, steps: [{ fail: "the model is away." }] }, "@beta it works now"),
      scripted("beta", "good"),
    ];
    const rooms = await startRooms({ personas });

    await rooms.say("@alpha try");
    const state = await rooms.troupe.reader.room(ROOM);
    expect(state?.burst.used).toBe(0);
    expect(state?.notices.map((notice) => notice.view.text)).toEqual(["Alpha could not answer: the model is away."]);
    const button = state?.notices[0]?.view.buttons?.[0];
    expect((await rooms.press("troupe:retry", button?.value ?? "", BOB)).ok).toBe(true);
    await rooms.quiet();
    const again = await rooms.press("troupe:retry", button?.value ?? "", BOB);

    expect(again.view.text).toBe("Already retried by Bob.");
    expect(await rooms.lines()).toEqual(["Ann: @alpha try", "Alpha: @beta it works now", "Beta: good"]);
    expect((await rooms.log()).filter(({ entry }) => entry.kind === "error")).toHaveLength(1);
  });

  it("that says nothing posts nothing, wakes nobody and does not count", async () => {
    const rooms = await startRooms({ personas: [scripted("alpha", ["never", "x"])] });

    await rooms.say("@alpha hello");

    expect(await rooms.lines()).toEqual(["Ann: @alpha hello"]);
    expect((await rooms.troupe.reader.room(ROOM))?.burst.used).toBe(0);
    expect((await rooms.log())[0]?.outcome).toEqual({ kind: "parts", parts: [{ persona: "alpha", result: "woke" }] });
  });

  it("is stopped by a person's command, says so in the room, and the next message is answered", async () => {
    const rooms = await startRooms({ personas: [slow] });

    await rooms.say("@alpha one");
    await rooms.say("@alpha two");
    expect((await rooms.command("agent stop", BOB)).view.text).toBe("Stopping Alpha.");
    await rooms.clock.advance(6_000);

    expect((await rooms.log()).filter(({ entry }) => entry.kind === "notice").map(({ entry }) => entry.text)).toEqual([
      "Bob stopped Alpha.",
    ]);
    expect(await rooms.lines()).toEqual(["Ann: @alpha one", "Ann: @alpha two", "Alpha: done"]);
  });

  it("that was stopped by id does not take the next turn with it", async () => {
    const rooms = await startRooms({ personas: [slow] });
    await rooms.say("@alpha one");
    await rooms.say("@alpha two");

    expect((await rooms.press("troupe:stop", "no such turn")).ok).toBe(false);
    await rooms.clock.advance(11_000);

    expect((await rooms.lines()).filter((line) => line === "Alpha: done")).toHaveLength(2);
  });

  it("that runs out of time fails with one line", async () => {
    const rooms = await startRooms({
      personas: [scripted("alpha", { steps: [{ delayMs: 50_000 }, { say: "late" }] })],
      limits: { turnTimeoutMs: 10_000 },
    });

    await rooms.say("@alpha go");
    await rooms.clock.advance(10_000);

    const errors = (await rooms.log()).filter(({ entry }) => entry.kind === "error");
    expect(errors.map(({ entry }) => entry.text)).toEqual(["Alpha could not answer: it ran out of time."]);
  });

  it("whose brain ignores the stop does not hold up the room", async () => {
    const brain = stubborn();
    const rooms = await startRooms({
      personas: [scripted("alpha")],
      brains: () => [brain],
      limits: { turnTimeoutMs: 10_000 },
    });

    await rooms.say("@alpha go");
    await rooms.clock.advance(21_000);
    brain.letGo();
    await rooms.quiet();

    expect(await rooms.lines()).toEqual(["Ann: @alpha go"]);
    expect((await rooms.log()).filter(({ entry }) => entry.kind === "error")).toHaveLength(1);
  });

  it("finishes before the service stops when it can", async () => {
    const store = createMemoryStore();
    const rooms = await startRooms({ personas: [slow], store });
    await rooms.say("@alpha go");
    const stopped = rooms.troupe.stop(10_000);
    await rooms.clock.advance(5_100);
    await stopped;

    await store.open();
    expect(await rooms.lines()).toEqual(["Ann: @alpha go", "Alpha: done"]);
  });

  it("is parked when the service stops and runs again at the next start, answered once", async () => {
    const long = scripted("alpha", { steps: [{ delayMs: 60_000 }, { say: "done" }] });
    const store = createMemoryStore();
    const settings = createMemoryKeyValue("settings");
    const first = await startRooms({ personas: [long], store, settings });
    await first.say("@alpha go");
    const stopped = first.troupe.stop(10_000);
    await first.clock.advance(8_100);
    await stopped;

    const second = await startRooms({ personas: [long], store, settings, chat: createFakeChat() });
    await second.clock.advance(61_000);

    expect(await second.lines()).toEqual(["Ann: @alpha go", "Alpha: done"]);
    const attempts = (await second.log()).map(({ entry }) => (entry.kind === "ack" ? entry.attempt : 0));
    expect(attempts.filter((attempt) => attempt > 0)).toEqual([1, 2]);
  });

  it("that was cut off three times ends as a failed turn, and the cursor goes on", async () => {
    const store = createMemoryStore();
    const settings = createMemoryKeyValue("settings");
    for (let i = 0; i < 3; i++) {
      // A start without a stop: the process is gone in the middle of the turn.
      const crashed = await startRooms({ personas: [slow], store, settings });
      if (i === 0) await crashed.say("@alpha go");
      await crashed.quiet();
    }

    const last = await startRooms({ personas: [slow], store, settings });
    await last.quiet();
    await last.say("@alpha again", { id: "again" });
    await last.clock.advance(6_000);

    const texts = (await last.log()).filter(({ entry }) => entry.kind === "error").map(({ entry }) => entry.text);
    expect(texts).toEqual(["Alpha could not answer: the turn was cut off 3 times."]);
    expect((await last.lines()).at(-1)).toBe("Alpha: done");
  });

  it("runs at most as many at once as the limit says, over all rooms, and loses none", async () => {
    let running = 0;
    let most = 0;
    const rooms = await startRooms({
      personas: [scripted("alpha")],
      limits: { maxConcurrentTurns: 3 },
      brains: (clock) => [
        {
          kind: "script",
          async *run() {
            most = Math.max(most, ++running);
            await new Promise<void>((resolve) => clock.after(100, resolve));
            running--;
            yield { type: "end", reason: "done", text: "ok" };
          },
          async close() {},
        },
      ],
    });

    for (let i = 0; i < 9; i++) await rooms.say("@alpha go", { session: `fake:T:room${i}` });
    await rooms.clock.advance(1_000);

    expect(most).toBe(3);
    for (let i = 0; i < 9; i++) expect(await rooms.lines(`fake:T:room${i}`)).toHaveLength(2);
  });

  it("shows typing while it runs", async () => {
    const rooms = await startRooms({ personas: [slow] });

    await rooms.say("@alpha go");
    await rooms.clock.advance(5_000);

    expect(rooms.chat.typings.map(({ persona, on }) => [persona, on])).toEqual([
      ["alpha", true],
      ["alpha", false],
    ]);
  });
});
