import { describe, expect, it } from "vitest";
import type { Logger } from "../../src/ports/logger.js";
import { createLocalWakeQueue } from "../../src/store/local-wake-queue.js";
import { wakeQueueContract } from "../contract/wake-queue.js";
import { createFakeClock, settle } from "../support/fake-clock.js";

wakeQueueContract("The local wake queue", async () => {
  const queue = createLocalWakeQueue();
  return { queue, settle: () => settle(3), dispose: () => queue.close() };
});

/** Keeps the messages of errors. */
function recordingLogger(lines: object[]): Logger {
  const ignore = () => {};
  return {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: (fields) => lines.push(fields),
    child: () => recordingLogger(lines),
  };
}

describe("A handler that throws in the local wake queue", () => {
  function failing(failures: number) {
    const clock = createFakeClock();
    const lines: object[] = [];
    const queue = createLocalWakeQueue({ clock, logger: recordingLogger(lines) });
    const runs: number[] = [];
    const handler = async () => {
      runs.push(clock.monotonic());
      if (runs.length <= failures) throw new Error("planted");
    };
    return { clock, lines, queue, runs, handler };
  }

  it("runs again after a growing pause until it succeeds, and is logged each time", async () => {
    const { clock, lines, queue, runs, handler } = failing(2);
    await queue.run(handler, 1);
    await queue.wake("a");
    await settle();
    await clock.advance(60_000);

    expect(runs).toEqual([0, 250, 750]);
    expect(lines).toMatchObject([{ session: "a" }, { session: "a" }]);
    await queue.idle();
  });

  it("is left to its next wake after five retries", async () => {
    const { clock, queue, runs, handler } = failing(100);
    await queue.run(handler, 1);
    await queue.wake("a");
    await settle();
    await clock.advance(3_600_000);
    expect(runs).toHaveLength(6);
    await queue.idle();

    await queue.wake("a");
    await clock.advance(0);
    expect(runs).toHaveLength(7);
    await clock.advance(3_600_000);
    expect(runs).toHaveLength(12);
  });

  it("runs at once when it is woken during the pause, and once only", async () => {
    const { clock, queue, runs, handler } = failing(1);
    await queue.run(handler, 1);
    await queue.wake("a");
    await clock.advance(100);
    await queue.wake("a");
    await clock.advance(60_000);

    expect(runs).toEqual([0, 100]);
  });

  it("leaves no timer behind when the queue closes", async () => {
    const { clock, queue, handler } = failing(1);
    await queue.run(handler, 1);
    await queue.wake("a");
    await clock.advance(0);
    await queue.close();

    expect(clock.pending).toBe(0);
  });

  it("refuses a second handler and a concurrency below one", async () => {
    const { queue, handler } = failing(0);

    await expect(queue.run(handler, 0)).rejects.toThrow(RangeError);
    await queue.run(handler, 1);
    await expect(queue.run(handler, 1)).rejects.toThrow(TypeError);
  });
});
