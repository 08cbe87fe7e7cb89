import type { Draft, Entry } from "../domain/entry.js";
import type { RoomId, SessionId } from "../domain/ids.js";
import type { Outcome } from "../domain/outcome.js";

/** An entry with what became of it; `outcome` is absent until it is decided, and for kinds that never get one. */
export interface Logged {
  readonly entry: Entry;
  readonly outcome?: Outcome;
}

/**
 * How far a session's log has been handled: every entry up to `seq` is done; of the next one that needs
 * an outcome, `part` parts are done and the current part has been started `attempt` times.
 */
export interface Cursor {
  readonly seq: number;
  readonly part: number;
  readonly attempt: number;
}

export interface SessionState {
  readonly session: SessionId;
  readonly room: RoomId;
  /** Sequence number of the newest entry; 0 for an empty log. */
  readonly seq: number;
  readonly cursor: Cursor;
}

/** How many entries count behind the newest one that resets the burst (`burstRole`). */
export interface BurstCount {
  readonly used: number;
  /** Seq of the entry that resets; absent: the log has none. */
  readonly start?: number;
}

/** A session that somebody has begun to run. A later `begin` makes this fence stale. */
export interface Begun extends SessionState {
  readonly fence: number;
}

/**
 * A versioned value of a room. `version` counts from 1 and rises with every put; `due` indexes it for `due`. A record
 * that is deleted and put again counts from 1 anew: who expects versions of such a key must not keep one over the delete.
 */
export interface StoredRecord<T = unknown> {
  readonly room: RoomId;
  readonly kind: string;
  readonly key: string;
  readonly version: number;
  readonly value: T;
  /** Milliseconds since the epoch at which it wants attention; absent: never. */
  readonly due?: number;
}

export interface RecordPut {
  readonly kind: string;
  readonly key: string;
  readonly value: unknown;
  readonly due?: number;
}

export interface RecordExpectation {
  readonly kind: string;
  readonly key: string;
  /** The version that the change was computed from; 0: the record must not exist. */
  readonly version: number;
}

export interface Append {
  readonly session: SessionId;
  readonly entry: Draft;
  /** An outcome that is known already; the drain then skips the entry. */
  readonly outcome?: Outcome;
}

/** One atomic change of one room: all of it happens, or nothing. Every session in it belongs to `room`. */
export interface Change {
  readonly room: RoomId;
  /** A change made by whoever runs a session: refused as `fenced` or `moved` when it no longer does. */
  readonly turn?: {
    readonly session: SessionId;
    readonly fence: number;
    readonly from: Cursor;
    readonly to: Cursor;
  };
  readonly expect?: readonly RecordExpectation[];
  /** Appended in this order. Their seqs follow on each session's newest entry. */
  readonly append?: readonly Append[];
  /** Sets (or replaces) the outcome of entries already in a log. */
  readonly outcomes?: readonly { readonly session: SessionId; readonly seq: number; readonly outcome: Outcome }[];
  readonly put?: readonly RecordPut[];
  readonly delete?: readonly { readonly kind: string; readonly key: string }[];
  /** An acknowledgement waits for this commit: it survives power loss, not only the process's death. */
  readonly durable?: boolean;
  /**
   * The answer need not wait: everybody sees the change, and it is kept with the next commit that is not of this kind, or with
   * `sync`, or by itself a moment later; should the process die before, it never was. Nothing outside may be done on the strength
   * of it before.
   */
  readonly soon?: boolean;
}

/**
 * `duplicate`: an appended id is already in its session; nothing was changed. Checked before the fence and
 * expectations, so that a redelivery is always recognised. `conflict`: a record had another version.
 */
export type CommitResult =
  | { readonly status: "ok"; readonly entries: readonly Entry[] }
  | { readonly status: "duplicate"; readonly existing: Logged }
  | { readonly status: "fenced" }
  | { readonly status: "moved" }
  | { readonly status: "conflict"; readonly kind: string; readonly key: string };

/**
 * Session logs, cursors and records. One implementation keeps them in memory, one in SQLite, one in Redis;
 * `test/contract/store.ts` is what all of them promise.
 */
export interface Store {
  /** Opens and migrates. Rejects with a `StoreError` whose message names the mend. */
  open(): Promise<void>;
  close(): Promise<void>;

  /** Makes `owner` the one who runs the session: raises the fence above every earlier one, also across restarts. */
  begin(session: SessionId, owner: string): Promise<Begun>;
  /**
   * Does the change or answers why not. Rejects with a `RangeError` for a change that contradicts itself (a session of
   * another room, an id or a record twice, an outcome or a cursor beyond the log, a value that JSON cannot hold) and
   * with a `StoreError` when the place fails; nothing has then changed, nor have the commits of the same moment that were to be
   * kept soon.
   */
  commit(change: Change): Promise<CommitResult>;
  /**
   * Resolves when every commit made until now survives power loss; so what builds on one need not wait for it. Rejects as `commit`;
   * whoever must know whether a commit was kept `soon` calls it at once.
   */
  sync(): Promise<void>;
  /** Why an open store takes no commits, for everybody to read: the last one failed, or its place is gone. Absent: it cannot tell. */
  problem?(): string | undefined;

  /** Entries with `seq > after`, oldest first, at most `limit`. */
  read(session: SessionId, after: number, limit: number): Promise<readonly Logged[]>;
  /** The newest `limit` entries with `seq < before` (default: all), oldest first; cost independent of the log's length. */
  tail(session: SessionId, limit: number, before?: number): Promise<readonly Logged[]>;
  /** The burst at the log's head, counted up to `limit`; the cost grows with the burst, not with the log or its texts. */
  burst(session: SessionId, limit: number): Promise<BurstCount>;
  find(session: SessionId, id: string): Promise<Logged | undefined>;

  /** `undefined` for a session without entries. */
  session(session: SessionId): Promise<SessionState | undefined>;
  /** A room's sessions, the channel's own first, then by newest entry. */
  sessions(room: RoomId): Promise<readonly SessionState[]>;
  /** Sessions with an entry behind the cursor that needs an outcome. */
  dirty(limit: number): Promise<readonly SessionId[]>;

  get<T>(room: RoomId, kind: string, key: string): Promise<StoredRecord<T> | undefined>;
  /** In key order; with a prefix only those whose key begins with it, at a cost that the others do not add to. */
  list<T>(room: RoomId, kind: string, prefix?: string): Promise<readonly StoredRecord<T>[]>;
  /** Rooms that have a record of this kind, in id order. */
  rooms(kind: string): Promise<readonly RoomId[]>;
  /** Records of this kind over all rooms with `due <= until`, by due time, then by key; at most `limit`. */
  due<T>(kind: string, until: number, limit: number): Promise<readonly StoredRecord<T>[]>;
}
