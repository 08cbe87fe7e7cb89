import type { Draft } from "../../../src/domain/entry.js";
import type { SessionId } from "../../../src/domain/ids.js";
import type { Append, Change, CommitResult, Store } from "../../../src/ports/store.js";

export const ROOM = "web:local:general";
export const THREAD = `${ROOM}:t1`;
export const OTHER_ROOM = "web:local:random";

/** One store under test, open. */
export interface StoreHarness {
  readonly store: Store;
  /** Closes the store and answers one on the same data, open, as a restart would. */
  restart(): Promise<Store>;
  dispose(): Promise<void>;
}

/** Appends drafts to one session of its room; rejects unless the commit is accepted. */
export function appendAll(store: Store, session: SessionId, drafts: readonly Draft[]): Promise<CommitResult> {
  return accepted(store, {
    room: session.split(":", 3).join(":"),
    append: drafts.map((entry) => ({ session, entry })),
  });
}

/** Commits; rejects unless it is accepted. */
export async function accepted(store: Store, change: Change): Promise<CommitResult & { status: "ok" }> {
  const result = await store.commit(change);
  if (result.status !== "ok") throw new Error(`expected an accepted commit, got ${result.status}`);
  return result;
}

export function appendTo(session: SessionId, entry: Draft): Append {
  return { session, entry };
}

/** Everything that can be read back of two rooms, to see that nothing has changed. */
export async function everything(store: Store): Promise<unknown> {
  const rooms = [ROOM, OTHER_ROOM];
  const sessions = (await Promise.all(rooms.map((room) => store.sessions(room)))).flat();
  return {
    sessions,
    logs: await Promise.all(sessions.map(({ session }) => store.read(session, 0, 1000))),
    records: await Promise.all(rooms.flatMap((room) => ["room", "hold"].map((kind) => store.list(room, kind)))),
    dirty: await store.dirty(1000),
    due: await store.due("hold", Number.MAX_SAFE_INTEGER, 1000),
  };
}
