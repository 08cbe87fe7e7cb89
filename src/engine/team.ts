import { createMentionParser, type MentionParser } from "../domain/mention.js";
import type { Persona } from "../domain/persona.js";

/** The personas of the team as the configuration last gave them. Replaced whole; never half old, half new. */
export interface Team {
  readonly name: string;
  /** Handles in name order. */
  readonly handles: readonly string[];
  readonly defaultPersona?: string;
  /** Knows every persona of the team; who is attached is for routing to say. */
  readonly parse: MentionParser;
  persona(handle: string): Persona | undefined;
  /** How people read the name; the handle itself for a persona whose file is gone. */
  displayName(handle: string): string;
}

export interface TeamSpec {
  readonly name: string;
  readonly personas: readonly Persona[];
  readonly defaultPersona?: string;
}

export function createTeam({ name, personas, defaultPersona }: TeamSpec): Team {
  const sorted = [...personas].sort((a, b) => (a.name < b.name ? -1 : 1));
  const byName = new Map(sorted.map((persona) => [persona.name, persona]));
  const fallback = defaultPersona ?? sorted[0]?.name;
  return {
    name,
    handles: sorted.map((persona) => persona.name),
    ...(fallback === undefined ? {} : { defaultPersona: fallback }),
    parse: createMentionParser(sorted),
    persona: (handle) => byName.get(handle),
    displayName: (handle) => byName.get(handle)?.displayName ?? handle,
  };
}
