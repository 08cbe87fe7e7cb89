import { accessSync, constants, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type Database from "better-sqlite3";
import { StoreError } from "../../domain/errors.js";
import { makeFolder } from "../make-folder.js";
import { moved, storeErrorOf, unwritable } from "./errors.js";

/** A prepared statement: the library's, as far as it is used here. */
export interface Statement<P extends unknown[], R> {
  readonly source: string;
  run(...values: P): { readonly changes: number };
  get(...values: P): R | undefined;
  all(...values: P): R[];
}

/** One open database file, used by this process alone until it is closed. Every call is synchronous. */
export interface Driver {
  readonly file: string;
  prepare<P extends unknown[], R = unknown>(sql: string): Statement<P, R>;
  /** The same with each row as an array of its columns, which costs the library a fraction of an object. */
  rows<P extends unknown[], R extends readonly unknown[]>(sql: string): Statement<P, R>;
  exec(sql: string): void;
  /** The layout number that the file carries; 0 for a new one. */
  layout(): number;
  /**
   * Does the work in one transaction: all of it or, when it throws, nothing. `durable`: it survives power loss. Throws a
   * `StoreError` when the file is no longer at its path.
   */
  write<T>(durable: boolean, work: () => T): T;
  /** Opens a transaction, for everything until `commit` or `rollback`. */
  begin(): void;
  /** What was written since `begin` survives the death of the process. When it throws, as `write` does, nothing of it is there. */
  commit(): void;
  /** Takes back what was written since `begin`. */
  rollback(): void;
  /** Why writes fail: the last one did, or the file is no longer at its path. Names no path. */
  problem(): string | undefined;
  /** Does the work; what SQLite throws becomes a `StoreError` that names the mend. */
  use<T>(work: () => T): T;
  close(): void;
}

/** How the native part is loaded; tests plant one that is not there. */
export type Load = () => Promise<typeof Database>;

/** Loads the library when a store opens, so that commands without a store work where the native part is missing. */
export const loadBetterSqlite: Load = async () => (await import("better-sqlite3")).default;

const kept: unknown[] = [];

/**
 * Keeps a database or a statement out of the garbage collector's reach, closed ones too: on Node 24 the library's destructors end
 * the process when a collection runs outside of JavaScript. They are small, and a service makes some thirty. The library's
 * own `pragma` makes a statement at each call and is not used for that reason.
 */
export function keep<T>(handle: T): T {
  kept.push(handle);
  return handle;
}

/**
 * Opens `troupe.db` in the folder, making both where they are missing, and keeps every other process out until it is
 * closed or this process dies. Rejects with a `StoreError` whose message names the folder and the mend.
 */
export async function openDriver(dataDir: string, load: Load = loadBetterSqlite): Promise<Driver> {
  const file = join(dataDir, "troupe.db");
  requireWritable(dataDir, file);
  try {
    const Library = await load();
    return new SqliteDriver(file, dataDir, keep(new Library(file, { timeout: 0 })));
  } catch (error) {
    throw storeErrorOf(error, dataDir);
  }
}

function requireWritable(dataDir: string, file: string): void {
  try {
    // Conversations are nobody else's business on a shared machine.
    makeFolder(dataDir, 0o700);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    // SQLite would open it read-only, and fail later with a riddle.
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
  } catch (cause) {
    throw unwritable(dataDir, cause);
  }
}

/**
 * The log goes into the database when it has this many pages (16 MB). That waits for the disk and stops everything meanwhile, and
 * the same few pages are written again and again: less often is cheaper.
 */
const PAGES_IN_LOG = 4_096;

/** Pages that the process keeps for itself; the system keeps the whole file at hand anyway. better-sqlite3 would keep 16 MB. */
const CACHE_KIB = 2_000;

class SqliteDriver implements Driver {
  readonly file: string;
  readonly #dataDir: string;
  readonly #database: Database.Database;
  readonly #begin: Statement<[], unknown>;
  readonly #commit: Statement<[], unknown>;
  readonly #rollback: Statement<[], unknown>;
  readonly #identity: string | undefined;
  #isFull: boolean | undefined;
  #failure: StoreError | undefined;

  constructor(file: string, dataDir: string, database: Database.Database) {
    this.file = file;
    this.#dataDir = dataDir;
    this.#database = database;
    try {
      // The lock is taken by the first read and goes with the process: it is the guard against a second one.
      database.exec("PRAGMA locking_mode = EXCLUSIVE");
      database.exec("PRAGMA auto_vacuum = INCREMENTAL");
      database.exec(`PRAGMA wal_autocheckpoint = ${PAGES_IN_LOG}`);
      database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
      this.layout();
      this.#begin = this.prepare("BEGIN IMMEDIATE");
      this.#commit = this.prepare("COMMIT");
      this.#rollback = this.prepare("ROLLBACK");
      this.#identity = identityOf(file);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  prepare<P extends unknown[], R>(sql: string): Statement<P, R> {
    return keep(this.#database.prepare<P, R>(sql));
  }

  rows<P extends unknown[], R extends readonly unknown[]>(sql: string): Statement<P, R> {
    return keep(this.#database.prepare<P, R>(sql).raw());
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  layout(): number {
    return this.prepare<[], { user_version: number }>("PRAGMA user_version").get()?.user_version ?? 0;
  }

  write<T>(durable: boolean, work: () => T): T {
    return this.#watch(() => {
      this.#setDurable(durable);
      this.#begin.run();
      const done = work();
      this.#commit.run();
      return done;
    });
  }

  begin(): void {
    this.#setDurable(false);
    this.#begin.run();
  }

  commit(): void {
    this.#watch(() => this.#commit.run());
  }

  rollback(): void {
    // Some failures have taken it back already.
    if (this.#database.inTransaction) this.#rollback.run();
  }

  /** Ends a transaction, in the file that was opened; when that fails, nothing of it is there. */
  #watch<T>(write: () => T): T {
    try {
      if (this.#isMoved()) throw moved(this.#dataDir);
      const written = write();
      this.#failure = undefined;
      return written;
    } catch (error) {
      this.rollback();
      const failure = storeErrorOf(error, this.#dataDir);
      if (failure instanceof StoreError) this.#failure = failure;
      throw error;
    }
  }

  /** A synced commit also syncs what went unsynced before it. The setting must not change inside a transaction. */
  #setDurable(durable: boolean): void {
    if (this.#isFull !== durable) this.#database.exec(`PRAGMA synchronous = ${durable ? "FULL" : "NORMAL"}`);
    this.#isFull = durable;
  }

  problem(): string | undefined {
    if (this.#isMoved())
      return "the data folder was moved, deleted or replaced: put it back and start the service again";
    return this.#failure && `the last write failed (${this.#failure.code}): the log says how to mend it`;
  }

  #isMoved(): boolean {
    return identityOf(this.file) !== this.#identity;
  }

  use<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storeErrorOf(error, this.#dataDir);
    }
  }

  close(): void {
    this.#database.close();
  }
}

/** Which file is at a path: another one there, or none, has another identity. */
function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
