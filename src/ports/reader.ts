import type { RoomId, SessionId } from "../domain/ids.js";
import type { NoticeState } from "../domain/notice.js";
import type { GuardSettings, PairState, PauseReason } from "../domain/pair.js";
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

/** A pair of agents that have exchanged messages. `reason` is null while it is open. */
export interface PairView {
  readonly id: string;
  readonly personas: readonly [string, string];
  readonly state: PairState;
  readonly reason: PauseReason | null;
  readonly held: number;
}

/** One room's whole state, as HTTP, the command line and `/agent room` show it. */
export interface RoomState {
  readonly id: RoomId;
  readonly roster: readonly RosterMember[];
  readonly host: string | null;
  readonly settings: EffectiveSettings;
  /** The pair guard's thresholds in this room. */
  readonly guard: GuardSettings;
  readonly sessions: readonly { readonly id: SessionId; readonly seq: number }[];
  readonly attention: boolean;
  readonly burst: { readonly used: number; readonly budget: number; readonly source: string };
  /** Every notice that waits for a person, and the newest of those that do not any more. */
  readonly notices: readonly NoticeView[];
  /** Every pair that is paused or being released, and the open ones that spoke last. */
  readonly pairs: readonly PairView[];
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
  rooms(): Promise<
    readonly {
      readonly id: RoomId;
      readonly personas: readonly string[];
      readonly attention: boolean;
      readonly seq: number;
    }[]
  >;
  /** `undefined` for a room that does not exist. A session id gives its room with that session's burst. */
  room(id: SessionId): Promise<RoomState | undefined>;
  /** At most 500, oldest first, `seq > after`. */
  entries(session: SessionId, after: number, limit: number): Promise<readonly Logged[]>;
  /** Clears the room's attention mark. */
  opened(room: RoomId): Promise<void>;
  /** Whether something that the engine has posted in this session's room stands under this id of the platform. */
  posted(session: SessionId, messageId: string): Promise<boolean>;
  /** Calls back for every event of the room until the returned function is called. */
  subscribe(room: RoomId, listener: (event: RoomEvent) => void): () => void;
}
