import type { Clock } from "../../../src/ports/clock.js";
import type { Args } from "./args.js";
import type { SlackApp } from "./model.js";

/** The limits that a test switches on; all are off at first, so that nothing waits without need. */
export interface Limits {
  /** One post a second for each app and channel, after this many at once; 0 is no limit. */
  postBurst: number;
  /** The class of apps that may read history once a minute, 15 messages at a time. */
  isHistoryScarce: boolean;
  /** A text longer than this is posted as two messages; 0 never. */
  splitTextAt: number;
}

export interface Limiter {
  readonly limits: Limits;
  /** The seconds to wait, when this call is one too many. */
  check(app: SlackApp, method: string, args: Args): number | undefined;
}

export function createLimiter(clock: Clock): Limiter {
  const limits: Limits = { postBurst: 0, isHistoryScarce: false, splitTextAt: 0 };
  /** What each has saved up, in the milliseconds that one call costs: whole numbers, so that nothing is lost in adding up. */
  const buckets = new Map<string, { savedMs: number; at: number }>();

  function take(key: string, burst: number, costMs: number): number | undefined {
    const now = clock.now();
    const bucket = buckets.get(key) ?? { savedMs: burst * costMs, at: now };
    const savedMs = Math.min(burst * costMs, bucket.savedMs + now - bucket.at);
    const isEnough = savedMs >= costMs;
    buckets.set(key, { savedMs: isEnough ? savedMs - costMs : savedMs, at: now });
    return isEnough ? undefined : Math.ceil((costMs - savedMs) / 1_000);
  }

  return {
    limits,
    check(app, method, args) {
      if (method === "chat.postMessage" && limits.postBurst > 0)
        return take(`post ${app.appId} ${args.text("channel")}`, limits.postBurst, 1_000);
      if (limits.isHistoryScarce && (method === "conversations.history" || method === "conversations.replies"))
        return take(`${method} ${app.appId}`, 1, 60_000);
      return undefined;
    },
  };
}
