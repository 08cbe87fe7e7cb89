import type { RoomId, SessionId } from "./ids.js";
import { isNearIdentical } from "./similarity.js";

/** One end of a pair: a persona (or an allow-listed bot) in a session. */
export interface Side {
  readonly session: SessionId;
  /** A persona's handle, or a bot's platform id. */
  readonly agent: string;
}

/** Which of a pair's two sides, in the order of their keys. */
export type SideIndex = 0 | 1;

export type PairState = "open" | "paused" | "releasing";
export type PauseReason = "alternation" | "repeats" | "cap" | "manual" | "release_failed";

/** The thresholds of the guard (behaviour 2.1.C). Zero in either cap value turns the cap off. */
export interface GuardSettings {
  readonly enabled: boolean;
  /** The message that would be this exchange of an unbroken back and forth is held. */
  readonly alternations: number;
  /** The message that would be this near-identical one in a row, in one direction, is held. */
  readonly repeats: number;
  /** Percent from which two messages are near-identical. */
  readonly similarity: number;
  /** More exchanges than this within the window are held, also with progress. */
  readonly maxMessages: number;
  readonly windowSecs: number;
  /** Messages that one pause keeps; later ones are refused. */
  readonly heldMax: number;
}

/** What a pair has done since its counters last started over. */
export interface Counters {
  /** Length of the current back and forth; 0 before the first exchange. */
  readonly run: number;
  /** Who sent the last exchange. */
  readonly last?: SideIndex;
  /** Per direction: near-identical messages in a row, and the entry that the next one is compared with. */
  readonly repeats: readonly [Repeat, Repeat];
  /** Times of the exchanges in the cap's window, oldest first. */
  readonly times: readonly number[];
  /** Newest work call of each side at the last exchange. */
  readonly workAtExchange: readonly [number, number];
  /** Newest work call of each side when the counters started over. */
  readonly workAtRestart: readonly [number, number];
}

export interface Repeat {
  readonly count: number;
  readonly entry?: { readonly session: SessionId; readonly id: string };
}

/** Why a pair is paused. */
export interface Trip {
  readonly reason: PauseReason;
  readonly count: number;
  readonly limit: number;
}

/** The durable record of a pair (behaviour 0.15). */
export interface Pair {
  readonly id: string;
  readonly sides: readonly [Side, Side];
  readonly state: PairState;
  /** Counts the pauses: each has one notice. */
  readonly generation: number;
  readonly trip?: Trip;
  readonly counters: Counters;
  /** How many messages are held. */
  readonly held: number;
  /** The order number that the next held message gets: never reused, never a clock. */
  readonly nextOrder: number;
  /** Delivered since the last resume. */
  readonly delivered: number;
  /** Whose the last resume or pause was, as shown. */
  readonly by?: string;
  /** The pause that the operator's command has still to be told of. */
  readonly notify?: Trip;
}

const FRESH: Counters = {
  run: 0,
  repeats: [{ count: 0 }, { count: 0 }],
  times: [],
  workAtExchange: [0, 0],
  workAtRestart: [0, 0],
};

/** The id of a pair within its room: the two unordered (session, agent) keys. Two pairs never share one. */
export function pairId(room: RoomId, a: Side, b: Side): string {
  return [sideKey(room, a), sideKey(room, b)].sort().join("~");
}

function sideKey(room: RoomId, { session, agent }: Side): string {
  return session === room ? plain(agent) : `${plain(agent)}@${plain(session.slice(room.length + 1))}`;
}

/** A bot's id and a thread's are the platform's own: what separates the parts of a key is written otherwise in them. */
function plain(part: string): string {
  return part.replace(/[%~@|]/g, (separator) => `%${separator.charCodeAt(0).toString(16)}`);
}

/** A pair that has not exchanged anything yet. */
export function createPair(room: RoomId, a: Side, b: Side): Pair {
  const sides: readonly [Side, Side] = sideKey(room, a) <= sideKey(room, b) ? [a, b] : [b, a];
  return {
    id: pairId(room, a, b),
    sides,
    state: "open",
    generation: 0,
    counters: FRESH,
    held: 0,
    nextOrder: 1,
    delivered: 0,
  };
}

/** Which side of the pair somebody is; `undefined` for somebody else. */
export function sideOf(pair: Pair, side: Side): SideIndex | undefined {
  const index = pair.sides.findIndex(({ session, agent }) => session === side.session && agent === side.agent);
  return index === 0 || index === 1 ? index : undefined;
}

/** One agent message that is about to be accepted. */
export interface Exchange {
  readonly from: SideIndex;
  readonly entry: { readonly session: SessionId; readonly id: string };
  readonly text: string;
  /** The text of the previous message in the same direction, if there was one. */
  readonly previous?: string;
  /** Somebody has done work since the pair's last exchange. */
  readonly progress: boolean;
  readonly work: readonly [number, number];
  readonly now: number;
}

/** What the guard says of an exchange: the counters with it, or the rule that it would break. */
export type Verdict = { readonly counters: Counters } | { readonly trip: Trip };

/**
 * Checks one message against the three rules (behaviour 0.12, 2.1.C). The message that would reach a threshold trips and is
 * not counted. Pure: the caller commits the counters together with the acceptance.
 */
export function checkExchange(pair: Pair, exchange: Exchange, settings: GuardSettings): Verdict {
  const before = exchange.progress ? withoutRuns(pair.counters) : pair.counters;
  const run = before.last === undefined || before.last === exchange.from ? 1 : before.run + 1;
  const repeat = repeatsWith(before.repeats[exchange.from], exchange, settings.similarity);
  const times = recentTimes(before.times, exchange.now, settings.windowSecs);
  const trip =
    reached("alternation", run, settings.alternations) ??
    reached("repeats", repeat, settings.repeats) ??
    overCap(times.length + 1, settings);
  if (trip) return { trip };
  const sent: Repeat = { count: repeat, entry: exchange.entry };
  return {
    counters: {
      ...before,
      run,
      last: exchange.from,
      repeats: exchange.from === 0 ? [sent, before.repeats[1]] : [before.repeats[0], sent],
      times: settings.maxMessages > 0 && settings.windowSecs > 0 ? [...times, exchange.now] : [],
      workAtExchange: exchange.work,
    },
  };
}

/** The pair paused by a rule: the message that broke it is the first that is held. */
export function tripped(pair: Pair, trip: Trip): Pair {
  const { by: _, ...rest } = holding({ ...pair, held: 0 });
  return { ...rest, state: "paused", generation: pair.generation + 1, trip, delivered: 0, notify: trip };
}

/** The pair with one more message held. */
export function holding(pair: Pair): Pair {
  return { ...pair, held: pair.held + 1, nextOrder: pair.nextOrder + 1 };
}

/** All counters of the pair start over: a person's prompt, or held messages drained (behaviour 0.13). */
export function restarted(work: readonly [number, number]): Counters {
  return { ...FRESH, workAtExchange: work, workAtRestart: work };
}

/** Progress ends runs and rows; the cap goes on counting. */
function withoutRuns({ last: _, ...counters }: Counters): Counters {
  return { ...counters, run: 0, repeats: FRESH.repeats };
}

function repeatsWith(repeat: Repeat, { text, previous }: Exchange, similarity: number): number {
  if (repeat.count === 0 || previous === undefined) return 1;
  return isNearIdentical(text, previous, similarity) ? repeat.count + 1 : 1;
}

function reached(reason: PauseReason, count: number, limit: number): Trip | undefined {
  return count >= limit ? { reason, count, limit } : undefined;
}

function overCap(count: number, { maxMessages, windowSecs }: GuardSettings): Trip | undefined {
  if (maxMessages === 0 || windowSecs === 0 || count <= maxMessages) return undefined;
  return { reason: "cap", count, limit: maxMessages };
}

/** Times within the window; one in the future, after a clock moved back, has age zero. */
function recentTimes(times: readonly number[], now: number, windowSecs: number): readonly number[] {
  return times.filter((time) => Math.max(0, now - time) <= windowSecs * 1_000);
}
