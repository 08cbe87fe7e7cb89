import type { Clock } from "../ports/clock.js";
import { delay } from "../ports/clock.js";
import type { Logger } from "../ports/logger.js";
import type { Inbox, Platform, PlatformStatus } from "../ports/platform.js";

const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;
const START_TIMEOUT_MS = 30_000;

/** Keeps one adapter running: starts it, and starts it again with growing pauses when that fails. */
export interface Supervised {
  readonly platform: Platform;
  status(): PlatformStatus;
  stop(deadlineMs: number): Promise<void>;
}

interface SuperviseOptions {
  readonly platform: Platform;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Begins at once and never rejects: an adapter that cannot start leaves the others and the service up. */
export function supervise({ platform, inbox, clock, logger }: SuperviseOptions): Supervised {
  const stopping = new AbortController();
  let problem: string | undefined = "not connected yet";

  async function keepStarting(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; failures++) {
      try {
        await startOnce();
        problem = undefined;
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        problem = error instanceof Error ? error.message : "could not start";
        logger.warn(
          { platform: platform.name, failures: failures + 1, error },
          "an adapter could not start; trying again",
        );
        const pause = Math.min(FIRST_BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS);
        await delay(clock, pause, stopping.signal).catch(() => undefined);
      }
    }
  }

  async function startOnce(): Promise<void> {
    const timeout = new AbortController();
    const cancel = clock.after(START_TIMEOUT_MS, () =>
      timeout.abort(new DOMException("The adapter did not start in time", "AbortError")),
    );
    const signal = AbortSignal.any([stopping.signal, timeout.signal]);
    try {
      await Promise.race([platform.start(inbox, stopping.signal), rejection(signal)]);
    } finally {
      cancel();
    }
  }

  const started = keepStarting();
  return {
    platform,
    status: () => (problem === undefined ? platform.status() : { ready: false, problem }),
    async stop(deadlineMs) {
      stopping.abort(new DOMException("The adapter stops", "AbortError"));
      await started;
      await platform.stop(deadlineMs);
    },
  };
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
