import type { Schedule } from "../../domain/schedule.js";
import type { Calendar } from "../../ports/calendar.js";
import type { Change, CommitResult } from "../../ports/store.js";
import type { EngineContext } from "../context.js";
import { RECORDS } from "../records.js";
import { fireSchedule } from "./fire.js";

/** Sees to it that schedules fire when their time comes. */
export interface Scheduler {
  start(): void;
  /** A schedule may have been changed: the next time may be another one. */
  changed(): void;
  /** Takes no more schedules, and waits for those in hand. */
  stop(): Promise<void>;
}

/** The clock may jump, or another process may change a schedule: no sleep is longer than this. */
const LONGEST_SLEEP_MS = 5 * 60_000;
const AFTER_FAILURE_MS = 30_000;
const AT_ONCE = 64;

/** One timer for all rooms, and none where nobody has a schedule. Without a calendar nothing fires. */
export function createScheduler(context: EngineContext, calendar: Calendar | undefined): Scheduler {
  let state: "new" | "running" | "stopped" = "new";
  let cancel = () => {};
  let working: Promise<void> | undefined;
  let isChanged = false;

  async function fireDue(calendar: Calendar): Promise<void> {
    const due = await context.store.due<Schedule>(RECORDS.schedule, context.clock.now(), AT_ONCE);
    for (const record of due) {
      if (state !== "running") return;
      if (!(await fireSchedule(context, calendar, record))) return sleep(AFTER_FAILURE_MS);
    }
    const [first] = await context.store.due<Schedule>(RECORDS.schedule, Number.MAX_SAFE_INTEGER, 1);
    if (first !== undefined) sleep((first.due ?? 0) - context.clock.now());
  }

  function sleep(ms: number): void {
    cancel();
    if (state === "running") cancel = context.clock.after(Math.min(Math.max(0, ms), LONGEST_SLEEP_MS), look);
  }

  function look(): void {
    if (state !== "running" || calendar === undefined) return;
    isChanged = working !== undefined;
    if (isChanged) return;
    cancel();
    working = fireDue(calendar)
      .catch((error: unknown) => {
        context.logger.error({ error }, "could not look for schedules whose time has come; trying again");
        sleep(AFTER_FAILURE_MS);
      })
      .finally(() => {
        working = undefined;
        if (isChanged) look();
      });
  }

  return {
    start() {
      state = "running";
      look();
    },
    changed: look,
    async stop() {
      state = "stopped";
      cancel();
      await working;
    },
  };
}

/** The same commits, with the scheduler told of those that change a schedule. */
export function tellScheduler(
  commit: (change: Change) => Promise<CommitResult>,
  onChanged: () => void,
): (change: Change) => Promise<CommitResult> {
  return async (change) => {
    const result = await commit(change);
    const isSchedule = change.put?.some(({ kind }) => kind === RECORDS.schedule) ?? false;
    if (isSchedule && result.status === "ok") onChanged();
    return result;
  };
}
