/**
 * Values without order, transactions or guards: room settings, persona memory, cached look-ups.
 * Keyv satisfies it. Times to live are in milliseconds; a value with one may vanish at any time.
 */
export interface KeyValue {
  get<T>(key: string): Promise<T | undefined>;
  /** In the order of the keys; holes are `undefined`. */
  getMany<T>(keys: string[]): Promise<(T | undefined)[]>;
  set(key: string, value: unknown, ttlMs?: number): Promise<unknown>;
  delete(key: string): Promise<boolean>;
}
