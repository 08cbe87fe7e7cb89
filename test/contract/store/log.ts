import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Outcome } from "../../../src/domain/outcome.js";
import type { Store } from "../../../src/ports/store.js";
import { agentDraft, noticeDraft, personDraft } from "../../support/drafts.js";
import { accepted, appendAll, appendTo, everything, OTHER_ROOM, ROOM, type StoreHarness, THREAD } from "./harness.js";

const IGNORED: Outcome = { kind: "ignored", reason: "no_mention" };

/** Appending, reading, outcomes. */
export function logContract(create: () => Promise<StoreHarness>): void {
  let harness: StoreHarness;
  let store: Store;
  beforeEach(async () => {
    harness = await create();
    store = harness.store;
  });
  afterEach(() => harness.dispose());

  const seqs = async (session = ROOM) => (await store.read(session, 0, 1000)).map(({ entry }) => entry.seq);
  const ids = (logged: readonly { entry: { id: string } }[]) => logged.map(({ entry }) => entry.id);

  describe("appending", () => {
    it("numbers a session's entries from 1 without gaps, in the order of the change", async () => {
      await appendAll(store, ROOM, [personDraft("a"), agentDraft("b")]);
      await appendAll(store, ROOM, [noticeDraft("c")]);

      expect(await seqs()).toEqual([1, 2, 3]);
      expect(ids(await store.read(ROOM, 0, 10))).toEqual(["a", "b", "c"]);
    });

    it("answers the entries with their places, as they read back", async () => {
      const result = await accepted(store, {
        room: ROOM,
        append: [appendTo(ROOM, personDraft("a")), appendTo(THREAD, agentDraft("b"))],
      });

      expect(result.entries).toMatchObject([
        { v: 1, session: ROOM, seq: 1, id: "a" },
        { v: 1, session: THREAD, seq: 1, id: "b" },
      ]);
      expect((await store.find(THREAD, "b"))?.entry).toEqual(result.entries[1]);
    });

    it("numbers each session of a room on its own within one change", async () => {
      await accepted(store, {
        room: ROOM,
        append: ["a", "b", "c", "d"].map((id, i) => appendTo(i % 2 ? THREAD : ROOM, personDraft(id))),
      });

      expect(ids(await store.read(ROOM, 0, 10))).toEqual(["a", "c"]);
      expect(ids(await store.read(THREAD, 0, 10))).toEqual(["b", "d"]);
    });

    it("gives the same place to a caller that reuses an entry with a place of its own", async () => {
      const stale = { ...personDraft("a"), seq: 99, session: "web:local:elsewhere", v: 1 } as const;
      await appendAll(store, ROOM, [stale]);

      expect((await store.find(ROOM, "a"))?.entry).toMatchObject({ seq: 1, session: ROOM });
    });

    it("recognises an id that its session has, answers the first entry and changes nothing", async () => {
      const first = { room: ROOM, append: [{ ...appendTo(ROOM, personDraft("a")), outcome: IGNORED }] };
      await accepted(store, first);
      const before = await everything(store);

      const again = await store.commit({
        room: ROOM,
        append: [appendTo(THREAD, personDraft("new")), appendTo(ROOM, personDraft("a", { text: "other words" }))],
        put: [{ kind: "room", key: "room", value: 1 }],
      });

      expect(again).toMatchObject({
        status: "duplicate",
        existing: { entry: { seq: 1, text: "words of a" }, outcome: IGNORED },
      });
      expect(await everything(store)).toEqual(before);
    });

    it("lets the same id stand in two sessions", async () => {
      await appendAll(store, ROOM, [personDraft("a")]);
      await appendAll(store, THREAD, [personDraft("a")]);
      await appendAll(store, OTHER_ROOM, [personDraft("a")]);

      expect((await store.find(THREAD, "a"))?.entry.session).toBe(THREAD);
    });

    it("accepts exactly one of many commits at once that append the same id", async () => {
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          store.commit({
            room: ROOM,
            append: [appendTo(ROOM, personDraft(`own${i}`)), appendTo(ROOM, personDraft("same"))],
          }),
        ),
      );

      expect(results.filter(({ status }) => status === "ok")).toHaveLength(1);
      expect(await seqs()).toEqual([1, 2]);
    });

    it("keeps commits at once gap-free", async () => {
      await Promise.all(Array.from({ length: 50 }, (_, i) => appendAll(store, ROOM, [personDraft(`m${i}`)])));

      expect(await seqs()).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    });

    it.each([
      ["a session of another room", { append: [appendTo(OTHER_ROOM, personDraft("x"))] }],
      ["an outcome in another room", { outcomes: [{ session: OTHER_ROOM, seq: 1, outcome: IGNORED }] }],
      ["one id twice", { append: [appendTo(ROOM, personDraft("x")), appendTo(ROOM, personDraft("x"))] }],
      ["an outcome beyond the log", { outcomes: [{ session: ROOM, seq: 3, outcome: IGNORED }] }],
      ["an outcome before the log", { outcomes: [{ session: ROOM, seq: 0, outcome: IGNORED }] }],
      ["a value that JSON cannot hold", { put: [{ kind: "room", key: "k", value: undefined }] }],
      ["one record put twice", { put: [1, 2].map((value) => ({ kind: "room", key: "k", value })) }],
      [
        "one record put and deleted",
        { put: [{ kind: "room", key: "k", value: 1 }], delete: [{ kind: "room", key: "k" }] },
      ],
    ])("rejects a change with %s and changes nothing", async (_, change) => {
      await appendAll(store, ROOM, [personDraft("a")]);
      await appendAll(store, OTHER_ROOM, [personDraft("a")]);
      const before = await everything(store);
      const sound = { room: ROOM, append: [appendTo(ROOM, personDraft("sound"))] };

      await expect(store.commit({ ...sound, ...change })).rejects.toThrow(RangeError);

      expect(await everything(store)).toEqual(before);
    });
  });

  describe("texts", () => {
    it.each([
      ["a megabyte", "lorem ipsum ".repeat(90_000)],
      ["other scripts, emoji and bidi controls", "héllo 世界 👩‍👩‍👧 \u202e\u2066txt\u2069"],
      ["control characters and quotes", 'NUL \u0000 tab \t "quote" \\ \' line\r\nend'],
      ["half a surrogate pair", "\ud83d and then"],
      ["nothing", ""],
    ])("come back as they were: %s", async (_, text) => {
      await appendAll(store, ROOM, [personDraft("a", { text })]);

      expect((await store.find(ROOM, "a"))?.entry.text).toBe(text);
    });

    it("may be anything in ids and keys", async () => {
      const odd = "ключ '; drop table entries; -- \u202e%_👍";
      await accepted(store, {
        room: ROOM,
        append: [appendTo(ROOM, personDraft(odd))],
        put: [{ kind: odd, key: odd, value: odd }],
      });

      expect((await store.find(ROOM, odd))?.entry.id).toBe(odd);
      expect(await store.get(ROOM, odd, odd)).toMatchObject({ kind: odd, key: odd, value: odd });
    });

    it("keep a brain's own form of a turn", async () => {
      const history = { brain: "llm", messages: [{ role: "assistant", content: [{ deep: [1, null, "x"] }] }] };
      await appendAll(store, ROOM, [agentDraft("a", "alpha", { history })]);

      expect((await store.find(ROOM, "a"))?.entry).toMatchObject({ history });
    });

    it("are the store's own: changing what was appended or read changes nothing", async () => {
      const value = { list: [1] };
      await accepted(store, { room: ROOM, put: [{ kind: "room", key: "k", value }] });
      value.list.push(2);
      (await store.get<typeof value>(ROOM, "room", "k"))?.value.list.push(3);

      expect((await store.get(ROOM, "room", "k"))?.value).toEqual({ list: [1] });
    });
  });

  describe("reading", () => {
    beforeEach(() =>
      appendAll(
        store,
        ROOM,
        Array.from({ length: 9 }, (_, i) => noticeDraft(`n${i + 1}`)),
      ),
    );

    it("reads on from a place, oldest first, up to a limit", async () => {
      expect(ids(await store.read(ROOM, 0, 3))).toEqual(["n1", "n2", "n3"]);
      expect(ids(await store.read(ROOM, 7, 3))).toEqual(["n8", "n9"]);
      expect(await store.read(ROOM, 9, 3)).toEqual([]);
      expect(await store.read(ROOM, 0, 0)).toEqual([]);
    });

    it("reads the tail, oldest first, also before a place", async () => {
      expect(ids(await store.tail(ROOM, 2))).toEqual(["n8", "n9"]);
      expect(ids(await store.tail(ROOM, 2, 5))).toEqual(["n3", "n4"]);
      expect(ids(await store.tail(ROOM, 100))).toHaveLength(9);
      expect(ids(await store.tail(ROOM, 100, 3))).toEqual(["n1", "n2"]);
      expect(ids(await store.tail(ROOM, 2, 100))).toEqual(["n8", "n9"]);
      expect(await store.tail(ROOM, 2, 1)).toEqual([]);
      expect(await store.tail(ROOM, 0)).toEqual([]);
    });

    it("knows nothing of what does not exist", async () => {
      expect(await store.find(ROOM, "nowhere")).toBeUndefined();
      expect(await store.find(THREAD, "n1")).toBeUndefined();
      expect(await store.read(THREAD, 0, 10)).toEqual([]);
      expect(await store.tail(THREAD, 10)).toEqual([]);
      expect(await store.burst(THREAD, 10)).toEqual({ used: 0 });
      expect(await store.session(THREAD)).toBeUndefined();
    });
  });

  describe("the burst", () => {
    it("counts what counts behind the newest entry that resets it, and looks through the rest", async () => {
      await appendAll(store, ROOM, [agentDraft("a0"), noticeDraft("n0")]);
      expect(await store.burst(ROOM, 10)).toEqual({ used: 1 });

      await appendAll(store, ROOM, [personDraft("p1"), agentDraft("a1"), noticeDraft("n1"), agentDraft("a2", "beta")]);
      expect(await store.burst(ROOM, 10)).toEqual({ used: 2, start: 3 });
      expect(await store.burst(ROOM, 1)).toEqual({ used: 1, start: 3 });
      expect(await store.burst(ROOM, 0)).toEqual({ used: 0, start: 3 });

      await appendAll(store, ROOM, [
        agentDraft("s1", "alpha", { cause: { kind: "schedule" } }),
        { ...noticeDraft("d1"), kind: "directive", action: "continue", wakes: [] },
        noticeDraft("n2"),
        agentDraft("a3"),
      ]);

      expect(await store.burst(ROOM, 10)).toEqual({ used: 1, start: 8 });
    });
  });

  describe("outcomes", () => {
    it("are absent until they are set, and can be replaced", async () => {
      await appendAll(store, ROOM, [personDraft("a"), personDraft("b")]);
      expect(await store.find(ROOM, "a")).not.toHaveProperty("outcome");

      await accepted(store, { room: ROOM, outcomes: [{ session: ROOM, seq: 1, outcome: IGNORED }] });
      await accepted(store, { room: ROOM, outcomes: [{ session: ROOM, seq: 1, outcome: { kind: "superseded" } }] });

      expect((await store.read(ROOM, 0, 10)).map(({ outcome }) => outcome)).toEqual([
        { kind: "superseded" },
        undefined,
      ]);
      expect((await store.tail(ROOM, 10)).map(({ outcome }) => outcome)).toEqual([{ kind: "superseded" }, undefined]);
    });

    it("can come with the entry", async () => {
      await accepted(store, { room: ROOM, append: [{ ...appendTo(ROOM, personDraft("a")), outcome: IGNORED }] });

      expect((await store.find(ROOM, "a"))?.outcome).toEqual(IGNORED);
    });
  });
}
