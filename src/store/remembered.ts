import type { KeyValue } from "../ports/key-value.js";

/** So many keys are remembered; then it begins anew. */
const MOST = 10_000;

/**
 * Values that nobody but this process writes, and this process only through here: what has been read once is not read again.
 * A value that is answered must not be changed. Rejects values with a time to live with a `RangeError`: they vanish by themselves.
 */
export function remembered(values: KeyValue): KeyValue {
  const known = new Map<string, unknown>();
  let writes = 0;

  async function read(keys: string[]): Promise<ReadonlyMap<string, unknown>> {
    const read = new Map(keys.filter((key) => known.has(key)).map((key) => [key, known.get(key)]));
    const missing = keys.filter((key) => !read.has(key));
    if (missing.length === 0) return read;
    const before = writes;
    const found = await values.getMany<unknown>(missing);
    for (const [i, key] of missing.entries()) read.set(key, found[i]);
    // What was read beside a write may be what stood before it.
    if (writes === before) remember(read);
    return read;
  }

  function remember(read: ReadonlyMap<string, unknown>): void {
    if (known.size + read.size > MOST) known.clear();
    for (const [key, value] of read) known.set(key, value);
  }

  async function write<T>(key: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      writes++;
      known.delete(key);
    }
  }

  return {
    async get<T>(key: string) {
      // Like every key-value store, it trusts whoever asks for a type to have put it there.
      return (await read([key])).get(key) as T | undefined;
    },
    async getMany<T>(keys: string[]) {
      const found = await read(keys);
      // Likewise.
      return keys.map((key) => found.get(key) as T | undefined);
    },
    async set(key, value, ttlMs) {
      if (ttlMs !== undefined) throw new RangeError(`${key}: expected a value that stays, got one for ${ttlMs} ms`);
      return write(key, () => values.set(key, value));
    },
    delete: (key) => write(key, () => values.delete(key)),
  };
}
