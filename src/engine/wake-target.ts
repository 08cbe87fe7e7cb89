import type { Entry } from "../domain/entry.js";
import { roomOf } from "../domain/ids.js";
import type { Part } from "../domain/outcome.js";
import type { Persona } from "../domain/persona.js";
import type { BrainFailure } from "../ports/brain.js";
import type { Cursor } from "../ports/store.js";
import { acceptDelivery } from "./accept.js";
import { type ChangeParts, joinParts } from "./change-parts.js";
import { ackDraft, cursorAfter, failureChange, recordPart, type Standing, turnChange } from "./commits.js";
import { MAX_ATTEMPTS } from "./config.js";
import type { EngineContext } from "./context.js";
import { promptParts } from "./guard/resume.js";
import type { Surroundings, Target } from "./plan.js";
import { type AgentSession, agentKey, RECORDS } from "./records.js";
import { unrevised } from "./revise.js";
import { commitStep, type DrainDeps, type Next, type SessionRun } from "./session-run.js";
import { runTurn } from "./turn.js";
import type { TurnSpec } from "./turn-spec.js";

/** One addressee of an entry, to be decided: accepted and woken, or recorded as something else. */
export interface PartWork {
  readonly run: SessionRun;
  readonly standing: Standing;
  readonly target: Target;
  readonly around: Surroundings;
}

/** Takes a target through the accept point, and on to its turn. Everything that is decided is committed. */
export async function wakeTarget(deps: DrainDeps, work: PartWork): Promise<Next> {
  const passage = await passAcceptPoint(deps, work);
  return passage.next ?? wake(deps, work, passage.parts);
}

/** Passed the accept point, with what belongs into the commit that starts the turn; or recorded otherwise. */
type Passage = { readonly parts: Partial<ChangeParts>; readonly next?: undefined } | { readonly next: Next };

/** A person's message and a part whose turn was started before are past the accept point. */
async function passAcceptPoint({ context, onPaused }: DrainDeps, work: PartWork): Promise<Passage> {
  const { run, standing, target, around } = work;
  const { waking, persona: receiver } = target;
  if (!target.check || run.cursor.attempt > 0 || waking.kind !== "message") return { parts: {} };
  const { room, settings } = around;
  const acceptance = await acceptDelivery(context, {
    room,
    message: waking,
    receiver,
    budget: settings.budget,
    pending: false,
  });
  if (acceptance.result === "accepted") return { parts: acceptance.parts };
  const change = { ...recordPart(standing, acceptance.part), ...acceptance.parts };
  const next = await commitStep(context, run, change, cursorAfter(standing));
  if (next === "go on" && acceptance.pair) onPaused(room.id, acceptance.pair);
  return { next };
}

/** Runs the target's turn, in a place of its own, and commits what came of it. */
async function wake(deps: DrainDeps, work: PartWork, accepted: Partial<ChangeParts>): Promise<Next> {
  const { context, slots } = deps;
  const { run, standing, target } = work;
  const persona = context.team().persona(target.persona);
  if (persona === undefined) {
    const part: Part = { persona: target.persona, result: "refused" };
    return commitStep(context, run, recordPart(standing, part), cursorAfter(standing));
  }
  if (run.cursor.attempt >= MAX_ATTEMPTS) return giveUp(deps, work, persona);
  const leave = await slots.acquire(run.signal).catch(() => undefined);
  if (leave === undefined) return "leave";
  try {
    const spec = await startTurn(deps, work, persona, accepted);
    return spec === undefined ? "leave" : await takeTurn(deps, work, spec);
  } finally {
    leave();
  }
}

/**
 * Commits that the turn has started; from here on the delivery is accepted. A person's prompt restarts the counters of the
 * persona's pairs in this commit, and resumes them if its author may (behaviour 0.13).
 */
async function startTurn(
  { context, onRelease }: DrainDeps,
  { run, standing, target, around }: PartWork,
  persona: Persona,
  accepted: Partial<ChangeParts>,
): Promise<TurnSpec | undefined> {
  const { room } = around;
  const { begun } = run;
  const handled = standing.logged.entry;
  const { part, attempt } = run.cursor;
  const cursor: Cursor = { seq: handled.seq - 1, part, attempt: attempt + 1 };
  const agent = await context.store.get<AgentSession>(room.id, RECORDS.agent, agentKey(begun.session, persona.name));
  const spec: TurnSpec = { room, begun, cursor, handled, waking: target.waking, persona, agent };
  const prompt = attempt === 0 ? await promptOf(context, handled, persona.name) : NO_PROMPT;
  const expect = part === 0 && attempt === 0 ? unrevised(standing.logged) : [];
  const ack = { append: [{ session: begun.session, entry: ackDraft(context, spec) }] };
  const next = await commitStep(context, run, joinParts(accepted, prompt.parts, ack, { expect }), cursor);
  if (next === "leave") return undefined;
  for (const pair of prompt.releasing) onRelease(room.id, pair);
  return spec;
}

const NO_PROMPT = { parts: {}, releasing: [] } as const;

function promptOf(context: EngineContext, handled: Entry, persona: string) {
  if (handled.kind !== "message" || handled.sender.kind !== "person" || handled.edits?.late) return NO_PROMPT;
  const { id, name } = handled.sender;
  // A top-level message that is answered in a thread was said in the channel, and so acts on all of the room.
  const saidIn = handled.cause.entry === undefined ? handled.session : roomOf(handled.session);
  return promptParts(context, saidIn, persona, handled.mayResume ? { id, name } : undefined);
}

async function takeTurn(deps: DrainDeps, { run, standing, around }: PartWork, spec: TurnSpec): Promise<Next> {
  const { context } = deps;
  const report = await runTurn(deps, spec, run.signal);
  const stopped = report.result.kind === "stopped" ? report.result.cause.kind : undefined;
  if (stopped === "lost") return "leave";
  if (stopped === "shutdown") return park(context, run);
  const part: Part = { persona: spec.persona.name, result: "woke" };
  const change = { ...recordPart(standing, part), ...turnChange(context, spec, report, around) };
  return commitStep(context, run, change, cursorAfter(standing));
}

/**
 * The process stops: the turn will run again at the next start, and this attempt does not count. One always stays on the
 * cursor: it says that the delivery was accepted, and must not be checked and counted a second time.
 */
async function park(context: EngineContext, run: SessionRun): Promise<Next> {
  const { cursor } = run;
  await commitStep(context, run, {}, { ...cursor, attempt: Math.max(1, cursor.attempt - 1) });
  return "leave";
}

const CUT_OFF: BrainFailure = {
  class: "internal",
  retryable: true,
  safeMessage: `the turn was cut off ${MAX_ATTEMPTS} times.`,
};

/** The process has died in this turn too often: it ends as a failed one, and the session goes on (design 5). */
async function giveUp({ context }: DrainDeps, { run, standing, target }: PartWork, persona: Persona): Promise<Next> {
  const { begun, cursor } = run;
  const spec = { begun, cursor, handled: standing.logged.entry, waking: target.waking, persona };
  const part: Part = { persona: target.persona, result: "woke" };
  const change = { ...recordPart(standing, part), ...failureChange(context, spec, CUT_OFF) };
  return commitStep(context, run, change, cursorAfter(standing));
}
