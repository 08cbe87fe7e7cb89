import type { RoomId, SessionId } from "../domain/ids.js";
import type { NoticeState } from "../domain/notice.js";
import type { EffectiveSettings } from "../domain/settings.js";
import type { View } from "../domain/view.js";
import type { Logged } from "./store.js";

/** A notice that stands in a session and is edited in place. */
export interface NoticeView {
  readonly id: string;
  readonly session: SessionId;
  readonly state: NoticeState;
  readonly view: View;
}

export interface RosterMember {
  readonly name: string;
  readonly displayName: string;
  readonly avatar?: string;
  readonly description: string;
  readonly missing: boolean;
  readonly host: boolean;
  /** A turn of this persona is running in this room. */
  readonly busy: boolean;
}

/** One room's whole state, as HTTP, the command line and `/agent room` show it. */
export interface RoomState {
  readonly id: RoomId;
  readonly roster: readonly RosterMember[];
  readonly host: string | null;
  readonly settings: EffectiveSettings;
  readonly sessions: readonly { readonly id: SessionId; readonly seq: number }[];
  readonly attention: boolean;
  readonly burst: { readonly used: number; readonly budget: number; readonly source: string };
  readonly notices: readonly NoticeView[];
  readonly pairs: readonly never[];
  readonly workers: readonly never[];
  readonly tasks: readonly never[];
}

/** What changed in a room. Receivers read the rest: a lost event costs nothing but delay. */
export type RoomEvent =
  | { readonly type: "log"; readonly session: SessionId; readonly seq: number }
  | { readonly type: "outcome"; readonly session: SessionId; readonly seq: number }
  | { readonly type: "room" }
  | { readonly type: "typing"; readonly session: SessionId; readonly persona: string; readonly on: boolean };

/** The reading side, for adapters that show rooms themselves, the HTTP interface and the command line. */
export interface Reader {
  rooms(): Promise<readonly { readonly id: RoomId; readonly personas: readonly string[]; readonly attention: boolean; readonly seq: number }[]>;
  /** `undefined` for a room that does not exist. A session id gives its room with that session's burst. */
  room(id: SessionId): Promise<RoomState | undefined>;
  /** At most 500, oldest first, `seq > after`. */
  entries(session: SessionId, after: number, limit: number): Promise<readonly Logged[]>;
  /** Clears the room's attention mark. */
  opened(room: RoomId): Promise<void>;
  /** Calls back for every event of the room until the returned function is called. */
  subscribe(room: RoomId, listener: (event: RoomEvent) => void): () => void;
}
