import type { Connection } from "../net/stream.js";
import type { Outcome, RoomState, RoomSummary, TeamPersona, View, WireEntry } from "../wire.js";

/** Everything that can happen to the page's state. `room` says which room it belongs to: what comes late for a room left behind is dropped. */
export type Action =
  | { readonly type: "signed-in"; readonly key: string }
  | { readonly type: "signed-out"; readonly refused: boolean }
  | { readonly type: "rooms"; readonly rooms: readonly RoomSummary[] }
  | { readonly type: "team"; readonly team: readonly TeamPersona[] }
  | { readonly type: "opened"; readonly room: string }
  | RoomAction;

export type RoomAction = { readonly room: string } & (
  | { readonly type: "room"; readonly state: RoomState | null }
  | { readonly type: "entries"; readonly entries: readonly WireEntry[]; readonly follow: boolean }
  | { readonly type: "replaced"; readonly entries: readonly WireEntry[] }
  | { readonly type: "outcome"; readonly seq: number; readonly outcome: Outcome }
  | { readonly type: "typing"; readonly persona: string; readonly on: boolean }
  | { readonly type: "connection"; readonly connection: Connection }
  | { readonly type: "loading-older"; readonly on: boolean }
  | { readonly type: "sending"; readonly id: string; readonly text: string; readonly at: number }
  | { readonly type: "sent"; readonly id: string; readonly entry: string | undefined }
  | { readonly type: "send-failed"; readonly id: string; readonly problem: string }
  | { readonly type: "card"; readonly id: string; readonly at: number; readonly view: View; readonly asked?: string }
  | { readonly type: "card-closed"; readonly id: string }
);
