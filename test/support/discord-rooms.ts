import { onTestFinished } from "vitest";
import { createDiscordAdapter, type DiscordAdapterOptions } from "../../adapters/discord/index.js";
import { createScriptBrain } from "../../src/brain/script/script-brain.js";
import { createCalendar } from "../../src/calendar.js";
import type { Persona } from "../../src/domain/persona.js";
import { FAMILIES } from "../../src/engine/commands/table.js";
import type { EngineConfig } from "../../src/engine/config.js";
import { createTroupe, type Troupe } from "../../src/engine/troupe.js";
import type { Brain } from "../../src/ports/brain.js";
import type { Logger } from "../../src/ports/logger.js";
import type { Platform } from "../../src/ports/platform.js";
import type { Store } from "../../src/ports/store.js";
import { createLocalWakeQueue } from "../../src/store/local-wake-queue.js";
import { createMemoryKeyValue } from "../../src/store/memory/memory-key-value.js";
import { createMemoryStore } from "../../src/store/memory/memory-store.js";
import { type DiscordTown, openDiscordTown } from "./discord-town.js";
import { testEngineConfig } from "./engine-config.js";
import { settle } from "./fake-clock.js";
import { createLogLines, type LogLines } from "./log-lines.js";

/** A whole engine in a fake Discord server, with the real adapter between them. */
export interface DiscordRooms extends DiscordTown {
  readonly troupe: Troupe;
  readonly adapter: Platform;
  readonly store: Store;
  readonly logs: LogLines;
  /** The log of a session below the channel of this name: `general`, or `general` and a thread's id. */
  log(channel: string, thread?: string): ReturnType<Store["read"]>;
  /** The session's id; `@ann` is the direct conversation with her. */
  session(channel: string, thread?: string): string;
  /** Resolves when the channel or thread shows a message whose text contains this. */
  shows(channel: string, text: string): Promise<void>;
  /** Resolves with the log, as soon as it satisfies this. */
  logged(
    channel: string,
    isIt: (entries: Awaited<ReturnType<Store["read"]>>) => boolean,
    thread?: string,
  ): ReturnType<Store["read"]>;
  stop(): Promise<void>;
}

export interface DiscordRoomsOptions {
  readonly personas: readonly Persona[];
  readonly town?: DiscordTown;
  readonly store?: Store;
  readonly brains?: readonly Brain[];
  readonly wake?: "mention" | "always";
  readonly reply?: "thread" | "channel";
  readonly bots?: readonly string[];
  /** Personas with a role to be mentioned by. */
  readonly roles?: readonly string[];
  readonly adapter?: Partial<DiscordAdapterOptions>;
  /** Waits until the adapter is connected; `false` to see it fail. */
  readonly connects?: boolean;
}

/** Starts everything; stops after the test. */
export async function startDiscordRooms(options: DiscordRoomsOptions): Promise<DiscordRooms> {
  const town = options.town ?? (await openDiscordTown());
  const { discord, clock } = town;
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
  const roles = new Set(options.roles);
  const adapter = createDiscordAdapter({
    ...adapterOptions(town, logs),
    personas: () => options.personas.map(({ name, displayName }) => ({ name, displayName, role: roles.has(name) })),
    reader: troupe.reader,
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
  await troupe.start();
  if (options.connects ?? true) await discord.recorder.until(() => adapter.status().ready);
  const { workspace } = discord;
  const place = (channel: string) =>
    channel.startsWith("@")
      ? `discord:dm:${workspace.conversationOf(workspace.user(channel.slice(1)).id, discord.botUserId).id}`
      : `discord:${workspace.guild("home").id}:${workspace.channel(channel).id}`;
  const session = (channel: string, thread?: string) => `${place(channel)}${thread === undefined ? "" : `:${thread}`}`;
  const log = (channel: string, thread?: string) => store.read(session(channel, thread), 0, 1_000);
  return {
    ...town,
    troupe,
    adapter,
    store,
    logs,
    session,
    log,
    async logged(channel, isIt, thread) {
      for (;;) {
        const entries = await log(channel, thread);
        if (isIt(entries)) return entries;
        await settle();
      }
    },
    async shows(channel, text) {
      const { channels } = workspace;
      const isThere = () => [...channels.values()].some(({ id, name }) => id === channel || name === channel);
      await discord.recorder.until(() => isThere() && discord.transcript(channel).some((line) => line.includes(text)));
    },
    stop,
  };
}

/** What the adapter needs for the app of the town. */
function adapterOptions(
  { discord, clock }: DiscordTown,
  logger: Logger,
): Omit<DiscordAdapterOptions, "reader" | "personas"> {
  return {
    token: discord.token,
    apiUrl: discord.apiUrl,
    pace: false,
    catchUpMs: 60 * 60_000,
    families: FAMILIES,
    clock,
    logger,
  };
}

function engineConfig({ wake = "mention", reply = "channel", bots = [] }: DiscordRoomsOptions): EngineConfig {
  return testEngineConfig({ room: () => ({ personas: "all", wake, reply, bots }) });
}
