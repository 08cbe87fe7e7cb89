import { Cron } from "croner";
import type { CronTrigger } from "./domain/schedule.js";
import type { Calendar } from "./ports/calendar.js";

const FORM =
  "it has five fields (minute, hour, day, month, weekday), or six with the seconds first: 0 9 * * 1-5 is nine o'clock on working days";
/** No expression that means something is longer. */
const LONGEST = 200;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** Cron expressions as croner reads them, and the system's time zones. */
export function createCalendar(): Calendar {
  return {
    problem(trigger) {
      if (!isZone(trigger.timezone)) return "there is no such time zone: use a name like Europe/Berlin";
      try {
        cronOf(trigger).nextRun(new Date());
        return undefined;
      } catch {
        return `this is no cron expression: ${FORM}`;
      }
    },
    next(trigger, after) {
      try {
        return cronOf(trigger).nextRun(new Date(after))?.getTime();
      } catch {
        return undefined;
      }
    },
    parse(text) {
      const match = ISO.exec(text.trim());
      if (match === null) return undefined;
      const at = Date.parse(match[3] === undefined ? `${text.trim()}Z` : text.trim());
      return Number.isNaN(at) ? undefined : at;
    },
    show: (at) => `${new Date(at).toISOString().slice(0, 19)}Z`,
  };
}

/** Croner takes a date for an expression too; here an expression repeats. */
function cronOf({ cron, timezone }: CronTrigger): Cron {
  if (cron.length > LONGEST || !/^\S+(\s+\S+){4,5}$/.test(cron.trim())) throw new RangeError("not five or six fields");
  return new Cron(cron.trim(), { mode: "5-or-6-parts", timezone: timezone ?? "UTC", paused: true });
}

function isZone(name: string | undefined): boolean {
  if (name === undefined) return true;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).format(0) !== "";
  } catch {
    return false;
  }
}
