import { describe, expect, it } from "vitest";
import { supervise } from "../../src/engine/supervise.js";
import type { Inbox, Platform } from "../../src/ports/platform.js";
import { createFakeChat } from "../fakes/chat-platform.js";
import { createFakeClock, settle } from "../support/fake-clock.js";
import { quietLogger } from "../support/rooms.js";

/** Only handed on: the adapters of these tests receive nothing. */
const inbox = {} as Inbox;

/** An adapter under supervision whose starts go as the test says. */
function supervised(start: (attempt: number, signal: AbortSignal) => Promise<void>) {
  const clock = createFakeClock();
  const attempts: number[] = [];
  const platform: Platform = createFakeChat();
  platform.status = () => ({ ready: true });
  platform.start = (_, signal) => {
    attempts.push(clock.monotonic());
    return start(attempts.length, signal);
  };
  return { clock, attempts, one: supervise({ platform, inbox, clock, logger: quietLogger }) };
}

describe("a supervised adapter", () => {
  it("is tried again with pauses that double up to a minute, for as long as it fails", async () => {
    const { clock, attempts, one } = supervised(() => Promise.reject(new Error("no connection")));

    await clock.advance(240_000);

    const pauses = attempts.slice(1).map((at, i) => at - (attempts[i] ?? 0));
    expect(pauses.slice(0, 8)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    expect(one.status()).toEqual({ ready: false, problem: "no connection" });
  });

  it("says what its platform says once it runs", async () => {
    const { one } = supervised(async () => {});
    expect(one.status()).toEqual({ ready: false, problem: "not connected yet" });

    await settle();

    expect(one.status()).toEqual({ ready: true });
  });

  it("that does not come up in half a minute is given up and tried again", async () => {
    const { clock, attempts, one } = supervised((attempt) =>
      attempt === 1 ? new Promise(() => {}) : Promise.resolve(),
    );

    await clock.advance(29_000);
    expect(attempts).toHaveLength(1);
    await clock.advance(3_000);

    expect(attempts).toHaveLength(2);
    expect(one.status()).toEqual({ ready: true });
  });

  it("has a problem also when it fails with something that is no error", async () => {
    // What a broken adapter may do.
    const { one } = supervised(() => Promise.reject("oops" as unknown as Error));

    await settle();

    expect(one.status()).toEqual({ ready: false, problem: "could not start" });
  });

  it("stops at once while it starts or waits for its next try, and starts no more", async () => {
    for (const start of [() => new Promise<void>(() => {}), () => Promise.reject(new Error("no"))]) {
      const { clock, attempts, one } = supervised(start);
      await settle();

      await one.stop(1_000);
      await clock.advance(120_000);

      expect(attempts).toHaveLength(1);
    }
  });
});
