import type { SessionId } from "./ids.js";

/** A cron expression of five fields, or of six with the seconds first. */
export interface CronTrigger {
  readonly kind: "cron";
  readonly cron: string;
  /** IANA name; absent: UTC. */
  readonly timezone?: string;
}

/** One moment, in milliseconds since the epoch. */
export interface OnceTrigger {
  readonly kind: "once";
  readonly at: number;
}

export type Trigger = CronTrigger | OnceTrigger;

/** Why a schedule does not fire any more. `person`: somebody has switched it off. */
export type OffReason = "expired" | "max_fires" | "over" | "failures" | "not_here" | "bounds" | "missed" | "person";

/** A persona's own appointment in a room. Times are milliseconds since the epoch. */
export interface Schedule {
  /** Unique in its room. */
  readonly id: string;
  /** Its owner, by handle: who is woken. */
  readonly persona: string;
  /** Where the turn is run and its reply is said. */
  readonly session: SessionId;
  /** The turn sees nothing of what was said before. */
  readonly fresh: boolean;
  readonly trigger: Trigger;
  /** Only for the persona: it stands in no log. */
  readonly prompt: string;
  /** What becomes of a fire whose time passed unseen. */
  readonly missed: "skip" | "once";
  readonly enabled: boolean;
  /** Why it is not. */
  readonly off?: OffReason;
  readonly expiresAt?: number;
  readonly maxFires?: number;
  /** So many failures in a row switch it off. */
  readonly maxFailures: number;
  /** Successful fires. */
  readonly fires: number;
  /** Failures in a row. */
  readonly failures: number;
  readonly lastError?: string;
  /** When it fires next; absent while it is off, and while a one-shot is being run. */
  readonly due?: number;
  /** The fire that is being worked on, by its time. One at a time. */
  readonly open?: number;
  /** The person at the start of the chain that made it. */
  readonly root?: string;
  /** What made it, so that a turn that is run again does not make it twice. */
  readonly madeBy?: string;
  readonly createdAt: number;
}

/** What the operator allows (`schedules` of the configuration). */
export interface ScheduleBounds {
  readonly minIntervalMs: number;
  /** Over all rooms. */
  readonly maxPerPersona: number;
  readonly maxPerRoom: number;
}

export const SCHEDULE_BOUNDS: ScheduleBounds = { minIntervalMs: 60_000, maxPerPersona: 10, maxPerRoom: 20 };

/** Failures in a row that switch a schedule off, where it says nothing else. */
export const MAX_FAILURES = 3;

/** The first time after a moment that an expression names; `undefined`: there is none. */
export type NextTime = (trigger: CronTrigger, after: number) => number | undefined;

/** A fire that is later than this was missed: nobody was there to see its time. */
export const MISSED_AFTER_MS = 60_000;

const FIRST_RETRY_MS = 60_000;
const RETRY_FACTOR = 4;
const LONGEST_RETRY_MS = 60 * 60_000;

/** Whether its bounds are reached, so that it must not fire at this moment. */
export function retirement({ expiresAt, maxFires, fires }: Schedule, now: number): "expired" | "max_fires" | undefined {
  if (expiresAt !== undefined && now >= expiresAt) return "expired";
  return maxFires !== undefined && fires >= maxFires ? "max_fires" : undefined;
}

/** The schedule, off. */
export function switchedOff(schedule: Schedule, off: OffReason): Schedule {
  const { due: _, ...rest } = schedule;
  return { ...rest, enabled: false, off };
}

/** What is known when a schedule's time has come. */
export interface Moment {
  readonly now: number;
  readonly next: NextTime;
  readonly minIntervalMs: number;
  /** Its persona is in the room. */
  readonly isHere: boolean;
  /** It is among those that the operator's bounds let fire. */
  readonly isWithin: boolean;
}

/** What becomes of a schedule whose time has come, and how it stands then. */
export type Step =
  | { readonly kind: "off"; readonly off: OffReason; readonly schedule: Schedule }
  | { readonly kind: "skip"; readonly why: "missed" | "busy" | "bounds"; readonly schedule: Schedule }
  | { readonly kind: "fire"; readonly schedule: Schedule };

/** Decides about a schedule that is due. The fire, if there is one, is known by the time at which it was due. */
export function dueStep(schedule: Schedule, due: number, moment: Moment): Step {
  const { now, isHere, isWithin } = moment;
  const off = retirement(schedule, now) ?? (isHere ? undefined : "not_here");
  if (off !== undefined) return { kind: "off", off, schedule: switchedOff(schedule, off) };
  if (schedule.open !== undefined) return skip(schedule, "busy", due, moment);
  if (!isWithin) return skip(schedule, "bounds", due, moment);
  const isMissed = now - due > MISSED_AFTER_MS && schedule.missed === "skip";
  if (isMissed) return skip(schedule, "missed", due, moment);
  return { kind: "fire", schedule: { ...withNext(schedule, due, moment), open: due } };
}

/** A one-shot has no other time to wait for. */
function skip(schedule: Schedule, why: "missed" | "busy" | "bounds", due: number, moment: Moment): Step {
  if (schedule.trigger.kind === "once") {
    const off = why === "busy" ? "missed" : why;
    return { kind: "off", off, schedule: switchedOff(schedule, off) };
  }
  return { kind: "skip", why, schedule: orOver(withNext(schedule, due, moment)) };
}

/** The next time lies in the future, and the least interval behind this one even if the expression says less. */
function withNext(schedule: Schedule, due: number, { now, next, minIntervalMs }: Moment): Schedule {
  const { due: _, ...rest } = schedule;
  if (schedule.trigger.kind === "once") return rest;
  const at = next(schedule.trigger, Math.max(now, due + minIntervalMs - 1));
  return at === undefined ? rest : { ...rest, due: at };
}

/** An expression may have named its last time. */
function orOver(schedule: Schedule): Schedule {
  const isOver = schedule.trigger.kind === "cron" && schedule.due === undefined && schedule.open === undefined;
  return schedule.enabled && isOver ? switchedOff(schedule, "over") : schedule;
}

/** How a fire ended. `stopped`: a person did not want it; it counts neither way. */
export type FireEnd =
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "stopped" }
  | { readonly kind: "gone" };

/** The schedule after its open fire has ended; `undefined`: it has done its work and goes. */
export function settled(schedule: Schedule, end: FireEnd, now: number): Schedule | undefined {
  const { open: _, ...rest } = schedule;
  switch (end.kind) {
    case "done":
      return isSpent(rest) ? undefined : afterSuccess(rest, now);
    case "failed":
      return afterFailure({ ...rest, failures: rest.failures + 1, lastError: end.reason }, now);
    case "stopped":
      return isSpent(rest) ? undefined : orOver(rest);
    case "gone":
      return switchedOff(rest, "not_here");
  }
}

/** A one-shot has fired, and nobody has given it another time meanwhile. */
function isSpent({ trigger, due, enabled }: Schedule): boolean {
  return trigger.kind === "once" && (due === undefined || !enabled);
}

function afterSuccess(schedule: Schedule, now: number): Schedule {
  const { lastError: _, ...rest } = schedule;
  const counted = { ...rest, fires: rest.fires + 1, failures: 0 };
  const off = counted.enabled ? retirement(counted, now) : undefined;
  return off === undefined ? orOver(counted) : switchedOff(counted, off);
}

/** A one-shot is tried again, each time after a longer pause. */
function afterFailure(schedule: Schedule, now: number): Schedule {
  if (schedule.failures >= schedule.maxFailures) return switchedOff(schedule, "failures");
  if (schedule.trigger.kind === "cron" || !schedule.enabled) return orOver(schedule);
  return { ...schedule, due: schedule.due ?? now + retryPause(schedule.failures) };
}

function retryPause(failures: number): number {
  return Math.min(FIRST_RETRY_MS * RETRY_FACTOR ** (failures - 1), LONGEST_RETRY_MS);
}

/** So many times of an expression are looked at: what comes too fast does so soon. */
const LOOKED_AT = 100;

/** The shortest pause between the coming times of an expression; `undefined`: it names fewer than two. */
export function shortestPause(trigger: CronTrigger, from: number, next: NextTime): number | undefined {
  let shortest: number | undefined;
  let before = next(trigger, from);
  for (let i = 0; before !== undefined && i < LOOKED_AT; i++) {
    const at = next(trigger, before);
    if (at === undefined) break;
    shortest = Math.min(shortest ?? at - before, at - before);
    before = at;
  }
  return shortest;
}

/** Whether a schedule is among the `most` oldest of its kind. The order is the same for everybody who asks. */
export function isAmongOldest(schedule: Schedule, others: readonly Schedule[], most: number): boolean {
  const older = others.filter((other) => other.enabled && isOlder(other, schedule));
  return older.length < most;
}

function isOlder(a: Schedule, b: Schedule): boolean {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt;
  return `${a.session} ${a.id}` < `${b.session} ${b.id}`;
}
