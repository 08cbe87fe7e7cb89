import fc from "fast-check";
import { expect } from "vitest";
import { GUARD_DEFAULTS } from "../../src/domain/guard-settings.js";
import type { Store } from "../../src/ports/store.js";
import { createMemoryKeyValue } from "../../src/store/memory/memory-key-value.js";
import { createMemoryStore } from "../../src/store/memory/memory-store.js";
import { createFakeChat } from "../fakes/chat-platform.js";
import { createFakeClock, settle } from "./fake-clock.js";
import { followCommit } from "./guard-follower.js";
import { GuardModel } from "./guard-model.js";
import { anyStep, habit, NAMES, SESSIONS, type Step } from "./guard-steps.js";
import { pairsIn, pausesIn } from "./guarded-rooms.js";
import { createPuppets } from "./puppets.js";
import { ANN, BOB, ROOM, startRooms, type TestRooms } from "./rooms.js";
import { type Fate, type WatchedStore, watchStore } from "./watched-store.js";

const SETTINGS = { ...GUARD_DEFAULTS, alternations: 4, repeats: 2, maxMessages: 6, windowSecs: 97, heldMax: 2 };

/** One room over several processes, watched by the model. */
class World {
  readonly #inner: Store = createMemoryStore();
  readonly #settings = createMemoryKeyValue("settings");
  readonly #clock = createFakeClock();
  readonly #puppets = createPuppets();
  readonly model = new GuardModel(SETTINGS);
  readonly problems: string[] = [];
  #troubles: { fate: Fate; in: number }[] = [];
  #store: WatchedStore | undefined;
  #rooms: TestRooms | undefined;
  #messages = 0;
  #following: Promise<void> = Promise.resolve();
  #commits = 0;

  constructor() {
    for (const { id } of [ANN, BOB]) this.model.mayResume.add(id);
    for (const name of NAMES) this.#puppets.always(name, ({ text }) => habit(name, text));
  }

  async start(): Promise<void> {
    const store = watchStore(this.#inner);
    store.before = () => this.#fate();
    store.after = (committed) => {
      this.#commits++;
      const now = this.#clock.now();
      this.#following = this.#following
        .then(() => followCommit(this.#inner, this.model, committed, now))
        .catch((error: unknown) => void this.problems.push(String(error)));
    };
    this.#store = store;
    const starting = startRooms({
      personas: NAMES.map(this.#puppets.persona),
      brains: () => [this.#puppets.brain],
      budget: 8,
      fanout: 2,
      guard: SETTINGS,
      room: { bots: ["fake:T:ci"] },
      store,
      settings: this.#settings,
      clock: this.#clock,
      chat: createFakeChat("fake", { delivery: "log" }),
    });
    this.#rooms = await this.#inTime(starting);
    await this.#quiet();
  }

  /** Does one step and lets everything that it sets off settle. */
  async take(step: Step): Promise<void> {
    await this.#inTime(this.#do(step).catch((error: unknown) => this.#expectTrouble(error)));
    await this.#quiet();
    if (this.#store?.commits === undefined) return;
    await this.#following;
  }

  /** Nothing dies or fails any more: whatever waits is resumed until nothing does, and has then been run. */
  async finish(): Promise<void> {
    this.#troubles = [];
    this.#puppets.silence();
    await this.take({ do: "crash" });
    for (let i = 0; i < 40 && (this.model.waiting() > 0 || (await this.#isPaused())); i++) {
      await this.#clock.advance(60_000);
      await this.take({ do: "resume", by: "command", from: ANN, nth: 0, session: ROOM });
      this.#puppets.open();
      await this.#quiet();
    }
    for (let i = 0; i < 5; i++) {
      this.#puppets.open();
      await this.#clock.advance(60_000);
    }
    await this.#following;
  }

  async #isPaused(): Promise<boolean> {
    return (await pausesIn(this.#inner)).some(({ state }) => state === "open");
  }

  /** What the room shows in the end, beside what the model has seen. */
  async end() {
    const pairs = Object.values(await pairsIn(this.#inner));
    const pauses = await pausesIn(this.#inner);
    return {
      problems: this.problems,
      waiting: this.model.waiting(),
      totals: this.model.totals,
      unhandled: await this.#inner.dirty(10),
      states: [...new Set(pairs.map(({ state }) => state))],
      notices: pauses.length,
      open: pauses.filter(({ state }) => state === "open").length,
      notRun: await this.#notRun(),
    };
  }

  /** Deliveries that were accepted and whose turn never began, or began twice as a first attempt. */
  async #notRun(): Promise<readonly string[]> {
    const logs = await Promise.all(SESSIONS.map((session) => this.#inner.read(session, 0, 10_000)));
    const started: string[] = [];
    const gone = new Set<string>();
    for (const { entry, outcome } of logs.flat()) {
      // Who has left in between is not woken.
      if (entry.kind === "agent_pair_released" && outcome?.kind === "ignored") gone.add(nameOf(entry, entry.to));
      if (entry.kind === "message" && entry.accepted && outcome?.kind === "ignored")
        gone.add(`${entry.session} ${entry.id}>${entry.to}`);
      if (entry.kind === "ack" && entry.attempt === 1 && !entry.cause.entry?.startsWith("retry|"))
        started.push(nameOf(entry, entry.persona));
    }
    const counted = (name: string) => started.filter((one) => one === name).length;
    return [...this.model.delivered].filter((name) => counted(name) !== 1 && !gone.has(name));
  }

  async #do(step: Step): Promise<void> {
    const rooms = this.#rooms;
    if (rooms === undefined) return;
    switch (step.do) {
      case "plan":
        return this.#puppets.plan(step.persona, ...step.acts);
      case "scene":
        this.#puppets.plan(step.to, ...step.acts);
        return this.#say(rooms, { ...step, do: "say" });
      case "say":
        return this.#say(rooms, step);
      case "resume":
        return this.#resume(rooms, step);
      case "pause":
        return void (await rooms.command(`agent pause ${step.a} ${step.b}`, ANN, step.session));
      case "drop":
        return void (await rooms.press("troupe:drop", await this.#pause(step.nth), BOB));
      case "continue":
      case "retry":
        return this.#press(rooms, step.do, step.nth);
      case "guard":
        this.model.enabled = step.on;
        return void (await rooms.command(`agent guard ${step.on ? "on" : "off"}`, ANN));
      case "roster":
        return void (await rooms.command(`agent ${step.add ? "add" : "remove"} ${step.persona}`, ANN));
      case "time":
        return this.#clock.advance(step.seconds * 1_000);
      case "set clock":
        return this.#clock.set(this.#clock.now() + step.seconds * 1_000);
      case "open":
        return this.#puppets.open();
      case "trouble":
        return void this.#troubles.push({ fate: step.fate, in: step.in });
      case "at once":
        return void (await Promise.all(
          step.steps.map((one) => this.#do(one).catch((error: unknown) => this.#expectTrouble(error))),
        ));
      case "restart":
        await this.#inTime(rooms.troupe.stop(10_000));
        return this.start();
      case "crash":
        this.#store?.cut();
        return this.start();
    }
  }

  async #say(rooms: TestRooms, { from, to, session }: Extract<Step, { do: "say" }>): Promise<void> {
    const id = `p${++this.#messages}`;
    const message = { id, session, from, text: `@${to} go on`, at: this.#clock.now() };
    // Platforms deliver again what was not taken.
    for (let i = 0; i < 3; i++) {
      const taken = await rooms.chat.inbox.message(message).catch((error: unknown) => this.#expectTrouble(error));
      if (taken) return;
    }
  }

  async #resume(rooms: TestRooms, { by, from, nth, session }: Extract<Step, { do: "resume" }>): Promise<void> {
    const key = await this.#pause(nth);
    if (by === "button") await rooms.press("troupe:resume", key, from);
    else if (by === "command") await rooms.command("agent resume", from, session);
    else if (by === "words")
      await rooms.chat.inbox.message({ id: `w${++this.#messages}`, session, from, text: "@Troupe resume", at: 0 });
    else await rooms.chat.inbox.resume({ session, from, pair: key.split("|")[1] ?? "" });
  }

  async #pause(nth: number): Promise<string> {
    const open = (await pausesIn(this.#inner)).filter(({ state }) => state === "open");
    return open[nth % Math.max(1, open.length)]?.key ?? "pause|none|1";
  }

  async #press(rooms: TestRooms, name: "continue" | "retry", nth: number): Promise<void> {
    const notices = (await rooms.troupe.reader.room(ROOM))?.notices ?? [];
    const buttons = notices
      .flatMap(({ view }) => view.buttons ?? [])
      .filter(({ action }) => action === `troupe:${name}`);
    const button = buttons[nth % Math.max(1, buttons.length)];
    if (button) await rooms.press(button.action, button.value, BOB);
  }

  #fate(): Fate | undefined {
    for (const trouble of this.#troubles) trouble.in--;
    const due = this.#troubles.find((trouble) => trouble.in < 0);
    this.#troubles = this.#troubles.filter((trouble) => trouble !== due);
    return due?.fate;
  }

  /** A store that fails or dies is the only reason for a step to fail. */
  #expectTrouble(error: unknown): undefined {
    const text = String(error);
    if (!/the disk is full|the process is gone|kept changing/.test(text)) this.problems.push(text);
    return undefined;
  }

  async #inTime<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const settled = promise.finally(() => {
      isSettled = true;
    });
    settled.catch(() => {});
    await settle(5);
    for (let i = 0; !isSettled; i++) await (i < 20 ? settle(10) : this.#clock.advance(500));
    return settled;
  }

  async #quiet(): Promise<void> {
    for (let before = -1; before !== this.#commits; ) {
      before = this.#commits;
      await settle(30);
    }
    // What failed tries again after a pause.
    await this.#clock.advance(600);
    await settle(10);
  }
}

function nameOf({ session, entry }: { readonly session: string; readonly entry: string }, persona: string): string {
  return `${session} ${entry}>${persona}`;
}

/** A step as fast-check runs and shrinks it. */
function commandOf(one: Step): fc.AsyncCommand<object, World> {
  return {
    check: () => true,
    async run(_, world) {
      await world.take(one);
      expect(world.problems).toEqual([]);
    },
    toString: () => JSON.stringify(one),
  };
}

/** How much has happened in all histories together. */
export type GuardTotals = Record<"held" | "released" | "dropped" | "paused" | "refused", number>;

/**
 * Plays so many random histories of a room against the model, and gives what happened in them. Rejects with the shortest
 * history in which the engine did something else, lost, doubled or reordered a message, or left one behind.
 */
export async function playHistories(options: {
  readonly seed: number;
  readonly numRuns: number;
}): Promise<GuardTotals> {
  const seen: GuardTotals = { held: 0, released: 0, dropped: 0, paused: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.commands([anyStep.map(commandOf)], { maxCommands: 60, size: "max" }), async (commands) => {
      const world = new World();
      await world.start();
      await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
      await world.finish();
      const end = await world.end();
      expect(end).toMatchObject({ problems: [], waiting: 0, unhandled: [], open: 0, notRun: [] });
      expect(end.notices).toBe(end.totals.paused);
      expect(end.totals.held).toBe(end.totals.released + end.totals.dropped);
      for (const kind of ["held", "released", "dropped", "paused", "refused"] as const) seen[kind] += end.totals[kind];
    }),
    options,
  );
  return seen;
}
