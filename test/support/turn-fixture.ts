import type { MessageEntry } from "../../src/domain/entry.js";
import type { Persona } from "../../src/domain/persona.js";
import type {
  Brain,
  BrainEnd,
  BrainEvent,
  Tool,
  ToolClass,
  ToolResult,
  Turn,
  ViewEntry,
} from "../../src/ports/brain.js";
import type { FakeClock } from "./fake-clock.js";

/** A persona; `over` changes any part of it. */
export function personaFixture(over: Partial<Persona> = {}): Persona {
  return {
    name: "alpha",
    displayName: "Alpha",
    description: "Plans.",
    prompt: "You are Alpha.",
    brain: "llm",
    ...over,
  };
}

/** A person's message; `over` changes any part of it. */
export function messageFixture(over: Partial<MessageEntry> = {}): MessageEntry {
  return {
    v: 1,
    seq: 1,
    session: "web:local:main",
    kind: "message",
    id: "m1",
    sender: { kind: "person", id: "u1", name: "Robin" },
    text: "@alpha please review",
    at: Date.UTC(2026, 0, 5, 9, 0, 0),
    cause: { kind: "person" },
    ...over,
  };
}

/** A turn of `alpha` for a person's message that is all of the log so far; `over` changes any part of it. */
export function turnFixture(over: Partial<Turn> = {}): Turn {
  const waking = over.waking ?? messageFixture();
  const view: readonly ViewEntry[] = [{ entry: waking, own: false, waking: true }];
  return {
    id: "t1",
    room: "web:local:main",
    session: "web:local:main",
    team: "acme",
    persona: personaFixture(),
    waking,
    text: waking.text,
    cause: { kind: "person", entry: waking.id },
    number: 1,
    view: async () => view,
    load: async () => undefined,
    tools: [],
    limits: { steps: 8, wallMs: 300_000, stallMs: 60_000, outputTokens: 4_000 },
    signal: new AbortController().signal,
    ...over,
  };
}

/** A tool that keeps what it was called with. */
export interface FakeTool extends Tool {
  readonly calls: readonly { readonly callId: string; readonly input: unknown }[];
  /** Resolves at the first call. */
  readonly called: Promise<void>;
}

export interface FakeToolOptions {
  readonly class?: ToolClass;
  readonly result?: ToolResult;
  /** The call lasts until this resolves. */
  readonly until?: Promise<unknown>;
}

export function fakeTool(name: string, options: FakeToolOptions = {}): FakeTool {
  const calls: { callId: string; input: unknown }[] = [];
  let onCalled: () => void;
  const called = new Promise<void>((resolve) => {
    onCalled = resolve;
  });
  return {
    name,
    description: `Does ${name}.`,
    inputSchema: { type: "object", properties: { text: { type: "string" }, to: { type: "string" } } },
    class: options.class ?? "messaging",
    calls,
    called,
    async run(callId, input) {
      calls.push({ callId, input });
      onCalled();
      await options.until;
      return options.result ?? { ok: true, text: `${name} is done` };
    },
  };
}

/** All events of a turn. */
export async function eventsOf(events: AsyncIterable<BrainEvent>): Promise<readonly BrainEvent[]> {
  const all: BrainEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** The end of a turn. Throws unless there is exactly one, in last place. */
export function endOf(events: readonly BrainEvent[]): BrainEnd {
  const ends = events.filter((event) => event.type === "end");
  const last = events.at(-1);
  if (ends.length !== 1 || last?.type !== "end")
    throw new Error(`expected one end, in last place, got ${typesOf(events)}`);
  return last;
}

/** Runs a turn to its end. */
export async function runToEnd(brain: Brain, turn: Turn): Promise<BrainEnd> {
  return endOf(await eventsOf(brain.run(turn)));
}

/** The types of the events, for a look at their order. */
export function typesOf(events: readonly BrainEvent[]): string {
  return events.map((event) => event.type).join(" ");
}

/** Moves the clock on, step by step, until the promise is settled. Only for what waits for nothing but the clock. */
export async function drive<T>(clock: FakeClock, stepMs: number, promise: Promise<T>): Promise<T> {
  let settled = false;
  const watched = promise.finally(() => {
    settled = true;
  });
  watched.catch(() => undefined);
  while (!settled) await clock.advance(stepMs);
  return watched;
}
