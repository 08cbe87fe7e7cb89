/** Lets at most `limit` holders in at once, first come first served. */
export interface Semaphore {
  /** Resolves with a function that gives the place back (once); rejects with the signal's reason when it aborts first. */
  acquire(signal: AbortSignal): Promise<() => void>;
  /** Lets nobody in any more: who waits, and whoever comes, is refused. Holders go on. */
  close(): void;
}

const CLOSED = new DOMException("No more places are given out", "AbortError");

export function createSemaphore(limit: number): Semaphore {
  let free = limit;
  const waiting = new Set<{ enter(): void; leave(reason: unknown): void }>();
  let isClosed = false;

  function release(): void {
    const [next] = waiting;
    if (next === undefined) free++;
    else next.enter();
  }

  function place(): () => void {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      release();
    };
  }

  return {
    acquire(signal) {
      if (isClosed) return Promise.reject(CLOSED);
      if (signal.aborted) return Promise.reject(signal.reason);
      if (free > 0) {
        free--;
        return Promise.resolve(place());
      }
      return new Promise((resolve, reject) => {
        const end = () => {
          waiting.delete(waiter);
          signal.removeEventListener("abort", onAbort);
        };
        const waiter = {
          enter() {
            end();
            resolve(place());
          },
          leave(reason: unknown) {
            end();
            reject(reason);
          },
        };
        const onAbort = () => waiter.leave(signal.reason);
        waiting.add(waiter);
        signal.addEventListener("abort", onAbort, { once: true });
      });
    },
    close() {
      isClosed = true;
      for (const waiter of [...waiting]) waiter.leave(CLOSED);
    },
  };
}
