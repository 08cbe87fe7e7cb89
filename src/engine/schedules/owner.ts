import { roomOf } from "../../domain/ids.js";
import { type FireEnd, type Schedule, settled } from "../../domain/schedule.js";
import type { StoredRecord } from "../../ports/store.js";
import { type ChangeParts, joinParts } from "../change-parts.js";
import type { EngineContext } from "../context.js";
import type { Errand, ErrandEnd, ErrandOwner } from "../errands.js";
import { RECORDS } from "../records.js";
import { failedLine, offLine } from "./lines.js";
import { type Fire, fireKey, firePut, oldFires, type ScheduleRecord, schedulePut } from "./records.js";

/** What schedules make of the errands that their fires send. */
export function createScheduleOwner(context: EngineContext): ErrandOwner {
  return {
    async started(errand) {
      const fire = await fireOf(context, errand);
      if (fire === undefined || (await scheduleOf(context, fire.value)) === undefined) return undefined;
      return { put: [firePut({ ...fire.value, state: "running" })] };
    },
    async settled(errand, end) {
      const fire = await fireOf(context, errand);
      const record = fire && (await scheduleOf(context, fire.value));
      const ended = fire === undefined ? {} : { put: [firePut(endedFire(fire.value, end, context.clock.now()))] };
      const old = { delete: await oldFires(context.store, roomOf(errand.session)) };
      const goesOn = record === undefined ? {} : await scheduleChange(context, record, errand, end);
      return joinParts(ended, old, goesOn);
    },
  };
}

function fireOf({ store }: EngineContext, { id, session }: Errand): Promise<StoredRecord<Fire> | undefined> {
  const [, schedule = "", at = ""] = id.split("|");
  return store.get<Fire>(roomOf(session), RECORDS.fire, fireKey({ schedule, at: Number(at) }));
}

/** The schedule that this fire is of, as it stands; `undefined` when it was removed, or made anew under the same id. */
async function scheduleOf({ store }: EngineContext, fire: Fire): Promise<ScheduleRecord | undefined> {
  const record = await store.get<Schedule>(roomOf(fire.session), RECORDS.schedule, fire.schedule);
  const isOurs = record?.value.createdAt === fire.createdAt && record.value.open === fire.at;
  return isOurs ? record : undefined;
}

function endedFire(fire: Fire, end: ErrandEnd, endedAt: number): Fire {
  const used = "usage" in end && end.usage.length > 0 ? { usage: end.usage } : {};
  switch (end.kind) {
    case "done":
      return { ...fire, state: "done", endedAt, ...used };
    case "failed":
      return { ...fire, state: "failed", reason: end.reason, endedAt, ...used };
    case "stopped":
      return { ...fire, state: "skipped", reason: `stopped by ${end.by}`, endedAt };
    case "gone":
      return { ...fire, state: "skipped", reason: "not_here", endedAt };
    case "dropped":
      return { ...fire, state: "skipped", reason: "removed", endedAt };
  }
}

async function scheduleChange(
  context: EngineContext,
  { kind, key, version, value }: ScheduleRecord,
  errand: Errand,
  end: ErrandEnd,
): Promise<Partial<ChangeParts>> {
  const expect = [{ kind, key, version }];
  const after = settled(value, fireEnd(end), context.clock.now());
  if (after === undefined) return { expect, delete: [{ kind, key }] };
  const change = { expect, put: [schedulePut(after)] };
  if (end.kind === "failed") return joinParts(change, await failedLine(context, errand, end.reason, after));
  return after.enabled || !value.enabled ? change : joinParts(change, await offLine(context, after));
}

function fireEnd(end: ErrandEnd): FireEnd {
  switch (end.kind) {
    case "done":
      return { kind: "done" };
    case "failed":
      return { kind: "failed", reason: end.reason };
    case "stopped":
    case "dropped":
      return { kind: "stopped" };
    case "gone":
      return { kind: "gone" };
  }
}
