import { roomOf } from "../../domain/ids.js";
import { isAmongOldest, SCHEDULE_BOUNDS, type Schedule, type ScheduleBounds } from "../../domain/schedule.js";
import type { EngineContext } from "../context.js";
import { RECORDS } from "../records.js";
import { schedulesOf } from "./records.js";

/** What the operator allows. */
export function boundsOf({ config }: EngineContext): ScheduleBounds {
  return config.schedules ?? SCHEDULE_BOUNDS;
}

/** More schedules than this are not looked at. */
const MOST_SCHEDULES = 10_000;

/** A persona's schedules over all rooms, but for those that are off or being run at this moment. */
async function ofPersona({ store }: EngineContext, persona: string): Promise<readonly Schedule[]> {
  const all = await store.due<Schedule>(RECORDS.schedule, Number.MAX_SAFE_INTEGER, MOST_SCHEDULES);
  return all.map(({ value }) => value).filter((schedule) => schedule.persona === persona);
}

/** The bounds may be narrower now than when the schedule was made: then the oldest ones fire. */
export async function isWithinBounds(context: EngineContext, schedule: Schedule): Promise<boolean> {
  const { maxPerRoom, maxPerPersona } = boundsOf(context);
  const room = (await schedulesOf(context.store, roomOf(schedule.session))).map(({ value }) => value);
  if (!isAmongOldest(schedule, room, maxPerRoom)) return false;
  return isAmongOldest(schedule, await ofPersona(context, schedule.persona), maxPerPersona);
}

/** Why this persona may not have one more schedule in this room; `undefined`: it may. Those that are off count until they are removed. */
export async function boundsProblem(
  context: EngineContext,
  persona: string,
  here: readonly Schedule[],
): Promise<string | undefined> {
  const { maxPerRoom, maxPerPersona } = boundsOf(context);
  const mend = "Remove one first.";
  if (here.length >= maxPerRoom)
    return `This room has ${here.length} schedules already, and ${maxPerRoom} is the most. ${mend}`;
  const known = new Set(here.map(({ id, session }) => `${roomOf(session)} ${id}`));
  const elsewhere = (await ofPersona(context, persona)).filter(
    ({ id, session }) => !known.has(`${roomOf(session)} ${id}`),
  );
  const own = here.filter((schedule) => schedule.persona === persona).length + elsewhere.length;
  if (own < maxPerPersona) return undefined;
  return `${context.team().displayName(persona)} has ${own} schedules already, and ${maxPerPersona} is the most. ${mend}`;
}
