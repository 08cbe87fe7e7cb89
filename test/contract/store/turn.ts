import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Cursor, Store } from "../../../src/ports/store.js";
import { agentDraft, noticeDraft, personDraft } from "../../support/drafts.js";
import { accepted, appendAll, appendTo, everything, OTHER_ROOM, ROOM, type StoreHarness, THREAD } from "./harness.js";

const START: Cursor = { seq: 0, part: 0, attempt: 0 };
const to = (seq: number, part = 0, attempt = 0): Cursor => ({ seq, part, attempt });

/** Fences, cursors, dirty sessions. */
export function turnContract(create: () => Promise<StoreHarness>): void {
  let harness: StoreHarness;
  let store: Store;
  beforeEach(async () => {
    harness = await create();
    store = harness.store;
  });
  afterEach(() => harness.dispose());

  const advance = (fence: number, from: Cursor, goal: Cursor) =>
    store.commit({ room: ROOM, turn: { session: ROOM, fence, from, to: goal } });

  describe("the fence", () => {
    it("rises with every begin", async () => {
      const fences = [];
      for (const owner of ["one", "two", "two"]) fences.push((await store.begin(ROOM, owner)).fence);

      expect(fences).toEqual([...new Set(fences)].sort((a, b) => a - b));
    });

    it("rises above every earlier one across a restart", async () => {
      const before = await store.begin(ROOM, "me");
      for (let i = 0; i < 20; i++) await store.begin(THREAD, "me");
      const last = await store.begin(THREAD, "me");
      store = await harness.restart();

      expect((await store.begin(ROOM, "me")).fence).toBeGreaterThan(before.fence);
      expect((await store.begin(THREAD, "me")).fence).toBeGreaterThan(last.fence);
    });

    it("tells who begins where the session stands", async () => {
      expect(await store.begin(THREAD, "me")).toMatchObject({ session: THREAD, room: ROOM, seq: 0, cursor: START });
      await appendAll(store, THREAD, [personDraft("a"), personDraft("b")]);

      expect(await store.begin(THREAD, "me")).toMatchObject({ session: THREAD, room: ROOM, seq: 2, cursor: START });
    });

    it("writes nothing by itself", async () => {
      const before = await everything(store);
      await store.begin(ROOM, "me");

      expect(await everything(store)).toEqual(before);
    });

    it("refuses an earlier runner and changes nothing", async () => {
      await appendAll(store, ROOM, [personDraft("a")]);
      const early = await store.begin(ROOM, "one");
      await store.begin(ROOM, "two");
      const before = await everything(store);

      const result = await store.commit({
        room: ROOM,
        turn: { session: ROOM, fence: early.fence, from: START, to: to(1) },
        append: [appendTo(ROOM, agentDraft("late"))],
        put: [{ kind: "room", key: "k", value: 1 }],
      });

      expect(result).toEqual({ status: "fenced" });
      expect(await everything(store)).toEqual(before);
    });

    it("refuses whoever ran the session before a restart", async () => {
      await appendAll(store, ROOM, [personDraft("a")]);
      const { fence } = await store.begin(ROOM, "me");
      store = await harness.restart();

      expect(await advance(fence, START, to(1))).toEqual({ status: "fenced" });
    });

    it("of one session does not bear on another", async () => {
      await appendAll(store, ROOM, [personDraft("a")]);
      const { fence } = await store.begin(ROOM, "me");
      await store.begin(THREAD, "you");

      expect(await advance(fence, START, to(1))).toMatchObject({ status: "ok" });
    });
  });

  describe("the cursor", () => {
    it("moves with an accepted turn, by parts and attempts too", async () => {
      await appendAll(store, ROOM, [personDraft("a"), personDraft("b")]);
      const { fence } = await store.begin(ROOM, "me");

      await advance(fence, START, to(0, 0, 1));
      await advance(fence, to(0, 0, 1), to(0, 1, 0));
      await advance(fence, to(0, 1, 0), to(1));

      expect(await store.session(ROOM)).toEqual({ session: ROOM, room: ROOM, seq: 2, cursor: to(1) });
    });

    it.each([to(0), to(2), to(1, 1), to(1, 0, 1)])(
      "refuses a turn that was computed from another place: %j",
      async (from) => {
        await appendAll(store, ROOM, [personDraft("a"), personDraft("b"), personDraft("c")]);
        const { fence } = await store.begin(ROOM, "me");
        await advance(fence, START, to(1));
        const before = await everything(store);

        expect(await advance(fence, from, to(2))).toEqual({ status: "moved" });
        expect(await everything(store)).toEqual(before);
      },
    );

    it("does not care about entries that came during the turn", async () => {
      await appendAll(store, ROOM, [personDraft("a")]);
      const { fence } = await store.begin(ROOM, "me");
      await appendAll(store, ROOM, [personDraft("b")]);

      const result = await store.commit({
        room: ROOM,
        turn: { session: ROOM, fence, from: START, to: to(1) },
        append: [appendTo(ROOM, agentDraft("reply"))],
      });

      expect(result).toMatchObject({ status: "ok", entries: [{ seq: 3 }] });
      expect(await store.dirty(10)).toEqual([ROOM]);
    });

    it("may move past what the same commit appends", async () => {
      await appendAll(store, ROOM, [personDraft("a")]);
      const { fence } = await store.begin(ROOM, "me");
      await accepted(store, {
        room: ROOM,
        turn: { session: ROOM, fence, from: START, to: to(2) },
        append: [appendTo(ROOM, noticeDraft("n"))],
      });

      expect((await store.session(ROOM))?.cursor).toEqual(to(2));
    });

    it.each([to(2), to(0, 0, 0)])("rejects a move beyond the log or back: %j", async (goal) => {
      await appendAll(store, ROOM, [personDraft("a")]);
      const { fence } = await store.begin(ROOM, "me");
      await advance(fence, START, to(1));

      await expect(advance(fence, to(1), goal)).rejects.toThrow(RangeError);
      expect((await store.session(ROOM))?.cursor).toEqual(to(1));
    });

    it("rejects a turn of another room's session", async () => {
      const { fence } = await store.begin(OTHER_ROOM, "me");
      const turn = { session: OTHER_ROOM, fence, from: START, to: START };

      await expect(store.commit({ room: ROOM, turn })).rejects.toThrow(RangeError);
    });

    it("lets a turn append to other sessions of its room", async () => {
      await appendAll(store, ROOM, [personDraft("a")]);
      const { fence } = await store.begin(ROOM, "me");
      await accepted(store, {
        room: ROOM,
        turn: { session: ROOM, fence, from: START, to: to(1) },
        append: [appendTo(THREAD, agentDraft("in the thread"))],
      });

      expect((await store.session(THREAD))?.seq).toBe(1);
      expect(await store.dirty(10)).toEqual([THREAD]);
    });
  });

  describe("dirty sessions", () => {
    it("are those with an entry behind the cursor that needs an outcome", async () => {
      await appendAll(store, ROOM, [noticeDraft("n")]);
      expect(await store.dirty(10)).toEqual([]);

      await appendAll(store, ROOM, [personDraft("a"), noticeDraft("n2")]);
      expect(await store.dirty(10)).toEqual([ROOM]);

      const { fence } = await store.begin(ROOM, "me");
      await advance(fence, START, to(1));
      expect(await store.dirty(10)).toEqual([ROOM]);

      await advance(fence, to(1), to(1, 1));
      expect(await store.dirty(10)).toEqual([ROOM]);

      await advance(fence, to(1, 1), to(2));
      expect(await store.dirty(10)).toEqual([]);
    });

    it("do not count an entry that came with its outcome", async () => {
      const outcome = { kind: "ignored", reason: "bot" } as const;
      await accepted(store, { room: ROOM, append: [{ ...appendTo(ROOM, personDraft("a")), outcome }] });

      expect(await store.dirty(10)).toEqual([]);
    });

    it("stay so while an earlier entry waits behind one that came with its outcome", async () => {
      const outcome = { kind: "ignored", reason: "bot" } as const;
      await appendAll(store, ROOM, [personDraft("a")]);
      await accepted(store, { room: ROOM, append: [{ ...appendTo(ROOM, personDraft("b")), outcome }] });

      expect(await store.dirty(10)).toEqual([ROOM]);
    });

    it("are answered up to the limit, over all rooms, and survive a restart", async () => {
      for (const session of [ROOM, THREAD, OTHER_ROOM]) await appendAll(store, session, [personDraft("a")]);
      store = await harness.restart();

      expect(await store.dirty(2)).toHaveLength(2);
      expect(new Set(await store.dirty(10))).toEqual(new Set([ROOM, THREAD, OTHER_ROOM]));
    });
  });

  describe("the order of refusals", () => {
    it("is duplicate, then fence, then cursor, then expectation", async () => {
      await appendAll(store, ROOM, [personDraft("a")]);
      const { fence } = await store.begin(ROOM, "me");
      const expectation = [{ kind: "room", key: "k", version: 7 }];
      const append = [appendTo(ROOM, personDraft("a"))];
      const stale = { session: ROOM, fence: fence - 1, from: to(1), to: to(1) };

      const status = async (change: object) =>
        (await store.commit({ room: ROOM, expect: expectation, ...change })).status;

      expect(await status({ turn: stale, append })).toBe("duplicate");
      expect(await status({ turn: stale })).toBe("fenced");
      expect(await status({ turn: { ...stale, fence } })).toBe("moved");
      expect(await status({ turn: { ...stale, fence, from: START } })).toBe("conflict");
    });
  });
}
