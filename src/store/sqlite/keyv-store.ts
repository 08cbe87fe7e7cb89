import type { KeyValueRows } from "../keyv.js";
import type { Driver } from "./driver.js";
import type { Statements } from "./statements.js";

/** Works on the open file; throws a `StoreError` when there is none, or when SQLite fails. */
export type Use = <T>(work: (sql: Statements, driver: Driver) => T) => T;

/** How many expired values go with each write: more than come, so that they cannot pile up. */
const SWEEP = 8;

/** One namespace of the values that share the store's file. */
export function sqliteRows(use: Use, namespace: string): KeyValueRows {
  return {
    get: (key, now) => use((sql) => sql.value.get(namespace, key, now)?.text),
    set(key, text, now, ttlMs) {
      const expires = ttlMs === undefined ? null : now + ttlMs;
      use((sql, driver) =>
        driver.write(false, () => {
          sql.sweepValues.run(now, SWEEP);
          sql.putValue.run(namespace, key, text, expires);
        }),
      );
    },
    delete: (key) => use((sql) => sql.deleteValue.run(namespace, key).changes > 0),
    clear: () => void use((sql) => sql.clearValues.run(namespace)),
    entries: (now) => use((sql) => sql.values.all(namespace, now)).map(({ key, text }) => [key, text] as const),
  };
}
