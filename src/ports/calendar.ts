import type { CronTrigger, NextTime } from "../domain/schedule.js";

/** Reads cron expressions and written times. Moments are milliseconds since the epoch. */
export interface Calendar {
  /** Why an expression or its zone cannot be used, in words for whoever wrote it; `undefined`: it can. */
  problem(trigger: CronTrigger): string | undefined;
  /** Nothing for an expression that has a problem. */
  readonly next: NextTime;
  /** The moment that an ISO 8601 text names; without an offset it is UTC. `undefined` for any other text. */
  parse(text: string): number | undefined;
  /** ISO 8601, UTC, to the second. */
  show(at: number): string;
}
