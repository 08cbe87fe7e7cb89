import type { ScriptStep } from "../../domain/persona.js";
import type { Brain, BrainEnd, BrainEvent, BrainFailure, Turn } from "../../ports/brain.js";
import { type Clock, delay } from "../../ports/clock.js";
import { createTurnGate, previewOf, type TurnRun, untilAborted } from "../turn-run.js";
import { parseScriptState, ruleFor, type ScriptState, withUse } from "./script-state.js";
import { fillInput, fillText, type TemplateValues } from "./template.js";

/**
 * A brain that follows its persona's script: deterministic, needs no key. The first rule that matches the waking text and
 * is not used up runs; without one the turn is silent. The texts of one turn are joined by a blank line. A tool that
 * refuses does not stop the script, one that does not exist does; `idle` ends the turn silently. Uses are counted in the brain's
 * state, also when the turn fails, so that a retry reaches the next rule.
 */
export function createScriptBrain(options: { readonly clock: Clock }): Brain {
  const gate = createTurnGate(options.clock);
  return {
    kind: "script",
    async *run(turn) {
      const run = gate.enter(turn);
      try {
        yield* playScript(options.clock, turn, run);
      } finally {
        run.leave();
      }
    },
    async close() {
      gate.close();
    },
  };
}

/** What the steps of a turn share. */
interface Playing {
  readonly clock: Clock;
  readonly turn: Turn;
  readonly run: TurnRun;
  readonly values: TemplateValues;
  readonly texts: string[];
  calls: number;
}

async function* playScript(clock: Clock, turn: Turn, run: TurnRun): AsyncGenerator<BrainEvent> {
  const rules = turn.persona.script ?? [];
  let state = parseScriptState(turn.state);
  try {
    const index = ruleFor(rules, turn.text, state);
    const rule = index === undefined ? undefined : rules[index];
    if (index === undefined || rule === undefined) return yield done("", state);
    state = withUse(state, index);
    const playing: Playing = { clock, turn, run, values: valuesOf(turn), texts: [], calls: 0 };
    for (const step of rule.steps) {
      run.signal.throwIfAborted();
      const end = yield* playStep(playing, step);
      if (end !== undefined) return yield { ...end, state };
    }
    yield done(playing.texts.join("\n\n"), state);
  } catch {
    yield run.stopped === undefined
      ? failed("its script could not run: check its expressions.", state)
      : stoppedEnd(run);
  }
}

async function* playStep(playing: Playing, step: ScriptStep): AsyncGenerator<BrainEvent, BrainEnd | undefined> {
  const { clock, run, values, texts } = playing;
  if ("fail" in step) return failed(fillText(step.fail, values));
  if ("tool" in step) return yield* callTool(playing, step.tool, fillInput(step.input, values));
  if ("delayMs" in step) {
    await delay(clock, step.delayMs, run.signal);
    return undefined;
  }
  const text = fillText(step.say, values);
  yield { type: "text", delta: texts.length === 0 ? text : `\n\n${text}`, channel: "final" };
  texts.push(text);
  return undefined;
}

async function* callTool(
  playing: Playing,
  name: string,
  input: unknown,
): AsyncGenerator<BrainEvent, BrainEnd | undefined> {
  const { turn, run } = playing;
  const tool = turn.tools.find((candidate) => candidate.name === name);
  if (tool === undefined) return failed(`its script calls the tool ${name}, which it does not have here.`);
  playing.calls += 1;
  const callId = `${turn.id}-${playing.calls}`;
  yield { type: "tool-start", callId, name, source: "room", title: name, input };
  const result = await untilAborted(tool.run(callId, input), run.signal).catch(() => undefined);
  if (result === undefined) {
    yield { type: "tool-end", callId, ok: false, outputPreview: run.stopped ?? "failed" };
    return run.stopped === undefined ? failed(`the tool ${name} failed.`) : stoppedEnd(run);
  }
  yield { type: "tool-end", callId, ok: result.ok, outputPreview: previewOf(result) };
  return tool.class === "idle" && result.ok ? { type: "end", reason: "idle", text: "" } : undefined;
}

function valuesOf(turn: Turn): TemplateValues {
  return { text: turn.text, sender: turn.waking.sender.name, turn: String(turn.number) };
}

function done(text: string, state: ScriptState): BrainEnd {
  return { type: "end", reason: "done", text, state };
}

function failed(safeMessage: string, state?: ScriptState): BrainEnd {
  const failure: BrainFailure = { class: "internal", retryable: false, safeMessage };
  return { type: "end", reason: "failed", text: "", failure, ...(state === undefined ? {} : { state }) };
}

function stoppedEnd(run: TurnRun): BrainEnd {
  if (run.stopped === "cancelled") return { type: "end", reason: "cancelled", text: "" };
  const failure: BrainFailure = { class: "timeout", retryable: true, safeMessage: "its script ran out of time." };
  return { type: "end", reason: "failed", text: "", failure };
}
