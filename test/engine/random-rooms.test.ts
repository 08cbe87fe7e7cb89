import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createScriptBrain } from "../../src/brain/script/script-brain.js";
import { burstOf } from "../../src/domain/burst.js";
import type { Persona, ScriptRule, ScriptStep } from "../../src/domain/persona.js";
import type { Brain } from "../../src/ports/brain.js";
import type { Logged } from "../../src/ports/store.js";
import { outcomeProblems } from "../support/log-checks.js";
import { ANN, BOB, ROOM, startRooms, type TestRooms } from "../support/rooms.js";

const RUNS = process.env.TROUPE_LONG === "1" ? 1_000 : 150;
const NAMES = ["alpha", "beta", "gamma", "delta"] as const;
const THREAD = `${ROOM}:t1`;
const BOT = { kind: "bot", id: "fake:T:ci", name: "CI", isAdmin: false } as const;

const word = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...NAMES.map((name) => `@${name}`), "(@Beta)", "@alpha/@delta") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("amber", "birch", "@nobody", "`@alpha`", "\n> @beta\n\n", "https://x.y/@gamma"),
  },
);
const text = fc.array(word, { minLength: 2, maxLength: 5 }).map((words) => words.join(" "));

const step: fc.Arbitrary<ScriptStep> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ say: text }) },
  {
    weight: 2,
    arbitrary: fc
      .record({ to: fc.constantFrom(...NAMES, "nobody"), text })
      .map((input) => ({ tool: "send_message", input })),
  },
  { weight: 1, arbitrary: fc.constant({ delayMs: 700 }) },
  { weight: 1, arbitrary: fc.constant({ tool: "idle", input: {} }) },
  { weight: 1, arbitrary: fc.constant({ fail: "it does not work today." }) },
);
const rule: fc.Arbitrary<ScriptRule> = fc.record(
  { times: fc.integer({ min: 1, max: 3 }), steps: fc.array(step, { minLength: 1, maxLength: 3 }) },
  { requiredKeys: ["steps"] },
);

function persona(name: string): fc.Arbitrary<Persona> {
  return fc.array(rule, { minLength: 1, maxLength: 4 }).map((script) => ({
    name,
    displayName: name.charAt(0).toUpperCase() + name.slice(1),
    description: "",
    prompt: "",
    brain: "script",
    script,
  }));
}

/** Something that people, or a bot, do. */
const act = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("say" as const),
      text: fc.oneof(
        text,
        text.map((words) => `@Troupe alpha ${words}`),
      ),
      from: fc.constantFrom(ANN, BOB, BOT),
      session: fc.constantFrom(ROOM, THREAD),
      waits: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("press" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("stop" as const) }) },
);

const room = fc.record({
  personas: fc.tuple(...NAMES.map(persona)),
  roster: fc.oneof({ weight: 3, arbitrary: fc.constant([...NAMES]) }, fc.subarray([...NAMES])),
  host: fc.constantFrom(undefined, ...NAMES),
  wake: fc.constantFrom("mention" as const, "always" as const),
  bots: fc.constantFrom([], [BOT.id]),
  fanout: fc.integer({ min: 1, max: 3 }),
  budget: fc.integer({ min: 1, max: 20 }),
  isGuarded: fc.boolean(),
  acts: fc.array(act, { minLength: 1, maxLength: 8 }),
});
type RandomRoom = typeof room extends fc.Arbitrary<infer T> ? T : never;

/** The engine as the room describes it, and whether two turns ever ran in one session at once. */
async function start(given: RandomRoom): Promise<{ rooms: TestRooms; overlaps: readonly string[] }> {
  const overlaps: string[] = [];
  const { personas, roster, host, wake, bots, fanout, budget, isGuarded } = given;
  const rooms = await startRooms({
    personas,
    fanout,
    budget,
    guard: { enabled: isGuarded },
    room: { personas: roster, ...(host === undefined ? {} : { host }), wake, bots },
    brains: (clock) => [watched(createScriptBrain({ clock }), overlaps)],
  });
  return { rooms, overlaps };
}

function watched(brain: Brain, overlaps: string[]): Brain {
  const running = new Map<string, string>();
  return {
    ...brain,
    async *run(turn) {
      const other = running.get(turn.session);
      if (other !== undefined) overlaps.push(`${turn.persona.name} beside ${other}`);
      running.set(turn.session, turn.persona.name);
      try {
        yield* brain.run(turn);
      } finally {
        running.delete(turn.session);
      }
    },
  };
}

async function perform(rooms: TestRooms, acts: RandomRoom["acts"]): Promise<void> {
  for (const one of acts) {
    if (one.kind === "say") {
      const { text, from, session, waits } = one;
      await rooms.say(text, { from, session });
      if (waits) await rooms.clock.advance(3_000);
    } else if (one.kind === "stop") {
      await rooms.command("agent stop");
    } else {
      const notices = (await rooms.troupe.reader.room(ROOM))?.notices ?? [];
      const button = notices.findLast(({ state }) => state === "open")?.view.buttons?.[0];
      if (button) await rooms.press(button.action, button.value);
    }
  }
}

/** Lets every turn end. A room that went on by itself would not be quiet after so long. */
async function fallsSilent(rooms: TestRooms): Promise<boolean> {
  await rooms.clock.advance(60_000);
  const before = await bothLogs(rooms);
  await rooms.clock.advance(60_000);
  return (await bothLogs(rooms)).length === before.length && (await rooms.store.dirty(10)).length === 0;
}

async function bothLogs(rooms: TestRooms): Promise<readonly Logged[]> {
  return [...(await rooms.log(ROOM)), ...(await rooms.log(THREAD))];
}

/** Parts that routing must never make: of the sender, of somebody outside the room, or more than the fan-out allows. */
function routingProblems(log: readonly Logged[], { roster, fanout }: RandomRoom): readonly string[] {
  const members = roster.length === 0 ? ["alpha"] : roster;
  return log.flatMap(({ entry, outcome }) => {
    const parts = outcome?.kind === "parts" ? outcome.parts : [];
    const problems = parts.filter(({ persona }) => !members.some((name) => name === persona));
    if (entry.sender.kind === "agent" && parts.some(({ persona }) => persona === entry.sender.id))
      return [`${entry.seq} woke its sender`];
    if (entry.kind === "message" && parts.length > fanout) return [`${entry.seq} has ${parts.length} parts`];
    return problems.map(({ persona }) => `${entry.seq} woke ${persona}, who is not here`);
  });
}

/** Turns that an agent's message set off although the burst, as the log then stood, had reached the budget. */
function budgetProblems(log: readonly Logged[], budget: number): readonly string[] {
  const entries = log.map(({ entry }) => entry);
  return entries.flatMap((entry, at) => {
    const waking = entry.kind === "ack" ? entries.find(({ id }) => id === entry.cause.entry) : undefined;
    if (waking?.kind !== "message" || waking.sender.kind === "person") return [];
    // What `send_message` sends is accepted when it is appended, and counts itself.
    const from = waking.accepted ? entries.indexOf(waking) + 1 : at;
    const { used } = burstOf(entries.slice(0, from));
    return used < budget ? [] : [`the turn at ${entry.seq} began at ${used} of ${budget}`];
  });
}

describe("a random room", () => {
  it(
    "falls silent, decides about every message once, and keeps to its roster, fan-out, budget and one turn at a time",
    async () => {
      await fc.assert(
        fc.asyncProperty(room, async (given) => {
          const { rooms, overlaps } = await start(given);
          await perform(rooms, given.acts);

          expect(await fallsSilent(rooms)).toBe(true);
          expect(overlaps).toEqual([]);
          for (const session of [ROOM, THREAD]) {
            const log = await rooms.log(session);
            expect(outcomeProblems(log)).toEqual([]);
            expect(routingProblems(log, given)).toEqual([]);
            expect(budgetProblems(log, given.budget)).toEqual([]);
          }
        }),
        { numRuns: RUNS, seed: 20_260_105 },
      );
    },
    RUNS * 2_000,
  );
});
