import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AckEntry, Draft, Entry } from "../../src/domain/entry.js";
import { RECORDS } from "../../src/engine/records.js";
import type { Change, Store } from "../../src/ports/store.js";
import { createMemoryStore } from "../../src/store/memory/memory-store.js";
import { settle } from "../support/fake-clock.js";
import { openPause } from "../support/guarded-rooms.js";
import { type Act, createPuppets, type Puppets } from "../support/puppets.js";
import { BOB, ROOM, startRooms, type TestRooms } from "../support/rooms.js";
import { type Committed, type WatchedStore, watchStore } from "../support/watched-store.js";

const CI = { kind: "bot", id: "fake:T:ci", name: "CI", isAdmin: false } as const;

/** Where a commit takes an agent's delivery past the accept point without its pair: empty when it does not. */
async function bypasses(store: Store, { change, result }: Committed): Promise<readonly string[]> {
  const hasPair = change.put?.some(({ kind, key }) => kind === RECORDS.pair && isExpected(change, key)) ?? false;
  const found: string[] = [];
  for (const entry of result.entries) {
    if (entry.kind === "message" && entry.accepted === true && !hasPair) found.push(`accepted ${entry.id}`);
    if (entry.kind === "ack" && entry.attempt === 1 && !hasPair && (await needsPair(store, change, entry))) {
      found.push(`woke ${entry.persona} with ${entry.entry}`);
    }
  }
  return found;
}

function isExpected({ expect = [] }: Change, key: string): boolean {
  return expect.some((one) => one.kind === RECORDS.pair && one.key === key);
}

/** A wake by an agent or a bot, unless it was accepted before: by a release, in the sender's own turn, or before a retry. */
async function needsPair(store: Store, change: Change, ack: AckEntry): Promise<boolean> {
  const waking = (await store.find(ack.session, ack.entry))?.entry;
  if (waking?.kind !== "message" || waking.sender.kind === "person" || waking.accepted === true) return false;
  const [handled] = await store.read(ack.session, change.turn?.to.seq ?? 0, 1);
  const kind = handled?.entry.kind;
  return !(kind === "agent_pair_released" || (handled?.entry.kind === "directive" && handled.entry.action === "retry"));
}

interface Watched {
  readonly rooms: TestRooms;
  readonly store: WatchedStore;
  readonly puppets: Puppets;
  readonly found: string[];
  /** Entries of all commits, in order. */
  readonly entries: Entry[];
}

async function watched(options: Partial<Parameters<typeof startRooms>[0]> = {}): Promise<Watched> {
  const inner = createMemoryStore();
  const store = watchStore(inner);
  const found: string[] = [];
  const entries: Entry[] = [];
  store.after = async (committed) => {
    entries.push(...committed.result.entries);
    found.push(...(await bypasses(inner, committed)));
  };
  const puppets = createPuppets();
  const rooms = await startRooms({
    personas: ["alpha", "beta", "gamma"].map(puppets.persona),
    brains: () => [puppets.brain],
    budget: 100,
    guard: { alternations: 4 },
    room: { bots: [CI.id] },
    store,
    ...options,
  });
  return { rooms, store, puppets, found, entries };
}

const said = (text: string): Act => ({ say: text });
const sent = (to: string, text: string): Act => ({ send: text, to });

/** Continues, retries and resumes whatever can be. */
async function pressEverything(rooms: TestRooms): Promise<void> {
  const notices = (await rooms.troupe.reader.room(ROOM))?.notices ?? [];
  const buttons = notices.flatMap(({ view }) => view.buttons ?? []).filter(({ action }) => action !== "troupe:drop");
  for (const { action, value } of buttons) await rooms.press(action, value);
  await rooms.quiet();
}

describe("Every delivery from an agent to an agent", () => {
  it("passes the accept point with its pair's record: replies, tools, continued, released and retried ones, threads and bots", async () => {
    const { rooms, puppets, found, entries } = await watched({ budget: 5, fanout: 2 });
    let words = 0;
    puppets.always("alpha", () => [
      sent("gamma", `note ${"x".repeat(++words)}`),
      said(`@beta @gamma over to you ${"y".repeat(words)}`),
    ]);
    puppets.always("beta", () =>
      ++words % 5 === 0 ? [{ fail: "broken" }] : [said(`@alpha back ${"z".repeat(words)}`)],
    );
    puppets.always("gamma", () => [said(`@beta see ${"w".repeat(++words)}`)]);

    for (const session of [ROOM, `${ROOM}:t1`]) {
      await rooms.say("@alpha argue", { session, id: `${session}-p` });
      await rooms.quiet();
      for (let i = 0; i < 6; i++) await pressEverything(rooms);
      await rooms.say("@alpha from the build", { session, from: CI, id: `${session}-b` });
      await rooms.quiet();
    }

    expect(found).toEqual([]);
    const ofKind = (kind: Draft["kind"]) => entries.filter((entry) => entry.kind === kind).length;
    expect(ofKind("ack")).toBeGreaterThan(60);
    for (const kind of ["agent_pair_released", "agent_pair_held", "directive", "error"] as const) {
      expect([kind, ofKind(kind) > 2]).toEqual([kind, true]);
    }
    expect(entries.some((entry) => entry.kind === "message" && entry.accepted === true)).toBe(true);
  });

  it("that went around it would be found", async () => {
    const { rooms, found } = await watched();
    await rooms.say("@alpha hello");
    const message = {
      kind: "message",
      id: "a1",
      sender: { kind: "agent", id: "alpha", name: "Alpha" },
      text: "@beta psst",
      at: 0,
      cause: { kind: "agent" },
    } as const;
    await rooms.store.commit({ room: ROOM, append: [{ session: ROOM, entry: { ...message, accepted: true } }] });
    await rooms.store.commit({
      room: ROOM,
      append: [
        { session: ROOM, entry: { ...message, id: "a2" }, outcome: { kind: "ignored", reason: "no_mention" } },
        { session: ROOM, entry: { ...message, kind: "ack", id: "a3", entry: "a2", persona: "beta", attempt: 1 } },
      ],
    });

    expect(found).toEqual(["accepted a1", "woke beta with a2"]);
  });

  it.each([
    ["held", 50, (change: Change) => change.append?.some(({ entry }) => entry.kind === "agent_pair_held")],
    ["refused, since one is held already", 1, (change: Change) => JSON.stringify(change.append).includes("held_full")],
  ])("is decided again when its pair is resumed while it is being %s", async (_, heldMax, isKept) => {
    const { rooms, store, puppets, found } = await watched({ guard: { alternations: 1_000, heldMax } });
    await rooms.say("hello");
    await rooms.command("agent pause alpha beta");
    puppets.plan("alpha", sent("beta", "one"), { wait: true }, sent("beta", "two"));
    await rooms.say("@alpha go", { from: { ...BOB, isGuest: true } });
    await rooms.quiet();
    const key = await openPause(store);
    let racing: Promise<unknown> | undefined;
    store.before = async (change) => {
      if (racing !== undefined || !isKept(change)) return undefined;
      racing = rooms.press("troupe:resume", key);
      await settle(50);
      return undefined;
    };
    puppets.open();
    await rooms.quiet();
    await racing;

    expect(racing).toBeDefined();
    expect(found).toEqual([]);
    expect(puppets.answers.map((answer) => answer.split(":")[0])).toEqual(["held", "delivered"]);
    expect(puppets.turns.slice(1)).toEqual(["beta<@beta one", "beta<@beta two"]);
  });
});

describe("In the source", () => {
  const engine = join(import.meta.dirname, "../../src/engine");
  const files = readdirSync(engine, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const withText = (pattern: RegExp) =>
    files.filter((file) => pattern.test(readFileSync(join(engine, file), "utf8"))).sort();

  it.each([
    ["a message is marked as accepted", /accepted: true/, ["tools/send-message.ts"]],
    ["a turn's start is written", /kind: "ack"/, ["commits.ts"]],
    ["a turn's start is committed", /ackDraft\(context/, ["commits.ts", "take-errand.ts", "wake-target.ts"]],
    ["a delivery is accepted", /await acceptDelivery\(/, ["tools/send-message.ts", "wake-target.ts"]],
    ["the guard is asked", /await guardMessage\(/, ["accept.ts"]],
    ["a held message is released", /kind: "agent_pair_released"/, ["guard/release.ts"]],
    [
      "a pair's record is changed",
      /changePair\(/,
      [
        "guard/check.ts",
        "guard/notify.ts",
        "guard/pairs.ts",
        "guard/pause-by-hand.ts",
        "guard/release.ts",
        "guard/resume.ts",
      ],
    ],
  ])("%s in known places only", (_, pattern, places) => {
    expect(withText(pattern)).toEqual(places);
  });
});
