import { type Room, withJoined } from "../domain/room.js";
import type { EngineContext } from "./context.js";
import { RECORDS, ROOM_KEY } from "./records.js";

/**
 * Writes personas that are new in the team into the rooms whose rosters follow it. A room that changes meanwhile is left
 * alone: it computes its members afresh at every use, and the next reconciliation takes it along.
 */
export async function reconcileRosters(context: EngineContext): Promise<void> {
  const { handles } = context.team();
  for (const room of await context.store.rooms(RECORDS.room)) {
    const record = await context.store.get<Room>(room, RECORDS.room, ROOM_KEY);
    if (!record) continue;
    const value = withJoined(record.value, handles);
    if (value === record.value) continue;
    const { kind, key, version } = record;
    await context.commit({ room, expect: [{ kind, key, version }], put: [{ kind, key, value }] });
  }
}
