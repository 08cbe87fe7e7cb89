import { randomUUID } from "node:crypto";
import type { Draft } from "../../domain/entry.js";
import type { SessionId } from "../../domain/ids.js";
import { identityOf } from "../../domain/persona.js";
import type { OffReason, Schedule } from "../../domain/schedule.js";
import { offWords } from "../../domain/schedule-words.js";
import type { ChangeParts } from "../change-parts.js";
import { type EngineContext, posts } from "../context.js";
import type { Errand } from "../errands.js";
import { linePost, SYSTEM, systemLine } from "../notices.js";
import { type OutboxRow, outboxKey, RECORDS } from "../records.js";

/** Ends that were planned: nobody needs to be told. */
const QUIET: ReadonlySet<OffReason> = new Set(["expired", "max_fires", "over", "person"]);

/** The line that tells people that a schedule does not fire any more. */
export async function offLine(context: EngineContext, schedule: Schedule): Promise<Partial<ChangeParts>> {
  const { off, session, id, persona } = schedule;
  if (off === undefined || QUIET.has(off)) return {};
  const name = context.team().displayName(persona);
  return line(context, session, `The schedule ${id} of ${name} is off: ${offWords(off)}.`);
}

/** A line of the system in a session. */
export async function line(
  context: EngineContext,
  session: SessionId,
  text: string,
): Promise<Pick<ChangeParts, "append" | "put">> {
  const entry = systemLine(`line|${randomUUID()}`, text, context.clock.now());
  return { append: [{ session, entry }], put: linePost(context, session, entry.id, await headOf(context, session)) };
}

/** The one line that a failed fire shows, in its persona's name. `after`: the schedule as it goes on. */
export async function failedLine(
  context: EngineContext,
  errand: Errand,
  reason: string,
  after: Schedule,
): Promise<Partial<ChangeParts>> {
  const { session, id, persona, cause } = errand;
  const name = context.team().displayName(persona);
  const entry: Draft = {
    kind: "error",
    id: `line|${randomUUID()}`,
    sender: SYSTEM,
    text: `${name} could not do what its schedule ${after.id} asks: ${reason} ${whatFollows(context, after)}`,
    at: context.clock.now(),
    cause,
    entry: id,
    persona,
    code: "schedule",
  };
  return { append: [{ session, entry }], put: await inTheNameOf(context, session, entry.id, persona) };
}

function whatFollows({ calendar }: EngineContext, { enabled, off, due }: Schedule): string {
  if (!enabled) return `It is off now${off === undefined ? "" : `: ${offWords(off)}`}.`;
  return due === undefined || calendar === undefined ? "" : `Its next time is ${calendar.show(due)}.`;
}

async function inTheNameOf(context: EngineContext, session: SessionId, entry: string, handle: string) {
  if (!posts(context, session)) return [];
  const persona = context.team().persona(handle);
  const row: OutboxRow = {
    session,
    subject: { type: "entry", entry },
    ...(persona === undefined ? {} : { identity: identityOf(persona) }),
    state: "pending",
    attempts: 0,
  };
  const key = outboxKey(session, await headOf(context, session), `entry-${entry}`);
  return [{ kind: RECORDS.outbox, key, value: row, due: context.clock.now() }];
}

async function headOf({ store }: EngineContext, session: SessionId): Promise<number> {
  return (await store.session(session))?.seq ?? 0;
}
