import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionId } from "../../src/domain/ids.js";
import type { WakeQueue } from "../../src/ports/wake-queue.js";

/** One queue under test, not running yet. `settle` waits until what can happen without time passing has happened. */
export interface WakeQueueHarness {
  readonly queue: WakeQueue;
  settle(): Promise<void>;
  dispose(): Promise<void>;
}

interface Started {
  readonly session: SessionId;
  readonly signal: AbortSignal;
  end(): void;
}

/** What every wake queue promises. */
export function wakeQueueContract(name: string, create: () => Promise<WakeQueueHarness>): void {
  describe(`${name} as a wake queue`, () => {
    let harness: WakeQueueHarness;
    let queue: WakeQueue;
    /** Runs in the order of their start; each lasts until the test ends it. */
    let started: Started[];

    beforeEach(async () => {
      harness = await create();
      queue = harness.queue;
      started = [];
    });
    afterEach(async () => {
      for (const run of started) run.end();
      await harness.dispose();
    });

    const handler = (session: SessionId, signal: AbortSignal) =>
      new Promise<void>((end) => started.push({ session, signal, end }));
    const sessions = () => started.map(({ session }) => session);
    const wakeAll = async (...woken: SessionId[]) => {
      for (const session of woken) await queue.wake(session);
      await harness.settle();
    };
    const end = async (...indexes: number[]) => {
      for (const index of indexes) started[index]?.end();
      await harness.settle();
    };

    it("runs a woken session", async () => {
      await queue.run(handler, 4);
      await wakeAll("a");

      expect(sessions()).toEqual(["a"]);
    });

    it("keeps what was woken before it ran", async () => {
      await wakeAll("a", "b", "a");
      await queue.run(handler, 4);
      await harness.settle();

      expect(new Set(sessions())).toEqual(new Set(["a", "b"]));
      expect(started).toHaveLength(2);
    });

    it("never runs one session twice at once, and makes one more run of any number of wakes during a run", async () => {
      await queue.run(handler, 4);
      await wakeAll("a");
      await wakeAll(...Array.from({ length: 20 }, () => "a"));
      expect(started).toHaveLength(1);

      await end(0);
      expect(started).toHaveLength(2);

      await end(1);
      expect(started).toHaveLength(2);
    });

    it("does not run a session again that nobody woke during its run", async () => {
      await queue.run(handler, 4);
      await wakeAll("a");
      await end(0);
      expect(started).toHaveLength(1);

      await wakeAll("a");
      expect(started).toHaveLength(2);
    });

    it("makes one run of many wakes that wait for their turn", async () => {
      await queue.run(handler, 1);
      await wakeAll("a", "b", "b", "b");
      await end(0);
      await end(1);

      expect(sessions()).toEqual(["a", "b"]);
    });

    it("runs no more sessions at once than it may, and the others as places come free", async () => {
      await queue.run(handler, 2);
      await wakeAll("a", "b", "c", "d");
      expect(started).toHaveLength(2);

      await end(0);
      expect(started).toHaveLength(3);

      await end(1, 2);
      expect(new Set(sessions())).toEqual(new Set(["a", "b", "c", "d"]));
    });

    it("lets a busy session not starve the others", async () => {
      await queue.run(handler, 1);
      await wakeAll("busy", "a", "b");
      for (let i = 0; i < 3; i++) {
        await wakeAll("busy");
        await end(i);
      }

      expect(sessions().slice(0, 4)).toEqual(["busy", "a", "b", "busy"]);
    });

    it("goes on with the other sessions when a handler throws", async () => {
      await queue.run(async (session, signal) => {
        if (session === "bad") throw new Error("planted");
        await handler(session, signal);
      }, 1);
      await wakeAll("bad", "a");

      expect(sessions()).toEqual(["a"]);
    });

    it("is idle when nothing runs and nothing waits", async () => {
      let isIdle = false;
      await queue.run(handler, 1);
      await queue.idle();
      await wakeAll("a", "b");
      const idle = queue.idle().then(() => {
        isIdle = true;
      });

      await end(0);
      expect(isIdle).toBe(false);

      await end(1);
      await idle;
      expect(isIdle).toBe(true);
    });

    it("closes when the running handlers have ended, without stopping them, and starts no more", async () => {
      let isClosed = false;
      await queue.run(handler, 1);
      await wakeAll("a", "b");
      await queue.wake("a");
      const closed = queue.close().then(() => {
        isClosed = true;
      });
      await harness.settle();
      expect(isClosed).toBe(false);
      expect(started[0]?.signal.aborted).toBe(false);

      await end(0);
      await closed;
      await wakeAll("c");
      expect(sessions()).toEqual(["a"]);
    });

    it("stops waiting for handlers when its deadline aborts, and tells them", async () => {
      const deadline = new AbortController();
      await queue.run(handler, 1);
      await wakeAll("a");
      const closed = queue.close(deadline.signal);
      deadline.abort();
      await closed;

      expect(started[0]?.signal.aborted).toBe(true);
    });

    it("closes at once when nothing runs", async () => {
      await queue.wake("a");
      await queue.close();

      expect(started).toEqual([]);
    });
  });
}
