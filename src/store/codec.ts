import type { Draft, Entry } from "../domain/entry.js";
import { ENTRY_VERSION, upcast } from "../domain/entry-version.js";
import { StoreError } from "../domain/errors.js";
import type { SessionId } from "../domain/ids.js";

/** The place that a store gives an entry. */
export interface Place {
  readonly session: SessionId;
  readonly seq: number;
}

/** A draft with its place and the version that this program writes. */
export function placed(draft: Draft, place: Place): Entry {
  return { ...draft, ...place, v: ENTRY_VERSION };
}

/** The stored form of an entry: all but its place, which the store keeps beside it. */
export function encodeEntry(entry: Entry): string {
  const { session: _session, seq: _seq, ...body } = entry;
  return JSON.stringify(body);
}

/** The entry at a place, upcast to today's version. Throws `store_corrupt` for text that is no JSON. */
export function decodeEntry(body: string, place: Place): Entry {
  const raw = decode(body, () => `entry ${place.seq} of ${place.session}`);
  return upcast(typeof raw === "object" ? Object.assign(raw ?? {}, place) : place);
}

/** The stored form of a value. Throws a `RangeError` for what JSON cannot hold. */
export function encodeValue(value: unknown, what: string): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new RangeError(`${what}: expected a JSON value, got ${typeof value}`);
  return text;
}

/** The value of a stored form; `T` is what its writer put there. Throws `store_corrupt` for text that is no JSON. */
export function decodeValue<T>(text: string, what: () => string): T {
  // The stores hold only what `encodeValue` wrote, and callers name the type that they put.
  return decode(text, what) as T;
}

function decode(text: string, what: () => string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new StoreError("store_corrupt", `${what()} is damaged in the store: restore a backup of the data folder`, {
      cause,
    });
  }
}
