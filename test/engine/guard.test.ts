import { describe, expect, it } from "vitest";
import type { PauseNotice } from "../../src/domain/notice.js";
import { RECORDS } from "../../src/engine/records.js";
import { createMemoryKeyValue } from "../../src/store/memory/memory-key-value.js";
import { createMemoryStore } from "../../src/store/memory/memory-store.js";
import { createFakeChat } from "../fakes/chat-platform.js";
import { parrot, quarrelsome } from "../support/quarrel.js";
import { ANN, BOB, ROOM, scripted, startRooms, type TestRooms } from "../support/rooms.js";

const quarrel = () => [quarrelsome("alpha", "beta"), quarrelsome("beta", "alpha", 12)];

async function pair(rooms: TestRooms) {
  return (await rooms.troupe.reader.room(ROOM))?.pairs[0];
}

async function notices(rooms: TestRooms) {
  const records = await rooms.store.list<PauseNotice>(ROOM, RECORDS.notice);
  return records.filter(({ value }) => value.type === "pause");
}

async function kinds(rooms: TestRooms) {
  const log = await rooms.log();
  return log.map(({ entry }) => entry.kind).filter((kind) => kind.startsWith("agent_pair"));
}

describe("the pair guard", () => {
  it("holds the tenth exchange of an unbroken back and forth, with one notice", async () => {
    const rooms = await startRooms({ personas: quarrel(), budget: 100 });

    await rooms.say("@alpha argue");
    await rooms.quiet();

    const lines = await rooms.lines();
    expect(lines).toHaveLength(11);
    expect(await pair(rooms)).toMatchObject({
      personas: ["alpha", "beta"],
      state: "paused",
      reason: "alternation",
      held: 1,
    });
    expect((await notices(rooms)).map(({ value }) => [value.trip.count, value.trip.limit, value.held])).toEqual([
      [10, 10, 1],
    ]);
    const log = await rooms.log();
    expect(log.filter(({ entry }) => entry.kind === "message").at(-1)?.outcome).toEqual({
      kind: "parts",
      parts: [{ persona: "alpha", result: "held", ref: "held|alpha~beta|1" }],
    });
    expect((await rooms.troupe.reader.room(ROOM))?.attention).toBe(true);
  });

  it("holds the third near-identical message of one direction, whatever the other says", async () => {
    const rooms = await startRooms({ personas: [parrot("alpha", "beta"), quarrelsome("beta", "alpha")], budget: 100 });

    await rooms.say("@alpha go");
    await rooms.quiet();

    expect(await pair(rooms)).toMatchObject({ state: "paused", reason: "repeats" });
    expect((await rooms.lines()).filter((line) => line.startsWith("Alpha"))).toHaveLength(3);
  });

  it("posts 1-5 are exchanges 1-5, the sixth at Continue, the tenth is held", async () => {
    const rooms = await startRooms({ personas: quarrel() });
    await rooms.say("@alpha argue");
    await rooms.quiet();
    expect(await rooms.lines()).toHaveLength(7);

    const budget = (await rooms.troupe.reader.room(ROOM))?.notices[0];
    await rooms.press("troupe:continue", budget?.id ?? "");
    await rooms.quiet();

    expect(await rooms.lines()).toHaveLength(11);
    expect(await pair(rooms)).toMatchObject({ state: "paused", reason: "alternation", held: 1 });
  });

  it("a person's Resume delivers what is held, oldest first, once, and restarts counters and burst", async () => {
    const rooms = await startRooms({ personas: quarrel(), budget: 12 });
    await rooms.say("@alpha argue");
    await rooms.quiet();
    const [notice] = await notices(rooms);

    const first = await rooms.press("troupe:resume", notice?.key ?? "", BOB);
    await rooms.quiet();
    const second = await rooms.press("troupe:resume", notice?.key ?? "", BOB);

    expect(first.data).toEqual({ session: ROOM, resumed: 1, delivered: 1 });
    expect(second.view.text).toBe("Already resumed by Bob.");
    expect(await kinds(rooms)).toEqual([
      "agent_pair_paused",
      "agent_pair_held",
      "agent_pair_resumed",
      "agent_pair_released",
      "agent_pair_paused",
      "agent_pair_held",
    ]);
    // The answer to the released message is exchange 1 of the next count.
    expect(await rooms.lines()).toHaveLength(21);
    const [resumed] = await notices(rooms);
    expect(resumed?.value).toMatchObject({ state: "done", by: "Bob", delivered: 1 });
  });

  it("a person's prompt to either side resumes in the commit that accepts it, and goes first", async () => {
    const rooms = await startRooms({ personas: quarrel(), budget: 100 });
    await rooms.say("@alpha argue");
    await rooms.quiet();

    await rooms.say("just talking");
    expect(await pair(rooms)).toMatchObject({ state: "paused" });
    await rooms.say("@beta wrap up", { from: BOB });
    await rooms.quiet();

    const log = (await rooms.log())
      .map(({ entry }) => entry)
      .filter(({ kind }) => kind === "ack" || kind.startsWith("agent_pair"));
    const resumed = log.findIndex(({ kind }) => kind === "agent_pair_resumed");
    expect(log[resumed]?.sender.name).toBe("Bob");
    expect(log[resumed + 1]).toMatchObject({ kind: "ack", persona: "beta" });
    expect(log[resumed + 2]).toMatchObject({ kind: "agent_pair_released", to: "alpha" });
  });

  it("neither an agent, a bot, a stranger nor, where only admins may, a member can resume", async () => {
    const rooms = await startRooms({ personas: quarrel(), budget: 100, resume: "admins" });
    await rooms.say("@alpha argue");
    await rooms.quiet();
    const [notice] = await notices(rooms);
    const bot = { kind: "bot", id: "fake:T:ci", name: "CI", isAdmin: true } as const;

    await rooms.say("@alpha @Troupe resume", { from: bot });
    for (const from of [bot, BOB]) {
      expect((await rooms.press("troupe:resume", notice?.key ?? "", from)).ok).toBe(false);
      expect((await rooms.command("agent resume", from)).ok).toBe(false);
    }
    await rooms.say("@alpha hello", { from: BOB });
    await rooms.quiet();

    expect(await pair(rooms)).toMatchObject({ state: "paused" });
    expect((await rooms.command("agent resume", ANN)).data).toMatchObject({ resumed: 1 });
  });

  it("resume of an outsider's name resumes nothing", async () => {
    const rooms = await startRooms({ personas: [...quarrel(), scripted("gamma", "hi")], budget: 100 });
    await rooms.say("@alpha argue");
    await rooms.quiet();

    expect((await rooms.command("agent resume gamma alpha")).view.text).toBe("No such pair is paused here.");
    expect((await rooms.command("agent resume beta alpha")).data).toMatchObject({ resumed: 1, delivered: 1 });
  });

  it("later messages of the pair are held behind, both directions, the fifty-first is refused", async () => {
    const rooms = await startRooms({
      personas: [
        scripted("alpha", {
          steps: Array.from({ length: 6 }, (_, i) => ({
            tool: "send_message",
            input: { to: "beta", text: `note ${"abcdef"[i]?.repeat(5)}` },
          })),
        }),
        scripted("beta", "ok"),
      ],
      budget: 100,
      guard: { heldMax: 4 },
    });
    await rooms.say("@alpha first");
    await rooms.quiet();
    await rooms.command("agent pause alpha beta");
    expect((await pair(rooms))?.reason).toBe("manual");

    await rooms.say("@Troupe alpha again", { from: { ...BOB, isGuest: true } });
    await rooms.quiet();

    const results = (await rooms.log())
      .flatMap(({ entry }) => (entry.kind === "tool_result" ? [entry.text] : []))
      .slice(6);
    expect(results.map((text) => text.split(":").slice(0, 2).join(":"))).toEqual([
      "held: agent_pair.paused",
      "held: agent_pair.paused",
      "held: agent_pair.paused",
      "held: agent_pair.paused",
      "refused: agent_pair.held_full",
      "refused: agent_pair.held_full",
    ]);
    expect(results[0]).toContain('"held":true,"promptId":"held|alpha~beta|1"');
    expect((await notices(rooms))[0]?.value.held).toBe(4);
    expect((await rooms.command("agent resume")).data).toMatchObject({ resumed: 1, delivered: 4 });
    await rooms.quiet();
    const released = (await rooms.log()).flatMap(({ entry }) =>
      entry.kind === "agent_pair_released" ? [entry.order] : [],
    );
    expect(released).toEqual([1, 2, 3, 4]);
  });

  it("Drop held throws away what is held; the pair stays paused until Resume", async () => {
    const rooms = await startRooms({ personas: quarrel(), budget: 100 });
    await rooms.say("@alpha argue");
    await rooms.quiet();
    const [notice] = await notices(rooms);

    expect((await rooms.press("troupe:drop", notice?.key ?? "", BOB)).ok).toBe(true);
    expect(await pair(rooms)).toMatchObject({ state: "paused", held: 0 });
    expect((await rooms.press("troupe:drop", notice?.key ?? "", BOB)).ok).toBe(false);
    expect((await rooms.press("troupe:resume", notice?.key ?? "", BOB)).data).toMatchObject({
      resumed: 1,
      delivered: 0,
    });
    await rooms.quiet();

    expect(await rooms.lines()).toHaveLength(11);
    expect(await kinds(rooms)).toContain("agent_pair_dropped");
    expect(await pair(rooms)).toMatchObject({ state: "open" });
  });

  it("re-pauses when a held message cannot be delivered, and drops it the second time", async () => {
    const rooms = await startRooms({ personas: quarrel(), budget: 100 });
    await rooms.say("@alpha argue");
    await rooms.quiet();
    await rooms.command("agent remove alpha");

    await rooms.command("agent resume");
    expect(await pair(rooms)).toMatchObject({ state: "paused", reason: "release_failed", held: 1 });
    await rooms.command("agent resume");

    expect(await pair(rooms)).toMatchObject({ state: "open", held: 0 });
    expect((await kinds(rooms)).at(-1)).toBe("agent_pair_dropped");
    expect(await notices(rooms)).toHaveLength(2);
  });

  it("switched off, it delivers what is held once and counts nothing", async () => {
    const rooms = await startRooms({ personas: quarrel(), budget: 14 });
    await rooms.say("@alpha argue");
    await rooms.quiet();

    await rooms.command("agent guard off");
    await rooms.quiet();

    expect((await rooms.lines()).length).toBe(15);
    expect(await pair(rooms)).toMatchObject({ state: "open" });
  });

  it("delivers what is held at the next start when the configuration has it off by then", async () => {
    const store = createMemoryStore();
    const settings = createMemoryKeyValue("settings");
    const first = await startRooms({ personas: quarrel(), budget: 11, store, settings });
    await first.say("@alpha argue");
    await first.quiet();

    const second = await startRooms({
      personas: quarrel(),
      budget: 11,
      store,
      settings,
      guard: { enabled: false },
      chat: createFakeChat(),
    });
    await second.quiet();

    expect(await pair(second)).toMatchObject({ state: "open", held: 0 });
    expect(await second.lines()).toHaveLength(12);
  });

  it("keeps pauses, counters and held messages over a restart", async () => {
    const store = createMemoryStore();
    const settings = createMemoryKeyValue("settings");
    const first = await startRooms({ personas: quarrel(), budget: 5, store, settings });
    await first.say("@alpha argue");
    await first.quiet();

    // Five exchanges' worth are counted; the rest of the row follows in the next process.
    const second = await startRooms({ personas: quarrel(), budget: 100, store, settings, chat: createFakeChat() });
    const budget = (await second.troupe.reader.room(ROOM))?.notices[0];
    await second.press("troupe:continue", budget?.id ?? "");
    await second.quiet();
    expect(await second.lines()).toHaveLength(11);

    const third = await startRooms({ personas: quarrel(), budget: 100, store, settings, chat: createFakeChat() });
    await third.quiet();
    expect(await pair(third)).toMatchObject({ state: "paused", held: 1 });
    expect((await third.command("agent resume")).data).toMatchObject({ resumed: 1, delivered: 1 });
  });

  it("a slow loop is paused at the tenth exchange, and one piece of work in between starts the count over", async () => {
    const slow = (work: number) => async () => {
      let turns = 0;
      const rooms = await startRooms({
        personas: quarrel(),
        budget: 50,
        brains: (clock) => [
          {
            kind: "script",
            async *run(turn) {
              turns++;
              await new Promise<void>((resolve) => clock.after(60_000, resolve));
              if (turns === work) {
                yield { type: "tool-start", callId: "1", name: "run_tests", source: "mcp", title: "tests" };
                yield { type: "tool-end", callId: "1", ok: true, outputPreview: "12 passed" };
              }
              const other = turn.persona.name === "alpha" ? "beta" : "alpha";
              yield { type: "end", reason: "done", text: `@${other} ${String.fromCharCode(96 + turns).repeat(6)}` };
            },
            async close() {},
          },
        ],
      });
      await rooms.say("@alpha argue");
      await rooms.clock.advance(40 * 60_000);
      return rooms.lines();
    };

    expect(await slow(0)()).toHaveLength(11);
    // The work of turn 6 comes before its message: that message is exchange 1.
    expect(await slow(6)()).toHaveLength(16);
  });
});
