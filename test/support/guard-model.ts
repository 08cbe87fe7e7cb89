import type { Entry, MessageEntry } from "../../src/domain/entry.js";
import { roomOf } from "../../src/domain/ids.js";
import type { GuardSettings, Pair, PauseReason, Side } from "../../src/domain/pair.js";

/** One accepted message of a pair since its counters started over. */
interface Exchange {
  readonly from: string;
  readonly text: string;
  readonly progress: boolean;
}

interface HeldMessage {
  readonly order: number;
  readonly entry: string;
  readonly to: string;
  failures: number;
}

/** A pair as plainly as it can be kept: its whole history since the counters started over, and what waits. */
interface ModelPair {
  readonly sides: readonly [string, string];
  state: "open" | "paused" | "releasing";
  exchanges: Exchange[];
  times: number[];
  /** How many calls each side had made at the last exchange, and when the counters started over. */
  seen: ReadonlyMap<string, number>;
  start: ReadonlyMap<string, number>;
  /** Its counters have started over in this commit. */
  restarted: boolean;
  held: HeldMessage[];
  orders: number;
  pauses: number;
  /** How often its record has been written. */
  changes: number;
}

/** A delivery from an agent or a bot, and what the engine has made of it. */
export interface Attempt {
  readonly message: MessageEntry;
  readonly to: string;
  readonly result: "accepted" | "held" | "refused";
}

type PairEntry<K extends Entry["kind"]> = Extract<Entry, { kind: K }>;

const keyOf = ({ session, agent }: Side) => `${session} ${agent}`;

/** The texts of the histories have other words or the same ones; their number and the digits do not matter. */
const wordsOf = (text: string) => [...new Set(text.match(/[@a-z]+/g))].sort().join(" ");

/**
 * The guard's rules written down a second time, from whole histories instead of counters. Each method takes what a commit
 * says has happened, and throws where the rules say something else.
 */
export class GuardModel {
  enabled = true;
  readonly mayResume = new Set<string>();
  /** Messages delivered, as `session message>persona`. */
  readonly delivered = new Set<string>();
  readonly totals = { held: 0, released: 0, dropped: 0, paused: 0, refused: 0 };
  readonly #settings: GuardSettings;
  readonly #pairs = new Map<string, ModelPair>();
  readonly #ids = new Map<string, ModelPair>();
  readonly #work = new Map<string, string[]>();

  constructor(settings: GuardSettings) {
    this.#settings = settings;
  }

  /** How many messages are held. */
  waiting(): number {
    return [...this.#pairs.values()].reduce((sum, { held }) => sum + held.length, 0);
  }

  /** A pair's record has this id and these sides. */
  name(id: string, [a, b]: readonly [Side, Side]): void {
    this.#ids.set(id, this.#pairOf(keyOf(a), keyOf(b)));
  }

  worked(side: Side, digest: string): void {
    const key = keyOf(side);
    this.#work.set(key, [...(this.#work.get(key) ?? []), digest]);
  }

  /** The engine has decided about a delivery, in a commit with these entries. */
  attempt({ message, to, result }: Attempt, entries: readonly Entry[], now: number): void {
    const from = keyOf({ session: message.session, agent: message.sender.id });
    const where = `${message.id} to ${to}`;
    if (!this.enabled) {
      same(result, "accepted", `${where}, guard off`);
      this.#deliver(message.session, message.id, to);
      return;
    }
    const pair = this.#pairOf(from, keyOf({ session: message.session, agent: to }));
    if (pair.state !== "open") {
      same(result, pair.held.length >= this.#settings.heldMax ? "refused" : "held", `${where}, ${pair.state}`);
      if (result === "held") this.#hold(pair, message, to, entries);
      else this.totals.refused++;
      return;
    }
    const exchange = { from, text: message.text, progress: this.#hasProgress(pair) };
    const reason = this.#tripOf(pair, exchange, now);
    const paused = entries.find((one) => one.kind === "agent_pair_paused" && this.#byId(one.pair) === pair);
    same(result, reason === undefined ? "accepted" : "held", `${where}, ${reason}`);
    same(paused?.kind === "agent_pair_paused" ? paused.reason : undefined, reason, where);
    if (reason === undefined) {
      this.#deliver(message.session, message.id, to);
      this.#count(pair, exchange, now);
      return;
    }
    this.#pause(pair);
    this.#hold(pair, message, to, entries);
  }

  /**
   * A person's prompt has been accepted: the counters of its persona's pairs start over, and what is paused goes on.
   * `changed` are the ids of the pairs in the commit.
   */
  prompt(message: MessageEntry, persona: string, entries: readonly Entry[], changed: readonly string[]): void {
    const records = new Set(changed.map((id) => this.#ids.get(id)));
    for (const pair of this.#pairs.values()) {
      if (!isAddressed(pair, message, persona)) continue;
      // Its first record may have been made while the prompt was being accepted.
      if (pair.changes === 1 && !records.has(pair)) continue;
      if (pair.state === "paused" && this.mayResume.has(message.sender.id)) {
        const resumed = entries.some((entry) => entry.kind === "agent_pair_resumed" && this.#byId(entry.pair) === pair);
        same(resumed, true, `a prompt to ${persona} resumes its pair`);
      } else this.#restart(pair);
    }
  }

  /** A pause by hand, or by a release that failed. A trip has been seen to with its delivery. */
  paused(entry: PairEntry<"agent_pair_paused">): void {
    const pair = this.#byId(entry.pair);
    if (entry.reason === "manual") {
      same(pair.state, "open", "a pair paused by hand");
      this.#pause(pair);
    }
    if (entry.reason !== "release_failed") return;
    same(pair.state, "releasing", "a pair whose release failed");
    const [head] = pair.held;
    if (head) head.failures++;
    same(head?.failures, 1, "failures of the message that stays held");
    this.#pause(pair);
  }

  resumed(entry: PairEntry<"agent_pair_resumed">): void {
    const pair = this.#byId(entry.pair);
    const { kind, id } = entry.sender;
    same(pair.state, "paused", "a pair that is resumed");
    if (kind === "person") same(this.mayResume.has(id), true, `the right of ${id} to resume`);
    else same([kind, this.enabled], ["system", false], "a resume without a person");
    pair.state = "releasing";
  }

  released(entry: PairEntry<"agent_pair_released">): void {
    const pair = this.#byId(entry.pair);
    same(pair.state, "releasing", "a pair that delivers what it held");
    const head = pair.held.shift();
    same([head?.order, head?.entry, head?.to], [entry.order, entry.entry, entry.to], "the oldest held message");
    this.#deliver(entry.session, entry.entry, entry.to);
    this.totals.released++;
  }

  dropped(entry: PairEntry<"agent_pair_dropped">): void {
    const pair = this.#byId(entry.pair);
    const head = pair.held.shift();
    same([head?.order, head?.entry], [entry.order, entry.entry], "the oldest held message");
    const isUndeliverable = pair.state === "releasing" && (head?.failures === 1 || !this.enabled);
    same(pair.state === "paused" || isUndeliverable, true, `a reason to drop ${entry.entry}`);
    this.totals.dropped++;
  }

  /** The record of a pair as the commit has written it. */
  compare(value: Pair): void {
    const pair = this.#byId(value.id);
    pair.changes++;
    if (pair.state === "releasing" && value.state === "open") {
      same(pair.held.length, 0, "held by a pair that is open again");
      pair.state = "open";
      this.#restart(pair);
    }
    this.#compareWork(pair, value);
    const recent = recentOf(pair);
    const { state, held, nextOrder, generation, counters } = value;
    same(
      [state, held, nextOrder, generation, counters.run, counters.repeats.map(({ count }) => count), counters.times],
      [
        pair.state,
        pair.held.length,
        pair.orders + 1,
        pair.pauses,
        runOf(recent),
        value.sides.map((side) => repeatsOf(recent, keyOf(side))),
        pair.times,
      ],
      `the record of ${value.id}`,
    );
  }

  /** Nothing more belongs to this commit. */
  settle(): void {
    for (const pair of this.#pairs.values()) pair.restarted = false;
  }

  /** A restart may have been worked out a moment before its commit, while somebody was at work. */
  #compareWork(pair: ModelPair, { sides, counters }: Pair): void {
    const marksOf = (n: readonly [number, number]) => new Map(sides.map((side, i) => [keyOf(side), n[i] ?? 0]));
    if (pair.restarted) {
      pair.seen = marksOf(counters.workAtRestart);
      pair.start = pair.seen;
    }
    const seen = marksOf(counters.workAtExchange);
    for (const side of pair.sides) same(seen.get(side), pair.seen.get(side), `work of ${side} at the last exchange`);
  }

  #pairOf(a: string, b: string): ModelPair {
    const sides: [string, string] = a <= b ? [a, b] : [b, a];
    const key = sides.join("\n");
    const found = this.#pairs.get(key) ?? newPair(sides);
    this.#pairs.set(key, found);
    return found;
  }

  #byId(id: string): ModelPair {
    return this.#ids.get(id) ?? raise(`a pair that has no record: ${id}`);
  }

  #tripOf(pair: ModelPair, exchange: Exchange, now: number): PauseReason | undefined {
    const { alternations, repeats, maxMessages } = this.#settings;
    const exchanges = [...(exchange.progress ? [] : recentOf(pair)), exchange];
    if (runOf(exchanges) >= alternations) return "alternation";
    if (repeatsOf(exchanges, exchange.from) >= repeats) return "repeats";
    return this.#inWindow(pair, now).length + 1 > maxMessages ? "cap" : undefined;
  }

  #inWindow({ times }: ModelPair, now: number): number[] {
    return times.filter((time) => Math.max(0, now - time) <= this.#settings.windowSecs * 1_000);
  }

  #count(pair: ModelPair, exchange: Exchange, now: number): void {
    pair.times = [...this.#inWindow(pair, now), now];
    pair.exchanges.push(exchange);
    pair.seen = this.#marks(pair);
  }

  #deliver(session: string, message: string, to: string): void {
    const name = `${session} ${message}>${to}`;
    if (this.delivered.has(name)) raise(`delivered twice: ${name}`);
    this.delivered.add(name);
  }

  #pause(pair: ModelPair): void {
    pair.state = "paused";
    pair.pauses++;
    this.totals.paused++;
  }

  #hold(pair: ModelPair, message: MessageEntry, to: string, entries: readonly Entry[]): void {
    const order = ++pair.orders;
    const entry = entries.find(
      (one) => one.kind === "agent_pair_held" && this.#byId(one.pair) === pair && one.order === order,
    );
    if (entry?.kind !== "agent_pair_held") throw new Error(`no entry says that ${message.id} is held`);
    same([entry.entry, entry.to, entry.text], [message.id, to, message.text], "the held entry");
    pair.held.push({ order, entry: message.id, to, failures: 0 });
    this.totals.held++;
  }

  #restart(pair: ModelPair): void {
    pair.exchanges = [];
    pair.times = [];
    pair.seen = this.#marks(pair);
    pair.start = pair.seen;
    pair.restarted = true;
  }

  #marks({ sides }: ModelPair): ReadonlyMap<string, number> {
    return new Map(sides.map((side) => [side, this.#work.get(side)?.length ?? 0]));
  }

  #hasProgress({ sides, seen, start }: ModelPair): boolean {
    const callsOf = (side: string, from: number, to?: number) => (this.#work.get(side) ?? []).slice(from, to);
    const known = sides.flatMap((side) => callsOf(side, start.get(side) ?? 0, seen.get(side)));
    return sides.flatMap((side) => callsOf(side, seen.get(side) ?? 0)).some((call) => !known.includes(call));
  }
}

function newPair(sides: readonly [string, string]): ModelPair {
  const zero = new Map(sides.map((side) => [side, 0]));
  return {
    sides,
    state: "open",
    exchanges: [],
    times: [],
    seen: zero,
    start: zero,
    restarted: false,
    held: [],
    orders: 0,
    pauses: 0,
    changes: 0,
  };
}

/** Whether a prompt in this session to this persona is one to a side of the pair. */
function isAddressed({ sides }: ModelPair, { session }: MessageEntry, persona: string): boolean {
  const isHere = session === roomOf(session) || sides.some((side) => side.startsWith(`${session} `));
  return isHere && sides.some((side) => side.endsWith(` ${persona}`));
}

/** The exchanges since the last progress. */
function recentOf({ exchanges }: ModelPair): readonly Exchange[] {
  return exchanges.slice(
    Math.max(
      0,
      exchanges.findLastIndex(({ progress }) => progress),
    ),
  );
}

/** Length of the unbroken back and forth at the end. */
function runOf(exchanges: readonly Exchange[]): number {
  let run = 0;
  while (run < exchanges.length && (run === 0 || exchanges.at(-run - 1)?.from !== exchanges.at(-run)?.from)) run++;
  return run;
}

/** How many messages in one direction say the same at the end. */
function repeatsOf(exchanges: readonly Exchange[], from: string): number {
  const texts = exchanges.filter((one) => one.from === from).map(({ text }) => wordsOf(text));
  const last = texts.at(-1);
  return last === undefined ? 0 : texts.length - 1 - texts.findLastIndex((text) => text !== last);
}

function same(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) raise(`${what}: expected ${b}, got ${a}`);
}

function raise(text: string): never {
  throw new Error(text);
}
