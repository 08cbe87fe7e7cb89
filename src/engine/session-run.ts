import type { RoomId } from "../domain/ids.js";
import type { Pair } from "../domain/pair.js";
import type { Begun, Change, Cursor } from "../ports/store.js";
import type { EngineContext } from "./context.js";
import type { ErrandOwners } from "./errands.js";
import type { Semaphore } from "./semaphore.js";
import type { Turns } from "./turns.js";

/** What draining sessions needs. */
export interface DrainDeps {
  readonly context: EngineContext;
  readonly turns: Turns;
  /** Places for turns, over all sessions. */
  readonly slots: Semaphore;
  /** Names this process in fences. */
  readonly owner: string;
  /** Aborts when the process stops: the turn that runs goes on, nothing new is taken. */
  readonly stopping: AbortSignal;
  /** A message of this pair has been held or refused; its pause may be new. */
  readonly onPaused: (room: RoomId, pair: Pair) => void;
  /** A person's prompt has let this pair go on. */
  readonly onRelease: (room: RoomId, pair: string) => void;
  /** Who sends errands. */
  readonly errands: ErrandOwners;
}

/** A session as its owner works on it. The cursor is the one that the last commit left. */
export interface SessionRun {
  readonly begun: Begun;
  readonly signal: AbortSignal;
  cursor: Cursor;
}

/** Whether the drain may go on after a step, or somebody else owns the session now or the process stops. */
export type Next = "go on" | "leave";

export type OwnerChange = Pick<Change, "append" | "outcomes" | "put" | "expect" | "delete" | "soon">;

/**
 * Commits as the session's owner and moves the cursor. A conflict means that what was decided rests on a record that has
 * changed: the session is taken up afresh.
 */
export async function commitStep(
  context: EngineContext,
  run: SessionRun,
  change: OwnerChange,
  to: Cursor,
): Promise<Next> {
  const { session, room, fence } = run.begun;
  const result = await context.commit({ room, ...change, turn: { session, fence, from: run.cursor, to } });
  if (result.status === "conflict") await context.queue.wake(session);
  if (result.status !== "ok") return "leave";
  run.cursor = to;
  return "go on";
}
