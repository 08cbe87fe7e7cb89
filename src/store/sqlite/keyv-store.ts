import type { KeyValueRows } from "../keyv.js";
import type { Statements } from "./statements.js";

/** Works on the open file; throws a `StoreError` when there is none, or when SQLite fails. */
export type Use = <T>(work: (sql: Statements) => T) => T;

/** How the rows are reached. */
export interface RowAccess {
  readonly read: Use;
  /** All of the work or, when it throws, nothing; kept when it returns. */
  readonly write: Use;
}

/** How many expired values go with each write: more than come, so that they cannot pile up. */
const SWEEP = 8;

/** One namespace of the values that share the store's file. */
export function sqliteRows({ read, write }: RowAccess, namespace: string): KeyValueRows {
  return {
    get: (key, now) => read((sql) => sql.value.get(namespace, key, now)?.[0]),
    set(key, text, now, ttlMs) {
      const expires = ttlMs === undefined ? null : now + ttlMs;
      write((sql) => {
        sql.sweepValues.run(now, SWEEP);
        sql.putValue.run(namespace, key, text, expires);
      });
    },
    delete: (key) => write((sql) => sql.deleteValue.run(namespace, key).changes > 0),
    clear: () => void write((sql) => sql.clearValues.run(namespace)),
    entries: (now) => read((sql) => sql.values.all(namespace, now)),
  };
}
