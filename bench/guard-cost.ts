import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../src/clock.js";
import { GUARD_DEFAULTS } from "../src/domain/guard-settings.js";
import { checkExchange, createPair, type Pair } from "../src/domain/pair.js";
import type { Store } from "../src/ports/store.js";
import { createSqliteStore } from "../src/store/sqlite/sqlite-store.js";

const ROOM = "bench:space:room";
const HOPS = 10_000;
const CHUNK = 250;
const TEXTS = Array.from({ length: 20 }, (_, i) => {
  const words = "I looked at the second part: the numbers hold, the wording does not. Please check the figures of turn";
  return `@beta ${words} ${String.fromCharCode(97 + i).repeat(12)}`;
});

/** Milliseconds of processor time per hop that the guard's pure check and its row in the commit take, over 10,000 hops. */
export async function guardCost(): Promise<{ readonly check: number; readonly rows: number }> {
  const pair = counted();
  return { check: checkCost(pair), rows: await rowCost(pair) };
}

/** A pair in the middle of its work: a full window of exchanges, a last message each way. */
function counted(): Pair {
  const sides = [
    { session: ROOM, agent: "alpha" },
    { session: ROOM, agent: "beta" },
  ] as const;
  const pair = createPair(ROOM, ...sides);
  const entry = { session: ROOM, id: "1234.0>alpha" };
  const times = Array.from({ length: GUARD_DEFAULTS.maxMessages - 1 }, (_, i) => Date.now() - i * 1_000).reverse();
  return {
    ...pair,
    counters: {
      ...pair.counters,
      run: 4,
      last: 1,
      repeats: [
        { count: 1, entry },
        { count: 1, entry },
      ],
      times,
    },
  };
}

function checkCost(pair: Pair): number {
  const exchange = {
    from: 0,
    entry: { session: ROOM, id: "x" },
    progress: false,
    work: [0, 0],
    now: Date.now(),
  } as const;
  let trips = 0;
  const ms = cpuOf(() => {
    for (let i = 0; i < HOPS; i++) {
      const text = TEXTS[i % TEXTS.length] ?? "";
      const previous = TEXTS[(i + 7) % TEXTS.length] ?? "";
      if ("trip" in checkExchange(pair, { ...exchange, text, previous }, GUARD_DEFAULTS)) trips++;
    }
  });
  if (trips > 0) throw new Error("the check was not expected to trip");
  return ms / HOPS;
}

/** The same commit with and without the pair's row, in turns. */
async function rowCost(pair: Pair): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), "troupe-bench-"));
  const store = createSqliteStore({ dataDir, clock: systemClock });
  await store.open();
  try {
    let without = 0;
    let together = 0;
    for (let hop = 0; hop < HOPS; hop += CHUNK) {
      without += await commits(store, hop, undefined);
      together += await commits(store, HOPS + hop, pair);
    }
    return (together - without) / HOPS;
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function commits(store: Store, first: number, pair: Pair | undefined): Promise<number> {
  const before = process.cpuUsage();
  for (let i = first; i < first + CHUNK; i++) {
    const version = i - HOPS;
    await store.commit({
      room: ROOM,
      append: [
        {
          session: ROOM,
          entry: {
            kind: "ack",
            id: `ack${i}`,
            sender: { kind: "agent", id: "beta", name: "beta" },
            text: "",
            at: 0,
            cause: { kind: "agent" },
            entry: "x",
            persona: "beta",
            attempt: 1,
          },
        },
      ],
      ...(pair === undefined
        ? {}
        : { expect: [{ kind: "pair", key: pair.id, version }], put: [{ kind: "pair", key: pair.id, value: pair }] }),
    });
  }
  return cpuSince(before);
}

function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return cpuSince(before);
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
