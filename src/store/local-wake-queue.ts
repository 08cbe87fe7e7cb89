import type { SessionId } from "../domain/ids.js";
import type { Clock } from "../ports/clock.js";
import type { Logger } from "../ports/logger.js";
import type { WakeHandler, WakeQueue } from "../ports/wake-queue.js";

/** How often and how soon a session runs again whose handler threw. */
const RETRY = { limit: 5, firstMs: 250, capMs: 10_000 } as const;

export interface LocalWakeQueueOptions {
  readonly logger?: Logger;
  /** Times the retries of a session whose handler threw. Without one it waits for its next wake. */
  readonly clock?: Clock;
}

interface Run {
  again: boolean;
  readonly stop: AbortController;
}

/**
 * The wake queue of one process. Sessions run in the order of their wakes; one that is woken during its run goes to the
 * end of the line, so that a busy session does not starve the others. It holds at most one place per session.
 *
 * A handler that throws costs the queue nothing: the session runs again after a growing pause, at most five times, then
 * at its next wake or sweep. Such a pause counts as waiting for `idle`.
 */
export function createLocalWakeQueue(options: LocalWakeQueueOptions = {}): WakeQueue {
  return new LocalWakeQueue(options);
}

class LocalWakeQueue implements WakeQueue {
  readonly #options: LocalWakeQueueOptions;
  /** In the order of the wakes; a set keeps the first place of a session that is woken again. */
  readonly #waiting = new Set<SessionId>();
  readonly #running = new Map<SessionId, Run>();
  readonly #failures = new Map<SessionId, number>();
  readonly #pauses = new Map<SessionId, () => void>();
  #handler: WakeHandler | undefined;
  #concurrency = 0;
  #isClosed = false;
  #whenIdle: (() => void)[] = [];

  constructor(options: LocalWakeQueueOptions) {
    this.#options = options;
  }

  async wake(session: SessionId): Promise<void> {
    if (this.#isClosed) return;
    const run = this.#running.get(session);
    if (run) {
      run.again = true;
      return;
    }
    this.#enqueue(session);
  }

  async run(handler: WakeHandler, concurrency: number): Promise<void> {
    if (this.#handler) throw new TypeError("the wake queue runs already: expected one call of run");
    if (!(concurrency >= 1)) throw new RangeError(`concurrency: expected at least 1, got ${concurrency}`);
    this.#handler = handler;
    this.#concurrency = concurrency;
    this.#pump();
  }

  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve);
      this.#settle();
    });
  }

  async close(signal?: AbortSignal): Promise<void> {
    this.#isClosed = true;
    this.#waiting.clear();
    for (const cancel of this.#pauses.values()) cancel();
    this.#pauses.clear();
    await Promise.race([this.idle(), this.#stopped(signal)]);
  }

  #enqueue(session: SessionId): void {
    this.#pauses.get(session)?.();
    this.#pauses.delete(session);
    this.#waiting.add(session);
    this.#pump();
  }

  #pump(): void {
    const handler = this.#handler;
    if (!handler) return;
    for (const session of this.#waiting) {
      if (this.#running.size >= this.#concurrency) return;
      this.#waiting.delete(session);
      void this.#start(session, handler);
    }
  }

  /** Never rejects. */
  async #start(session: SessionId, handler: WakeHandler): Promise<void> {
    const run: Run = { again: false, stop: new AbortController() };
    this.#running.set(session, run);
    const failed = await this.#attempt(session, handler, run);
    this.#running.delete(session);
    if (!this.#isClosed) this.#next(session, failed, run.again);
    this.#pump();
    this.#settle();
  }

  async #attempt(session: SessionId, handler: WakeHandler, run: Run): Promise<boolean> {
    try {
      await handler(session, run.stop.signal);
      this.#failures.delete(session);
      return false;
    } catch (error) {
      this.#options.logger?.error({ session, error }, "a session's run failed");
      return true;
    }
  }

  #next(session: SessionId, failed: boolean, again: boolean): void {
    const failures = failed ? (this.#failures.get(session) ?? 0) + 1 : 0;
    const { clock } = this.#options;
    if (failed && clock && failures <= RETRY.limit) {
      this.#failures.set(session, failures);
      const pauseMs = Math.min(RETRY.firstMs * 2 ** (failures - 1), RETRY.capMs);
      this.#pauses.set(
        session,
        clock.after(pauseMs, () => this.#enqueue(session)),
      );
      return;
    }
    this.#failures.delete(session);
    if (again) this.#waiting.add(session);
  }

  #settle(): void {
    if (this.#running.size + this.#waiting.size + this.#pauses.size > 0) return;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  /** Resolves when the signal aborts, telling the handlers that still run. */
  #stopped(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const stop = () => {
        for (const run of this.#running.values()) run.stop.abort(signal?.reason);
        resolve();
      };
      if (signal?.aborted) stop();
      else signal?.addEventListener("abort", stop, { once: true });
    });
  }
}
