import type { LanguageModelMiddleware } from "ai";
import type { BrainFailure } from "../../ports/brain.js";
import { type Clock, delay } from "../../ports/clock.js";

const MAX_RETRIES = 2;
const FIRST_WAIT_MS = 2_000;
/** A provider that asks for more gets its way: the turn fails and says when to try again. */
const LONGEST_WAIT_MS = 20_000;

export interface RetryOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly classify: (error: unknown) => BrainFailure;
  /** Called before each wait; the returned function after it. */
  readonly onWait: (failure: BrainFailure, waitMs: number) => () => void;
}

/**
 * Repeats the start of a model call that failed for a passing reason: at most twice, after 2 and 4 seconds or as long as
 * `Retry-After` says. An answer that has begun is never repeated. In place of the library's own retries, which ignore a long
 * `Retry-After` and wait on the real clock.
 */
export function retryMiddleware(options: RetryOptions): LanguageModelMiddleware {
  return { specificationVersion: "v3", wrapStream: ({ doStream }) => withRetries(options, doStream) };
}

async function withRetries<T>(options: RetryOptions, start: () => PromiseLike<T>): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await start();
    } catch (error) {
      const waitMs = retryWait(options, error, retry);
      if (waitMs === undefined) throw error;
      const waited = options.onWait(options.classify(error), waitMs);
      await delay(options.clock, waitMs, options.signal).finally(waited);
    }
  }
}

/** How long to wait before trying again; `undefined`: do not. */
function retryWait(options: RetryOptions, error: unknown, retry: number): number | undefined {
  if (options.signal.aborted || retry >= MAX_RETRIES) return undefined;
  const failure = options.classify(error);
  if (!failure.retryable || failure.class === "protocol") return undefined;
  const waitMs = failure.retryAfterMs ?? FIRST_WAIT_MS * 2 ** retry;
  return waitMs <= LONGEST_WAIT_MS ? waitMs : undefined;
}
