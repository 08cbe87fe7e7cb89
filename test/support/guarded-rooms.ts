import type { EntryKind } from "../../src/domain/entry.js";
import type { PauseNotice } from "../../src/domain/notice.js";
import type { Pair } from "../../src/domain/pair.js";
import type { Held } from "../../src/engine/guard/pairs.js";
import { RECORDS } from "../../src/engine/records.js";
import type { Store } from "../../src/ports/store.js";
import { ROOM, type TestRooms } from "./rooms.js";

/** The room's pairs, by id. */
export async function pairsIn(store: Store, room = ROOM): Promise<Readonly<Record<string, Pair>>> {
  const records = await store.list<Pair>(room, RECORDS.pair);
  return Object.fromEntries(records.map(({ key, value }) => [key, value]));
}

/** The one pair of alpha and beta in the channel. */
export async function alphaAndBeta(store: Store): Promise<Pair | undefined> {
  return (await pairsIn(store))["alpha~beta"];
}

/** The notices of pauses, oldest pause first, with their keys. */
export async function pausesIn(store: Store, room = ROOM) {
  const records = await store.list<PauseNotice>(room, RECORDS.notice);
  const pauses = records.filter(({ value }) => value.type === "pause").map(({ key, value }) => ({ key, ...value }));
  return pauses.sort((a, b) => generationOf(a.key) - generationOf(b.key));
}

function generationOf(key: string): number {
  return Number(key.split("|").at(-1));
}

/** The key of the pause that is open; the newest if there are several. */
export async function openPause(store: Store, room = ROOM): Promise<string> {
  return (await pausesIn(store, room)).findLast(({ state }) => state === "open")?.key ?? "none";
}

export async function heldIn(store: Store, room = ROOM): Promise<readonly Held[]> {
  return (await store.list<Held>(room, RECORDS.held)).map(({ value }) => value);
}

/** The entries of some kinds in a session, oldest first. */
export async function entriesOf<K extends EntryKind>(rooms: Pick<TestRooms, "log">, kind: K, session = ROOM) {
  const log = await rooms.log(session);
  return log.flatMap(({ entry }) => (isKind(entry, kind) ? [entry] : []));
}

function isKind<E extends { kind: string }, K extends string>(entry: E, kind: K): entry is Extract<E, { kind: K }> {
  return entry.kind === kind;
}
