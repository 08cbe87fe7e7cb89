import { createScriptBrain } from "../../src/brain/script/script-brain.js";
import { createCalendar } from "../../src/calendar.js";
import { GUARD_DEFAULTS, type GuardSettings } from "../../src/domain/guard-settings.js";
import type { Persona, ScriptRule } from "../../src/domain/persona.js";
import type { EngineConfig, RoomConfig } from "../../src/engine/config.js";
import { createTroupe, type Troupe, type TroupeOptions } from "../../src/engine/troupe.js";
import type { Brain } from "../../src/ports/brain.js";
import type { Logger } from "../../src/ports/logger.js";
import type { InboundSender } from "../../src/ports/platform.js";
import type { Logged, Store } from "../../src/ports/store.js";
import { createLocalWakeQueue } from "../../src/store/local-wake-queue.js";
import { createMemoryKeyValue } from "../../src/store/memory/memory-key-value.js";
import { createMemoryStore } from "../../src/store/memory/memory-store.js";
import { createFakeChat, type FakeChat } from "../fakes/chat-platform.js";
import { TEST_LIMITS, testEngineConfig } from "./engine-config.js";
import { createFakeClock, type FakeClock, settle } from "./fake-clock.js";

export const ANN: InboundSender = { kind: "person", id: "fake:T:ann", name: "Ann", isAdmin: true };
export const BOB: InboundSender = { kind: "person", id: "fake:T:bob", name: "Bob", isAdmin: false };
export const ROOM = "fake:T:general";

/** A scripted persona. Rules in the short form: what it says, or `[when, says]`. */
export function scripted(
  name: string,
  ...rules: readonly (string | readonly [string, string] | ScriptRule)[]
): Persona {
  return {
    name,
    displayName: name.charAt(0).toUpperCase() + name.slice(1),
    description: `The persona ${name}.`,
    prompt: `You are ${name}.`,
    brain: "script",
    script: rules.map((rule) => {
      if (typeof rule === "string") return { steps: [{ say: rule }] };
      if ("steps" in rule) return rule;
      return { when: rule[0], steps: [{ say: rule[1] }] };
    }),
  };
}

export const quietLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => quietLogger,
};

interface TestRoomsOptions {
  readonly personas: readonly Persona[];
  readonly budget?: number;
  readonly fanout?: number;
  readonly guard?: Partial<GuardSettings>;
  readonly resume?: EngineConfig["resume"];
  readonly room?: Partial<RoomConfig>;
  readonly admins?: EngineConfig["admins"];
  readonly limits?: Partial<EngineConfig["limits"]>;
  readonly schedules?: EngineConfig["schedules"];
  readonly defaultPersona?: string;
  readonly store?: Store;
  readonly settings?: TroupeOptions["settings"];
  readonly clock?: FakeClock;
  readonly chat?: FakeChat;
  readonly brains?: (clock: FakeClock) => readonly Brain[];
  readonly logger?: Logger;
  readonly notifyPause?: TroupeOptions["notifyPause"];
}

/** A whole engine on working fakes: memory store, a chat platform in memory, a clock driven by hand. */
export interface TestRooms {
  readonly troupe: Troupe;
  readonly store: Store;
  readonly settings: TroupeOptions["settings"];
  readonly chat: FakeChat;
  readonly clock: FakeClock;
  /** A message from outside; resolves when it has been accepted and everything it set off is quiet. */
  say(
    text: string,
    options?: { from?: InboundSender; session?: string; id?: string; replyTo?: string; direct?: boolean },
  ): Promise<void>;
  command(text: string, from?: InboundSender, session?: string): ReturnType<FakeChat["inbox"]["command"]>;
  press(action: string, value: string, from?: InboundSender): ReturnType<FakeChat["inbox"]["press"]>;
  log(session?: string): Promise<readonly Logged[]>;
  /** The messages of a session as `name: text`. */
  lines(session?: string): Promise<readonly string[]>;
  /** Lets everything settle that does not wait for the clock. */
  quiet(): Promise<void>;
}

export async function startRooms(options: TestRoomsOptions): Promise<TestRooms> {
  const clock = options.clock ?? createFakeClock();
  const store = options.store ?? createMemoryStore();
  const settings = options.settings ?? createMemoryKeyValue("settings");
  const chat = options.chat ?? createFakeChat();
  const logger = options.logger ?? quietLogger;
  const troupe = createTroupe({
    store,
    settings,
    queue: createLocalWakeQueue({ clock, logger }),
    brains: options.brains?.(clock) ?? [createScriptBrain({ clock })],
    team: {
      name: "acme",
      personas: options.personas,
      ...(options.defaultPersona === undefined ? {} : { defaultPersona: options.defaultPersona }),
    },
    config: engineConfig(options),
    clock,
    calendar: createCalendar(),
    logger,
    ...(options.notifyPause === undefined ? {} : { notifyPause: options.notifyPause }),
  });
  troupe.addPlatform(chat);
  await troupe.start();
  await settle();
  let messages = 0;

  const rooms: TestRooms = {
    troupe,
    store,
    settings,
    chat,
    clock,
    async say(text, { from = ANN, session = ROOM, id = `p${++messages}`, replyTo, direct } = {}) {
      await chat.inbox.message({
        id,
        session,
        from,
        text,
        at: clock.now(),
        ...(replyTo === undefined ? {} : { replyTo }),
        ...(direct === undefined ? {} : { direct }),
      });
      await settle(60);
    },
    command: (text, from = ANN, session = ROOM) => chat.inbox.command({ session, from, text }),
    press: (action, value, from = ANN) => chat.inbox.press({ room: ROOM, from, action, value }),
    log: (session = ROOM) => store.read(session, 0, 10_000),
    async lines(session = ROOM) {
      const log = await store.read(session, 0, 10_000);
      return log
        .filter(({ entry }) => entry.kind === "message")
        .map(({ entry }) => `${entry.sender.name}: ${entry.text}`);
    },
    quiet: () => settle(200),
  };
  return rooms;
}

function engineConfig(options: TestRoomsOptions): EngineConfig {
  const { budget, fanout, guard, resume, room, admins, schedules, limits } = options;
  return testEngineConfig({
    ...(budget === undefined ? {} : { burstBudget: { value: budget, source: "configuration" } }),
    ...(fanout === undefined ? {} : { fanout }),
    guard: { ...GUARD_DEFAULTS, ...guard },
    ...(resume === undefined ? {} : { resume }),
    room: () => ({ personas: "all", wake: "mention", reply: "channel", bots: [], ...room }),
    ...(admins === undefined ? {} : { admins }),
    ...(schedules === undefined ? {} : { schedules }),
    limits: { ...TEST_LIMITS, ...limits },
  });
}
