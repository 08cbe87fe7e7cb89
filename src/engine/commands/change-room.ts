import { randomUUID } from "node:crypto";
import type { Room } from "../../domain/room.js";
import type { Answer } from "../../ports/platform.js";
import type { RecordPut } from "../../ports/store.js";
import { linePost, systemLine } from "../notices.js";
import { RECORDS, ROOM_KEY } from "../records.js";
import { type CommandCall, refusal } from "./command.js";

const MAX_CONFLICTS = 5;

/** A room as a command wants it, or why it cannot be so. */
export type RoomChange = { readonly room: Room; readonly line: string } | { readonly refuse: string };

/**
 * Changes the room's record and says so in its log, in one commit; a change that somebody else made meanwhile is taken
 * into account by deciding again. The room is made if nothing has been said in it yet.
 */
export async function changeRoom(call: CommandCall, decide: (room: Room) => RoomChange): Promise<Answer> {
  const { context, session } = call;
  for (let i = 0; i < MAX_CONFLICTS; i++) {
    const { room, value, version } = await context.rooms.getOrNew(session, call.room.value.direct);
    const change = decide(value);
    if ("refuse" in change) return refusal(change.refuse);
    const put: RecordPut[] = [{ kind: RECORDS.room, key: ROOM_KEY, value: change.room }];
    const result = await context.commit({
      room,
      expect: [{ kind: RECORDS.room, key: ROOM_KEY, version }],
      ...(await lineChange(call, change.line, put)),
      durable: true,
    });
    if (result.status === "ok") return { ok: true, view: { text: change.line, tone: "success" }, public: true };
  }
  return refusal("The room is changing too fast just now; try again.");
}

/** Says in the log what a command has changed, where the change itself is no record of the room. */
export function sayInRoom(call: CommandCall, line: string): Promise<Answer> {
  return changeRoom(call, (room) => ({ room, line }));
}

async function lineChange({ context, session }: CommandCall, line: string, put: readonly RecordPut[]) {
  const entry = systemLine(`line|${randomUUID()}`, line, context.clock.now());
  const order = (await context.store.session(session))?.seq ?? 0;
  return { append: [{ session, entry }], put: [...put, ...linePost(context, session, entry.id, order)] };
}
