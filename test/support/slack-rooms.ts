import { onTestFinished } from "vitest";
import { createSlackAdapter, type SlackAdapterOptions } from "../../adapters/slack/index.js";
import { createScriptBrain } from "../../src/brain/script/script-brain.js";
import { createCalendar } from "../../src/calendar.js";
import type { Persona } from "../../src/domain/persona.js";
import type { EngineConfig } from "../../src/engine/config.js";
import { createTroupe, type Troupe } from "../../src/engine/troupe.js";
import type { Brain } from "../../src/ports/brain.js";
import type { KeyValue } from "../../src/ports/key-value.js";
import type { Logger } from "../../src/ports/logger.js";
import type { Platform } from "../../src/ports/platform.js";
import type { Store } from "../../src/ports/store.js";
import { createLocalWakeQueue } from "../../src/store/local-wake-queue.js";
import { createMemoryKeyValue } from "../../src/store/memory/memory-key-value.js";
import { createMemoryStore } from "../../src/store/memory/memory-store.js";
import type { Delivery } from "../fakes/slack/courier.js";
import { testEngineConfig } from "./engine-config.js";
import { settle } from "./fake-clock.js";
import { createLogLines, type LogLines } from "./log-lines.js";
import { openSlackTown, type SlackTown } from "./slack-town.js";

/** Resolves when the app has taken all that was sent about these. */
export async function taken(...said: readonly { readonly deliveries: readonly Delivery[] }[]): Promise<void> {
  await Promise.all(said.flatMap(({ deliveries }) => deliveries.map(({ settled }) => settled)));
}

/** A whole engine in a fake Slack workspace, with the real adapter between them. */
export interface SlackRooms extends SlackTown {
  readonly troupe: Troupe;
  readonly adapter: Platform;
  readonly store: Store;
  readonly logs: LogLines;
  /** The log of a session below the channel of this name: `general`, or `general` and a thread. */
  log(channel: string, thread?: string): ReturnType<Store["read"]>;
  /** The session's id. */
  session(channel: string, thread?: string): string;
  /** Resolves when the channel shows a message whose text contains this. */
  shows(channel: string, text: string): Promise<void>;
  stop(): Promise<void>;
}

export interface SlackRoomsOptions {
  readonly personas: readonly Persona[];
  readonly town?: SlackTown;
  readonly store?: Store;
  readonly brains?: readonly Brain[];
  /** What outlives the process besides the store. */
  readonly notes?: KeyValue;
  readonly wake?: "mention" | "always";
  readonly reply?: "thread" | "channel";
  readonly bots?: readonly string[];
  readonly adapter?: Partial<SlackAdapterOptions>;
  /** Waits until the adapter is connected; `false` to see it fail. */
  readonly connects?: boolean;
}

/** Starts everything; stops after the test. */
export async function startSlackRooms(options: SlackRoomsOptions): Promise<SlackRooms> {
  const town = options.town ?? (await openSlackTown());
  const { slack, clock } = town;
  const store = options.store ?? createMemoryStore();
  const logs = createLogLines();
  const troupe = createTroupe({
    store,
    settings: createMemoryKeyValue("settings"),
    queue: createLocalWakeQueue({ clock, logger: logs }),
    brains: options.brains ?? [createScriptBrain({ clock })],
    team: { name: "acme", personas: options.personas },
    config: engineConfig(options),
    clock,
    calendar: createCalendar(),
    logger: logs,
  });
  const adapter = createSlackAdapter({
    ...adapterOptions(town, logs),
    reader: troupe.reader,
    ...(options.notes === undefined ? {} : { notes: options.notes }),
    ...options.adapter,
  });
  troupe.addPlatform(adapter);
  let isStopped = false;
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    await troupe.stop(3_000);
  };
  onTestFinished(stop);
  const caughtUp = watchCatchUp(town, logs);
  await troupe.start();
  if (options.connects ?? true) {
    await slack.recorder.until(() => adapter.status().ready);
    await caughtUp();
  }
  const session = (channel: string, thread?: string) =>
    `slack:${slack.workspace.team.id}:${slack.workspace.channel(channel).id}${thread === undefined ? "" : `:${thread}`}`;
  return {
    ...town,
    troupe,
    adapter,
    store,
    logs,
    session,
    log: (channel, thread) => store.read(session(channel, thread), 0, 1_000),
    async shows(channel, text) {
      await slack.recorder.until(() => slack.transcript(channel).some((line) => line.includes(text)));
    },
    stop,
  };
}

/** Resolves when the adapter has read what was said before it came. */
export function watchCatchUp({ slack }: SlackTown, logs: LogLines): () => Promise<void> {
  return async () => {
    await slack.recorder.until(() => logs.lines.some(({ message }) => message === CAUGHT_UP));
    await settle();
  };
}

const CAUGHT_UP = "what was said in Slack meanwhile has been read";

/** What the adapter needs for the main app of the town. */
export function adapterOptions({ slack, clock }: SlackTown, logger: Logger): Omit<SlackAdapterOptions, "reader"> {
  const { token, appToken } = slack.workspace.app("troupe");
  return {
    botToken: token,
    transport: { mode: "socket", appToken },
    apiUrl: slack.apiUrl,
    pace: 0,
    catchUpMs: 60 * 60_000,
    personaTokens: new Map([["gamma", { tokenName: "SLACK_TOKEN_GAMMA", token: slack.workspace.app("gamma").token }]]),
    clock,
    logger,
  };
}

function engineConfig({ wake = "mention", reply = "thread", bots = [] }: SlackRoomsOptions): EngineConfig {
  return testEngineConfig({ room: () => ({ personas: "all", wake, reply, bots }) });
}
