import { dueStep, type Moment, type Schedule, type Step } from "../../domain/schedule.js";
import type { Calendar } from "../../ports/calendar.js";
import { type ChangeParts, joinParts } from "../change-parts.js";
import type { EngineContext } from "../context.js";
import { type Errand, errandPut } from "../errands.js";
import { RECORDS } from "../records.js";
import { boundsOf, isWithinBounds } from "./bounds.js";
import { offLine } from "./lines.js";
import { type Fire, firePut, oldFires, type ScheduleRecord, schedulePut } from "./records.js";

const MAX_CONFLICTS = 5;

/**
 * Decides about a schedule whose time has come, in one commit: the fire with its errand, or the fire that is skipped, and the schedule
 * as it goes on. Whoever comes second finds the schedule changed. `false`: the room kept changing.
 */
export async function fireSchedule(context: EngineContext, calendar: Calendar, due: ScheduleRecord): Promise<boolean> {
  const { room, kind, key } = due;
  for (let i = 0; i < MAX_CONFLICTS; i++) {
    const record = await context.store.get<Schedule>(room, kind, key);
    const at = record?.due;
    if (record === undefined || at === undefined || at > context.clock.now()) return true;
    const step = dueStep(record.value, at, await momentOf(context, calendar, record.value));
    const goesOn = { expect: [{ kind, key, version: record.version }], put: [schedulePut(step.schedule)] };
    const change = joinParts(goesOn, await stepChange(context, record, at, step));
    const { status } = await context.commit({ room, ...change });
    if (status !== "ok") continue;
    context.logger.info({ room, schedule: key, step: step.kind }, "a schedule's time has come");
    if (step.kind === "fire") await context.queue.wake(record.value.session);
    return true;
  }
  return false;
}

async function momentOf(context: EngineContext, calendar: Calendar, schedule: Schedule): Promise<Moment> {
  const room = await context.rooms.get(schedule.session);
  return {
    now: context.clock.now(),
    next: calendar.next,
    minIntervalMs: boundsOf(context).minIntervalMs,
    isHere: room !== undefined && context.rooms.members(room.value).includes(schedule.persona),
    isWithin: await isWithinBounds(context, schedule),
  };
}

async function stepChange(
  context: EngineContext,
  { value, room }: ScheduleRecord,
  at: number,
  step: Step,
): Promise<Partial<ChangeParts>> {
  const { id: schedule, createdAt, persona, session, fresh } = value;
  const base = { schedule, createdAt, persona, session, fresh, at };
  if (step.kind === "fire") {
    const errand = await errandOf(context, value, at);
    return { put: [firePut({ ...base, state: "claimed" }), errandPut(errand, at)] };
  }
  const reason = step.kind === "off" ? step.off : step.why;
  const fire: Fire = { ...base, state: "skipped", reason, endedAt: context.clock.now() };
  const told = step.kind === "off" ? await offLine(context, step.schedule) : {};
  return joinParts({ put: [firePut(fire)], delete: await oldFires(context.store, room) }, told);
}

/** The turn's own chain begins behind what is said by now; a person's rights and ledger go with it (behaviour 0.9). */
async function errandOf({ store }: EngineContext, schedule: Schedule, at: number): Promise<Errand> {
  const { session, persona, prompt, fresh, root } = schedule;
  const id = errandId(schedule.id, at);
  const after = (await store.session(session))?.seq ?? 0;
  const cause = { kind: "schedule", chain: { id, after }, ...(root === undefined ? {} : { root }) } as const;
  return { id, session, persona, prompt, cause, fresh, attempt: 0 };
}

/** The errand of one fire. */
function errandId(schedule: string, at: number): string {
  return `${RECORDS.schedule}|${schedule}|${at}`;
}
