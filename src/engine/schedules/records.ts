import type { RoomId, SessionId } from "../../domain/ids.js";
import type { Schedule } from "../../domain/schedule.js";
import type { Usage } from "../../ports/brain.js";
import type { RecordPut, Store, StoredRecord } from "../../ports/store.js";
import { sortable } from "../errands.js";
import { RECORDS } from "../records.js";

/**
 * One fire of a schedule, from the commit that has claimed it. Before that it is due: the schedule's own record says so. A claimed
 * fire has an errand; it runs when the session is free.
 */
export interface Fire {
  readonly schedule: string;
  /** Of which schedule of that id, if there were several one after the other. */
  readonly createdAt: number;
  readonly persona: string;
  readonly session: SessionId;
  readonly fresh: boolean;
  /** When it was due. */
  readonly at: number;
  readonly state: "claimed" | "running" | "done" | "failed" | "skipped";
  /** Why it failed or was skipped. */
  readonly reason?: string;
  readonly endedAt?: number;
  /** What each model call used. */
  readonly usage?: readonly Usage[];
}

export type ScheduleRecord = StoredRecord<Schedule>;

/** How many schedules a room has had; every new one counts it up, so that two of the same moment see each other. */
export interface Made {
  readonly made: number;
}

export const MADE_KEY = "made";

/** The schedules of a room in the order of their ids. */
export function schedulesOf(store: Store, room: RoomId): Promise<readonly ScheduleRecord[]> {
  return store.list<Schedule>(room, RECORDS.schedule);
}

export function schedulePut(schedule: Schedule): RecordPut {
  const { id, due, enabled } = schedule;
  const put = { kind: RECORDS.schedule, key: id, value: schedule };
  return due === undefined || !enabled ? put : { ...put, due };
}

/** Sorts by time. */
export function fireKey({ at, schedule }: Pick<Fire, "at" | "schedule">): string {
  return `${sortable(at)}|${schedule}`;
}

export function firePut(fire: Fire): RecordPut {
  return { kind: RECORDS.fire, key: fireKey(fire), value: fire };
}

/** Fires that a room keeps; older ones go. */
const FIRES_KEPT = 200;

/** The fires that are over and beyond what a room keeps. */
export async function oldFires(store: Store, room: RoomId): Promise<readonly { kind: string; key: string }[]> {
  const fires = await store.list<Fire>(room, RECORDS.fire);
  const over = fires.filter(({ value }) => value.state !== "claimed" && value.state !== "running");
  return over.slice(0, Math.max(0, over.length - FIRES_KEPT)).map(({ kind, key }) => ({ kind, key }));
}
