import type { Entry, MessageEntry } from "../entry.js";
import type { Route } from "../route.js";
import { createGuardReplay, type GuardReplay, type HeldMessage } from "./guard-replay.js";
import { createPeaks, type Peaks } from "./peaks.js";
import type { Delivery, Exhaustion, Fate, Recorded, SimulatedRoom } from "./simulation.js";
import { timingOf, turnKey } from "./timing.js";

/** A persona to wake with a message; `check`: budget and guard have a say. */
export interface Target {
  readonly persona: string;
  readonly waking: MessageEntry;
  readonly check: boolean;
}

/** An entry on its way to its fate. */
export interface Item {
  readonly recorded: Recorded;
  route?: Route;
  /** Who is left to decide about, or to wait for; absent until the entry is routed. */
  targets?: readonly Target[];
  /** Its fate is decided: only the turns that it woke are left. */
  accepted?: true;
  readonly deliveries: Delivery[];
  /** Whose message came last before this one. */
  readonly previousSpeaker?: string | undefined;
  fate?: Fate;
}

/** A burst that the budget has ended, with who waits for what. */
type Ended = { -readonly [K in keyof Exhaustion]: Exhaustion[K] } & { targets: readonly Target[] };

/** A log on its way. */
export interface Replay {
  readonly room: SimulatedRoom;
  readonly timing: ReturnType<typeof timingOf>;
  readonly guard: GuardReplay;
  readonly peaks: Peaks;
  readonly items: Item[];
  /** What waits for its decision, in order: a session decides one thing at a time. */
  readonly queue: Item[];
  /** The place in the log up to which a turn runs. */
  busyUntil: number;
  /** The time of the log's entry that is being read. */
  now: number;
  /** Agent messages since a person had a say. */
  burst: Entry[];
  /** The budget has ended this burst. */
  exhaustion: Ended | undefined;
  readonly exhaustions: Ended[];
  /** Of the newest resume: what was delivered to whom. */
  readonly released: Map<string, MessageEntry>;
  /** Turns that run in the replay. */
  readonly woken: Set<string>;
  /** Messages that are said in the replay. */
  readonly said: Map<string, MessageEntry>;
  readonly entries: Map<string, Entry>;
  /** The message that last addressed a persona, for logs that do not say what woke whom. */
  readonly addressing: Map<string, Entry>;
  /** Of what is not said in the replay: the message at which its chain ends. */
  readonly ends: Map<string, Entry>;
  readonly inputs: Map<string, unknown>;
  previousSpeaker: string | undefined;
}

/** Nothing is replayed yet. */
export function createReplay(log: readonly Recorded[], room: SimulatedRoom): Replay {
  return {
    room,
    timing: timingOf(log),
    guard: createGuardReplay(room),
    peaks: createPeaks(room.guard),
    items: [],
    queue: [],
    busyUntil: -1,
    now: 0,
    burst: [],
    exhaustion: undefined,
    exhaustions: [],
    released: new Map(),
    woken: new Set(),
    said: new Map(),
    entries: new Map(),
    addressing: new Map(),
    ends: new Map(),
    inputs: new Map(),
    previousSpeaker: undefined,
  };
}

export function noteAddressed({ addressing }: Replay, entry: Entry, { personas }: Route): void {
  for (const persona of personas) addressing.set(persona, entry);
}

/** A released message wakes its receiver, whatever budget and guard would say now. */
export function deliver({ woken, released }: Replay, held: readonly HeldMessage[]): readonly Delivery[] {
  released.clear();
  return held.map(({ message, to }) => {
    released.set(to, message);
    woken.add(turnKey(message.id, to));
    return { persona: to, result: "woke" };
  });
}

export function startBurst(replay: Replay): void {
  replay.burst = [];
  replay.exhaustion = undefined;
}
