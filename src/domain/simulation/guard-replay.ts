import type { Entry, MessageEntry, PairDroppedEntry, PairPausedEntry, PairResumedEntry } from "../entry.js";
import { roomOf } from "../ids.js";
import {
  checkExchange,
  createPair,
  type Exchange,
  type GuardSettings,
  holding,
  type Pair,
  pairId,
  restarted,
  type Side,
  sideOf,
  type Trip,
  tripped,
} from "../pair.js";
import { hasProgress, NO_WORK, type WorkLog, withWork } from "../progress.js";
import type { Delivery, Meters, Pause, SimulatedRoom } from "./simulation.js";

/** A message that is held in a replay. */
export interface HeldMessage {
  readonly message: MessageEntry;
  readonly to: string;
}

/** What the guard would say of a delivery. */
export type Checked = Pick<Delivery, "result" | "meters" | "trip">;

/** The pair guard of one session, replayed. */
export interface GuardReplay {
  /** Checks a delivery that the budget has let pass. */
  check(message: MessageEntry, to: string, now: number): Checked;
  /** A person's prompt to a persona: counters start over, and paused pairs go on if the author may resume. */
  prompt(persona: string, prompt: MessageEntry): readonly HeldMessage[];
  /** A pressed Resume. `undefined`: that pair is not paused. */
  resume(pressed: PairResumedEntry): readonly HeldMessage[] | undefined;
  pauseByHand(paused: PairPausedEntry): void;
  drop(dropped: PairDroppedEntry): void;
  /** A persona has done work; `digest` stands for the call and its result. */
  work(persona: string, digest: string): void;
  readonly pauses: readonly Pause[];
}

/** A pair with what it holds and the pause that it is in. */
interface PairState {
  pair: Pair;
  held: HeldMessage[];
  pause: { -readonly [K in keyof Pause]: Pause[K] } | undefined;
}

export function createGuardReplay({ session, members, guard: settings }: SimulatedRoom): GuardReplay {
  const room = roomOf(session);
  const side = (agent: string): Side => ({ session, agent });
  const pairs = new Map<string, PairState>();
  const works = new Map<string, WorkLog>();
  const texts = new Map<string, string>();
  const pauses: Pause[] = [];

  function stateOf(a: string, b: string): PairState {
    const pair = createPair(room, side(a), side(b));
    const state = pairs.get(pair.id) ?? { pair, held: [], pause: undefined };
    pairs.set(pair.id, state);
    return state;
  }

  function worksOf({ sides: [a, b] }: Pair): readonly [WorkLog, WorkLog] {
    return [works.get(a.agent) ?? NO_WORK, works.get(b.agent) ?? NO_WORK];
  }

  function exchangeOf({ counters, ...pair }: Pair, message: MessageEntry, now: number): Exchange {
    const from = sideOf({ counters, ...pair }, side(message.sender.id)) ?? 0;
    const done = worksOf({ counters, ...pair });
    const previous = texts.get(counters.repeats[from].entry?.id ?? "");
    return {
      from,
      entry: { session, id: message.id },
      text: message.text,
      ...(previous === undefined ? {} : { previous }),
      progress: hasProgress(done, counters.workAtExchange, counters.workAtRestart),
      work: [done[0].n, done[1].n],
      now,
    };
  }

  function pauseOf(state: PairState, entry: Entry, trip: Trip): void {
    const [a, b] = state.pair.sides;
    const { held } = state.pair;
    const pause = { agents: [a.agent, b.agent], trip, entry, held, refused: 0, dropped: 0 } as const;
    state.pause = { ...pause };
    pauses.push(state.pause);
  }

  /** Everything held is delivered at once, and the pair is open again with fresh counters. */
  function release(state: PairState, entry: Entry): readonly HeldMessage[] {
    const [here, gone] = [true, false].map((isHere) => state.held.filter(({ to }) => members.includes(to) === isHere));
    const [a, b] = worksOf(state.pair);
    const { trip: _, ...pair } = state.pair;
    if (state.pause) {
      state.pause.dropped += gone?.length ?? 0;
      state.pause.end = { entry, delivered: here?.length ?? 0 };
    }
    state.pair = { ...pair, state: "open", held: 0, counters: restarted([a.n, b.n]) };
    state.held = [];
    state.pause = undefined;
    return here ?? [];
  }

  function hold(state: PairState, message: MessageEntry, to: string): void {
    state.held.push({ message, to });
    if (state.pause) state.pause.held = state.held.length;
  }

  return {
    pauses,
    check(message, to, now) {
      texts.set(message.id, message.text);
      const state = stateOf(message.sender.id, to);
      if (state.pair.state !== "open") {
        if (state.pair.held >= settings.heldMax) {
          if (state.pause) state.pause.refused += 1;
          return { result: "refused" };
        }
        state.pair = holding(state.pair);
        hold(state, message, to);
        return { result: "held" };
      }
      const exchange = exchangeOf(state.pair, message, now);
      const meters = metersOf(state.pair, exchange, settings);
      const verdict = checkExchange(state.pair, exchange, settings);
      if ("counters" in verdict) {
        state.pair = { ...state.pair, counters: verdict.counters };
        return { result: "woke", meters };
      }
      state.pair = tripped(state.pair, verdict.trip);
      pauseOf(state, message, verdict.trip);
      hold(state, message, to);
      return { result: "held", meters, trip: verdict.trip };
    },
    prompt(persona, prompt) {
      const released: HeldMessage[] = [];
      for (const state of pairs.values()) {
        if (sideOf(state.pair, side(persona)) === undefined) continue;
        const [a, b] = worksOf(state.pair);
        if (state.pair.state === "open" || prompt.mayResume !== true) {
          state.pair = { ...state.pair, counters: restarted([a.n, b.n]) };
        } else {
          released.push(...release(state, prompt));
        }
      }
      return released;
    },
    resume(pressed) {
      const state = pairs.get(pressed.pair);
      return state === undefined || state.pair.state === "open" ? undefined : release(state, pressed);
    },
    pauseByHand(paused) {
      const { reason, count, limit } = paused;
      for (const [a, b] of pairsAmong(members)) {
        if (pairId(room, side(a), side(b)) !== paused.pair) continue;
        const state = stateOf(a, b);
        if (state.pair.state !== "open") return;
        const trip = { reason, count, limit };
        state.pair = { ...state.pair, state: "paused", trip };
        pauseOf(state, paused, trip);
      }
    },
    drop({ pair, entry }) {
      const state = pairs.get(pair);
      if (state === undefined) return;
      const left = state.held.filter(({ message }) => message.id !== entry);
      if (state.pause) state.pause.dropped += state.held.length - left.length;
      state.held = left;
      state.pair = { ...state.pair, held: left.length };
    },
    work(persona, digest) {
      works.set(persona, withWork(works.get(persona) ?? NO_WORK, digest));
    },
  };
}

/** What the counters would be with the message if no rule stopped it. */
function metersOf(pair: Pair, exchange: Exchange, settings: GuardSettings): Meters {
  const without = Number.POSITIVE_INFINITY;
  const maxMessages = settings.maxMessages === 0 ? 0 : without;
  const verdict = checkExchange(pair, exchange, { ...settings, alternations: without, repeats: without, maxMessages });
  const counters = "counters" in verdict ? verdict.counters : pair.counters;
  return { run: counters.run, repeats: counters.repeats[exchange.from].count, window: counters.times.length };
}

function pairsAmong(members: readonly string[]): readonly (readonly [string, string])[] {
  return members.flatMap((a, index) => members.slice(index + 1).map((b) => [a, b] as const));
}
