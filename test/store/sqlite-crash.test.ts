import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/ports/store.js";
import { createSqliteStore } from "../../src/store/sqlite/sqlite-store.js";
import { ROOM, THREAD } from "../contract/store/harness.js";
import { createTempDir } from "../support/temp-dir.js";
import { spawnWorker, type Worker } from "./workers/spawn-worker.js";

const ROUNDS = process.env.TROUPE_LONG === "1" ? 30 : 4;

let folder: ReturnType<typeof createTempDir>;
let workers: Worker[];
beforeEach(() => {
  folder = createTempDir();
  workers = [];
});
afterEach(async () => {
  for (const worker of workers) worker.kill();
  await Promise.all(workers.map((worker) => worker.ended));
  folder.remove();
});

function start(task: "commit" | "hold"): Worker {
  const worker = spawnWorker(task, folder.path);
  workers.push(worker);
  return worker;
}

async function reopened<T>(look: (store: Store) => Promise<T>): Promise<T> {
  const store = createSqliteStore({ dataDir: folder.path });
  await store.open();
  try {
    return await look(store);
  } finally {
    await store.close();
  }
}

/** How many acknowledgements each round waits for before the kill; 0: killed while it opens. The same in every run. */
function killPoints(rounds: number): number[] {
  let state = 20_260_105;
  return Array.from({ length: rounds }, (_, round) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return round % 4 === 3 ? 0 : 1 + (state % 900);
  });
}

/** Lets a worker commit until it has acknowledged so many, kills it, and answers the last commit that it acknowledged. */
async function killedAfter(acknowledgements: number): Promise<number> {
  const worker = start("commit");
  expect(await worker.next()).toBe("opening");
  let last = 0;
  if (acknowledgements > 0) {
    expect(JSON.parse(await worker.next())).toMatchObject({ code: "none" });
    for (let i = 0; i < acknowledgements; i++) last = Number(await worker.next());
  }
  worker.kill();
  await worker.ended;
  // What it said before it died counts, too.
  for (;;) {
    const line = await worker.next().catch(() => undefined);
    if (line === undefined) return last;
    if (/^\d+$/.test(line)) last = Number(line);
  }
}

/** Every part of a commit tells which one it was: all parts of the file have to agree on how many there have been. */
async function requireWhole(store: Store, acknowledged: number): Promise<number> {
  const room = await store.read(ROOM, 0, 1_000_000);
  const count = room.length;
  expect(count).toBeGreaterThanOrEqual(acknowledged);
  expect(room.every(({ entry }, i) => entry.seq === i + 1 && entry.id === `m${i + 1}`)).toBe(true);
  expect(room.map(({ outcome }) => outcome !== undefined)).toEqual(room.map((_, i) => i < count - 1));

  const thread = await store.read(THREAD, 0, 1_000_000);
  expect(thread.map(({ entry }) => entry.id)).toEqual(room.map((_, i) => `t${i + 1}`));
  expect(thread.every(({ entry }, i) => entry.text.length === (i + 1) % 7000)).toBe(true);

  const state = await store.session(ROOM);
  expect(state?.cursor.seq ?? 0).toBe(Math.max(0, count - 1));
  const record = await store.get(ROOM, "count", "k");
  expect([record?.value ?? 0, record?.version ?? 0]).toEqual([count, count]);
  expect(await store.dirty(10)).toEqual(count > 0 ? [ROOM] : []);
  return count;
}

describe("A process that is killed while it commits", () => {
  it(
    `loses no acknowledged commit and leaves no half one, ${ROUNDS} times in a row`,
    async () => {
      let count = 0;
      for (const point of killPoints(ROUNDS)) {
        const acknowledged = await killedAfter(point);

        const found = await reopened((store) => requireWhole(store, Math.max(acknowledged, count)));
        expect(found).toBeLessThanOrEqual(Math.max(acknowledged, count) + 1);
        count = found;
      }
      expect(count).toBeGreaterThan(0);
    },
    ROUNDS * 30_000,
  );
});

describe("A second process on the same data folder", () => {
  it("is refused with the mend while the first lives, and let in as soon as that is dead", async () => {
    const first = start("hold");
    expect(await first.next()).toBe("opening");
    expect(JSON.parse(await first.next())).toMatchObject({ code: "none" });

    await expect(reopened(async () => {})).rejects.toMatchObject({
      code: "store_in_use",
      message: `the data folder ${folder.path} is in use by another process: stop that process, or choose another folder with --data`,
    });

    first.kill();
    await first.ended;
    await expect(reopened((store) => store.dirty(1))).resolves.toEqual([]);
  });
});
