import type { Schedule } from "../../domain/schedule.js";
import { offWords } from "../../domain/schedule-words.js";
import type { EngineContext } from "../context.js";

/** A schedule on one line, without its prompt: that is for its persona alone. */
export function scheduleLine(context: EngineContext, schedule: Schedule): string {
  const { id, persona, fires, lastError } = schedule;
  const parts = [
    `${id}: ${context.team().displayName(persona)}, ${timesOf(context, schedule)}`,
    stateOf(context, schedule),
    fires === 0 ? "" : `fired ${fires} ${fires === 1 ? "time" : "times"}`,
    lastError === undefined ? "" : `last failed: ${lastError}`,
  ];
  return parts.filter(Boolean).join("; ");
}

/** `0 9 * * 1-5 (Europe/Berlin)`, or the one time. */
function timesOf(context: EngineContext, { trigger, fresh }: Schedule): string {
  const own = fresh ? ", without what was said before" : "";
  if (trigger.kind === "once") return `once at ${shown(context, trigger.at)}${own}`;
  return `${trigger.cron} (${trigger.timezone ?? "UTC"})${own}`;
}

function stateOf(context: EngineContext, { enabled, off, due, open, trigger }: Schedule): string {
  if (!enabled) return `off${off === undefined ? "" : `: ${offWords(off)}`}`;
  // The one time of a one-shot stands there already; another is that of a new try.
  const isSaid = due === undefined || (trigger.kind === "once" && due === trigger.at);
  const next = isSaid ? "" : `next at ${shown(context, due)}`;
  return [open === undefined ? "" : "being run", next].filter(Boolean).join(", ");
}

function shown({ calendar }: EngineContext, at: number): string {
  return calendar?.show(at) ?? String(at);
}
