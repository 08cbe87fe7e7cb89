import { type Clock, type InboundRevision, type Reader, roomOf, type SessionId } from "../../../src/index.js";
import type { TimedIds } from "./marks.js";

/** A stretch of a session's history that was read whole. */
export interface Stretch {
  readonly session: SessionId;
  /** Outside of it. */
  readonly after: string;
  /** Inside. */
  readonly until: string;
}

interface GoneOptions {
  readonly reader: Pick<Reader, "room" | "entries">;
  readonly clock: Clock;
  readonly ids: TimedIds;
}

/** Entries that are looked through: what was deleted matters only while it waits for its turn. */
const LOOK_BACK = 100;
/** History may lag behind: what has just been said is not gone because it does not show yet. */
const LAG_MS = 60_000;

/** Deletes of people's messages that the log has in the stretch, and the platform has not any more. `there`: the ids that it has. */
export async function goneFrom(
  { reader, clock, ids }: GoneOptions,
  { session, after, until }: Stretch,
  there: ReadonlySet<string>,
): Promise<readonly InboundRevision[]> {
  const sessions = (await reader.room(roomOf(session)))?.sessions ?? [];
  const seq = sessions.find(({ id }) => id === session)?.seq;
  if (seq === undefined) return [];
  const shown = ids.at(clock.now() - LAG_MS);
  const isGone = (id: string) =>
    !there.has(id) && ids.compare(id, after) > 0 && ids.compare(id, until) <= 0 && ids.compare(id, shown) < 0;
  const entries = await reader.entries(session, Math.max(0, seq - LOOK_BACK), LOOK_BACK);
  return entries.flatMap(({ entry }) => {
    const isPersons = entry.kind === "message" && entry.sender.kind === "person" && ids.isId(entry.id);
    return isPersons && isGone(entry.id) ? [{ session, id: entry.id, from: entry.sender.id }] : [];
  });
}
