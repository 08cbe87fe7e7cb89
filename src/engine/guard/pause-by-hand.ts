import { roomOf, type SessionId } from "../../domain/ids.js";
import type { Pair, Trip } from "../../domain/pair.js";
import { type ChangeParts, joinParts } from "../change-parts.js";
import type { EngineContext } from "../context.js";
import { RECORDS, ROOM_KEY } from "../records.js";
import { changePair, loadPair, type PairRecord, pairsOf } from "./pairs.js";
import { pauseParts } from "./pause.js";

const MAX_CONFLICTS = 5;
const MANUAL: Trip = { reason: "manual", count: 0, limit: 0 };

/** Where and by whom a pause was said. */
export interface PauseOrder {
  readonly session: SessionId;
  /** Whether it is a direct conversation; counts where the room is made now. */
  readonly direct: boolean;
  readonly by: string;
}

/**
 * Pauses two agents where it is said: in this session, from the channel itself in every session of the room where they
 * have met. Works before they have met, too. Gives how many pairs this has paused.
 */
export async function pausePairs(
  context: EngineContext,
  said: PauseOrder,
  [a, b]: readonly [string, string],
): Promise<number> {
  const { session } = said;
  const room = roomOf(session);
  const here = await loadPair(context.store, room, { session, agent: a }, { session, agent: b });
  const met = await pairsOf(context.store, session, a, b);
  const records = met.some((record) => record.key === here.key) ? met : [...met, here];
  let paused = 0;
  for (const record of records) if (await pauseOne(context, record, said)) paused++;
  return paused;
}

async function pauseOne(context: EngineContext, record: PairRecord, said: PauseOrder): Promise<boolean> {
  const [a, b] = record.value.sides;
  const { by } = said;
  for (let i = 0; i < MAX_CONFLICTS; i++) {
    const current = await loadPair(context.store, record.room, a, b);
    if (current.value.state !== "open") return false;
    const pair: Pair = {
      ...current.value,
      state: "paused",
      generation: current.value.generation + 1,
      trip: MANUAL,
      delivered: 0,
      by,
    };
    const parts = await pauseParts(context, { pair, room: record.room, trip: MANUAL, by });
    const result = await context.commit({
      room: record.room,
      ...joinParts(changePair(current, pair), parts, await newRoom(context, said)),
      durable: true,
    });
    if (result.status === "ok") return true;
  }
  return false;
}

/** The record of a room in which nothing has been said yet: without it the room and its pause would be shown nowhere. */
async function newRoom(context: EngineContext, { session, direct }: PauseOrder): Promise<Partial<ChangeParts>> {
  const { value, version } = await context.rooms.getOrNew(session, direct);
  if (version > 0) return {};
  const record = { kind: RECORDS.room, key: ROOM_KEY };
  return { put: [{ ...record, value }], expect: [{ ...record, version }] };
}
