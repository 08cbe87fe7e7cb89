import { type Entry, needsOutcome } from "../domain/entry.js";
import { type RoomId, roomOf, type SessionId } from "../domain/ids.js";
import type { Outcome } from "../domain/outcome.js";
import type { Change, CommitResult, Cursor, Logged } from "../ports/store.js";
import { encodeEntry, encodeValue, placed } from "./codec.js";

/** What a store keeps of a session beside its log. Exists from the session's first entry on. */
export interface Head {
  readonly session: SessionId;
  readonly room: RoomId;
  readonly seq: number;
  /** Time of the newest entry. */
  readonly at: number;
  /** The newest entry that was appended without the outcome that it needs; 0: none. Beyond the cursor: dirty. */
  readonly waking: number;
  readonly cursor: Cursor;
}

/** The reads that a commit is judged by. Synchronous, so that nothing comes between the judging and the writing. */
export interface Look {
  find(session: SessionId, id: string): Logged | undefined;
  fence(session: SessionId): number | undefined;
  head(session: SessionId): Head | undefined;
  /** 0 for a record that does not exist. */
  version(room: RoomId, kind: string, key: string): number;
}

/** What an accepted change writes, encoded: nothing in it can fail on its content any more. */
export interface Plan {
  readonly entries: readonly { readonly entry: Entry; readonly body: string }[];
  readonly outcomes: readonly { readonly session: SessionId; readonly seq: number; readonly outcome: string }[];
  readonly heads: readonly Head[];
  readonly puts: readonly {
    readonly kind: string;
    readonly key: string;
    readonly value: string;
    readonly due?: number;
  }[];
}

export const NO_CURSOR: Cursor = { seq: 0, part: 0, attempt: 0 };

/** Whether the session has work: an entry behind the cursor needs an outcome. */
export function isDirty(head: Head): boolean {
  return head.waking > head.cursor.seq;
}

/** Why the change must not happen, in the order that the port promises; `undefined`: it may. */
export function refusal(change: Change, look: Look): Exclude<CommitResult, { status: "ok" }> | undefined {
  for (const { session, entry } of change.append ?? []) {
    const existing = look.find(session, entry.id);
    if (existing) return { status: "duplicate", existing };
  }
  if (change.turn) {
    const { session, fence, from } = change.turn;
    if (look.fence(session) !== fence) return { status: "fenced" };
    if (!isSameCursor(look.head(session)?.cursor ?? NO_CURSOR, from)) return { status: "moved" };
  }
  for (const { kind, key, version } of change.expect ?? []) {
    if (look.version(change.room, kind, key) !== version) return { status: "conflict", kind, key };
  }
  return undefined;
}

/**
 * Works out what the change writes. Throws a `RangeError` for one that no caller may ask for: a session of another room,
 * the same id or record twice, an outcome or a cursor beyond the log, a value that JSON cannot hold.
 */
export function plan(change: Change, headOf: Look["head"]): Plan {
  const heads = new Map<SessionId, Head>();
  const head = (session: SessionId) => heads.get(session) ?? headOf(session) ?? emptyHead(session);
  const outcomes: { session: SessionId; seq: number; outcome: Outcome }[] = [];

  const entries = (change.append ?? []).map(({ session, entry: draft, outcome }) => {
    const before = head(session);
    const entry = placed(draft, { session, seq: before.seq + 1 });
    const waking = needsOutcome(entry) && outcome === undefined ? entry.seq : before.waking;
    heads.set(session, { ...before, seq: entry.seq, at: entry.at, waking });
    if (outcome !== undefined) outcomes.push({ session, seq: entry.seq, outcome });
    return { entry, body: encodeEntry(entry) };
  });

  for (const outcome of change.outcomes ?? []) {
    requireLogged(outcome.seq >= 1 && outcome.seq <= head(outcome.session).seq, "outcome", outcome);
    outcomes.push(outcome);
  }
  if (change.turn) {
    const { session, from, to } = change.turn;
    const before = head(session);
    requireLogged(to.seq >= from.seq && to.seq <= before.seq, "cursor", { session, seq: to.seq });
    heads.set(session, { ...before, cursor: to });
  }

  return {
    entries,
    outcomes: outcomes.map((row) => ({ ...row, outcome: encodeValue(row.outcome, `outcome of entry ${row.seq}`) })),
    // A session exists from its first entry on.
    heads: [...heads.values()].filter((row) => row.seq > 0),
    puts: (change.put ?? []).map((row) => ({ ...row, value: encodeValue(row.value, `record ${row.kind} ${row.key}`) })),
  };
}

/** Throws a `RangeError` for a change that contradicts itself. Needs no store. */
export function checkChange(change: Change): void {
  const sessions = [...(change.append ?? []), ...(change.outcomes ?? []), ...(change.turn ? [change.turn] : [])];
  for (const { session } of sessions) {
    if (roomOf(session) !== change.room) {
      throw new RangeError(`a change of ${change.room}: expected its own sessions, got ${session}`);
    }
  }
  requireDistinct((change.append ?? []).map(({ session, entry }) => [session, entry.id]));
  requireDistinct([...(change.put ?? []), ...(change.delete ?? [])].map(({ kind, key }) => [kind, key]));
}

function requireDistinct(names: readonly (readonly [string, string])[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    const text = JSON.stringify(name);
    if (seen.has(text)) throw new RangeError(`a change names ${name.join(" ")} twice: expected once`);
    seen.add(text);
  }
}

function requireLogged(holds: boolean, what: string, at: { session: SessionId; seq: number }): void {
  if (!holds)
    throw new RangeError(`${what} at ${at.seq} of ${at.session}: expected an entry of the log ahead of the cursor`);
}

function emptyHead(session: SessionId): Head {
  return { session, room: roomOf(session), seq: 0, at: 0, waking: 0, cursor: NO_CURSOR };
}

function isSameCursor(a: Cursor, b: Cursor): boolean {
  return a.seq === b.seq && a.part === b.part && a.attempt === b.attempt;
}
