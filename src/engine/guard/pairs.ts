import { type RoomId, roomOf, type SessionId } from "../../domain/ids.js";
import { createPair, type Pair, pairId, type Side } from "../../domain/pair.js";
import { NO_WORK, type WorkLog } from "../../domain/progress.js";
import type { RecordExpectation, RecordPut, Store, StoredRecord } from "../../ports/store.js";
import { agentKey, RECORDS } from "../records.js";

export type PairRecord = StoredRecord<Pair>;

/** A message that is held back, oldest order first. */
export interface Held {
  readonly pair: string;
  readonly order: number;
  /** The message, in the receiver's session. */
  readonly session: SessionId;
  readonly entry: string;
  readonly to: string;
  /** Failed deliveries. */
  readonly attempts: number;
}

/** The pair of two agent sessions; version 0 where they have not met. */
export async function loadPair(store: Store, room: RoomId, a: Side, b: Side): Promise<PairRecord> {
  const key = pairId(room, a, b);
  const found = await store.get<Pair>(room, RECORDS.pair, key);
  return found ?? { room, kind: RECORDS.pair, key, version: 0, value: createPair(room, a, b) };
}

/** The room's pairs that somebody is in; said in the channel itself, in whatever session of the room they are. */
export async function pairsOf(
  store: Store,
  session: SessionId,
  ...agents: readonly string[]
): Promise<readonly PairRecord[]> {
  const room = roomOf(session);
  const pairs = await store.list<Pair>(room, RECORDS.pair);
  return pairs.filter(({ value: { sides } }) => {
    const isHere = session === room || sides.some((side) => side.session === session);
    return isHere && agents.every((agent) => sides.some((side) => side.agent === agent));
  });
}

/** The new form of a pair, refused as a conflict when somebody else has changed it meanwhile. */
export function changePair(
  record: PairRecord,
  value: Pair,
): { readonly put: readonly RecordPut[]; readonly expect: readonly RecordExpectation[] } {
  const { kind, key } = record;
  // A release that is under way is found again by its due time after a restart.
  const due = value.state === "releasing" || value.notify !== undefined ? { due: 0 } : {};
  return { put: [{ kind, key, value, ...due }], ...unchanged(record) };
}

/** What was decided rests on this form of the pair: refused as a conflict when somebody has changed it meanwhile. */
export function unchanged({ kind, key, version }: PairRecord): { readonly expect: readonly RecordExpectation[] } {
  return { expect: [{ kind, key, version }] };
}

/** What both sides have worked, in the order of the pair's sides. */
export async function workOf(store: Store, room: RoomId, { sides }: Pair): Promise<readonly [WorkLog, WorkLog]> {
  const [a, b] = sides;
  return [await workOfSide(store, room, a), await workOfSide(store, room, b)];
}

async function workOfSide(store: Store, room: RoomId, { session, agent }: Side): Promise<WorkLog> {
  return (await store.get<WorkLog>(room, RECORDS.work, agentKey(session, agent)))?.value ?? NO_WORK;
}

/** The pair's held messages, oldest first. */
export async function heldOf(store: Store, room: RoomId, pair: string): Promise<readonly StoredRecord<Held>[]> {
  const held = await store.list<Held>(room, RECORDS.held);
  return held.filter(({ value }) => value.pair === pair);
}

/** Key of a held message: sorts by pair, then by order. */
export function heldKey(pair: string, order: number): string {
  return `${pair}|${String(order).padStart(9, "0")}`;
}

/** The sessions in which a pair's records stand: one entry each, once where both sides share a session. */
export function sessionsOf({ sides }: Pair): readonly SessionId[] {
  return [...new Set(sides.map((side) => side.session))];
}
