import type { Keyv } from "keyv";
import type { Clock } from "../../ports/clock.js";
import { type KeyValueRows, keyvOver } from "../keyv.js";

/** Values in memory, for tests and trials; every call makes an empty one. `clock` times their lives; default: the system's. */
export function createMemoryKeyValue(_namespace: string, clock: Pick<Clock, "now"> = { now: Date.now }): Keyv {
  return keyvOver(memoryRows(), clock);
}

function memoryRows(): KeyValueRows {
  const rows = new Map<string, { readonly text: string; readonly expires: number }>();
  return {
    get(key, now) {
      const row = rows.get(key);
      if (row && row.expires > now) return row.text;
      rows.delete(key);
      return undefined;
    },
    set: (key, text, now, ttlMs = Number.POSITIVE_INFINITY) => void rows.set(key, { text, expires: now + ttlMs }),
    delete: (key) => rows.delete(key),
    clear: () => rows.clear(),
    *entries(now) {
      for (const [key, { text, expires }] of rows) if (expires > now) yield [key, text];
    },
  };
}
