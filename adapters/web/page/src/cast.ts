import { createContext, type RefObject } from "preact";
import { useContext } from "preact/hooks";
import type { MarkdownContext } from "./markdown/render.js";
import type { Controller } from "./state/controller.js";
import { toneOf } from "./text/tone.js";
import type { RosterMember, TeamPersona } from "./wire.js";

/** The people and personas of the open room, as messages draw them. */
export interface Cast extends MarkdownContext {
  readonly roster: readonly RosterMember[];
  /** Personas that are not here and could be brought in. */
  readonly others: readonly TeamPersona[];
  nameOf(persona: string): string;
  memberOf(persona: string): RosterMember | undefined;
}

/** What parts of the page may ask of the message box. */
export interface ComposerHandle {
  fill(text: string): void;
  append(text: string): void;
}

/** What every part of the open room can reach. */
export interface RoomTools {
  readonly controller: Controller;
  readonly cast: Cast;
  readonly composer: RefObject<ComposerHandle>;
}

/** Who will be in a room that its first message makes. */
export function futureRoster(team: readonly TeamPersona[]): readonly RosterMember[] {
  return team.map((persona) => ({ ...persona, missing: false, host: false, busy: false }));
}

export function createCast(roster: readonly RosterMember[], team: readonly TeamPersona[]): Cast {
  const members = new Map(roster.map((member) => [member.name, member]));
  const names = roster.map((member) => member.name);
  return {
    roster,
    others: team.filter((persona) => !members.has(persona.name)),
    toneOf: (persona) => toneOf(persona, names),
    nameOf: (persona) => members.get(persona)?.displayName ?? persona,
    memberOf: (persona) => members.get(persona),
  };
}

/** What of a roster messages show: while it stays the same, no message is drawn again. */
export function castKey(roster: readonly RosterMember[], team: readonly TeamPersona[]): string {
  return JSON.stringify(
    [...roster, null, ...team].map((one) => one && [one.name, one.displayName, one.avatar, one.description]),
  );
}

export const RoomToolsContext = createContext<RoomTools | undefined>(undefined);

/** The tools of the open room. Throws outside of one: a part was put in the wrong place. */
export function useRoom(): RoomTools {
  const tools = useContext(RoomToolsContext);
  if (tools === undefined) throw new TypeError("expected to be drawn inside a room, got no room around");
  return tools;
}
