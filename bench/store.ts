import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Draft } from "../src/domain/entry.js";
import type { Store } from "../src/ports/store.js";
import { createSqliteStore } from "../src/store/sqlite/sqlite-store.js";

export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly bar?: number;
  readonly ok?: boolean;
}

const ROOMS = 1000;
const ENTRIES = 1000;
const roomOf = (n: number) => `bench:space:room${n}`;

/** Measures the embedded store: opening a large one, the burst's tail in a long log, the price of a commit. */
export async function run(): Promise<{ rows: Row[] }> {
  const dataDir = mkdtempSync(join(tmpdir(), "troupe-bench-"));
  try {
    return { rows: [...(await opening(dataDir)), ...(await tails(dataDir)), ...(await commits(dataDir))] };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function opening(dataDir: string): Promise<Row[]> {
  await withStore(dataDir, async (store) => {
    for (let n = 0; n < ROOMS; n++) {
      await fill(store, roomOf(n), ENTRIES);
      await store.commit({ room: roomOf(n), put: [{ kind: "room", key: "room", value: { id: roomOf(n) } }] });
    }
  });
  const start = performance.now();
  const store = createSqliteStore({ dataDir });
  await store.open();
  const dirty = await store.dirty(10_000);
  const rooms = await store.rooms("room");
  const ms = performance.now() - start;
  if (dirty.length !== ROOMS || rooms.length !== ROOMS) throw new Error("the store did not hold what was put in");
  await store.close();
  return [bounded(`open to ready, ${ROOMS} rooms of ${ENTRIES} entries`, ms, "ms", 1000)];
}

function tails(dataDir: string): Promise<Row[]> {
  const [long, short] = ["bench:space:long", "bench:space:short"] as const;
  return withStore(dataDir, async (store) => {
    await fill(store, long, 100_000);
    await fill(store, short, 100);
    const tail = (session: string) => () => store.burst(session, 8);
    const [inLong, inShort] = await medians([tail(long), tail(short)], 2000);
    return [
      { name: "burst tail in 100,000 entries, p50", value: inLong, unit: "ms" },
      bounded("burst tail, 100,000 entries against 100", inLong / inShort, "times", 1.2),
    ];
  });
}

function commits(dataDir: string): Promise<Row[]> {
  const room = "bench:space:commits";
  return withStore(dataDir, async (store) => {
    let n = 0;
    const commit = (durable: boolean) => () =>
      store.commit({ room, append: [{ session: room, entry: draft(n++) }], durable });
    // Grouped, not interleaved: a synced commit also pays for the unsynced ones before it.
    const [normal] = await medians([commit(false), commit(false)], 250);
    const [durable] = await medians([commit(true), commit(true)], 250);
    return [
      { name: "commit that survives kill -9, p50", value: normal, unit: "ms" },
      { name: "commit that survives power loss, p50", value: durable, unit: "ms" },
    ];
  });
}

async function withStore<T>(dataDir: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = createSqliteStore({ dataDir });
  await store.open();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function fill(store: Store, session: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += 1000) {
    const length = Math.min(1000, count - from);
    const append = Array.from({ length }, (_, i) => ({ session, entry: draft(from + i) }));
    await store.commit({ room: session, append });
  }
}

/** A person's message, then an agent's answer, then what the burst looks through. */
function draft(n: number): Draft {
  const base = { id: `entry${n}`, text: "words ".repeat(20), at: n };
  if (n % 3 === 0) {
    const sender = { kind: "person", id: "u1", name: "Robin" } as const;
    return { ...base, kind: "message", sender, cause: { kind: "person" } };
  }
  const sender = { kind: "agent", id: "alpha", name: "Alpha" } as const;
  return { ...base, kind: n % 3 === 1 ? "message" : "notice", sender, cause: { kind: "agent" } };
}

/** The median times of two kinds of work, taken in turn so that both meet the same noise. */
async function medians(
  [first, second]: readonly [() => Promise<unknown>, () => Promise<unknown>],
  times: number,
): Promise<[number, number]> {
  const taken: [number[], number[]] = [[], []];
  for (let i = 0; i < times; i++) {
    taken[0].push(await timed(first));
    taken[1].push(await timed(second));
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return [median(taken[0]), median(taken[1])];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function bounded(name: string, value: number, unit: string, bar: number): Row {
  return { name, value, unit, bar, ok: value <= bar };
}
