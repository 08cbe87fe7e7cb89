import type { Clock } from "../../ports/clock.js";

/** Notices when a model has stopped sending. Time in which we ourselves keep it waiting does not count. */
export interface StallWatch {
  /** Watches while `work` is awaited; each call starts anew. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Stops the watch while a tool runs or a retry waits; the returned function, called once, starts it anew. */
  hold(): () => void;
}

/** Calls `onStall` when something awaited has not come for `ms`. */
export function createStallWatch(clock: Clock, ms: number, onStall: () => void): StallWatch {
  let holds = 0;
  let waiting = false;
  let cancel: (() => void) | undefined;
  const rearm = () => {
    cancel?.();
    cancel = waiting && holds === 0 ? clock.after(ms, onStall) : undefined;
  };
  return {
    async during(work) {
      waiting = true;
      rearm();
      try {
        return await work;
      } finally {
        waiting = false;
        rearm();
      }
    },
    hold() {
      holds += 1;
      rearm();
      return () => {
        holds -= 1;
        rearm();
      };
    },
  };
}
