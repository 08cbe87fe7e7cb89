import type { GuardSettings } from "../src/domain/guard-settings.js";
import type { Brain } from "../src/ports/brain.js";
import type { Platform } from "../src/ports/platform.js";
import { type BenchEngine, handingOn, withEngine } from "./engine.js";
import { guardCost } from "./guard-cost.js";
import { median, type Row } from "./row.js";

const BAR_MS = 1;
const BAR_GUARD_PERCENT = 5;

/** A person speaks, then so many agent messages follow. Far above the default budget, so that what a raised one costs counts too. */
const BUDGET = 50;
const WARM_UP = 6;

/** Rules that count everything, as the defaults do, and never trip. */
const COUNTING: Partial<GuardSettings> = { alternations: 1e9, repeats: 1e9, maxMessages: 1e9 };
const OFF: Partial<GuardSettings> = { enabled: false };

/** Two personas that hand on to each other; each text is a usual reply, told apart by its turn. */
const WORDS =
  "I looked at the second part: the numbers hold, the wording does not. Please check the figures of turn {{turn}}.";
const PAIR = [handingOn("alpha", "beta", WORDS), handingOn("beta", "alpha", WORDS)];

/**
 * Measures a hand-off: from the start of one persona's turn to the start of the turn that its reply wakes. What the guard
 * costs is shown twice, in processor time, since a few per cent would drown in what else the machine does: its pure check and
 * its row in the commit, each measured by itself, and the whole difference between engines with and without it that take
 * turns, chain by chain, over 10,000 hops each, in which its reads count too.
 */
export async function run(): Promise<{ rows: Row[] }> {
  const off = createTally();
  const on = createTally();
  await withChains({ guard: OFF }, (plain) =>
    withChains({ guard: COUNTING }, async (guarded) => {
      for (let i = 0; i < WARM_UP + 10_000 / BUDGET; i++) {
        for (const [chain, tally] of [[plain, off] as const, [guarded, on] as const]) {
          const took = await chain();
          if (i >= WARM_UP) tally.add(took);
        }
      }
    }),
  );
  const posted = createTally();
  await withChains({ guard: COUNTING, platform: instantPlatform }, async (chain) => {
    for (let i = 0; i < 40; i++) posted.add(await chain());
  });
  const { check, rows } = await guardCost();
  return {
    rows: [
      { name: "hand-off hop, guard off, p50", value: off.p50(), unit: "ms", bar: BAR_MS },
      { name: "hand-off hop, guard on, p50", value: on.p50(), unit: "ms", bar: BAR_MS },
      { name: "hand-off hop, guard on, processor time", value: on.cpu(), unit: "ms" },
      { name: "hand-off hop with its post, guard on, p50", value: posted.p50(), unit: "ms" },
      {
        name: "guard's check and rows, share of a hop",
        value: ((check + rows) / on.cpu()) * 100,
        unit: "%",
        bar: BAR_GUARD_PERCENT,
      },
      { name: "guard with its reads, share of a hop", value: (1 - off.cpu() / on.cpu()) * 100, unit: "%" },
    ],
  };
}

/** What one chain took: each hop by the clock, and all of it in processor time. Milliseconds. */
interface Took {
  readonly hops: readonly number[];
  readonly cpu: number;
}

function createTally() {
  const hops: number[] = [];
  let cpu = 0;
  return {
    add(took: Took) {
      hops.push(...took.hops);
      cpu += took.cpu;
    },
    p50: () => median(hops),
    cpu: () => cpu / hops.length,
  };
}

interface ChainsOptions {
  readonly guard: Partial<GuardSettings>;
  readonly platform?: Platform;
}

/** Runs the work with an engine of its own in which each call makes one chain. */
async function withChains(options: ChainsOptions, work: (chain: () => Promise<Took>) => Promise<void>): Promise<void> {
  const starts: number[] = [];
  const watch = (brain: Brain): Brain => ({
    ...brain,
    run(turn) {
      starts.push(performance.now());
      return brain.run(turn);
    },
  });
  await withEngine({ personas: PAIR, budget: BUDGET, watch, ...options }, (engine) =>
    work(() => timedChain(engine, starts)),
  );
}

async function timedChain({ troupe, say }: BenchEngine, starts: number[]): Promise<Took> {
  starts.length = 0;
  const before = process.cpuUsage();
  await say("bench:space:room", "@alpha go");
  await troupe.idle();
  const { user, system } = process.cpuUsage(before);
  if (starts.length !== BUDGET) throw new Error(`expected ${BUDGET} turns, got ${starts.length}`);
  return { hops: starts.slice(1).map((at, i) => at - (starts[i] ?? Number.NaN)), cpu: (user + system) / 1000 };
}

/** Takes everything at once. */
const instantPlatform: Platform = {
  name: "bench",
  capabilities: {
    delivery: "post",
    threads: true,
    edit: true,
    ephemeral: true,
    buttons: true,
    typing: false,
    identity: true,
  },
  start: async () => {},
  status: () => ({ ready: true }),
  post: async (post) => ({ status: "posted", messageIds: [post.id] }),
  find: async () => ({ status: "absent" }),
  edit: async (_, messageIds) => ({ status: "posted", messageIds }),
  typing: async () => {},
  ephemeral: async () => {},
  stop: async () => {},
};
