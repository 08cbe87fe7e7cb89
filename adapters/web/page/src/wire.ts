/** What the HTTP interface sends: the engine's own shapes where they cross the wire unchanged, and the rest in its JSON form. */
import type { Outcome, Reader, RoomState, RosterMember, Sender, View } from "../../../../src/index.js";

export type {
  Button,
  IgnoreReason,
  NoticeView,
  Outcome,
  Part,
  RoomState,
  RosterMember,
  View,
} from "../../../../src/index.js";

/** One entry of a log as the page reads it. The extras stand where the entry's kind has them. */
export interface WireEntry {
  readonly seq: number;
  readonly id: string;
  readonly kind: string;
  readonly sender: Sender;
  readonly text: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly outcome?: Outcome | null;
  readonly notice?: string;
  readonly to?: string;
  readonly action?: string;
  readonly tool?: string;
  readonly call?: string;
  readonly input?: unknown;
  readonly ok?: boolean;
  readonly persona?: string;
  readonly entry?: string;
}

/** A room as the list of rooms tells of it. */
export type RoomSummary = Awaited<ReturnType<Reader["rooms"]>>[number];

/** The answer to a command or a pressed button. `public` answers stand in the log and need no card. */
export interface WireAnswer {
  readonly ok: boolean;
  readonly view: View;
  readonly public?: boolean;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A persona of the team, whether or not it is in a room: what `/agent list` answers. */
export type TeamPersona = Pick<RosterMember, "name" | "displayName" | "avatar" | "description">;

/** An event of a room's stream, already told apart by its name. */
export type StreamEvent =
  | { readonly type: "room"; readonly state: RoomState | null }
  | { readonly type: "entry"; readonly entry: WireEntry }
  | { readonly type: "outcome"; readonly seq: number; readonly outcome: Outcome }
  | { readonly type: "typing"; readonly persona: string; readonly on: boolean }
  | { readonly type: "hint"; readonly view: View };
