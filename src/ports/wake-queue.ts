import type { SessionId } from "../domain/ids.js";

/** Runs one session. `signal` aborts when the right to run it is lost or the queue stops. */
export type WakeHandler = (session: SessionId, signal: AbortSignal) => Promise<void>;

/**
 * Says that a session has work. For one session at most one handler runs at a time (cluster-wide, where there is
 * a cluster); any number of wakes during a run become exactly one more run; a dead worker's session runs again.
 * A wake may be lost with the queue: `Store.dirty` repairs it.
 */
export interface WakeQueue {
  wake(session: SessionId): Promise<void>;
  /** Starts handling, at most `concurrency` sessions at once. */
  run(handler: WakeHandler, concurrency: number): Promise<void>;
  /** Resolves when nothing runs and nothing waits. For tests and an orderly stop. */
  idle(): Promise<void>;
  /** Takes no more wakes, aborts nothing by itself, resolves when running handlers have ended or `signal` aborts. */
  close(signal?: AbortSignal): Promise<void>;
}
