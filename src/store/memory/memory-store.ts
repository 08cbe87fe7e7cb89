import { burstRole } from "../../domain/entry.js";
import { StoreError } from "../../domain/errors.js";
import { type RoomId, roomOf, type SessionId } from "../../domain/ids.js";
import type {
  Begun,
  BurstCount,
  Change,
  CommitResult,
  Logged,
  SessionState,
  Store,
  StoredRecord,
} from "../../ports/store.js";
import { checkChange, type Head, isDirty, type Look, NO_CURSOR, type Plan, plan, refusal } from "../change.js";
import { decodeEntry, decodeValue } from "../codec.js";
import { byBytes } from "../order.js";

interface Log {
  /** Stored forms; the entry with seq n stands at n - 1. */
  readonly bodies: string[];
  readonly seqs: Map<string, number>;
  readonly outcomes: Map<number, string>;
  /** Entries that count behind the newest one that resets the burst. */
  counting: number;
  /** Seq of that one. */
  resetAt?: number;
  head: Head;
}

interface Row {
  readonly version: number;
  readonly value: string;
  readonly due?: number;
}

/**
 * A store in memory, for tests and trials: everything is gone with the process. It keeps the stored forms and not
 * the objects, so that a caller meets the same values here as on disk. Closing and opening it again keeps what it has.
 */
export function createMemoryStore(): Store {
  return new MemoryStore();
}

class MemoryStore implements Store {
  readonly #logs = new Map<SessionId, Log>();
  readonly #records = new Map<string, Map<RoomId, Map<string, Row>>>();
  readonly #fences = new Map<SessionId, number>();
  readonly #look: Look = {
    find: (session, id) => this.#at(session, this.#logs.get(session)?.seqs.get(id)),
    fence: (session) => this.#fences.get(session),
    head: (session) => this.#logs.get(session)?.head,
    version: (room, kind, key) => this.#row(room, kind, key)?.version ?? 0,
  };
  #fence = 0;
  #isOpen = false;

  async open(): Promise<void> {
    if (this.#isOpen) return;
    this.#isOpen = true;
    // Whoever began a session before does not run it any more.
    this.#fences.clear();
  }

  async close(): Promise<void> {
    this.#isOpen = false;
  }

  async begin(session: SessionId, _owner: string): Promise<Begun> {
    this.#requireOpen();
    const fence = ++this.#fence;
    this.#fences.set(session, fence);
    return { ...stateOf(session, this.#logs.get(session)?.head), fence };
  }

  async sync(): Promise<void> {
    this.#requireOpen();
  }

  async commit(change: Change): Promise<CommitResult> {
    this.#requireOpen();
    checkChange(change);
    const refused = refusal(change, this.#look);
    if (refused) return refused;
    const planned = plan(change, this.#look.head);
    this.#write(change, planned);
    return { status: "ok", entries: planned.entries.map(({ entry }) => entry) };
  }

  async read(session: SessionId, after: number, limit: number): Promise<readonly Logged[]> {
    this.#requireOpen();
    return this.#range(session, after + 1, after + limit);
  }

  async tail(session: SessionId, limit: number, before = Number.POSITIVE_INFINITY): Promise<readonly Logged[]> {
    this.#requireOpen();
    const last = Math.min(before - 1, this.#logs.get(session)?.head.seq ?? 0);
    return this.#range(session, last - limit + 1, last);
  }

  async burst(session: SessionId, limit: number): Promise<BurstCount> {
    this.#requireOpen();
    const log = this.#logs.get(session);
    const used = Math.min(log?.counting ?? 0, Math.max(0, limit));
    return log?.resetAt === undefined ? { used } : { used, start: log.resetAt };
  }

  async find(session: SessionId, id: string): Promise<Logged | undefined> {
    this.#requireOpen();
    return this.#look.find(session, id);
  }

  async session(session: SessionId): Promise<SessionState | undefined> {
    this.#requireOpen();
    const head = this.#logs.get(session)?.head;
    return head && stateOf(session, head);
  }

  async sessions(room: RoomId): Promise<readonly SessionState[]> {
    this.#requireOpen();
    return this.#heads()
      .filter((head) => head.room === room)
      .sort(
        (a, b) =>
          Number(b.session === room) - Number(a.session === room) || b.at - a.at || byBytes(a.session, b.session),
      )
      .map((head) => stateOf(head.session, head));
  }

  async dirty(limit: number): Promise<readonly SessionId[]> {
    this.#requireOpen();
    const sessions = this.#heads().filter(isDirty);
    return sessions
      .map(({ session }) => session)
      .sort(byBytes)
      .slice(0, limit);
  }

  async get<T>(room: RoomId, kind: string, key: string): Promise<StoredRecord<T> | undefined> {
    this.#requireOpen();
    const row = this.#row(room, kind, key);
    return row && recordOf<T>(room, kind, key, row);
  }

  async list<T>(room: RoomId, kind: string, prefix = ""): Promise<readonly StoredRecord<T>[]> {
    this.#requireOpen();
    const rows = [...(this.#records.get(kind)?.get(room) ?? [])].filter(([key]) => key.startsWith(prefix));
    return rows.sort(([a], [b]) => byBytes(a, b)).map(([key, row]) => recordOf<T>(room, kind, key, row));
  }

  async rooms(kind: string): Promise<readonly RoomId[]> {
    this.#requireOpen();
    const rooms = [...(this.#records.get(kind) ?? [])].filter(([, rows]) => rows.size > 0);
    return rooms.map(([room]) => room).sort(byBytes);
  }

  async due<T>(kind: string, until: number, limit: number): Promise<readonly StoredRecord<T>[]> {
    this.#requireOpen();
    const found: { room: RoomId; key: string; row: Row; due: number }[] = [];
    for (const [room, rows] of this.#records.get(kind) ?? []) {
      for (const [key, row] of rows) {
        if (row.due !== undefined && row.due <= until) found.push({ room, key, row, due: row.due });
      }
    }
    found.sort((a, b) => a.due - b.due || byBytes(a.key, b.key) || byBytes(a.room, b.room));
    return found.slice(0, limit).map(({ room, key, row }) => recordOf<T>(room, kind, key, row));
  }

  #requireOpen(): void {
    if (!this.#isOpen) throw new StoreError("store_unavailable", "the memory store is not open");
  }

  #heads(): Head[] {
    return [...this.#logs.values()].map((log) => log.head);
  }

  #row(room: RoomId, kind: string, key: string): Row | undefined {
    return this.#records.get(kind)?.get(room)?.get(key);
  }

  #range(session: SessionId, first: number, last: number): readonly Logged[] {
    const found: Logged[] = [];
    const end = Math.min(last, this.#logs.get(session)?.head.seq ?? 0);
    for (let seq = Math.max(1, first); seq <= end; seq++) {
      const logged = this.#at(session, seq);
      if (logged) found.push(logged);
    }
    return found;
  }

  #at(session: SessionId, seq: number | undefined): Logged | undefined {
    const log = this.#logs.get(session);
    const body = seq === undefined ? undefined : log?.bodies[seq - 1];
    if (log === undefined || seq === undefined || body === undefined) return undefined;
    const outcome = log.outcomes.get(seq);
    return {
      entry: decodeEntry(body, { session, seq }),
      ...(outcome === undefined
        ? {}
        : { outcome: decodeValue(outcome, () => `outcome of entry ${seq} of ${session}`) }),
    };
  }

  #write(change: Change, planned: Plan): void {
    for (const head of planned.heads) this.#logOf(head).head = head;
    for (const { entry, body } of planned.entries) {
      const log = this.#logs.get(entry.session);
      if (!log) continue;
      log.bodies.push(body);
      log.seqs.set(entry.id, entry.seq);
      const role = burstRole(entry);
      if (role === "counts") log.counting++;
      if (role === "resets") {
        log.counting = 0;
        log.resetAt = entry.seq;
      }
    }
    for (const { session, seq, outcome } of planned.outcomes) this.#logs.get(session)?.outcomes.set(seq, outcome);
    for (const { kind, key, ...row } of planned.puts) {
      const version = this.#look.version(change.room, kind, key) + 1;
      this.#rowsOf(change.room, kind).set(key, { ...row, version });
    }
    for (const { kind, key } of change.delete ?? []) this.#records.get(kind)?.get(change.room)?.delete(key);
  }

  #logOf(head: Head): Log {
    const log = this.#logs.get(head.session) ?? { bodies: [], seqs: new Map(), outcomes: new Map(), counting: 0, head };
    this.#logs.set(head.session, log);
    return log;
  }

  #rowsOf(room: RoomId, kind: string): Map<string, Row> {
    const rooms = this.#records.get(kind) ?? new Map<RoomId, Map<string, Row>>();
    this.#records.set(kind, rooms);
    const rows = rooms.get(room) ?? new Map<string, Row>();
    rooms.set(room, rows);
    return rows;
  }
}

function stateOf(session: SessionId, head: Head | undefined): SessionState {
  return { session, room: roomOf(session), seq: head?.seq ?? 0, cursor: head?.cursor ?? NO_CURSOR };
}

function recordOf<T>(room: RoomId, kind: string, key: string, row: Row): StoredRecord<T> {
  const { version, value, due } = row;
  const decoded = decodeValue<T>(value, () => `record ${kind} ${key} of ${room}`);
  return { room, kind, key, version, value: decoded, ...(due === undefined ? {} : { due }) };
}
