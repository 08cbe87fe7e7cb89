import { platformOf, type SessionId } from "../domain/ids.js";
import type { Brain } from "../ports/brain.js";
import type { Calendar } from "../ports/calendar.js";
import type { Clock } from "../ports/clock.js";
import type { Logger } from "../ports/logger.js";
import type { Platform } from "../ports/platform.js";
import type { Change, CommitResult, Store } from "../ports/store.js";
import type { WakeQueue } from "../ports/wake-queue.js";
import type { EngineConfig } from "./config.js";
import type { Feed } from "./feed.js";
import type { Meter } from "./meter.js";
import { type OutboxPut, type OutboxRow, RECORDS } from "./records.js";
import type { Rooms } from "./rooms.js";
import type { Team } from "./team.js";

/** What every part of the engine works with. */
export interface EngineContext {
  readonly store: Store;
  readonly queue: WakeQueue;
  readonly clock: Clock;
  /** Without one nobody can make schedules, and none fires. */
  readonly calendar?: Calendar;
  readonly logger: Logger;
  readonly config: EngineConfig;
  readonly feed: Feed;
  readonly meter: Meter;
  readonly rooms: Rooms;
  readonly platforms: ReadonlyMap<string, Platform>;
  readonly brains: ReadonlyMap<string, Brain>;
  /** The team as it is now; it may be another one at the next call. */
  team(): Team;
  /** Whether a post of this session would go out at once. */
  isFree(session: SessionId): boolean;
  /** Commits, and tells the feed what changed. The engine never calls the store's `commit` itself. */
  commit(change: Change): Promise<CommitResult>;
}

/** The platform a session lives on. A session of a platform that is not configured any more has none. */
export function platformFor(context: Pick<EngineContext, "platforms">, session: SessionId): Platform | undefined {
  return context.platforms.get(platformOf(session));
}

/** Whether posts of this session go through the outbox. */
export function posts(context: Pick<EngineContext, "platforms">, session: SessionId): boolean {
  return platformFor(context, session)?.capabilities.delivery === "post";
}

/**
 * The one way to commit. Once the store answers, what changed is published to the room's feed, and the outbox of each session
 * with something new to post is worked on.
 */
export function createCommit(
  store: Store,
  feed: Feed,
  onOutbox: (session: SessionId, put: readonly OutboxPut[]) => void,
): EngineContext["commit"] {
  return async (change) => {
    const result = await store.commit(change);
    if (result.status !== "ok") return result;
    const { room } = change;
    for (const { session, seq } of result.entries) feed.publish(room, { type: "log", session, seq });
    for (const { session, seq } of change.outcomes ?? []) feed.publish(room, { type: "outcome", session, seq });
    if (change.put?.some(shownWithRoom) || change.delete?.some(shownWithRoom)) feed.publish(room, { type: "room" });
    for (const [session, rows] of postsIn(change)) onOutbox(session, rows);
    return result;
  };
}

/** What the change has to post or edit, by session. */
function postsIn({ put = [] }: Change): ReadonlyMap<SessionId, readonly OutboxPut[]> {
  const posts = new Map<SessionId, OutboxPut[]>();
  for (const { kind, key, value } of put) {
    if (kind !== RECORDS.outbox) continue;
    // Only the engine writes these records, and always whole rows.
    const row = { key, value: value as OutboxRow };
    posts.set(row.value.session, [...(posts.get(row.value.session) ?? []), row]);
  }
  return posts;
}

/** Records that are part of a room's state, as the reader shows it. */
function shownWithRoom(record: { readonly kind: string }): boolean {
  return record.kind === "room" || record.kind === "notice" || record.kind === "pair";
}
