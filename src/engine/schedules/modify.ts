import type { Schedule, Trigger } from "../../domain/schedule.js";
import type { Calendar } from "../../ports/calendar.js";
import type { EngineContext } from "../context.js";
import { firstTime, limitsOf, NO_CALENDAR, type Problem, promptProblem, triggerOf, type Wishes } from "./wishes.js";

/** The schedule with these wishes fulfilled. A change of its times begins it anew: its failures are forgotten. */
export function changedSchedule(
  context: EngineContext,
  schedule: Schedule,
  wishes: Wishes & { readonly enabled?: boolean | undefined },
): { readonly schedule: Schedule } | Problem {
  const { calendar } = context;
  if (calendar === undefined) return { problem: NO_CALENDAR };
  const problem = wishes.prompt === undefined ? undefined : promptProblem(wishes.prompt);
  if (problem !== undefined) return { problem };
  const limits = limitsOf(context, calendar, wishes);
  if ("problem" in limits) return limits;
  const trigger = newTrigger(context, calendar, schedule.trigger, wishes);
  if (trigger !== undefined && "problem" in trigger) return trigger;
  const { prompt, fresh, missed } = wishes;
  const changed: Schedule = {
    ...schedule,
    ...limits,
    ...(prompt === undefined ? {} : { prompt }),
    ...(fresh === undefined ? {} : { fresh }),
    ...(missed === undefined ? {} : { missed }),
  };
  return switched(context, calendar, { schedule: changed, trigger, enabled: wishes.enabled });
}

interface Switch {
  readonly schedule: Schedule;
  readonly trigger: Trigger | undefined;
  readonly enabled: boolean | undefined;
}

/** Switched on or off, or given another time. Off stays off unless somebody says otherwise. */
function switched(
  context: EngineContext,
  calendar: Calendar,
  { schedule, trigger = schedule.trigger, enabled = schedule.enabled }: Switch,
): { readonly schedule: Schedule } | Problem {
  const { due: before, off: _, ...rest } = schedule;
  if (!enabled) return { schedule: { ...rest, trigger, enabled, off: schedule.off ?? "person" } };
  const isAsBefore = trigger === schedule.trigger && schedule.enabled;
  if (isAsBefore) return { schedule };
  const due = firstTime(context, calendar, trigger);
  if (due === undefined || due <= context.clock.now()) return { problem: "its time has passed: give it another one" };
  return { schedule: { ...rest, trigger, enabled, due, failures: 0 } };
}

function newTrigger(context: EngineContext, calendar: Calendar, now: Trigger, wishes: Wishes) {
  const { cron, timezone, in: after, at } = wishes;
  if (cron === undefined && timezone === undefined && after === undefined && at === undefined) return undefined;
  if (after !== undefined || at !== undefined || now.kind === "once") return triggerOf(context, calendar, wishes);
  const before = now.timezone === undefined ? {} : { timezone: now.timezone };
  const zone = timezone === undefined ? before : { timezone };
  return triggerOf(context, calendar, { cron: cron ?? now.cron, ...zone });
}
