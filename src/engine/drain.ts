import { type MessageEntry, needsOutcome } from "../domain/entry.js";
import { roomOf, threadSession } from "../domain/ids.js";
import type { Part } from "../domain/outcome.js";
import type { Cursor, Logged } from "../ports/store.js";
import type { WakeHandler } from "../ports/wake-queue.js";
import { type EngineContext, platformFor } from "./context.js";
import { giveHints } from "./hints.js";
import { type Plan, planEntry, type Surroundings } from "./plan.js";
import { RECORDS, type Revision, revisionKey } from "./records.js";
import { supersede, unrevised } from "./revise.js";
import { commitStep, type DrainDeps, type Next, type OwnerChange, type SessionRun } from "./session-run.js";
import { takeErrand } from "./take-errand.js";
import { wakeTarget } from "./wake-target.js";

const BATCH = 64;

/**
 * Takes a session's entries in order, each to its recorded outcome, until none is left (behaviour 0.1). One entry
 * at a time and one part at a time; what arrives meanwhile is taken afterwards, then errands. Leaves everything as it stands when the
 * session is lost or the signal aborts: the cursor says where to go on.
 */
export function createDrain(deps: DrainDeps): WakeHandler {
  const { context, owner, stopping } = deps;
  return async (session, signal) => {
    const begun = await context.store.begin(session, owner);
    const run: SessionRun = { begun, signal, cursor: begun.cursor };
    let readTo = run.cursor.seq;
    while (!signal.aborted && !stopping.aborted) {
      const batch = await context.store.read(session, readTo, BATCH);
      const next = batch.find((logged) => isOpen(logged, run.cursor));
      if (next === undefined) {
        readTo = batch.at(-1)?.entry.seq ?? readTo;
        // What was said goes first.
        if (batch.length < BATCH && (await takeErrand(deps, run)) !== "go on") return;
        continue;
      }
      if ((await takePart(deps, run, next)) === "leave") return;
      readTo = run.cursor.seq;
    }
  };
}

/** Still to be decided. An outcome that stands before the first part was decided when the entry was appended. */
function isOpen({ entry, outcome }: Logged, cursor: Cursor): boolean {
  if (entry.seq <= cursor.seq || !needsOutcome(entry)) return false;
  return outcome === undefined || (cursor.part > 0 && entry.seq === cursor.seq + 1);
}

/** Decides the next part of an entry and commits it. */
async function takePart(deps: DrainDeps, run: SessionRun, logged: Logged): Promise<Next> {
  const { context } = deps;
  const { value: room } = await context.rooms.getOrNew(run.begun.session, false);
  const around: Surroundings = { room, settings: await context.rooms.settings(room) };
  const revised = await takeRevision(context, run, logged);
  if (revised) return revised;
  const plan = await planEntry(context, logged, around);
  const trigger = threadTrigger(context, logged, plan, around);
  if (trigger) return startThread(context, run, trigger, plan);
  // Once: what starts a thread is planned again there.
  if (run.cursor.part === 0 && run.cursor.attempt === 0) await giveHints(context, logged.entry, plan, around);
  const [target] = plan.targets;
  if (target === undefined) return endEntry(context, run, logged, plan);
  const standing = { logged, isLast: plan.targets.length === 1, cursor: run.cursor };
  return wakeTarget(deps, { run, standing, target, around });
}

/** A message that its author has edited or deleted before its turn is superseded. */
async function takeRevision(context: EngineContext, run: SessionRun, { entry }: Logged): Promise<Next | undefined> {
  const isFresh = run.cursor.part === 0 && run.cursor.attempt === 0;
  if (!isFresh || entry.kind !== "message" || entry.sender.kind !== "person") return undefined;
  const key = revisionKey(entry.session, entry.id);
  const record = await context.store.get<Revision>(roomOf(entry.session), RECORDS.revision, key);
  if (!record) return undefined;
  return commitStep(context, run, supersede(entry, record.value, record.version), {
    seq: entry.seq,
    part: 0,
    attempt: 0,
  });
}

/** Nobody (or nobody more) to wake: the cursor passes the entry. */
function endEntry(context: EngineContext, run: SessionRun, logged: Logged, plan: Plan): Promise<Next> {
  const { entry, outcome } = logged;
  const ignored = { kind: "ignored", reason: plan.reason ?? "no_mention" } as const;
  const outcomes = outcome === undefined ? [{ session: entry.session, seq: entry.seq, outcome: ignored }] : [];
  const expect = outcome === undefined ? unrevised(logged) : [];
  return commitStep(context, run, { outcomes, expect }, { seq: entry.seq, part: 0, attempt: 0 });
}

/** A top-level trigger of a room that replies in threads is answered in a thread on it (product section 4). */
function threadTrigger(
  context: EngineContext,
  { entry }: Logged,
  plan: Plan,
  { room, settings }: Surroundings,
): MessageEntry | undefined {
  const canThread = platformFor(context, room.id)?.capabilities.threads ?? false;
  if (!canThread || settings.reply !== "thread" || plan.targets.length === 0) return undefined;
  return entry.kind === "message" && entry.sender.kind === "person" && entry.session === room.id ? entry : undefined;
}

async function startThread(context: EngineContext, run: SessionRun, trigger: MessageEntry, plan: Plan): Promise<Next> {
  const { seq, session, v: _, ...message } = trigger;
  const thread = threadSession(roomOf(session), trigger.edits?.entry ?? trigger.id);
  const parts = plan.targets.map(({ persona }): Part => ({ persona, result: "woke", ref: thread }));
  const change: OwnerChange = {
    // With the start of the turn in the thread.
    soon: true,
    append: [{ session: thread, entry: { ...message, cause: { ...message.cause, entry: trigger.id } } }],
    outcomes: [{ session, seq, outcome: { kind: "parts", parts } }],
    expect: unrevised({ entry: trigger }),
  };
  const next = await commitStep(context, run, change, { seq, part: 0, attempt: 0 });
  await context.queue.wake(thread);
  return next;
}
