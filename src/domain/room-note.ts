import { foldName } from "./names.js";

/** A roster member as the note names it. */
export interface NotedAgent {
  readonly name: string;
  readonly displayName: string;
}

/**
 * What a persona has to know about the others in its room; `undefined` when it is alone there. It depends on
 * nothing but `self` and the roster, so equal rosters give equal bytes and a provider's prompt cache holds.
 */
export function roomNote(self: string, roster: readonly NotedAgent[]): string | undefined {
  if (roster.length < 2) return undefined;
  const others = othersOf(self, roster);
  if (others.length === 0) return undefined;
  const mentions = others.map((name) => `@${name}`).join(", ");
  return [
    `You share this room with other agents: ${mentions}.`,
    "To hand something to one of them, mention it as @ followed by its name, exactly as written here:",
    "it then sees your message and may answer.",
    "A message that mentions nobody goes to no other agent.",
  ].join(" ");
}

/** The persona's own prompt, with the note below it if there is one. Without a note it is the prompt to the byte. */
export function systemPrompt(personaPrompt: string, note?: string): string {
  if (note === undefined) return personaPrompt;
  return personaPrompt === "" ? note : `${personaPrompt}\n\n${note}`;
}

/** Display names in roster order, without self and without a second spelling of the same name. */
function othersOf(self: string, roster: readonly NotedAgent[]): readonly string[] {
  const own = foldName(self);
  const taken = new Set(
    roster.filter((agent) => foldName(agent.name) === own).map((agent) => foldName(agent.displayName)),
  ).add(own);
  const others: string[] = [];
  for (const { name, displayName } of roster) {
    const folded = foldName(displayName);
    if (foldName(name) === own || taken.has(folded)) continue;
    taken.add(folded);
    others.push(displayName);
  }
  return others;
}
