import type { Entry } from "../domain/entry.js";
import { nearestName } from "../domain/names.js";
import type { EngineContext } from "./context.js";
import { tellOne } from "./ephemeral.js";
import type { Plan, Surroundings } from "./plan.js";

/** Tells a person, and only that person, which names in a message reached nobody and why (behaviour 0.3, 0.4). */
export async function giveHints(context: EngineContext, entry: Entry, plan: Plan, around: Surroundings): Promise<void> {
  if (entry.sender.kind !== "person") return;
  const lines = [...unknownLines(context, plan, around), ...beyondLines(context, plan, around)];
  if (lines.length === 0) return;
  const author = { session: entry.session, to: entry.sender.id, about: entry.id };
  await tellOne(context, author, { text: lines.join("\n"), tone: "info" });
}

function unknownLines(context: EngineContext, plan: Plan, { room }: Surroundings): readonly string[] {
  const team = context.team();
  const members = context.rooms.members(room);
  return plan.unknown.map((name) => {
    if (team.persona(name))
      return `${team.displayName(name)} is not in this room. An admin can add it: /agent add ${name}`;
    const near = nearestName(name, members);
    const here = members.map(team.displayName).join(", ") || "nobody";
    return near === undefined
      ? `Nobody here is called "${name}". Here: ${here}.`
      : `Nobody here is called "${name}". Did you mean ${near}?`;
  });
}

function beyondLines(context: EngineContext, plan: Plan, { settings }: Surroundings): readonly string[] {
  if (plan.beyond.length === 0) return [];
  const names = plan.beyond.map(context.team().displayName).join(", ");
  return [`Not woken: ${names}. One message wakes ${settings.fanout} here (/agent fanout).`];
}
