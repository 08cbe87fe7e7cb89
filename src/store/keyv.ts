import { Keyv, type KeyvStoreAdapter } from "keyv";
import type { Clock } from "../ports/clock.js";

/** Where the values of one namespace are kept: texts by key, each with the time at which it expires, if it does. */
export interface KeyValueRows {
  /** Answers nothing that expired at `now` or before. */
  get(key: string, now: number): string | undefined;
  /** `ttlMs`: expires that long after `now`; without it, never. */
  set(key: string, text: string, now: number, ttlMs?: number): void;
  delete(key: string): boolean;
  clear(): void;
  entries(now: number): Iterable<readonly [string, string]>;
}

/**
 * A Keyv over one namespace's rows. A failed read or write rejects: Keyv's own default would answer as if nothing
 * were stored. Times to live run by `clock`.
 */
export function keyvOver(rows: KeyValueRows, clock: Pick<Clock, "now">): Keyv {
  const keyv = new Keyv({ store: adapterOver(rows, clock), useKeyPrefix: false, throwOnErrors: true });
  // Whoever called has the rejection; the event is the same error once more.
  keyv.on("error", () => {});
  return keyv;
}

function adapterOver(rows: KeyValueRows, clock: Pick<Clock, "now">) {
  const adapter = {
    // Keyv offers an iterator only to adapters of a kind that it knows.
    opts: { dialect: "sqlite" },
    get: async (key: string) => rows.get(key, clock.now()),
    getMany: async (keys: string[]) => keys.map((key) => rows.get(key, clock.now())),
    set: async (key: string, text: string, ttlMs?: number) => rows.set(key, text, clock.now(), ttlMs),
    delete: async (key: string) => rows.delete(key),
    has: async (key: string) => rows.get(key, clock.now()) !== undefined,
    clear: async () => rows.clear(),
    async *iterator() {
      for (const [key, text] of rows.entries(clock.now())) yield [key, text];
    },
    // It has no events of its own: what fails, rejects.
    on: () => adapter,
  };
  // Keyv types the values as what they decode to; what an adapter sees is Keyv's serialized text.
  return adapter as unknown as KeyvStoreAdapter;
}
