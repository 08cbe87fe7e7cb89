import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GUARD_DEFAULTS, type GuardSettings } from "../../../src/domain/guard-settings.js";
import { createMentionParser } from "../../../src/domain/mention.js";
import type { Persona, ScriptRule } from "../../../src/domain/persona.js";
import { simulate } from "../../../src/domain/simulation/simulate.js";
import type { Fate, Recorded, SimulatedRoom, Simulation } from "../../../src/domain/simulation/simulation.js";
import { parrot, quarrelsome } from "../../support/quarrel.js";
import { ROOM, scripted, startRooms, type TestRooms } from "../../support/rooms.js";

interface Thresholds {
  readonly personas: readonly Persona[];
  readonly budget?: number;
  readonly fanout?: number;
  readonly guard?: Partial<GuardSettings>;
}

function roomOf({ personas, budget = 6, fanout = 1, guard = {} }: Thresholds): SimulatedRoom {
  const members = personas.map(({ name }) => name).sort();
  const [defaultPersona] = members;
  return {
    session: ROOM,
    members,
    ...(defaultPersona === undefined ? {} : { defaultPersona }),
    settings: { budget, fanout, wake: "mention" },
    guard: { ...GUARD_DEFAULTS, ...guard },
    parse: createMentionParser(personas),
  };
}

const quarrel = () => [quarrelsome("alpha", "beta"), quarrelsome("beta", "alpha", 12)];

/** The log of a real room in which this was said. */
async function recorded(
  thresholds: Thresholds,
  act: (rooms: TestRooms) => Promise<void>,
): Promise<readonly Recorded[]> {
  const rooms = await startRooms(thresholds);
  await act(rooms);
  await rooms.quiet();
  return rooms.log();
}

const argue = async (rooms: TestRooms) => {
  await rooms.say("@alpha argue");
  await rooms.quiet();
};

/** Presses the button of the newest open notice. */
async function press(rooms: TestRooms, action: string): Promise<void> {
  const open = (await rooms.troupe.reader.room(ROOM))?.notices.filter(({ state }) => state === "open") ?? [];
  const button = open.flatMap(({ view }) => view.buttons ?? []).find((candidate) => candidate.action === action);
  if (button) await rooms.press(action, button.value);
  await rooms.quiet();
}

const kinds = ({ steps }: Pick<Simulation, "steps">) => steps.map(({ fate }) => wordFor(fate));

function wordFor(fate: Fate): string {
  if (fate.kind !== "decided") return fate.kind;
  return fate.deliveries.map(({ result }) => result).join("+");
}

const times = (n: number, word: string) => Array.from({ length: n }, () => word);

/** What a person does in a room. */
type Act = { say: string } | { button: string } | { command: string } | { wait: number };

async function perform(rooms: TestRooms, act: Act): Promise<void> {
  if ("say" in act) await rooms.say(act.say);
  else if ("command" in act) await rooms.command(act.command);
  else if ("button" in act) await press(rooms, act.button);
  else await rooms.clock.advance(act.wait);
}

describe("a log replayed with the thresholds it was made with", () => {
  const TEXTS = [
    "@alpha yes",
    "@beta no",
    "@gamma and you?",
    "@beta @gamma both",
    "fine",
    "@alpha @alpha",
    "@delta who?",
    "",
  ];
  const text = fc.constantFrom(...TEXTS);
  const rule: fc.Arbitrary<ScriptRule> = fc.oneof(
    text.map((say) => ({ steps: [{ say }], times: 2 })),
    fc
      .tuple(fc.constantFrom("alpha", "beta", "gamma"), fc.constantFrom("one", "two"), text)
      .map(([to, words, say]) => ({
        steps: [{ tool: "send_message", input: { to, text: words } }, { say }],
        times: 2,
      })),
    fc.constant({ steps: [{ tool: "list_room", input: {} }, { say: "@alpha looked" }], times: 1 }),
    text.map((say) => ({ steps: [{ delayMs: 2_000 }, { say }], times: 2 })),
    fc.constant({ steps: [{ fail: "No paper." }], times: 1 }),
  );
  const act: fc.Arbitrary<Act> = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...TEXTS, "@troupe room", "hello").map((say) => ({ say })) },
    fc.constantFrom("troupe:continue", "troupe:resume", "troupe:drop", "troupe:retry").map((button) => ({ button })),
    fc.constantFrom("agent pause alpha beta", "agent resume").map((command) => ({ command })),
    fc.integer({ min: 1, max: 5_000 }).map((wait) => ({ wait })),
  );
  const script = fc.array(rule, { minLength: 1, maxLength: 6 });
  const conversation = fc.record({
    scripts: fc.tuple(script, script, script),
    budget: fc.integer({ min: 1, max: 8 }),
    fanout: fc.integer({ min: 1, max: 3 }),
    guard: fc.record({
      enabled: fc.boolean(),
      alternations: fc.integer({ min: 2, max: 5 }),
      repeats: fc.integer({ min: 2, max: 4 }),
      maxMessages: fc.integer({ min: 0, max: 6 }),
      windowSecs: fc.integer({ min: 0, max: 4 }),
      heldMax: fc.integer({ min: 1, max: 3 }),
    }),
    acts: fc.array(act, { minLength: 1, maxLength: 12 }),
  });

  it("comes out as it was, whatever was said and pressed", async () => {
    await fc.assert(
      fc.asyncProperty(conversation, async ({ scripts, acts, ...thresholds }) => {
        const personas = ["alpha", "beta", "gamma"].map((name, i) => scripted(name, ...(scripts[i] ?? [])));
        const log = await recorded({ personas, ...thresholds }, async (rooms) => {
          for (const step of acts) await perform(rooms, step);
          await rooms.clock.advance(60_000);
        });

        const { steps } = simulate(log, roomOf({ personas, ...thresholds }));

        const wrong = steps.filter(
          ({ differs, fate }) => differs || fate.kind === "unsaid" || fate.kind === "needless",
        );
        expect(wrong.map(({ entry, fate, recorded: was }) => ({ seq: entry.seq, fate, was }))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it("shows the counters on the way, and the pause with how it ended", async () => {
    const thresholds = { personas: quarrel(), budget: 12 };
    const log = await recorded(thresholds, async (rooms) => {
      await argue(rooms);
      await press(rooms, "troupe:resume");
    });

    const { steps, pauses, exhaustions, peaks } = simulate(log, roomOf(thresholds));

    const deliveries = steps.flatMap(({ fate }) => (fate.kind === "decided" ? fate.deliveries : []));
    expect(deliveries[0]).toEqual({ persona: "alpha", result: "woke" });
    expect(deliveries[1]).toEqual({
      persona: "beta",
      result: "woke",
      burst: { used: 1, budget: 12 },
      meters: { run: 1, repeats: 1, window: 1 },
    });
    expect(deliveries[10]).toEqual({
      persona: "alpha",
      result: "held",
      burst: { used: 10, budget: 12 },
      meters: { run: 10, repeats: 1, window: 10 },
      trip: { reason: "alternation", count: 10, limit: 10 },
    });
    const pressed = steps.find(({ fate }) => fate.kind === "resumed");
    expect(pressed?.fate).toEqual({ kind: "resumed", delivered: [{ persona: "alpha", result: "woke" }] });
    expect(pauses[0]).toMatchObject({ agents: ["alpha", "beta"], held: 1, refused: 0, end: { delivered: 1 } });
    expect(pauses[0]?.end?.entry).toBe(pressed?.entry);
    expect(exhaustions).toEqual([]);
    expect(peaks[0]).toMatchObject({ reason: "alternation", count: 10, limit: 10 });
  });
});

describe("a log replayed with other thresholds", () => {
  it("is cut where the guard would have paused: nothing after it would have been said", async () => {
    const personas = quarrel();
    const log = await recorded({ personas, budget: 20, guard: { enabled: false } }, argue);

    const simulation = simulate(log, roomOf({ personas, budget: 20 }));

    expect(kinds(simulation)).toEqual([...times(10, "woke"), "held", ...times(10, "unsaid")]);
    const differing = simulation.steps.filter(({ differs }) => differs).map(({ fate }) => fate.kind);
    expect(differing).toEqual(["decided", ...times(10, "unsaid")]);
    const unsaid = simulation.steps.filter(({ fate }) => fate.kind === "unsaid");
    expect(new Set(unsaid.map(({ fate }) => "end" in fate && fate.end))).toEqual(
      new Set([simulation.pauses[0]?.entry]),
    );
    expect(simulation.pauses.map(({ trip }) => trip)).toEqual([{ reason: "alternation", count: 10, limit: 10 }]);
  });

  it("is cut where a smaller budget would have ended the burst, once per burst", async () => {
    const personas = quarrel();
    const log = await recorded({ personas, budget: 6 }, async (rooms) => {
      await argue(rooms);
      await rooms.say("@alpha go on");
      await rooms.quiet();
    });

    const { exhaustions, steps } = simulate(log, roomOf({ personas, budget: 2 }));

    expect(kinds({ steps }).slice(0, 4)).toEqual(["woke", "woke", "suppressed", "unsaid"]);
    expect(exhaustions.map(({ used, budget, waiting }) => ({ used, budget, waiting }))).toEqual([
      { used: 2, budget: 2, waiting: ["alpha"] },
      { used: 2, budget: 2, waiting: ["alpha"] },
    ]);
  });

  it("goes on over buttons that nobody would have had to press", async () => {
    const personas = quarrel();
    const log = await recorded({ personas, budget: 6 }, async (rooms) => {
      await argue(rooms);
      await press(rooms, "troupe:continue");
      await press(rooms, "troupe:resume");
    });

    const simulation = simulate(log, roomOf({ personas, budget: 100, guard: { enabled: false } }));

    const expected = [...times(7, "woke"), "needless", ...times(4, "woke"), "needless", ...times(6, "woke")];
    expect(kinds(simulation)).toEqual(expected);
    expect(simulation.exhaustions).toEqual([]);
    expect(simulation.pauses).toEqual([]);
  });

  it("holds what looks alike from one side, whatever the other says, and tells how near it came", async () => {
    const personas = [parrot("alpha", "beta"), quarrelsome("beta", "alpha")];
    const log = await recorded({ personas, budget: 6, guard: { enabled: false } }, argue);

    const strict = simulate(log, roomOf({ personas }));
    const lenient = simulate(log, roomOf({ personas, guard: { repeats: 5 } }));

    expect(strict.pauses.map(({ trip }) => trip.reason)).toEqual(["repeats"]);
    expect(lenient.pauses).toEqual([]);
    expect(lenient.peaks.map(({ reason, count, limit }) => [reason, count, limit])).toEqual([
      ["alternation", 5, 10],
      ["repeats", 3, 5],
      ["cap", 5, 20],
    ]);
  });

  it("counts no rule that is off, and sees work as progress", async () => {
    const worker = scripted(
      "alpha",
      { times: 1, steps: [{ say: "@beta first" }] },
      { steps: [{ tool: "list_room", input: {} }, { say: "@beta second {{turn}}" }] },
    );
    const personas = [worker, quarrelsome("beta", "alpha")];
    const log = await recorded({ personas, budget: 6 }, argue);
    // Listing the room is messaging; the same call as work would be progress.
    const asWork = log.map(({ entry, ...rest }): Recorded => {
      return { ...rest, entry: entry.kind === "tool_result" ? { ...entry, work: true, text: `${entry.seq}` } : entry };
    });

    const guard = { alternations: 4, maxMessages: 0 };
    const plain = simulate(log, roomOf({ personas, guard }));
    const working = simulate(asWork, roomOf({ personas, guard }));

    expect(plain.pauses.map(({ trip }) => trip.reason)).toEqual(["alternation"]);
    expect(working.pauses).toEqual([]);
    expect(plain.peaks.map(({ reason }) => reason)).toEqual(["alternation", "repeats"]);
  });
});
