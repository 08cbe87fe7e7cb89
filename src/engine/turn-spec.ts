import type { Cause, Entry } from "../domain/entry.js";
import type { Persona } from "../domain/persona.js";
import type { Room } from "../domain/room.js";
import type { Begun, Cursor, StoredRecord } from "../ports/store.js";
import type { AgentSession, TurnPlace } from "./records.js";

/** One turn to run: which entry the drain handles, which message the persona answers. */
export interface TurnSpec {
  readonly room: Room;
  readonly begun: Begun;
  readonly cursor: Cursor;
  /** The entry at the cursor: the message itself, or the directive that wakes for it. */
  readonly handled: Entry;
  readonly waking: Entry;
  readonly persona: Persona;
  readonly agent: StoredRecord<AgentSession> | undefined;
  /** The turn answers no entry of the log: `handled` and `waking` are made for it, with this id (`errands.ts`). */
  readonly errand?: { readonly id: string; readonly fresh: boolean };
}

/** What the words of this turn were caused by. A schedule or a task stays the cause of its whole chain (behaviour 0.9). */
export function causeOf(handled: Entry, waking: Entry): Cause {
  const root = handled.cause.root ?? waking.cause.root;
  const base = { entry: handled.id, ...(root === undefined ? {} : { root }) };
  const { kind, chain } = waking.cause;
  if (kind === "schedule" || kind === "task") return { ...base, kind, ...(chain === undefined ? {} : { chain }) };
  if (handled.kind === "directive") return { ...base, kind: "button" };
  return { ...base, kind: handled.sender.kind === "person" ? "person" : "agent" };
}

/** What the turn is for. */
export function placeOf({
  begun,
  cursor,
  handled,
  persona,
  errand,
}: Pick<TurnSpec, "begun" | "cursor" | "handled" | "persona" | "errand">): TurnPlace {
  const place = { session: begun.session, seq: handled.seq, part: cursor.part, persona: persona.name };
  return errand === undefined ? place : { ...place, errand: errand.id };
}
