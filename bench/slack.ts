import type { SlackMessage } from "../test/fakes/slack/model.js";
import { startFakeSlack } from "../test/fakes/slack/server.js";
import { median, type Row } from "./row.js";
import { type RunningSystem, type System, systems } from "./slack-systems.js";

/** Each system is started anew in each round, in turns, so that all of them meet the same noise. Fewer rounds: `TROUPE_BENCH_ROUNDS`. */
const ROUNDS = Number(process.env.TROUPE_BENCH_ROUNDS ?? 5);
const WARM_UP = 100;
const ONE_BY_ONE = 300;
const TOGETHER = 1_500;
const IN_FLIGHT = 32;
const CHANNELS = 8;
const LONGEST_MS = 60_000;

/** What one round shows of one system. */
interface Measured {
  readonly firstReply: number;
  readonly p50: number;
  readonly p95: number;
  readonly throughput: number;
  readonly memory: number;
  /** Processor time for one mention under load. */
  readonly work: number;
}

/**
 * Mention → reply through a fake Slack over signed requests, each mention on a thread of its own: Troupe, which keeps each on disk
 * before it acknowledges, beside bots that keep nothing. All of them get the one `app_mention` event. Only the ratios say something.
 */
export async function run(): Promise<{ rows: Row[] }> {
  const compared = systems();
  const rounds = new Map<string, Measured[]>(compared.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    // Whoever comes first changes from round to round.
    for (let turn = 0; turn < compared.length; turn++) {
      const system = compared[(round + turn) % compared.length];
      if (system) rounds.get(system.name)?.push(await measure(system));
    }
  }
  const [ours = NOTHING, bolt = NOTHING, chat] = compared.map(({ name }) => summary(rounds.get(name) ?? []));
  return {
    rows: [
      ...compared.flatMap(({ name }) => shown(name, summary(rounds.get(name) ?? []))),
      ...(chat === undefined ? [] : againstChat(ours, chat)),
      { name: "mention → reply p50, of Bolt's", value: ours.p50 / bolt.p50, unit: "×", bar: 1.5 },
      { name: "throughput, Bolt's of ours", value: bolt.throughput / ours.throughput, unit: "×" },
      { name: "processor time, of Bolt's", value: ours.work / bolt.work, unit: "×" },
      { name: "memory after load, of Bolt's", value: ours.memory / bolt.memory, unit: "×", bar: 1.4 },
      { name: "first reply, later than Bolt's", value: ours.firstReply - bolt.firstReply, unit: "ms", bar: 300 },
    ],
  };
}

const NOTHING: Measured = { firstReply: NaN, p50: NaN, p95: NaN, throughput: NaN, memory: NaN, work: NaN };

function againstChat(ours: Measured, chat: Measured): readonly Row[] {
  return [
    { name: "mention → reply p50, of Chat SDK's", value: ours.p50 / chat.p50, unit: "×", bar: 1 },
    { name: "throughput, Chat SDK's of ours", value: chat.throughput / ours.throughput, unit: "×", bar: 1 },
  ];
}

function shown(name: string, { firstReply, p50, p95, throughput, memory, work }: Measured): readonly Row[] {
  return [
    { name: `${name}: start → first reply`, value: firstReply, unit: "ms" },
    { name: `${name}: mention → reply p50`, value: p50, unit: "ms" },
    { name: `${name}: mention → reply p95`, value: p95, unit: "ms" },
    { name: `${name}: replies with ${IN_FLIGHT} in flight`, value: throughput, unit: "/s" },
    { name: `${name}: memory after load`, value: memory, unit: "MB" },
    { name: `${name}: processor time for a mention`, value: work, unit: "ms" },
  ];
}

function summary(rounds: readonly Measured[]): Measured {
  const middle = (key: keyof Measured) => median(rounds.map((round) => round[key]));
  return {
    firstReply: middle("firstReply"),
    p50: middle("p50"),
    p95: middle("p95"),
    throughput: middle("throughput"),
    memory: middle("memory"),
    work: middle("work"),
  };
}

async function measure(system: System): Promise<Measured> {
  const town = await openTown();
  let running: RunningSystem | undefined;
  try {
    const begun = performance.now();
    running = await system.start(town.access);
    town.app.requestUrl = running.requestUrl;
    await town.mention();
    const firstReply = performance.now() - begun;
    await inTurns(town, WARM_UP);
    const times = (await inTurns(town, ONE_BY_ONE)).toSorted((a, b) => a - b);
    const before = running.worked();
    const throughput = await together(town);
    const work = (running.worked() - before) / TOGETHER;
    const { resident: memory } = await running.memory();
    return { firstReply, p50: at(times, 0.5), p95: at(times, 0.95), throughput, memory, work };
  } finally {
    await running?.stop();
    await town.close();
  }
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

async function inTurns(town: Town, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const begun = performance.now();
    await town.mention();
    times.push(performance.now() - begun);
  }
  return times;
}

/** Replies per second while so many mentions are always unanswered. */
async function together(town: Town): Promise<number> {
  let left = TOGETHER;
  const begun = performance.now();
  const asker = async () => {
    while (left-- > 0) await town.mention();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, asker));
  return (TOGETHER / (performance.now() - begun)) * 1_000;
}

type Town = Awaited<ReturnType<typeof openTown>>;

async function openTown() {
  const waiting = new Map<string, () => void>();
  const answered = (key: string) => {
    waiting.get(key)?.();
    waiting.delete(key);
  };
  const onPost = ({ app, text }: SlackMessage) =>
    app === undefined ? undefined : answered(/#\d+#/.exec(text)?.[0] ?? "");
  const slack = await startFakeSlack({ onPost });
  slack.workspace.addUser({ name: "ann" });
  const app = slack.workspace.addApp({ name: "troupe", displayName: "Troupe", events: ["app_mention"] });
  const channels = Array.from({ length: CHANNELS }, (_, i) => `room-${i}`);
  for (const name of channels) slack.workspace.addChannel({ name, members: ["ann", "troupe"] });
  const ann = slack.person("ann");
  let said = 0;
  return {
    app,
    access: {
      SLACK_API_URL: slack.apiUrl,
      SLACK_BOT_TOKEN: app.token,
      SLACK_SIGNING_SECRET: app.signingSecret,
    },
    /** Resolves when the mention has been answered. */
    mention: () =>
      new Promise<void>((resolve, reject) => {
        const key = `#${++said}#`;
        const late = setTimeout(() => reject(new Error(`mention ${key} was not answered`)), LONGEST_MS);
        waiting.set(key, () => {
          clearTimeout(late);
          resolve();
        });
        ann.say(channels[said % CHANNELS] ?? "", `@Troupe alpha ${key}`);
      }),
    close: () => slack.close(),
  };
}
