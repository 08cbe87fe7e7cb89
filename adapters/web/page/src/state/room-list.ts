import { MAIN_ROOM, roomLabel } from "../text/room-names.js";
import type { PageState } from "./model.js";

/** A room as the list shows it. */
export interface ListedRoom {
  readonly id: string;
  readonly isUnread: boolean;
  readonly attention: boolean;
}

/** The rooms to list: the default one first, then by name; rooms without a message yet among them. */
export function listRooms(state: PageState): readonly ListedRoom[] {
  const known = state.rooms.map(({ id, attention, seq }) => ({
    id,
    attention,
    isUnread: id !== state.room.id && seq > (state.seen[id] ?? 0),
  }));
  const started = [MAIN_ROOM, ...state.started].filter((id) => known.every((room) => room.id !== id));
  const all = [...known, ...[...new Set(started)].map((id) => ({ id, attention: false, isUnread: false }))];
  const rank = (id: string): string => (id === MAIN_ROOM ? "0" : `${id.startsWith("web:") ? 1 : 2}${roomLabel(id)}`);
  return all.sort((a, b) => rank(a.id).localeCompare(rank(b.id)));
}
