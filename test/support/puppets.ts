import type { Persona } from "../../src/domain/persona.js";
import type { Brain, BrainEvent, Turn } from "../../src/ports/brain.js";

/** What a puppet does in a turn, step by step. Without a step that ends it, the turn ends in silence. */
export type Act =
  | { readonly send: string; readonly to: string }
  | { readonly say: string }
  /** A tool of the brain's own, with this result. */
  | { readonly work: string; readonly ok?: boolean }
  | { readonly file: string }
  /** Stays in the turn until `open` is called. */
  | { readonly wait: true }
  | { readonly fail: string }
  /** Something that a test does in the middle of a turn. */
  | { readonly run: () => Promise<void> };

/** Personas whose turns a test writes: each turn plays the next plan of its persona, or the one that it repeats. */
export interface Puppets {
  readonly brain: Brain;
  /** Turns that have been run, as `persona<text`. */
  readonly turns: readonly string[];
  /** The answers of tools, in order. */
  readonly answers: readonly string[];
  persona(name: string): Persona;
  plan(persona: string, ...acts: readonly Act[]): void;
  /** What the persona does in every turn without a plan of its own. */
  always(persona: string, act: (turn: Turn) => readonly Act[]): void;
  /** Nobody has anything to say any more. */
  silence(): void;
  /** Lets every waiting turn go on. */
  open(): void;
  readonly waiting: number;
}

export function createPuppets(): Puppets {
  const plans = new Map<string, (readonly Act[])[]>();
  const habits = new Map<string, (turn: Turn) => readonly Act[]>();
  const gates = new Set<() => void>();
  const turns: string[] = [];
  const answers: string[] = [];

  async function* play(turn: Turn): AsyncGenerator<BrainEvent> {
    const { name } = turn.persona;
    turns.push(`${name}<${turn.text}`);
    const acts = plans.get(name)?.shift() ?? habits.get(name)?.(turn) ?? [];
    for (const [i, act] of acts.entries()) {
      if (turn.signal.aborted) return yield { type: "end", reason: "cancelled", text: "" };
      if ("say" in act) return yield { type: "end", reason: "done", text: act.say };
      if ("fail" in act) return yield failure(act.fail);
      yield* goOn(turn, `${i}`, act);
    }
    yield { type: "end", reason: "done", text: "" };
  }

  /** An act that does not end the turn. */
  async function* goOn(
    turn: Turn,
    callId: string,
    act: Exclude<Act, { say: string } | { fail: string }>,
  ): AsyncGenerator<BrainEvent> {
    if ("run" in act) await act.run();
    else if ("wait" in act) await gate(turn.signal);
    else if ("send" in act) yield* send(turn, callId, act);
    else if ("work" in act) yield* work(callId, act);
    else yield { type: "file-write", path: act.file, via: "fs" };
  }

  function gate(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const open = () => {
        gates.delete(open);
        resolve();
      };
      gates.add(open);
      signal.addEventListener("abort", open, { once: true });
    });
  }

  async function* send(
    turn: Turn,
    callId: string,
    { to, send: text }: Extract<Act, { send: string }>,
  ): AsyncGenerator<BrainEvent> {
    const tool = turn.tools.find(({ name }) => name === "send_message");
    yield { type: "tool-start", callId, name: "send_message", source: "room", title: "send" };
    const result = await tool?.run(callId, { to, text });
    answers.push(result?.text ?? "");
    yield { type: "tool-end", callId, ok: result?.ok ?? false, outputPreview: result?.text ?? "" };
  }

  return {
    brain: { kind: "script", run: play, async close() {} },
    turns,
    answers,
    persona: (name) => ({
      name,
      displayName: name.charAt(0).toUpperCase() + name.slice(1),
      description: `The persona ${name}.`,
      prompt: `You are ${name}.`,
      brain: "script",
    }),
    plan: (persona, ...acts) => void plans.set(persona, [...(plans.get(persona) ?? []), acts]),
    always: (persona, act) => void habits.set(persona, act),
    silence: () => {
      plans.clear();
      habits.clear();
    },
    open: () => {
      for (const open of [...gates]) open();
    },
    get waiting() {
      return gates.size;
    },
  };
}

function* work(callId: string, { work: result, ok = true }: Extract<Act, { work: string }>): Generator<BrainEvent> {
  yield { type: "tool-start", callId, name: "run_tests", source: "mcp", title: "tests" };
  yield { type: "tool-end", callId, ok, outputPreview: result };
}

function failure(safeMessage: string): BrainEvent {
  return { type: "end", reason: "failed", text: "", failure: { class: "internal", retryable: false, safeMessage } };
}
