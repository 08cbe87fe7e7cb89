import { type Clock, delay, type Logger } from "../../../src/index.js";
import { orLate } from "../../shared/or-late.js";

/** Work in order: of one lane one after the other, of different ones at once. */
export interface Lanes {
  /**
   * Takes the work, to be done when everything before it in its lane is done; work that fails is tried again a few times, and holds
   * up its lane meanwhile. `false`: there is too much already. `onLost` is called when it has failed for good.
   */
  add(lane: string, work: () => Promise<void>, onLost: (error: unknown) => void): boolean;
  /** Takes nothing more, and waits until what was taken is done. Within the deadline; never rejects. */
  close(deadlineMs: number): Promise<void>;
  /** What waits, and what is being done. */
  readonly size: number;
}

interface LanesOptions {
  readonly clock: Clock;
  readonly logger: Logger;
}

const MOST_WAITING = 5_000;
const TRIES = 4;
const FIRST_PAUSE_MS = 500;

export function createLanes({ clock, logger }: LanesOptions): Lanes {
  const last = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  let size = 0;
  let isClosed = false;

  async function persist(work: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (tries === TRIES || stopping.signal.aborted) throw error;
        logger.warn({ error, tries }, "something from Discord could not be kept; trying again");
        await delay(clock, FIRST_PAUSE_MS * 4 ** (tries - 1), stopping.signal).catch(() => undefined);
      }
    }
  }

  return {
    add(lane, work, onLost) {
      if (isClosed || size >= MOST_WAITING) return false;
      size++;
      const before = last.get(lane) ?? Promise.resolve();
      const done = before
        .then(() => persist(work))
        .catch(onLost)
        .finally(() => {
          size--;
          if (last.get(lane) === done) last.delete(lane);
        });
      last.set(lane, done);
      return true;
    },
    async close(deadlineMs) {
      isClosed = true;
      await orLate(Promise.all(last.values()), deadlineMs, clock, undefined);
      stopping.abort(new DOMException("The adapter stops", "AbortError"));
    },
    get size() {
      return size;
    },
  };
}
