import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GUARD_DEFAULTS, type GuardSettings } from "../../src/domain/guard-settings.js";
import {
  checkExchange,
  createPair,
  type Pair,
  pairId,
  restarted,
  type Side,
  sideOf,
  type Verdict,
} from "../../src/domain/pair.js";

const ROOM = "fake:T:general";
const ALPHA: Side = { session: ROOM, agent: "alpha" };
const BETA: Side = { session: ROOM, agent: "beta" };
const NOON = Date.UTC(2026, 0, 5, 12);

/** One message of a history. Texts differ unless given. */
interface Said {
  readonly from: 0 | 1;
  readonly text?: string;
  readonly progress?: boolean;
  /** Seconds after the beginning. */
  readonly at?: number;
}

let texts = 0;
const letters = (n: number) => n.toString(36).replace(/\d/g, (digit) => "ABCDEFGHIJ".charAt(Number(digit)));

/** Lets a pair exchange messages until one trips; gives the verdict on the last and the pair with what was counted. */
function exchange(said: readonly Said[], change: Partial<GuardSettings> = {}, pair = createPair(ROOM, ALPHA, BETA)) {
  const settings = { ...GUARD_DEFAULTS, ...change };
  const previous: [string?, string?] = [];
  let current: Pair = pair;
  let verdict: Verdict = { counters: pair.counters };
  let accepted = 0;
  for (const { from, text = `only ${letters(++texts)}`, progress = false, at = 0 } of said) {
    const before = previous[from];
    verdict = checkExchange(
      current,
      {
        from,
        entry: { session: ROOM, id: `m${accepted + 1}` },
        text,
        ...(before === undefined ? {} : { previous: before }),
        progress,
        work: [0, 0],
        now: NOON + at * 1_000,
      },
      settings,
    );
    if ("trip" in verdict) break;
    current = { ...current, counters: verdict.counters };
    previous[from] = text;
    accepted++;
  }
  return { accepted, trip: "trip" in verdict ? verdict.trip : undefined, pair: current };
}

const alternating = (count: number, change: Partial<Said> = {}): Said[] =>
  Array.from({ length: count }, (_, i) => ({ from: i % 2 === 0 ? 0 : 1, ...change }));

describe("Alternation", () => {
  it("of nine passes, and the tenth trips", () => {
    expect(exchange(alternating(9))).toMatchObject({ accepted: 9, trip: undefined });
    expect(exchange(alternating(10))).toMatchObject({
      accepted: 9,
      trip: { reason: "alternation", count: 10, limit: 10 },
    });
  });

  it.each([2, 3, 17])("trips at the message that would be number %i, if so set", (alternations) => {
    expect(exchange(alternating(30), { alternations }).accepted).toBe(alternations - 1);
  });

  it("begins anew with a second message in the same direction, as a run of one", () => {
    const said: Said[] = [
      ...alternating(9),
      { from: 0 },
      ...alternating(9, {}).map(({ from }): Said => ({ from: from === 0 ? 1 : 0 })),
    ];

    expect(exchange(said.slice(0, 10)).pair.counters.run).toBe(1);
    expect(exchange(said)).toMatchObject({ accepted: 18, trip: { reason: "alternation", count: 10 } });
  });

  it("of one side alone never trips", () => {
    expect(exchange(Array.from({ length: 20 }, () => ({ from: 1 }) as const)).trip).toBeUndefined();
  });

  it("starts over with the message that comes after progress, which is exchange one", () => {
    const said = [...alternating(9), { from: 1, progress: true } as const, ...alternating(8)];

    expect(exchange(said)).toMatchObject({ accepted: 18, trip: undefined });
    expect(exchange([...said, { from: 0 }])).toMatchObject({ accepted: 18, trip: { reason: "alternation" } });
  });
});

describe("Repeats", () => {
  it("of two pass, and the third near-identical one trips", () => {
    const same = (count: number): Said[] =>
      Array.from({ length: count }, (_, i) => ({ from: 0, text: `Confirmed, parked ${i}!` }));

    expect(exchange(same(2))).toMatchObject({ accepted: 2, trip: undefined });
    expect(exchange(same(3))).toMatchObject({ accepted: 2, trip: { reason: "repeats", count: 3, limit: 3 } });
  });

  it("count per direction, whatever the other side says in between", () => {
    const said: Said[] = [0, 1, 2].flatMap((i): Said[] => [{ from: 0, text: `parked ${i}` }, { from: 1 }, { from: 1 }]);

    expect(exchange(said)).toMatchObject({ accepted: 6, trip: { reason: "repeats", count: 3 } });
  });

  it("that both sides send count apart from each other", () => {
    const said = alternating(5, { text: "thank you" });

    expect(exchange(said)).toMatchObject({ accepted: 4, trip: { reason: "repeats" } });
  });

  it("are broken by one message of the direction that says something else", () => {
    const said: Said[] = ["parked", "parked", "wait", "parked", "parked"].map((text) => ({ from: 0, text }));

    expect(exchange(said).trip).toBeUndefined();
    expect(exchange([...said, { from: 0, text: "parked" }]).trip).toMatchObject({ reason: "repeats" });
  });

  it("are compared each with the one before it, so that a slow drift counts too", () => {
    const word = (n: number) => `word${letters(n)}`;
    const drifting = Array.from(
      { length: 3 },
      (_, i): Said => ({ from: 0, text: Array.from({ length: 30 }, (_, j) => word(i + j)).join(" ") }),
    );

    expect(exchange(drifting).trip).toMatchObject({ reason: "repeats" });
  });

  it("begin anew after progress", () => {
    const said: Said[] = ["parked", "parked", "parked"].map((text, i) => ({ from: 0, text, progress: i === 2 }));

    expect(exchange(said).trip).toBeUndefined();
  });

  it("whose earlier message is gone from the log count as one", () => {
    const { pair } = exchange([
      { from: 0, text: "parked" },
      { from: 0, text: "parked" },
    ]);
    const now = {
      from: 0,
      entry: { session: ROOM, id: "m3" },
      text: "parked",
      progress: false,
      work: [0, 0],
      now: NOON,
    } as const;

    expect(checkExchange(pair, now, GUARD_DEFAULTS)).toMatchObject({
      counters: { repeats: [{ count: 1 }, { count: 0 }] },
    });
  });
});

describe("The cap", () => {
  const apart = (count: number, seconds: number, change: Partial<Said> = {}): Said[] =>
    Array.from({ length: count }, (_, i) => ({ from: 0, at: i * seconds, ...change }));

  it("lets twenty messages through in its window and trips at the twenty-first, with progress too", () => {
    for (const progress of [false, true]) {
      expect(exchange(apart(20, 1, { progress })).trip).toBeUndefined();
      expect(exchange(apart(21, 1, { progress }))).toMatchObject({
        accepted: 20,
        trip: { reason: "cap", count: 21, limit: 20 },
      });
    }
  });

  it("counts a message as old as its window, and none that is older", () => {
    const burst = apart(20, 0);

    expect(exchange([...burst, { from: 0, at: 600 }]).trip).toMatchObject({ reason: "cap" });
    expect(exchange([...burst, { from: 0, at: 600.001 }]).trip).toBeUndefined();
  });

  it("takes an age below zero, after the clock moved back, for zero", () => {
    const burst = apart(20, 0, { at: 3_600 });

    expect(exchange([...burst, { from: 0, at: 0 }]).trip).toMatchObject({ reason: "cap" });
    expect(exchange([...burst, { from: 0, at: 4_201 }]).trip).toBeUndefined();
  });

  it.each([{ maxMessages: 0 }, { windowSecs: 0 }])("is off at %j, and keeps no times", (off) => {
    const { trip, pair } = exchange(apart(100, 1), off);

    expect(trip).toBeUndefined();
    expect(pair.counters.times).toEqual([]);
  });

  it("keeps no more times than it needs", () => {
    expect(exchange(apart(500, 31)).pair.counters.times.length).toBeLessThanOrEqual(20);
  });
});

describe("A pair's counters", () => {
  it("do not count the message that trips", () => {
    const { pair } = exchange(alternating(10));

    expect(pair.counters).toMatchObject({ run: 9, last: 0, times: { length: 9 } });
  });

  it("start over whole, and remember how much was worked until then", () => {
    const { pair } = exchange(alternating(10, { text: "again" }));
    const fresh: Pair = { ...pair, counters: restarted([4, 2]) };

    expect(fresh.counters).toEqual({
      run: 0,
      repeats: [{ count: 0 }, { count: 0 }],
      times: [],
      workAtExchange: [4, 2],
      workAtRestart: [4, 2],
    });
    expect(exchange(alternating(9), {}, fresh).trip).toBeUndefined();
  });

  it("never pass a threshold, whatever is said and whatever the clock does", () => {
    const said = fc.array(
      fc.record({
        from: fc.constantFrom(0 as const, 1 as const),
        text: fc.constantFrom("parked", "parked 2", "wait", "go on"),
        progress: fc.boolean(),
        at: fc.integer({ min: -1_000, max: 1_000 }),
      }),
      { maxLength: 60 },
    );
    const settings = { alternations: 5, repeats: 3, maxMessages: 7, windowSecs: 100 };
    fc.assert(
      fc.property(said, (history) => {
        const { counters } = exchange(history, settings).pair;
        expect(counters.run).toBeLessThan(5);
        expect(Math.max(...counters.repeats.map(({ count }) => count))).toBeLessThan(3);
        expect(counters.times.length).toBeLessThanOrEqual(7);
      }),
    );
  });
});

describe("The id of a pair", () => {
  it("is readable, and the same from both sides", () => {
    expect(pairId(ROOM, BETA, ALPHA)).toBe("alpha~beta");
    expect(createPair(ROOM, BETA, ALPHA)).toEqual(createPair(ROOM, ALPHA, BETA));
    const inThread = (agent: string): Side => ({ session: `${ROOM}:1722.01`, agent });
    expect(pairId(ROOM, inThread("beta"), inThread("alpha"))).toBe("alpha@1722.01~beta@1722.01");
  });

  it("belongs to one pair only, even where bots' and threads' ids are made of its separators", () => {
    const part = fc.string({
      unit: fc.constantFrom("a", "b", "~", "@", "|", "%", "7", "e"),
      minLength: 1,
      maxLength: 4,
    });
    const side = fc.record({
      session: fc.option(part, { nil: undefined }).map((thread) => (thread === undefined ? ROOM : `${ROOM}:${thread}`)),
      agent: part,
    });
    const keys = (a: Side, b: Side) => [a, b].map(({ session, agent }) => JSON.stringify([session, agent])).sort();
    fc.assert(
      fc.property(side, side, side, side, (a, b, c, d) => {
        const isSame = JSON.stringify(keys(a, b)) === JSON.stringify(keys(c, d));
        expect(pairId(ROOM, a, b) === pairId(ROOM, c, d)).toBe(isSame);
        expect(pairId(ROOM, a, b)).not.toContain("|");
      }),
      { numRuns: 2_000 },
    );
  });

  it("tells its sides apart and knows who is neither", () => {
    const pair = createPair(ROOM, BETA, ALPHA);

    expect([ALPHA, BETA].map((side) => sideOf(pair, side))).toEqual([0, 1]);
    expect(sideOf(pair, { session: `${ROOM}:t`, agent: "alpha" })).toBeUndefined();
  });
});
