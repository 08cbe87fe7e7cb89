import type { Keyv } from "keyv";
import { burstRole } from "../../domain/entry.js";
import { StoreError } from "../../domain/errors.js";
import { type RoomId, roomOf, type SessionId } from "../../domain/ids.js";
import type { Clock } from "../../ports/clock.js";
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
import { checkChange, type Head, type Look, NO_CURSOR, type Plan, plan, refusal } from "../change.js";
import { decodeEntry, decodeValue } from "../codec.js";
import { keyvOver } from "../keyv.js";
import { type Driver, type Load, openDriver } from "./driver.js";
import { sqliteRows, type Use } from "./keyv-store.js";
import { migrate } from "./migrate.js";
import { type EntryRow, type HeadRow, prepareStatements, type RecordRow, type Statements } from "./statements.js";
import { openWalSync, type WalSync } from "./wal-sync.js";
import { createWriteGroup, type WriteGroup } from "./write-group.js";

export interface SqliteStoreOptions {
  /** The folder of `troupe.db`. Made when it is missing. */
  readonly dataDir: string;
  /** Times the lives of values; default: the system's clock. */
  readonly clock?: Pick<Clock, "now">;
  /** Loads the native library; default: the installed one. */
  readonly load?: Load;
}

/** A store in one file, with the values of settings and caches beside it. */
export interface SqliteStore extends Store {
  /** The values of one namespace, in the same file. They work while the store is open. */
  keyValue(namespace: string): Keyv;
}

interface Opened {
  readonly driver: Driver;
  readonly sql: Statements;
  readonly group: WriteGroup;
  readonly wal: WalSync;
  /** Fences of this opening lie above it, and above all of earlier ones. */
  readonly floor: number;
}

/** So many heads of sessions are remembered. */
const MOST_HEADS = 1_024;

/** Behind every key that begins with the same word: no text holds it. */
const LAST_CHARACTER = "\u{10ffff}";

/** Begins that one opening can count before it would reach the next one's fences. */
const FENCES_PER_EPOCH = 2 ** 32;

/**
 * The embedded store: one SQLite file, one process. A commit survives the death of the process; one that is `durable`
 * survives power loss too, and so does everything before it. Every method does its work in one synchronous step, so
 * commits never interleave; only what they wait for is shared with others: the file is written once for all commits of one turn of
 * the event loop, and the disk turns once for all that wait for it. When the disk is full, a commit rejects with `store_full` and the
 * store goes on.
 */
export function createSqliteStore(options: SqliteStoreOptions): SqliteStore {
  return new FileStore(options);
}

class FileStore implements SqliteStore {
  readonly #options: SqliteStoreOptions;
  readonly #fences = new Map<SessionId, number>();
  /** Heads as they stand in the file, of the sessions that were written last: nobody else writes it. */
  readonly #heads = new Map<SessionId, Head>();
  readonly #look: Look = {
    find: (session, id) => this.#use((sql) => loggedOf(session, sql.find.get(session, id))),
    fence: (session) => this.#fences.get(session),
    head: (session) => this.#heads.get(session) ?? this.#use((sql) => headOf(sql.head.get(session))),
    version: (room, kind, key) => this.#use((sql) => sql.version.get(room, kind, key)?.[0] ?? 0),
  };
  #opened: Opened | undefined;
  #begins = 0;
  #unsynced: string | undefined;

  constructor(options: SqliteStoreOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    if (this.#opened) return;
    const driver = await openDriver(this.#options.dataDir, this.#options.load);
    try {
      this.#opened = driver.use(() => start(driver, this.#options.dataDir, () => this.#heads.clear()));
    } catch (error) {
      driver.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    this.#fences.clear();
    this.#heads.clear();
    if (!opened) return;
    opened.group.flush();
    // Who waits for that goes on first, and may ask for a sync.
    await opened.group.kept().catch(() => undefined);
    await opened.wal.close();
    opened.driver.use(() => opened.driver.close());
  }

  keyValue(namespace: string): Keyv {
    return keyvOver(
      sqliteRows({ read: this.#use, write: this.#writeNow }, namespace),
      this.#options.clock ?? { now: Date.now },
    );
  }

  async begin(session: SessionId, _owner: string): Promise<Begun> {
    const head = this.#look.head(session);
    const fence = (this.#opened?.floor ?? 0) + ++this.#begins;
    this.#fences.set(session, fence);
    return { ...stateOf(session, head), fence };
  }

  async commit(change: Change): Promise<CommitResult> {
    const result = this.#write(change);
    // Also for a refused one: what it was refused for may itself still be on its way.
    if (change.durable) await this.sync();
    else if (!change.soon) await this.#opened?.group.kept();
    return result;
  }

  async sync(): Promise<void> {
    if (!this.#opened) throw this.#closed();
    const { group, wal } = this.#opened;
    await group.kept();
    try {
      await wal.sync();
      this.#unsynced = undefined;
    } catch (error) {
      this.#unsynced = "the last write did not reach the disk: see whether the disk works";
      throw error;
    }
  }

  problem(): string | undefined {
    return this.#opened?.driver.problem() ?? this.#unsynced;
  }

  #write(change: Change): CommitResult {
    const opened = this.#opened;
    if (!opened) throw this.#closed();
    checkChange(change);
    // Nobody else can write between this and the transaction: the file is this process's, and nothing here waits.
    const refused = refusal(change, this.#look);
    if (refused) return refused;
    const planned = plan(change, this.#look.head);
    opened.group.add(() => write(opened.sql, change, planned));
    for (const head of planned.heads) this.#remember(head);
    return { status: "ok", entries: planned.entries.map(({ entry }) => entry) };
  }

  #remember(head: Head): void {
    this.#heads.delete(head.session);
    this.#heads.set(head.session, head);
    const oldest = this.#heads.keys().next().value;
    if (this.#heads.size > MOST_HEADS && oldest !== undefined) this.#heads.delete(oldest);
  }

  async read(session: SessionId, after: number, limit: number): Promise<readonly Logged[]> {
    return this.#use((sql) => sql.read.all(session, after, bounded(limit)).map((row) => logged(session, row)));
  }

  async tail(session: SessionId, limit: number, before = Number.MAX_SAFE_INTEGER): Promise<readonly Logged[]> {
    const rows = this.#use((sql) => sql.tail.all(session, before, bounded(limit)));
    return rows.reverse().map((row) => logged(session, row));
  }

  async burst(session: SessionId, limit: number): Promise<BurstCount> {
    return this.#use((sql) => {
      const start = sql.burstStart.get(session)?.[0];
      const used = sql.burstUsed.get(session, start ?? 0, bounded(limit))?.[0] ?? 0;
      return start === undefined ? { used } : { used, start };
    });
  }

  async find(session: SessionId, id: string): Promise<Logged | undefined> {
    return this.#look.find(session, id);
  }

  async session(session: SessionId): Promise<SessionState | undefined> {
    const head = this.#look.head(session);
    return head && stateOf(session, head);
  }

  async sessions(room: RoomId): Promise<readonly SessionState[]> {
    const rows = this.#use((sql) => sql.heads.all(room));
    return rows.map((row) => stateOf(row[0], headOf(row)));
  }

  async dirty(limit: number): Promise<readonly SessionId[]> {
    return this.#use((sql) => sql.dirty.all(bounded(limit))).map(([session]) => session);
  }

  async get<T>(room: RoomId, kind: string, key: string): Promise<StoredRecord<T> | undefined> {
    const row = this.#use((sql) => sql.record.get(room, kind, key));
    return row && recordOf<T>(row);
  }

  async list<T>(room: RoomId, kind: string, prefix = ""): Promise<readonly StoredRecord<T>[]> {
    return this.#use((sql) => sql.records.all(room, kind, prefix, `${prefix}${LAST_CHARACTER}`)).map(recordOf<T>);
  }

  async rooms(kind: string): Promise<readonly RoomId[]> {
    return this.#use((sql) => sql.rooms.all(kind)).map(([room]) => room);
  }

  async due<T>(kind: string, until: number, limit: number): Promise<readonly StoredRecord<T>[]> {
    return this.#use((sql) => sql.due.all(kind, until, bounded(limit))).map(recordOf<T>);
  }

  readonly #use: Use = (work) => {
    const opened = this.#opened;
    if (!opened) throw this.#closed();
    return opened.driver.use(() => work(opened.sql));
  };

  /** In a transaction of its own, behind what is gathered. */
  readonly #writeNow: Use = <T>(work: (sql: Statements) => T): T => {
    const opened = this.#opened;
    if (!opened) throw this.#closed();
    const { driver, sql, group } = opened;
    group.flush();
    return driver.use(() => driver.write(false, () => work(sql)));
  };

  #closed(): StoreError {
    return new StoreError("store_unavailable", `the store in ${this.#options.dataDir} is not open`);
  }
}

/** `onLost`: what was written last is not there. */
function start(driver: Driver, dataDir: string, onLost: () => void): Opened {
  migrate(driver);
  const sql = prepareStatements(driver);
  let epoch = 0;
  driver.write(true, () => {
    epoch = sql.raiseEpoch.get()?.[0] ?? 0;
  });
  const group = createWriteGroup(driver, onLost);
  return { driver, sql, group, wal: openWalSync(driver.file, dataDir), floor: epoch * FENCES_PER_EPOCH };
}

function write(sql: Statements, change: Change, planned: Plan): void {
  const { room } = change;
  for (const { entry, body } of planned.entries) {
    const { session, seq, id } = entry;
    sql.insertEntry.run(session, seq, id, burstRole(entry), body);
  }
  for (const { session, seq, outcome } of planned.outcomes) sql.putOutcome.run(session, seq, outcome);
  for (const { session, seq, at, waking, cursor } of planned.heads) {
    sql.putHead.run(session, room, seq, at, waking, cursor.seq, cursor.part, cursor.attempt);
  }
  for (const { kind, key, value, due } of planned.puts) sql.putRecord.run(room, kind, key, value, due ?? null);
  for (const { kind, key } of change.delete ?? []) sql.deleteRecord.run(room, kind, key);
}

/** A limit as SQLite takes it: there, a negative one means none. */
function bounded(limit: number): number {
  return Math.min(Math.max(0, limit), Number.MAX_SAFE_INTEGER);
}

function logged(session: SessionId, [seq, body, outcome]: EntryRow): Logged {
  const entry = decodeEntry(body, { session, seq });
  if (outcome === null) return { entry };
  return { entry, outcome: decodeValue(outcome, () => `outcome of entry ${seq} of ${session}`) };
}

function loggedOf(session: SessionId, row: EntryRow | undefined): Logged | undefined {
  return row && logged(session, row);
}

function headOf(row: HeadRow | undefined): Head | undefined {
  if (!row) return undefined;
  const [session, room, seq, at, waking, cursorSeq, part, attempt] = row;
  return { session, room, seq, at, waking, cursor: { seq: cursorSeq, part, attempt } };
}

function stateOf(session: SessionId, head: Head | undefined): SessionState {
  return { session, room: roomOf(session), seq: head?.seq ?? 0, cursor: head?.cursor ?? NO_CURSOR };
}

function recordOf<T>([room, kind, key, version, value, due]: RecordRow): StoredRecord<T> {
  const decoded = decodeValue<T>(value, () => `record ${kind} ${key} of ${room}`);
  return { room, kind, key, version, value: decoded, ...(due === null ? {} : { due }) };
}
