import type { Draft, Entry } from "../domain/entry.js";
import type { FailedNotice } from "../domain/notice.js";
import { type Part, withPart } from "../domain/outcome.js";
import { identityOf, type Persona } from "../domain/persona.js";
import type { BrainFailure, Usage } from "../ports/brain.js";
import type { Append, Change, Cursor, Logged, RecordPut } from "../ports/store.js";
import { type ChangeParts, joinParts, NO_CHANGE } from "./change-parts.js";
import { type EngineContext, posts } from "./context.js";
import { newNotice, noticeText, SYSTEM, systemLine } from "./notices.js";
import { outcomeOfReply, type Surroundings } from "./plan.js";
import { type AgentSession, agentKey, type OutboxRow, RECORDS, turnId, turnPostKey } from "./records.js";
import type { TurnReport, TurnResult } from "./turn.js";
import { causeOf, placeOf, type TurnSpec } from "./turn-spec.js";

/** Where the drain stands with an entry: what it needs to write the entry's next part. */
export interface Standing {
  readonly logged: Logged;
  /** Nothing is left to decide after this part. */
  readonly isLast: boolean;
  readonly cursor: Cursor;
}

/** The cursor after one more part of the entry has been decided. */
export function cursorAfter({ logged, isLast, cursor }: Standing): Cursor {
  const { seq } = logged.entry;
  return isLast ? { seq, part: 0, attempt: 0 } : { seq: seq - 1, part: cursor.part + 1, attempt: 0 };
}

/** The commit parts that record one more part of an entry's outcome. */
export function recordPart(standing: Standing, part: Part): Pick<Change, "outcomes"> {
  const { entry, outcome } = standing.logged;
  return { outcomes: [{ session: entry.session, seq: entry.seq, outcome: withPart(outcome, part) }] };
}

/** What a finished turn leaves behind: its reply, its error or its stop line, and the persona's record. */
export function turnChange(
  context: EngineContext,
  spec: TurnSpec,
  report: TurnReport,
  around: Surroundings,
): ChangeParts {
  const { result } = report;
  const base = spec.errand?.fresh ? usageChange(context, spec, report) : agentChange(context, spec, report);
  switch (result.kind) {
    case "replied":
      return result.text === "" ? base : joinParts(base, replyChange(context, spec, result, around));
    case "failed":
      // Whoever sent the errand knows what follows, and says it.
      return spec.errand ? base : joinParts(base, failureChange(context, spec, result.failure));
    case "stopped":
      return joinParts(base, stoppedChange(context, spec, result.cause.kind === "person" ? result.cause.by : "Troupe"));
  }
}

/** A fresh turn leaves the persona's record in the session as it is. */
function usageChange(context: EngineContext, spec: TurnSpec, { usage }: TurnReport): ChangeParts {
  return { ...NO_CHANGE, put: usageRecord(context, spec, usage) };
}

/** The persona's count of turns and its brain's state, and what the turn used up. */
function agentChange(context: EngineContext, spec: TurnSpec, { result, usage }: TurnReport): ChangeParts {
  const { begun, persona, agent } = spec;
  const key = agentKey(begun.session, persona.name);
  const state = result.kind !== "stopped" && result.state !== undefined ? result.state : agent?.value.state;
  const value: AgentSession = { turns: (agent?.value.turns ?? 0) + 1, ...(state === undefined ? {} : { state }) };
  return {
    ...NO_CHANGE,
    put: [{ kind: RECORDS.agent, key, value }, ...usageRecord(context, spec, usage)],
    expect: [{ kind: RECORDS.agent, key, version: agent?.version ?? 0 }],
  };
}

/** What each model call of the turn used, unknown figures absent; nothing for a brain without model calls. */
function usageRecord(
  context: EngineContext,
  { begun, cursor, handled, waking, persona, errand }: TurnSpec,
  steps: readonly Usage[],
): readonly RecordPut[] {
  if (steps.length === 0) return [];
  const at = context.clock.now();
  const { root } = causeOf(handled, waking);
  const value = { session: begun.session, persona: persona.name, at, ...(root === undefined ? {} : { root }), steps };
  return [
    {
      kind: RECORDS.usage,
      key: `${at}|${begun.session}|${errand?.id ?? `${handled.seq}.${cursor.part}`}|${persona.name}`,
      value,
    },
  ];
}

function replyChange(
  context: EngineContext,
  spec: TurnSpec,
  reply: Extract<TurnResult, { kind: "replied" }>,
  around: Surroundings,
): ChangeParts {
  const { begun, handled, waking, persona } = spec;
  const id = turnId(placeOf(spec));
  const said = { sender: senderOf(persona), text: reply.text };
  const entry: Draft = {
    kind: "message",
    id,
    ...said,
    at: context.clock.now(),
    cause: causeOf(handled, waking),
    ...(reply.history === undefined ? {} : { history: reply.history }),
  };
  const outcome = outcomeOfReply(context, said, around);
  const append: Append = { session: begun.session, entry, ...(outcome === undefined ? {} : { outcome }) };
  return { ...NO_CHANGE, append: [append], put: entryPost(context, spec, id) };
}

/** The outbox row of a persona's entry: last of what its turn sent. */
function entryPost(context: EngineContext, spec: TurnSpec, entry: string): readonly RecordPut[] {
  const { begun, persona } = spec;
  if (!posts(context, begun.session)) return [];
  const row: OutboxRow = {
    session: begun.session,
    subject: { type: "entry", entry },
    identity: identityOf(persona),
    // Where it goes out at once, this commit is also its mark as being sent.
    state: context.isFree(begun.session) ? "sending" : "pending",
    attempts: 0,
  };
  const key = turnPostKey(placeOf(spec), "reply");
  return [{ kind: RECORDS.outbox, key, value: row, due: context.clock.now() }];
}

/** The one line that a failed turn shows, with its Retry button. */
export function failureChange(
  context: EngineContext,
  spec: Pick<TurnSpec, "begun" | "cursor" | "handled" | "waking" | "persona">,
  failure: BrainFailure,
): ChangeParts {
  const { begun, cursor, handled, waking, persona } = spec;
  const { session } = begun;
  const at = context.clock.now();
  const id = `failed|${session}|${handled.seq}.${cursor.part}|${persona.name}`;
  const notice: FailedNotice = {
    type: "failed",
    session,
    state: "open",
    at,
    persona: persona.name,
    entry: waking.id,
    reason: failure.safeMessage,
  };
  const entry: Draft = {
    kind: "error",
    id: `${turnId(placeOf(spec))}!`,
    sender: SYSTEM,
    text: noticeText(context, id, notice),
    at,
    cause: causeOf(handled, waking),
    entry: waking.id,
    persona: persona.name,
    code: failure.class,
    notice: id,
  };
  return joinParts(newNotice(context, { session, id, notice, entry, order: handled.seq }));
}

function stoppedChange(context: EngineContext, spec: TurnSpec, by: string): ChangeParts {
  const { begun, persona } = spec;
  const text = `${by} stopped ${persona.displayName}.`;
  const append: Append = {
    session: begun.session,
    entry: systemLine(`${turnId(placeOf(spec))}!stop`, text, context.clock.now()),
  };
  return { ...NO_CHANGE, append: [append] };
}

/** The entry that says a turn has started. Unique per run, so that a repeated turn says so again. */
export function ackDraft(context: EngineContext, spec: TurnSpec): Draft {
  const { begun, cursor, handled, waking, persona } = spec;
  return {
    kind: "ack",
    id: `${turnId(placeOf(spec))}?${begun.fence}.${cursor.attempt}`,
    sender: senderOf(persona),
    text: "",
    at: context.clock.now(),
    cause: causeOf(handled, waking),
    entry: waking.id,
    persona: persona.name,
    attempt: cursor.attempt,
  };
}

function senderOf(persona: Persona): Entry["sender"] {
  return { kind: "agent", id: persona.name, name: persona.displayName };
}
