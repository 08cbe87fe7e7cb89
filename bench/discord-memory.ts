import { setTimeout as sleep } from "node:timers/promises";
import type { Person } from "../test/fakes/discord/person.js";
import { SYSTEMS, type System } from "./discord-systems.js";
import { openTown, type Town } from "./discord-town.js";
import type { Row } from "./row.js";
import type { BotProcess, Held } from "./systems.js";

const BAR_MB = 5;
const AUTHORS = 5_000;
const THREADS = 500;
const CHANNELS = 40;
/** As much is said before by a few: what messages as such leave (pages of the database, code that has got faster) is not growth. */
const WARM_UP = AUTHORS;
const WARM_UP_AUTHORS = 20;
/** So many are said before we wait until the bot has nothing left to do. */
const AT_ONCE = 250;
const LOOK_EVERY_MS = 250;

/**
 * What 5,000 people who each say something, in 500 threads, leave in memory over the same bot before they came: ours, which takes each
 * message down, beside discord.js as it comes, which only hears them.
 */
export async function run(): Promise<{ rows: Row[] }> {
  const rows: Row[] = [];
  for (const [index, system] of SYSTEMS.entries()) {
    const { before, after } = await grow(system);
    const bar = index === 0 ? { bar: BAR_MB } : {};
    rows.push(
      { name: `${system.name}: memory, idle`, value: before.resident, unit: "MB" },
      { name: `${system.name}: growth of the heap`, value: after.heap - before.heap, unit: "MB", ...bar },
      { name: `${system.name}: growth of memory`, value: after.resident - before.resident, unit: "MB", ...bar },
    );
  }
  return { rows };
}

async function grow(system: System): Promise<{ readonly before: Held; readonly after: Held }> {
  const town = await openTown(CHANNELS);
  let bot: BotProcess | undefined;
  try {
    const few = join(town, WARM_UP_AUTHORS, "regular");
    bot = await system.start(town.access);
    for (const channel of town.channels) await town.mention(channel);
    await talk({ town, bot, people: few, places: openThreads(town, few, "first", 2), count: WARM_UP });
    const before = await bot.memory();
    const many = join(town, AUTHORS, "visitor");
    await talk({ town, bot, people: many, places: openThreads(town, many, "thread", THREADS), count: AUTHORS });
    return { before, after: await bot.memory() };
  } finally {
    await bot?.stop();
    await town.close();
  }
}

function join({ discord }: Town, count: number, kind: string): readonly Person[] {
  return Array.from({ length: count }, (_, i) => {
    const { id } = discord.workspace.addUser({ name: `${kind}${i}` });
    discord.workspace.addMember("home", id);
    return discord.person(id);
  });
}

function openThreads({ channels }: Town, people: readonly Person[], name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => {
    const channel = channels[i % channels.length] ?? "";
    return people[i % people.length]?.openThread(channel, `${name} ${i}`).id ?? "";
  });
}

interface Talk {
  readonly town: Town;
  readonly bot: BotProcess;
  readonly people: readonly Person[];
  readonly places: readonly string[];
  readonly count: number;
}

/** So many messages, by each person in turn, in each thread in turn. The last words are a mention, which is answered. */
async function talk({ town, bot, people, places, count }: Talk): Promise<void> {
  for (let i = 0; i < count; i++) {
    const thread = places[i % places.length] ?? "";
    people[i % people.length]?.say(thread, `I have been thinking about number ${i} for a while now.`);
    if ((i + 1) % AT_ONCE === 0) await untilQuiet(bot);
  }
  await town.mention(places.at(-1) ?? "");
  await untilQuiet(bot);
}

/** Until its processor has done next to nothing for three looks in a row. */
async function untilQuiet(bot: BotProcess): Promise<void> {
  let before = bot.worked();
  for (let quiet = 0; quiet < 3; ) {
    await sleep(LOOK_EVERY_MS);
    const now = bot.worked();
    quiet = now - before <= 10 ? quiet + 1 : 0;
    before = now;
  }
}
