import type { SessionId } from "../../domain/ids.js";
import type { Room } from "../../domain/room.js";
import { MAX_FAILURES, type Schedule } from "../../domain/schedule.js";
import type { StoredRecord } from "../../ports/store.js";
import type { ChangeParts } from "../change-parts.js";
import type { EngineContext } from "../context.js";
import { RECORDS } from "../records.js";
import { boundsProblem } from "./bounds.js";
import { MADE_KEY, type Made, schedulePut, schedulesOf } from "./records.js";
import { firstTime, limitsOf, NO_CALENDAR, type Problem, promptProblem, triggerOf, type Wishes } from "./wishes.js";

const ID = /^[a-z0-9][a-z0-9_-]{0,31}$/;

/** A schedule that somebody wants to have. */
export interface Order {
  readonly room: StoredRecord<Room>;
  readonly session: SessionId;
  readonly persona: string;
  /** Absent: one is found. */
  readonly id?: string | undefined;
  readonly wishes: Wishes;
  /** The person at the start of the chain. */
  readonly root?: string | undefined;
  readonly madeBy?: string | undefined;
}

/** A schedule as it will be, with what belongs into the commit that makes it so. */
export interface NewSchedule {
  readonly schedule: Schedule;
  readonly parts: Partial<ChangeParts>;
}

/** Works out a new schedule. The bounds hold for it when its commit succeeds: two makers of one moment conflict. */
export async function newSchedule(context: EngineContext, order: Order): Promise<NewSchedule | Problem> {
  const { room, persona, madeBy } = order;
  const here = (await schedulesOf(context.store, room.room)).map(({ value }) => value);
  const before = here.find((schedule) => madeBy !== undefined && schedule.madeBy === madeBy);
  if (before) return { schedule: before, parts: {} };
  const made = await context.store.get<Made>(room.room, RECORDS.schedules, MADE_KEY);
  const count = made?.value.made ?? 0;
  const id = order.id?.toLowerCase() ?? freeId(count, here);
  const problem = idProblem(id, here) ?? (await boundsProblem(context, persona, here));
  if (problem !== undefined) return { problem };
  const schedule = draft(context, order, id);
  if ("problem" in schedule) return schedule;
  const counter = { kind: RECORDS.schedules, key: MADE_KEY };
  const { expect = [], put = [] } = roomParts(room);
  return {
    schedule,
    parts: {
      expect: [...expect, { kind: RECORDS.schedule, key: id, version: 0 }, { ...counter, version: made?.version ?? 0 }],
      put: [...put, schedulePut(schedule), { ...counter, value: { made: count + 1 } satisfies Made }],
    },
  };
}

function draft(context: EngineContext, order: Order, id: string): Schedule | Problem {
  const { calendar, clock } = context;
  if (calendar === undefined) return { problem: NO_CALENDAR };
  const { persona, session, wishes, root, madeBy } = order;
  const prompt = wishes.prompt ?? "";
  const problem = promptProblem(prompt);
  if (problem !== undefined) return { problem };
  const trigger = triggerOf(context, calendar, wishes);
  if ("problem" in trigger) return trigger;
  const limits = limitsOf(context, calendar, wishes);
  if ("problem" in limits) return limits;
  const due = firstTime(context, calendar, trigger);
  if (due === undefined) return { problem: "the expression names no time that is still to come" };
  return {
    id,
    persona,
    session,
    fresh: wishes.fresh ?? false,
    trigger,
    prompt,
    missed: wishes.missed ?? (trigger.kind === "once" ? "once" : "skip"),
    enabled: true,
    maxFailures: MAX_FAILURES,
    ...limits,
    fires: 0,
    failures: 0,
    due,
    ...(root === undefined ? {} : { root }),
    ...(madeBy === undefined ? {} : { madeBy }),
    createdAt: clock.now(),
  };
}

/** The room's first record, where nothing has been said in it yet. */
function roomParts({ kind, key, version, value }: StoredRecord<Room>): Partial<ChangeParts> {
  return version === 0 ? { expect: [{ kind, key, version }], put: [{ kind, key, value }] } : {};
}

function freeId(made: number, here: readonly Schedule[]): string {
  const taken = new Set(here.map(({ id }) => id));
  let n = made + 1;
  while (taken.has(`s${n}`)) n++;
  return `s${n}`;
}

function idProblem(id: string, here: readonly Schedule[]): string | undefined {
  if (!ID.test(id)) return "the id is 1 to 32 of a-z, 0-9, _ and -, and begins with a letter or digit";
  return here.some((schedule) => schedule.id === id)
    ? `this room has a schedule ${id} already; take another id or remove that one`
    : undefined;
}
