import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StoreError } from "../../../src/domain/errors.js";
import type { RecordPut, Store } from "../../../src/ports/store.js";
import { personDraft } from "../../support/drafts.js";
import { accepted, appendAll, appendTo, everything, OTHER_ROOM, ROOM, type StoreHarness, THREAD } from "./harness.js";

/** Records, sessions, restarts. */
export function recordsContract(create: () => Promise<StoreHarness>): void {
  let harness: StoreHarness;
  let store: Store;
  beforeEach(async () => {
    harness = await create();
    store = harness.store;
  });
  afterEach(() => harness.dispose());

  const put = (record: RecordPut, room = ROOM) => accepted(store, { room, put: [record] });
  const hold = (key: string, due?: number): RecordPut => ({
    kind: "hold",
    key,
    value: key,
    ...(due === undefined ? {} : { due }),
  });

  describe("records", () => {
    it("count their versions from 1", async () => {
      await put({ kind: "room", key: "k", value: { n: 1 } });
      expect(await store.get(ROOM, "room", "k")).toEqual({
        room: ROOM,
        kind: "room",
        key: "k",
        version: 1,
        value: { n: 1 },
      });

      await put({ kind: "room", key: "k", value: null, due: 5 });
      expect(await store.get(ROOM, "room", "k")).toMatchObject({ version: 2, value: null, due: 5 });

      await put({ kind: "room", key: "k", value: false });
      expect(await store.get(ROOM, "room", "k")).not.toHaveProperty("due");
    });

    it("belong to their room, kind and key", async () => {
      await put({ kind: "room", key: "k", value: 1 });

      expect(await store.get(OTHER_ROOM, "room", "k")).toBeUndefined();
      expect(await store.get(ROOM, "hold", "k")).toBeUndefined();
      expect(await store.get(ROOM, "room", "l")).toBeUndefined();
    });

    it("are gone when deleted, and a new one counts from 1 again", async () => {
      await put({ kind: "room", key: "k", value: 1 });
      await put({ kind: "room", key: "k", value: 2 });
      await accepted(store, {
        room: ROOM,
        delete: [
          { kind: "room", key: "k" },
          { kind: "room", key: "never was" },
        ],
      });
      expect(await store.get(ROOM, "room", "k")).toBeUndefined();
      expect(await store.rooms("room")).toEqual([]);

      await put({ kind: "room", key: "k", value: 3 });
      expect(await store.get(ROOM, "room", "k")).toMatchObject({ version: 1, value: 3 });
    });

    it("refuse a change that was computed from another version, and name the record", async () => {
      await put({ kind: "room", key: "k", value: 1 });
      const before = await everything(store);
      const change = (version: number, key = "k") =>
        store.commit({
          room: ROOM,
          expect: [{ kind: "room", key, version }],
          append: [appendTo(ROOM, personDraft("a"))],
          put: [{ kind: "room", key: "k", value: 2 }],
        });

      expect(await change(0)).toEqual({ status: "conflict", kind: "room", key: "k" });
      expect(await change(2)).toEqual({ status: "conflict", kind: "room", key: "k" });
      expect(await change(1, "absent")).toEqual({ status: "conflict", kind: "room", key: "absent" });
      expect(await everything(store)).toEqual(before);
      expect(await change(1)).toMatchObject({ status: "ok" });
    });

    it("expect version 0 of one that must not exist", async () => {
      const first = () =>
        store.commit({
          room: ROOM,
          expect: [{ kind: "room", key: "k", version: 0 }],
          put: [{ kind: "room", key: "k", value: 1 }],
        });

      expect(await first()).toMatchObject({ status: "ok" });
      expect(await first()).toMatchObject({ status: "conflict" });
    });

    it("let exactly one of fifty commits at once win each version", async () => {
      const raise = async (): Promise<number> => {
        for (let lost = 0; ; lost++) {
          const version = (await store.get(ROOM, "room", "k"))?.version ?? 0;
          const result = await store.commit({
            room: ROOM,
            expect: [{ kind: "room", key: "k", version }],
            put: [{ kind: "room", key: "k", value: version + 1 }],
          });
          if (result.status === "ok") return version + 1;
          if (lost > 200) throw new Error("never won");
        }
      };

      const won = await Promise.all(Array.from({ length: 50 }, raise));

      expect([...won].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
      expect(await store.get(ROOM, "room", "k")).toMatchObject({ version: 50, value: 50 });
    });

    it("list in the order of their keys' bytes", async () => {
      for (const key of ["b", "a", "aa", "B", "\u{1f600}", "\uff00", "é"]) await put(hold(key));

      expect((await store.list(ROOM, "hold")).map(({ key }) => key)).toEqual([
        "B",
        "a",
        "aa",
        "b",
        "é",
        "\uff00",
        "\u{1f600}",
      ]);
      expect(await store.list(OTHER_ROOM, "hold")).toEqual([]);
    });

    it("list those whose keys begin with a word, in the same order", async () => {
      for (const key of ["a|2", "a", "a|1", "a}", "ab|1", "a|\u{1f600}", "A|1", "b|1"]) await put(hold(key));
      await put(hold("a|1"), OTHER_ROOM);

      const keys = async (prefix: string) => (await store.list(ROOM, "hold", prefix)).map(({ key }) => key);

      expect(await keys("a|")).toEqual(["a|1", "a|2", "a|\u{1f600}"]);
      expect(await keys("a|1")).toEqual(["a|1"]);
      expect(await keys("c")).toEqual([]);
      expect(await keys("")).toHaveLength(8);
    });

    it("tell which rooms have one of a kind, each once, in the order of ids", async () => {
      await put(hold("a"), OTHER_ROOM);
      await put(hold("a"));
      await put(hold("b"));
      await put({ kind: "room", key: "k", value: 1 }, "web:local:aside");

      expect(await store.rooms("hold")).toEqual([ROOM, OTHER_ROOM]);
      expect(await store.rooms("pair")).toEqual([]);
    });
  });

  describe("what is due", () => {
    it("is ordered by time, then by key, over all rooms", async () => {
      await put(hold("c", 10));
      await put(hold("b", 20), OTHER_ROOM);
      await put(hold("a", 20));
      await put(hold("later", 21));
      await put(hold("never"));
      await put({ kind: "room", key: "other kind", value: 1, due: 1 });

      const keys = async (until: number, limit = 10) => (await store.due("hold", until, limit)).map(({ key }) => key);

      expect(await keys(20)).toEqual(["c", "a", "b"]);
      expect(await keys(19)).toEqual(["c"]);
      expect(await keys(9)).toEqual([]);
      expect(await keys(99, 2)).toEqual(["c", "a"]);
    });

    it("follows every put and delete", async () => {
      await put(hold("a", 10));
      await put(hold("a", 30));
      expect(await store.due("hold", 20, 10)).toEqual([]);
      expect(await store.due("hold", 30, 10)).toMatchObject([{ key: "a", room: ROOM, version: 2, due: 30 }]);

      await put(hold("a"));
      expect(await store.due("hold", 99, 10)).toEqual([]);

      await put(hold("b", 10));
      await accepted(store, { room: ROOM, delete: [{ kind: "hold", key: "b" }] });
      expect(await store.due("hold", 99, 10)).toEqual([]);
    });
  });

  describe("a room's sessions", () => {
    it("are the channel's own first, then by their newest entry", async () => {
      await appendAll(store, `${ROOM}:old`, [personDraft("a", { at: 10 })]);
      await appendAll(store, `${ROOM}:new`, [personDraft("a", { at: 30 })]);
      await appendAll(store, `${ROOM}:mid`, [personDraft("a", { at: 20 })]);
      await appendAll(store, ROOM, [personDraft("a", { at: 5 })]);
      await appendAll(store, OTHER_ROOM, [personDraft("a", { at: 40 })]);
      await appendAll(store, `${ROOM}:old`, [personDraft("b", { at: 40 })]);

      expect(await store.sessions(ROOM)).toMatchObject([
        { session: ROOM, seq: 1 },
        { session: `${ROOM}:old`, room: ROOM, seq: 2 },
        { session: `${ROOM}:new` },
        { session: `${ROOM}:mid` },
      ]);
    });

    it("are none where nothing was said", async () => {
      await store.begin(ROOM, "me");

      expect(await store.sessions(ROOM)).toEqual([]);
    });
  });

  describe("a restart", () => {
    it("keeps everything that was accepted", async () => {
      await accepted(store, {
        room: ROOM,
        append: [appendTo(ROOM, personDraft("a")), appendTo(THREAD, personDraft("b"))],
        put: [hold("h", 10), { kind: "room", key: "k", value: { deep: ["x"] } }],
        durable: true,
      });
      await accepted(store, { room: ROOM, outcomes: [{ session: ROOM, seq: 1, outcome: { kind: "superseded" } }] });
      const before = await everything(store);
      store = await harness.restart();

      expect(await everything(store)).toEqual(before);
    });

    it("keeps what was synced for those who asked at the same time, be it as the store closes", async () => {
      const synced = Promise.all(
        ["a", "b", "c"].map(async (id) => {
          await accepted(store, { room: ROOM, append: [appendTo(ROOM, personDraft(id))] });
          await store.sync();
        }),
      );
      await synced;
      const last = accepted(store, { room: ROOM, append: [appendTo(ROOM, personDraft("d"))], durable: true });
      await Promise.all([last, harness.restart().then((restarted) => (store = restarted))]);

      expect((await store.read(ROOM, 0, 10)).map(({ entry }) => entry.id)).toEqual(["a", "b", "c", "d"]);
    });

    it("keeps what was to be kept soon and was seen at once, with the next commit, a sync or the store's end", async () => {
      const say = (id: string) => ({ room: ROOM, append: [appendTo(ROOM, personDraft(id))] });
      const ids = async () => (await store.read(ROOM, 0, 10)).map(({ entry }) => entry.id);
      await accepted(store, { ...say("a"), soon: true });
      expect(await ids()).toEqual(["a"]);
      await accepted(store, say("b"));
      await accepted(store, { ...say("c"), soon: true });
      await store.sync();
      await accepted(store, { ...say("d"), soon: true });
      store = await harness.restart();

      expect(await ids()).toEqual(["a", "b", "c", "d"]);
      expect(await store.commit(say("d"))).toMatchObject({ status: "duplicate" });
    });

    it("leaves a closed store that answers so", async () => {
      await store.close();
      await store.close();

      await expect(store.session(ROOM)).rejects.toThrow(StoreError);
      await expect(store.commit({ room: ROOM })).rejects.toMatchObject({ code: "store_unavailable" });
      await expect(store.sync()).rejects.toMatchObject({ code: "store_unavailable" });
    });
  });
}
