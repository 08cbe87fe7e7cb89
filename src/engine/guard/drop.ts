import type { RoomId } from "../../domain/ids.js";
import type { Pair } from "../../domain/pair.js";
import type { EngineContext } from "../context.js";
import { RECORDS } from "../records.js";
import { heldOf } from "./pairs.js";
import { dropParts } from "./release.js";

const MAX_CONFLICTS = 5;

/** Drops what a paused pair holds. The pair stays paused: Resume then starts it afresh. Gives how many were dropped. */
export async function dropHeld(context: EngineContext, room: RoomId, id: string): Promise<number> {
  for (let i = 0; i < MAX_CONFLICTS; i++) {
    const record = await context.store.get<Pair>(room, RECORDS.pair, id);
    if (record?.value.state !== "paused") return 0;
    const held = await heldOf(context.store, room, id);
    if (held.length === 0) return 0;
    const result = await context.commit({ room, ...(await dropParts(context, record, held)), durable: true });
    if (result.status === "ok") return held.length;
  }
  return 0;
}
