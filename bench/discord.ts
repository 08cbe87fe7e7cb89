import { SYSTEMS, type System } from "./discord-systems.js";
import { openTown, type Town } from "./discord-town.js";
import { median, type Row } from "./row.js";
import type { BotProcess } from "./systems.js";

/** Each system is started anew in each round, in turns, so that both meet the same noise. Fewer rounds: `TROUPE_BENCH_ROUNDS`. */
const ROUNDS = Number(process.env.TROUPE_BENCH_ROUNDS ?? 5);
const CHANNELS = 40;
/** Of the posts that a channel takes in a minute, together fewer than Discord allows. */
const WARM_UP_EACH = 5;
const MEASURED_EACH = 15;
const MEASURED = CHANNELS * MEASURED_EACH;

/** What one round shows of one system. */
interface Measured {
  readonly p50: number;
  readonly p95: number;
  /** Processor time for one mention. */
  readonly work: number;
  readonly memory: number;
}

/**
 * Mention → webhook's reply through a fake Discord, at a pace that its limits allow: Troupe, which keeps each on disk before it
 * answers, beside a bare discord.js bot that keeps nothing. Only the ratios say something.
 */
export async function run(): Promise<{ rows: Row[] }> {
  const rounds = new Map<string, Measured[]>(SYSTEMS.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    // Whoever comes first changes from round to round.
    for (let turn = 0; turn < SYSTEMS.length; turn++) {
      const system = SYSTEMS[(round + turn) % SYSTEMS.length];
      if (system) rounds.get(system.name)?.push(await measure(system));
    }
  }
  const summaries = SYSTEMS.map(({ name }) => ({ name, ...summary(rounds.get(name) ?? []) }));
  const [ours = NOTHING, bare = NOTHING] = summaries;
  return {
    rows: [
      ...summaries.flatMap(shown),
      { name: "mention → webhook reply p50, of discord.js's", value: ours.p50 / bare.p50, unit: "×", bar: 1.3 },
      { name: "processor time, of discord.js's", value: ours.work / bare.work, unit: "×" },
      { name: "memory after replies, of discord.js's", value: ours.memory / bare.memory, unit: "×" },
    ],
  };
}

const NOTHING: Measured = { p50: NaN, p95: NaN, work: NaN, memory: NaN };

function shown({ name, p50, p95, work, memory }: Measured & { readonly name: string }): readonly Row[] {
  return [
    { name: `${name}: mention → webhook reply p50`, value: p50, unit: "ms" },
    { name: `${name}: mention → webhook reply p95`, value: p95, unit: "ms" },
    { name: `${name}: processor time for a mention`, value: work, unit: "ms" },
    { name: `${name}: memory after replies`, value: memory, unit: "MB" },
  ];
}

function summary(rounds: readonly Measured[]): Measured {
  const middle = (key: keyof Measured) => median(rounds.map((round) => round[key]));
  return { p50: middle("p50"), p95: middle("p95"), work: middle("work"), memory: middle("memory") };
}

async function measure(system: System): Promise<Measured> {
  const town = await openTown(CHANNELS);
  let bot: BotProcess | undefined;
  try {
    bot = await system.start(town.access);
    await inTurns(town, WARM_UP_EACH);
    const before = bot.worked();
    const times = (await inTurns(town, MEASURED_EACH)).toSorted((a, b) => a - b);
    const work = (bot.worked() - before) / MEASURED;
    const { resident: memory } = await bot.memory();
    return { p50: at(times, 0.5), p95: at(times, 0.95), work, memory };
  } finally {
    await bot?.stop();
    await town.close();
  }
}

/** One after the other, so often in each channel. */
async function inTurns(town: Town, each: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = 0; i < each; i++) {
    for (const channel of town.channels) times.push(await town.mention(channel));
  }
  return times;
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
