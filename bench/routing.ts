import type { Draft } from "../src/domain/entry.js";
import type { Brain } from "../src/ports/brain.js";
import type { Store } from "../src/ports/store.js";
import { handingOn, withEngine } from "./engine.js";
import { median, type Row } from "./row.js";

const BAR_TIMES = 1.2;
const SHORT = "bench:space:short";
const LONG = "bench:space:long";
const WARM_UP = 30;
const ROUNDS = 200;

/**
 * Measures what the length of a log costs: a person's message, and the hand-off that it leads to, in a session of
 * 100,000 entries and in one of 100, by turns. Routing, the burst check and the turns' view of the log all count.
 */
export async function run(): Promise<{ rows: Row[] }> {
  const times = { [SHORT]: [] as number[], [LONG]: [] as number[] };
  const personas = [handingOn("alpha", "beta", "please check"), { ...handingOn("beta", "alpha", ""), script: [] }];
  await withEngine({ personas, budget: 6, guard: {}, watch: looking }, async ({ troupe, store, say }) => {
    await fill(store, SHORT, 100);
    await fill(store, LONG, 100_000);
    for (let round = 0; round < WARM_UP + ROUNDS; round++) {
      for (const session of [SHORT, LONG] as const) {
        const start = performance.now();
        await say(session, "@alpha go");
        await troupe.idle();
        if (round >= WARM_UP) times[session].push(performance.now() - start);
      }
    }
  });
  const [short, long] = [median(times[SHORT]), median(times[LONG])];
  return {
    rows: [
      { name: "message and hand-off in a log of 100,000 entries, p50", value: long, unit: "ms" },
      { name: "routing and burst, 100,000 entries against 100", value: long / short, unit: "times", bar: BAR_TIMES },
    ],
  };
}

/** Every turn reads what a model would be shown. */
function looking(brain: Brain): Brain {
  return {
    ...brain,
    async *run(turn) {
      await turn.view(4_000);
      yield* brain.run(turn);
    },
  };
}

/** A log as it grows in a room: a person, an agent's answer, a line of the system, all decided. */
async function fill(store: Store, session: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += 1_000) {
    const length = Math.min(1_000, count - from);
    const append = Array.from({ length }, (_, i) => ({ session, entry: draft(from + i), outcome: IGNORED }));
    await store.commit({ room: session, append });
  }
}

const IGNORED = { kind: "ignored", reason: "no_mention" } as const;

function draft(n: number): Draft {
  const base = { id: `old${n}`, text: "words ".repeat(20), at: n };
  const person = { kind: "person", id: "u1", name: "Robin" } as const;
  const agent = { kind: "agent", id: "alpha", name: "Alpha" } as const;
  if (n % 3 === 0) return { ...base, kind: "message", sender: person, cause: { kind: "person" } };
  return { ...base, kind: n % 3 === 1 ? "message" : "notice", sender: agent, cause: { kind: "agent" } };
}
