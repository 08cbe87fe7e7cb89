import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSqliteStore } from "../../src/store/sqlite/sqlite-store.js";
import { appendAll, ROOM } from "../contract/store/harness.js";
import { personDraft } from "../support/drafts.js";
import { createTempDir } from "../support/temp-dir.js";
import { spawnWorker, type Worker } from "./workers/spawn-worker.js";

/** Root may write everywhere: where the tests run as root, the store's process runs as nobody. */
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const canLimit = process.platform === "linux" && spawnSync("prlimit", ["--version"]).status === 0;

let folder: ReturnType<typeof createTempDir>;
let worker: Worker | undefined;
beforeEach(() => {
  folder = createTempDir();
});
afterEach(async () => {
  worker?.kill();
  await worker?.ended;
  worker = undefined;
  folder.remove();
});

async function opening(dataDir: string): Promise<{ code: string; message: string }> {
  worker = spawnWorker("open", dataDir, isRoot ? { uid: NOBODY } : {});
  expect(await worker.next()).toBe("opening");
  return JSON.parse(await worker.next());
}

describe.skipIf(process.platform === "win32")("A data folder that must not be written", () => {
  beforeEach(() => chmodSync(folder.path, 0o755));

  it("is refused with the mend when it is empty", async () => {
    const dataDir = join(folder.path, "data");
    mkdirSync(dataDir, { mode: 0o555 });

    const refused = await opening(dataDir);

    expect(refused.code).toBe("store_unwritable");
    expect(refused.message).toBe(
      `the data folder ${dataDir} is not writable (EACCES): give the user that runs Troupe the right to write it and the files in it, or choose another folder with --data`,
    );
  });

  it("is refused when it cannot be made", async () => {
    chmodSync(folder.path, 0o555);

    const refused = await opening(join(folder.path, "data"));

    expect(refused.code).toBe("store_unwritable");
    expect(refused.message).toContain("is not writable (EACCES)");
  });

  it("is refused when it holds a file that is not ours, which stays as it was", async () => {
    const dataDir = join(folder.path, "data");
    const store = createSqliteStore({ dataDir });
    await store.open();
    await appendAll(store, ROOM, [personDraft("a")]);
    await store.close();
    chmodSync(join(dataDir, "troupe.db"), 0o444);
    chmodSync(dataDir, 0o555);

    expect((await opening(dataDir)).code).toBe("store_unwritable");
    chmodSync(join(dataDir, "troupe.db"), 0o644);
    chmodSync(dataDir, 0o755);
    await store.open();
    expect(await store.find(ROOM, "a")).toBeDefined();
    await store.close();
  });

  it("opens for a user who may write it", async () => {
    const dataDir = join(folder.path, "data");
    mkdirSync(dataDir);
    if (isRoot) chownSync(dataDir, NOBODY, NOBODY);

    expect((await opening(dataDir)).code).toBe("none");
  });
});

describe.skipIf(!canLimit)("A store that may write no more", () => {
  it("refuses commits, keeps and shows what it has, and goes on when there is space", async () => {
    worker = spawnWorker("fill", folder.path, { maxFileKib: 2_000 });
    expect(await worker.next()).toBe("opening");
    expect(JSON.parse(await worker.next())).toMatchObject({ code: "none" });
    const { first, accepted } = JSON.parse(await worker.next());
    expect(first).toMatchObject({ code: "store_full", retryable: true });
    expect(first.message).toContain(`nothing more can be written to the data folder ${folder.path}`);
    expect(accepted).toBeGreaterThan(10);

    expect(JSON.parse(await worker.next())).toMatchObject({ again: { code: "store_full" }, readable: accepted });

    expect(spawnSync("prlimit", [`--pid=${worker.pid}`, "--fsize=unlimited"]).status).toBe(0);
    worker.say("there is space");
    expect(JSON.parse(await worker.next())).toEqual({ later: { code: "none" } });
    await worker.ended;

    const store = createSqliteStore({ dataDir: folder.path });
    await store.open();
    expect((await store.read(ROOM, 0, 100_000)).map(({ entry }) => entry.seq)).toEqual(
      Array.from({ length: accepted + 1 }, (_, i) => i + 1),
    );
    await store.close();
  });

  it("keeps what it has when it is closed while it is full, be it in the midst of a checkpoint", async () => {
    worker = spawnWorker("fill", folder.path, { maxFileKib: 9_000 });
    for (let i = 0; i < 2; i++) await worker.next();
    const { accepted } = JSON.parse(await worker.next());
    await worker.next();
    worker.say("there is none");
    expect(JSON.parse(await worker.next())).toMatchObject({ later: { code: "store_full" } });
    await worker.ended;

    const store = createSqliteStore({ dataDir: folder.path });
    await store.open();
    expect((await store.session(ROOM))?.seq).toBe(accepted);
    await store.close();
  });
});
