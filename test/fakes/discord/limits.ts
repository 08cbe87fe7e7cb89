import type { Clock } from "../../../src/ports/clock.js";
import type { LimitScope } from "./faults.js";

/** So many within so long. */
export interface Allowance {
  readonly count: number;
  readonly ms: number;
}

/** The limits of a webhook's posts, as they are known. */
export const PER_WEBHOOK: Allowance = { count: 5, ms: 2_000 };
/** Of all webhooks of a channel together; no header tells of it. */
export const PER_CHANNEL: Allowance = { count: 30, ms: 60_000 };

/** What a call is counted by. */
export interface Counted {
  readonly method: string;
  /** The webhook, channel or guild that the bucket belongs to. */
  readonly major: string;
  /** The channel that a webhook posts to. */
  readonly channelId: string | undefined;
}

export interface Limited {
  readonly retryAfterSeconds: number;
  readonly scope: LimitScope;
}

/** Counts requests. Every limit is off until a test switches it on. */
export interface Limiter {
  readonly limits: {
    /** Posts of one webhook, with bucket headers. */
    webhook: Allowance | undefined;
    /** Posts of all webhooks in one channel, without. */
    channel: Allowance | undefined;
    /** All requests of one token, or of the address for those without. */
    global: Allowance | undefined;
    /** Messages of a bot in one channel, with bucket headers. */
    messages: Allowance | undefined;
  };
  /** Invalid requests so far: answers 401, 403, and 429 that are not shared. */
  invalid: number;
  /** Counts the call; the headers to answer with, and the limit that it meets. */
  check(call: Counted): { readonly headers: Readonly<Record<string, string>>; readonly limited?: Limited };
}

export function createLimiter(clock: Clock): Limiter {
  const times = new Map<string, number[]>();

  /** Milliseconds until the next is allowed; counts it if that is now. */
  function take(
    key: string,
    { count, ms }: Allowance,
  ): { readonly waitMs: number; readonly left: number; readonly resetMs: number } {
    const now = clock.now();
    const recent = (times.get(key) ?? []).filter((at) => at > now - ms);
    const isFull = recent.length >= count;
    if (!isFull) recent.push(now);
    times.set(key, recent);
    const resetMs = (recent[0] ?? now) + ms - now;
    return { waitMs: isFull ? resetMs : 0, left: count - recent.length, resetMs };
  }

  const limiter: Limiter = {
    limits: { webhook: undefined, channel: undefined, global: undefined, messages: undefined },
    invalid: 0,
    check({ method, major, channelId }) {
      const { webhook, channel, global, messages } = limiter.limits;
      // Answers to interactions are free.
      const overall = method !== "create_interaction_response" && global ? take("global", global) : undefined;
      if (overall && overall.waitMs > 0) return { headers: {}, limited: limitedFor(overall.waitMs, "global") };
      const own = method === "execute_webhook" ? webhook : method === "create_message" ? messages : undefined;
      if (!own) return hidden(method, channelId, channel, {});
      const bucket = take(`${method} ${major}`, own);
      const headers = bucketHeaders(method, own, bucket, clock.now());
      if (bucket.waitMs > 0) return { headers, limited: limitedFor(bucket.waitMs, "user") };
      return hidden(method, channelId, channel, headers);
    },
  };

  function hidden(
    method: string,
    channelId: string | undefined,
    allowance: Allowance | undefined,
    headers: Readonly<Record<string, string>>,
  ) {
    if (method !== "execute_webhook" || !allowance || channelId === undefined) return { headers };
    const { waitMs } = take(`channel ${channelId}`, allowance);
    return waitMs > 0 ? { headers, limited: limitedFor(waitMs, "shared") } : { headers };
  }

  return limiter;
}

function limitedFor(waitMs: number, scope: LimitScope): Limited {
  return { retryAfterSeconds: Math.ceil(waitMs) / 1000, scope };
}

function bucketHeaders(
  method: string,
  { count }: Allowance,
  { left, resetMs }: { readonly left: number; readonly resetMs: number },
  now: number,
): Readonly<Record<string, string>> {
  return {
    "x-ratelimit-limit": String(count),
    "x-ratelimit-remaining": String(left),
    "x-ratelimit-reset": ((now + resetMs) / 1000).toFixed(3),
    "x-ratelimit-reset-after": (resetMs / 1000).toFixed(3),
    // The same string for every webhook: who asks combines it with the id.
    "x-ratelimit-bucket":
      method === "execute_webhook" ? "0badc0de0badc0de0badc0de0badc0de" : "00c0ffee00c0ffee00c0ffee00c0ffee",
  };
}
