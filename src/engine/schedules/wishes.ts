import { type Schedule, shortestPause, type Trigger } from "../../domain/schedule.js";
import { durationOf } from "../../domain/schedule-words.js";
import type { Calendar } from "../../ports/calendar.js";
import type { EngineContext } from "../context.js";
import { boundsOf } from "./bounds.js";

/** What may be asked of a schedule, new or not. Times are still words. */
export interface Wishes {
  readonly cron?: string | undefined;
  readonly timezone?: string | undefined;
  /** `90s`, `10m`, `2h`, `1d` from now. */
  readonly in?: string | undefined;
  readonly at?: string | undefined;
  readonly prompt?: string | undefined;
  readonly fresh?: boolean | undefined;
  readonly missed?: "skip" | "once" | undefined;
  readonly expiresAt?: string | undefined;
  readonly maxFires?: number | undefined;
  readonly maxFailures?: number | undefined;
}

/** What is wrong, in words that whoever asked can act on. Nothing has changed. */
export interface Problem {
  readonly problem: string;
}

/** The problem of a service without a calendar. */
export const NO_CALENDAR = "schedules are not set up in this service";

/** A prompt is an order, not a document. */
const LONGEST_PROMPT = 8_000;
const SOONEST_MS = 30_000;
const LATEST_MS = 30 * 86_400_000;

/** Why a prompt cannot be taken; `undefined`: it can. */
export function promptProblem(prompt: string): string | undefined {
  if (!/[^\p{Z}\p{C}]/u.test(prompt)) return "the prompt is blank: say what is to be done then";
  if (prompt.length <= LONGEST_PROMPT) return undefined;
  return `the prompt has ${prompt.length} characters, and ${LONGEST_PROMPT} is the most: say it shorter`;
}

/** When it fires: said in exactly one way. */
export function triggerOf(context: EngineContext, calendar: Calendar, wishes: Wishes): Trigger | Problem {
  const { cron, timezone, in: after, at } = wishes;
  const given = [cron, after, at].filter((word) => word !== undefined);
  if (given.length !== 1) return { problem: "say when, in one way: cron, or in (90s, 10m, 2h, 1d), or at (a time)" };
  if (cron !== undefined) return cronOf(context, calendar, cron, timezone);
  return onceOf(context, calendar, after, at);
}

function cronOf(
  context: EngineContext,
  calendar: Calendar,
  cron: string,
  timezone: string | undefined,
): Trigger | Problem {
  const trigger = { kind: "cron", cron: cron.trim(), ...(timezone === undefined ? {} : { timezone }) } as const;
  const problem = calendar.problem(trigger);
  if (problem !== undefined) return { problem };
  const { minIntervalMs } = boundsOf(context);
  const pause = shortestPause(trigger, context.clock.now(), calendar.next);
  if (pause === undefined || pause >= minIntervalMs) return trigger;
  return {
    problem: `it would fire ${pause / 1_000} seconds apart, and ${minIntervalMs / 1_000} is the least: choose rarer times`,
  };
}

function onceOf(
  context: EngineContext,
  calendar: Calendar,
  after: string | undefined,
  at: string | undefined,
): Trigger | Problem {
  const now = context.clock.now();
  const pause = after === undefined ? undefined : durationOf(after);
  const moment = pause === undefined ? calendar.parse(at ?? "") : now + pause;
  if (moment === undefined)
    return {
      problem: after === undefined ? "at is a time like 2026-01-31T09:00:00Z" : "in is a pause like 90s, 10m, 2h or 1d",
    };
  if (moment < now + SOONEST_MS || moment > now + LATEST_MS)
    return { problem: "the time lies 30 seconds to 30 days from now" };
  return { kind: "once", at: moment };
}

type Limits = Pick<Schedule, "expiresAt" | "maxFires"> & Partial<Pick<Schedule, "maxFailures">>;

/** Where it ends. */
export function limitsOf(context: EngineContext, calendar: Calendar, wishes: Wishes): Limits | Problem {
  const { expiresAt, maxFires, maxFailures } = wishes;
  const expires = expiresAt === undefined ? undefined : calendar.parse(expiresAt);
  if (expiresAt !== undefined && (expires === undefined || expires <= context.clock.now()))
    return { problem: "expires_at is a time to come, like 2026-01-31T09:00:00Z" };
  return {
    ...(expires === undefined ? {} : { expiresAt: expires }),
    ...(maxFires === undefined ? {} : { maxFires }),
    ...(maxFailures === undefined ? {} : { maxFailures }),
  };
}

/** `undefined`: its expression names no time that is still to come. */
export function firstTime({ clock }: EngineContext, calendar: Calendar, trigger: Trigger): number | undefined {
  return trigger.kind === "once" ? trigger.at : calendar.next(trigger, clock.now());
}
