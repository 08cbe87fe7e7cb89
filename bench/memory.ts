import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { withEngine } from "./engine.js";
import type { Row } from "./row.js";

const BAR_KIB = 4;
const WARM_UP = 200;
const ROOMS = 1_000;

/** Measures what a room leaves in memory once it is quiet: after a message, an answer and a suppressed hand-off. */
export async function run(): Promise<{ rows: Row[] }> {
  const collect = garbageCollector();
  const persona = { displayName: "Alpha", description: "", prompt: "", brain: "script" } as const;
  const personas = [
    { ...persona, name: "alpha", script: [{ steps: [{ say: "@beta look" }] }] },
    { ...persona, name: "beta", displayName: "Beta", script: [] },
  ];
  let bytes = 0;
  await withEngine({ personas, budget: 1, guard: {} }, async ({ troupe, say }) => {
    const talkIn = async (from: number, to: number) => {
      for (let room = from; room < to; room++) await say(`bench:space:room${room}`, "@alpha go");
      await troupe.idle();
    };
    await talkIn(0, WARM_UP);
    const before = collect();
    await talkIn(WARM_UP, WARM_UP + ROOMS);
    bytes = collect() - before;
  });
  return { rows: [{ name: "idle room, heap", value: bytes / ROOMS / 1024, unit: "KiB", bar: BAR_KIB }] };
}

/** Collects everything that nobody holds, and gives the bytes in use. */
function garbageCollector(): () => number {
  setFlagsFromString("--expose-gc");
  const gc: () => void = runInNewContext("gc");
  return () => {
    for (let i = 0; i < 3; i++) gc();
    return process.memoryUsage().heapUsed;
  };
}
