import { renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Change } from "../../src/ports/store.js";
import { createSqliteStore, type SqliteStore } from "../../src/store/sqlite/sqlite-store.js";
import { ROOM } from "../contract/store/harness.js";
import { personDraft } from "../support/drafts.js";
import { createTempDir } from "../support/temp-dir.js";

let folder: ReturnType<typeof createTempDir>;
let dataDir: string;
let store: SqliteStore;
beforeEach(async () => {
  folder = createTempDir();
  dataDir = join(folder.path, "data");
  store = createSqliteStore({ dataDir });
  await store.open();
});
afterEach(async () => {
  await store.close();
  folder.remove();
});

const say = (id: string): Change => ({ room: ROOM, append: [{ session: ROOM, entry: personDraft(id) }] });
const ids = async () => (await store.read(ROOM, 0, 100)).map(({ entry }) => entry.id);
const written = () => statSync(join(dataDir, "troupe.db-wal")).size;

/** What the work adds to the file's log, in bytes. */
async function writtenBy(work: () => Promise<unknown>): Promise<number> {
  const before = written();
  await work();
  return written() - before;
}

describe("Commits of one moment", () => {
  it("are written together", async () => {
    const names = Array.from({ length: 20 }, (_, i) => String(i));
    const alone = await writtenBy(async () => {
      for (const name of names) await store.commit(say(`alone ${name}`));
    });
    const together = await writtenBy(() => Promise.all(names.map((name) => store.commit(say(`together ${name}`)))));

    expect(together).toBeLessThan(alone / 4);
    expect(await ids()).toHaveLength(40);
  });

  it("are each judged by those before, and answered for themselves", async () => {
    const put = { kind: "room", key: "k", value: 1 };
    const expecting = { room: ROOM, expect: [{ kind: "room", key: "k", version: 0 }], put: [put] };
    const results = await Promise.all([
      store.commit(say("a")),
      store.commit(say("a")),
      store.commit(expecting),
      store.commit(expecting),
      store.commit({ ...say("b"), soon: true }),
    ]);

    expect(results.map(({ status }) => status)).toEqual(["ok", "duplicate", "ok", "conflict", "ok"]);
    expect(await ids()).toEqual(["a", "b"]);
  });

  it("fail together when the file is gone, and leave nothing behind that was seen", async () => {
    await store.commit(say("before"));
    await store.commit({ ...say("soon"), soon: true });
    const [kept, synced] = [store.commit(say("kept")), store.sync()];
    renameSync(dataDir, join(folder.path, "elsewhere"));

    await expect(kept).rejects.toMatchObject({ code: "store_unavailable" });
    await expect(synced).rejects.toMatchObject({ code: "store_unavailable" });
    expect(await ids()).toEqual(["before"]);
    expect(store.problem?.()).toContain("moved");

    renameSync(join(folder.path, "elsewhere"), dataDir);
    expect(await store.commit(say("after"))).toMatchObject({ status: "ok", entries: [{ id: "after", seq: 2 }] });
    expect(store.problem?.()).toBeUndefined();
  });

  it("are kept before a setting that is written behind them", async () => {
    await store.commit({ ...say("soon"), soon: true });
    const before = written();
    await store.keyValue("settings").set("k", 1);
    renameSync(dataDir, join(folder.path, "elsewhere"));
    await store.sync();
    renameSync(join(folder.path, "elsewhere"), dataDir);

    expect(written()).toBeGreaterThan(before);
    expect(await ids()).toEqual(["soon"]);
  });
});
