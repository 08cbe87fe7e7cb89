import type { Connection } from "../net/stream.js";
import type { RoomState, RoomSummary, TeamPersona, View, WireEntry } from "../wire.js";

/** A message of ours that is not in the log yet. `problem` is set when sending failed; it can then be sent again. */
export interface Pending {
  readonly id: string;
  readonly text: string;
  readonly at: number;
  /** The id of its entry, once the service has told: it goes when that entry arrives. */
  readonly entry?: string;
  readonly problem?: string;
}

/** An answer or hint for this person only. It is no entry: a reload forgets it. It stands after entry `after`. */
export interface Card {
  readonly id: string;
  readonly after: number;
  readonly at: number;
  readonly view: View;
  /** What the person typed or pressed. */
  readonly asked?: string;
}

/** The room that is open. `entries` is one gapless run of the log, oldest first. */
export interface OpenRoom {
  readonly id: string;
  /** `undefined`: not heard yet; `null`: the room does not exist before its first message. */
  readonly state: RoomState | null | undefined;
  readonly entries: readonly WireEntry[];
  readonly pending: readonly Pending[];
  readonly cards: readonly Card[];
  readonly typing: readonly string[];
  readonly connection: Connection;
  readonly loadingOlder: boolean;
}

/** Everything that the page shows. */
export interface PageState {
  /** Absent: the page asks for a key. `refused` says that the last one was wrong. */
  readonly key: string | undefined;
  readonly refused: boolean;
  readonly rooms: readonly RoomSummary[];
  /** Every persona that there is: who a new room will have, and whom one can bring in. */
  readonly team: readonly TeamPersona[];
  /** Rooms that were named here and have no message yet. */
  readonly started: readonly string[];
  /** The newest entry that this browser has seen, by room. */
  readonly seen: Readonly<Record<string, number>>;
  readonly room: OpenRoom;
}

export function newRoom(id: string): OpenRoom {
  return {
    id,
    state: undefined,
    entries: [],
    pending: [],
    cards: [],
    typing: [],
    connection: { state: "connecting" },
    loadingOlder: false,
  };
}

/** The newest sequence number of the open room's log here; 0 for none. */
export function newestSeq(room: OpenRoom): number {
  return room.entries.at(-1)?.seq ?? 0;
}

/** Whether the log has entries before the ones shown. */
export function hasOlder(room: OpenRoom): boolean {
  return (room.entries[0]?.seq ?? 1) > 1;
}
