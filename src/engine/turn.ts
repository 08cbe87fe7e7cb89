import type { BrainHistory } from "../domain/entry.js";
import { type RoomId, roomOf } from "../domain/ids.js";
import type { Pair } from "../domain/pair.js";
import { identityOf } from "../domain/persona.js";
import { roomNote } from "../domain/room-note.js";
import type { BrainEnd, BrainFailure, Turn, Usage, ViewEntry } from "../ports/brain.js";
import { cleanValue, replyWords } from "./brain-words.js";
import { type EngineContext, platformFor } from "./context.js";
import { observeWork } from "./observe-work.js";
import { turnId } from "./records.js";
import { toolsFor } from "./tools/run-tool.js";
import { causeOf, placeOf, type TurnSpec } from "./turn-spec.js";
import type { RunningTurn, StopCause, Turns } from "./turns.js";
import { buildView, type ViewOptions } from "./view.js";

/** What running turns needs beyond the turn itself. */
export interface TurnDeps {
  readonly context: EngineContext;
  readonly turns: Turns;
  /** A message of this pair has been held or refused. */
  readonly onPaused: (room: RoomId, pair: Pair) => void;
}

/** How a turn ended. `stopped` says who or what stopped it from outside. */
export type TurnResult =
  | { readonly kind: "replied"; readonly text: string; readonly history?: BrainHistory; readonly state?: unknown }
  | { readonly kind: "failed"; readonly failure: BrainFailure; readonly state?: unknown }
  | { readonly kind: "stopped"; readonly cause: StopCause };

export interface TurnReport {
  readonly result: TurnResult;
  readonly usage: readonly Usage[];
}

/** How long a brain may take to end after it was told to stop, before the turn goes on without it. */
const STOP_GRACE_MS = 10_000;

/** Runs one persona's brain to its end or to the turn's deadline. Never rejects for what a brain does. */
export async function runTurn(deps: TurnDeps, spec: TurnSpec, lost: AbortSignal): Promise<TurnReport> {
  const { context, turns } = deps;
  const { persona, begun, cursor } = spec;
  const id = `${roomOf(begun.session)}|${turnId(placeOf(spec))}|${cursor.attempt}.${begun.fence}`;
  const running = turns.start(id, begun.session, persona.name);
  const startedAt = context.clock.monotonic();
  const stop = (cause: StopCause) => turns.stop(id, cause);
  const onLost = () => stop({ kind: "lost" });
  if (lost.aborted) onLost();
  lost.addEventListener("abort", onLost, { once: true });
  const cancelDeadline = context.clock.after(context.config.limits.turnTimeoutMs, () => stop({ kind: "timeout" }));
  void showTyping(context, spec, true);
  try {
    const report = await followBrain(deps, spec, running, onLost);
    context.meter.turn(report.result.kind, context.clock.monotonic() - startedAt);
    return report;
  } finally {
    cancelDeadline();
    lost.removeEventListener("abort", onLost);
    running.end();
    void showTyping(context, spec, false);
  }
}

async function followBrain(
  deps: TurnDeps,
  spec: TurnSpec,
  running: RunningTurn,
  onLost: () => void,
): Promise<TurnReport> {
  const { context } = deps;
  const observe = observeWork(context, spec, onLost);
  const usage: Usage[] = [];
  const brain = context.brains.get(spec.persona.brain);
  if (!brain) return failed("internal", `no brain of kind "${spec.persona.brain}" is set up.`, usage);
  try {
    const end = await raceStop(context, running, async () => {
      for await (const event of brain.run(buildTurn(deps, spec, running, onLost))) {
        if (event.type === "usage") usage.push(event.usage);
        await observe(event);
        if (event.type === "end") return event;
      }
      return undefined;
    });
    return { result: resultOf(end, running.stopped()), usage };
  } catch (error) {
    context.logger.error(
      { session: running.session, persona: running.persona, error },
      "a brain broke its promise and threw",
    );
    return failed("internal", "an internal error happened; the log has the details.", usage);
  }
}

/** A brain that ignores its signal is left behind after the grace time: its session must not hang with it. */
async function raceStop(context: EngineContext, running: RunningTurn, run: () => Promise<BrainEnd | undefined>) {
  let cancel = () => {};
  const overdue = new Promise<undefined>((resolve) => {
    const arm = () => {
      cancel = context.clock.after(STOP_GRACE_MS, () => resolve(undefined));
    };
    if (running.signal.aborted) arm();
    else running.signal.addEventListener("abort", arm, { once: true });
  });
  try {
    return await Promise.race([run(), overdue]);
  } finally {
    cancel();
  }
}

function resultOf(end: BrainEnd | undefined, stopped: StopCause | undefined): TurnResult {
  const state = end?.state === undefined ? {} : { state: end.state };
  if (stopped?.kind === "timeout") return { kind: "failed", failure: TIMED_OUT, ...state };
  if (stopped && (end === undefined || end.reason === "cancelled" || end.reason === "failed"))
    return { kind: "stopped", cause: stopped };
  if (stopped?.kind === "lost") return { kind: "stopped", cause: stopped };
  if (end === undefined) return { kind: "failed", failure: NO_END };
  if (end.reason === "failed" || end.reason === "cancelled")
    return { kind: "failed", failure: cleanFailure(end.failure ?? NO_END), ...state };
  const { text, isCut } = replyWords(end.reason === "idle" ? "" : end.text);
  const exhausted = text === "" ? EXHAUSTED[end.reason] : undefined;
  if (exhausted) return { kind: "failed", failure: exhausted, ...state };
  // The history of a reply that was cut would bring back what was cut off.
  return { kind: "replied", text, ...(end.history && !isCut ? { history: cleanHistory(end.history) } : {}), ...state };
}

function cleanFailure(failure: BrainFailure): BrainFailure {
  return { ...failure, safeMessage: replyWords(failure.safeMessage).text };
}

function cleanHistory({ brain, messages }: BrainHistory): BrainHistory {
  return { brain, messages: messages.map((message) => cleanValue(message)) };
}

/** Silence after all that is no choice: the model was still at work. */
const EXHAUSTED: { readonly [reason in BrainEnd["reason"]]?: BrainFailure } = {
  "step-limit": { class: "protocol", retryable: true, safeMessage: "it used all its steps without an answer." },
  "token-limit": { class: "protocol", retryable: true, safeMessage: "it used all its tokens without an answer." },
};

/** A fresh turn sees nothing of what was said before. */
async function viewOf({ errand, waking }: TurnSpec, options: ViewOptions): Promise<readonly ViewEntry[]> {
  return errand?.fresh ? [{ entry: waking, own: false, waking: true }] : buildView(options);
}

const TIMED_OUT: BrainFailure = { class: "timeout", retryable: true, safeMessage: "it ran out of time." };
const NO_END: BrainFailure = {
  class: "protocol",
  retryable: true,
  safeMessage: "its brain stopped without an answer.",
};

function failed(kind: BrainFailure["class"], safeMessage: string, usage: readonly Usage[]): TurnReport {
  return { result: { kind: "failed", failure: { class: kind, retryable: false, safeMessage } }, usage };
}

function buildTurn({ context, onPaused }: TurnDeps, spec: TurnSpec, running: RunningTurn, onLost: () => void): Turn {
  const { persona, room, begun, handled, waking, cursor, agent } = spec;
  const team = context.team();
  const members = context.rooms.members(room).map((name) => ({ name, displayName: team.displayName(name) }));
  const note = roomNote(persona.name, members);
  const { limits } = context.config;
  const scope = {
    context,
    room,
    begun,
    cursor,
    persona,
    place: placeOf(spec),
    cause: causeOf(handled, waking),
    onPaused,
  };
  return {
    id: running.id,
    room: room.id,
    session: begun.session,
    team: team.name,
    persona,
    ...(note === undefined ? {} : { roomNote: note }),
    others: members.filter(({ name }) => name !== persona.name),
    waking,
    text: waking.text,
    cause: waking.cause,
    number: (agent?.value.turns ?? 0) + 1,
    ...(agent?.value.state === undefined ? {} : { state: agent.value.state }),
    view: (maxBytes) =>
      viewOf(spec, {
        store: context.store,
        session: begun.session,
        persona: persona.name,
        waking,
        upTo: handled.seq,
        maxBytes,
      }),
    load: async (file, maxBytes) => platformFor(context, begun.session)?.download?.(file, maxBytes, running.signal),
    tools: toolsFor(scope, running.signal, onLost),
    limits: {
      steps: limits.maxSteps,
      wallMs: limits.turnTimeoutMs,
      stallMs: limits.stallMs,
      outputTokens: limits.outputTokens,
    },
    signal: running.signal,
  };
}

async function showTyping(context: EngineContext, { begun, room, persona }: TurnSpec, on: boolean): Promise<void> {
  context.feed.publish(room.id, { type: "typing", session: begun.session, persona: persona.name, on });
  const platform = platformFor(context, begun.session);
  if (!platform?.capabilities.typing) return;
  try {
    await platform.typing(begun.session, identityOf(persona), on);
  } catch (error) {
    context.logger.debug({ session: begun.session, error }, "could not show typing");
  }
}
