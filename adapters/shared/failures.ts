import type { PostResult } from "../../src/index.js";

/** Why a call has no answer, without the platform having said no. */
export type Unanswered =
  | { readonly kind: "limited"; readonly retryAfterMs: number }
  /** It never reached the platform. */
  | { readonly kind: "unsent"; readonly reason: string }
  /** It may have been done. */
  | { readonly kind: "unclear"; readonly reason: string };

/** Long enough to spare the network, short enough to go on soon after it is back. */
const UNSENT_RETRY_MS = 15_000;
/** A token that is refused is mended by a person, and posts wait for that: milliseconds until the next try. */
export const TOKEN_RETRY_MS = 60_000;

/** Ways of not getting through at all. */
const NOT_CONNECTED = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** What an error of the network means for the call. Of the error no more than its code goes on. */
export function connectionFailure(error: unknown, platform: string): Exclude<Unanswered, { kind: "limited" }> {
  const code = codeOf(error) ?? (error instanceof Error ? codeOf(error.cause) : undefined);
  if (code !== undefined && NOT_CONNECTED.has(code))
    return { kind: "unsent", reason: `${platform} cannot be reached (${code})` };
  return { kind: "unclear", reason: `the connection broke${code === undefined ? "" : ` (${code})`}` };
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** What the outbox is told of it. Where nothing was posted, the post waits. */
export function resultOfUnanswered(failure: Unanswered): Exclude<PostResult, { status: "posted" | "rejected" }> {
  switch (failure.kind) {
    case "limited":
      return { status: "rate-limited", retryAfterMs: failure.retryAfterMs };
    case "unsent":
      return { status: "rate-limited", retryAfterMs: UNSENT_RETRY_MS };
    case "unclear":
      return { status: "ambiguous", reason: failure.reason };
  }
}
