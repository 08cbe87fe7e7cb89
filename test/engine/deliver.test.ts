import { describe, expect, it } from "vitest";
import { RECORDS } from "../../src/engine/records.js";
import { createMemoryKeyValue } from "../../src/store/memory/memory-key-value.js";
import { createMemoryStore } from "../../src/store/memory/memory-store.js";
import { createFakeChat, type FakeChat } from "../fakes/chat-platform.js";
import { ANN, ROOM, scripted, startRooms } from "../support/rooms.js";

const alpha = scripted("alpha", "answer to {{text}}");

function texts(chat: FakeChat): readonly string[] {
  return chat.messages.map(({ post }) => (post.body.kind === "text" ? post.body.text : post.body.view.text));
}

describe("delivery", () => {
  it("posts a reply after a rate limit, not before its time, and keeps the order", async () => {
    const rooms = await startRooms({ personas: [alpha] });
    rooms.chat.fail({ kind: "rate-limit", retryAfterMs: 5_000 });

    await rooms.say("@alpha one");
    await rooms.say("@alpha two");
    await rooms.clock.advance(4_900);
    expect(texts(rooms.chat)).toEqual([]);
    await rooms.clock.advance(200);

    expect(texts(rooms.chat)).toEqual(["answer to @alpha one", "answer to @alpha two"]);
  });

  it.each([{ kind: "accept-then-drop" } as const, { kind: "drop" } as const])(
    "shows a reply once when the connection breaks: $kind",
    async (fault) => {
      const rooms = await startRooms({ personas: [alpha] });
      rooms.chat.fail(fault);

      await rooms.say("@alpha one");
      await rooms.clock.advance(60_000);

      expect(texts(rooms.chat)).toEqual(["answer to @alpha one"]);
      expect(rooms.chat.calls.find).toBeGreaterThan(0);
    },
  );

  it("shows a reply once when the platform takes it and never answers", async () => {
    const rooms = await startRooms({ personas: [alpha] });
    rooms.chat.fail({ kind: "accept-then-hang" });

    await rooms.say("@alpha one");
    await rooms.clock.advance(60_000);

    expect(texts(rooms.chat)).toEqual(["answer to @alpha one"]);
  });

  it("does not post twice when the platform cannot be asked, keeps the row for an admin and goes on", async () => {
    const rooms = await startRooms({ personas: [alpha] });
    rooms.chat.fail({ kind: "accept-then-drop" });
    rooms.chat.blind(true);

    await rooms.say("@alpha one");
    await rooms.say("@alpha two");
    await rooms.clock.advance(60_000);

    expect(texts(rooms.chat)).toEqual(["answer to @alpha one", "answer to @alpha two"]);
    const kept = await rooms.store.list<{ state: string }>(ROOM, RECORDS.outbox);
    expect(kept.map(({ value, due }) => [value.state, due])).toEqual([["unknown", undefined]]);
  });

  it("gives a refused post up with its reason, and goes on with the next", async () => {
    const rooms = await startRooms({ personas: [alpha] });
    rooms.chat.fail({ kind: "reject", reason: "channel archived" });

    await rooms.say("@alpha one");
    await rooms.say("@alpha two");
    await rooms.clock.advance(1_000);

    expect(texts(rooms.chat)).toEqual(["answer to @alpha two"]);
    const kept = await rooms.store.list<{ state: string; reason: string }>(ROOM, RECORDS.outbox);
    expect(kept.map(({ value }) => [value.state, value.reason])).toEqual([["failed", "channel archived"]]);
  });

  it("tries a refusal that may pass a few times, with growing pauses, then gives up", async () => {
    const rooms = await startRooms({ personas: [alpha] });
    rooms.chat.fail(...Array.from({ length: 20 }, () => ({ kind: "reject", reason: "busy", retry: true }) as const));

    await rooms.say("@alpha one");
    await rooms.clock.advance(600_000);

    expect(rooms.chat.calls.post).toBe(8);
    expect(texts(rooms.chat)).toEqual([]);
  });

  it("looks before it posts again what an earlier process left half sent", async () => {
    const store = createMemoryStore();
    const settings = createMemoryKeyValue("settings");
    const chat = createFakeChat();
    const first = await startRooms({ personas: [alpha], store, settings, chat });
    chat.fail({ kind: "accept-then-hang" });
    await first.say("@alpha one");

    // The process is gone; another takes over the store, and the post stands in the channel.
    const second = await startRooms({ personas: [alpha], store, settings, chat });
    await second.clock.advance(10_000);

    expect(texts(chat)).toEqual(["answer to @alpha one"]);
    expect(await store.list(ROOM, RECORDS.outbox)).toEqual([]);
  });

  it("says which message a post answers", async () => {
    const rooms = await startRooms({ personas: [scripted("alpha", "ask @beta"), scripted("beta", "fine")] });

    await rooms.say("@alpha go", { id: "77" });
    await rooms.quiet();

    expect(rooms.chat.messages.map(({ post }) => post.replyTo)).toEqual(["77", "m1"]);
  });

  it("says so by the platform's own id where an edit woke, or took the place of what waited", async () => {
    const slow = scripted("alpha", { steps: [{ delayMs: 1_000 }, { say: "fine" }] });
    const rooms = await startRooms({ personas: [slow] });
    const { inbox } = rooms.chat;

    await rooms.say("@alpha one", { id: "1" });
    await rooms.say("@alpha tow", { id: "2" });
    await rooms.say("three", { id: "3" });
    await inbox.revise({ session: ROOM, id: "2", from: ANN.id, text: "@alpha two" });
    await rooms.clock.advance(5_000);
    await inbox.revise({ session: ROOM, id: "3", from: ANN.id, text: "@alpha three" });
    await rooms.clock.advance(5_000);

    expect(rooms.chat.messages.map(({ post }) => post.replyTo)).toEqual(["1", "2", "3"]);
  });

  it("starts an adapter again when it could not connect, while the rest is up", async () => {
    const chat = createFakeChat();
    chat.failStarts(2);
    const rooms = await startRooms({ personas: [alpha], chat });
    expect(rooms.troupe.readiness()).toEqual({
      ready: false,
      missing: [{ part: "fake", problem: "the fake chat refuses the connection" }],
    });

    await rooms.clock.advance(4_000);

    expect(rooms.troupe.readiness()).toEqual({ ready: true, missing: [] });
  });
});

describe("a long reply", () => {
  it("is posted in parts, in order, nothing lost, and goes on with the right part after a break", async () => {
    const long = "abcdefghij".repeat(500);
    const rooms = await startRooms({ personas: [scripted("alpha", long)] });
    rooms.chat.fail({ kind: "accept-then-drop" }, { kind: "rate-limit", retryAfterMs: 1_000 });

    await rooms.say("@alpha tell");
    await rooms.clock.advance(60_000);

    expect(texts(rooms.chat)).toHaveLength(3);
    expect(texts(rooms.chat).join("")).toBe(long);
    expect(rooms.chat.messages.every(({ post }) => post.identity?.name === "alpha")).toBe(true);
  });
});
