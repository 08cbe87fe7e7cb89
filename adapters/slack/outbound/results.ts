import { webApi } from "@slack/bolt";
import type { PostResult } from "../../../src/index.js";
import { connectionFailure, resultOfUnanswered, TOKEN_RETRY_MS, type Unanswered } from "../../shared/failures.js";

/** Slack has said no, for sure: nothing has happened. */
export interface Refused {
  readonly kind: "refused";
  /** Slack's own word. */
  readonly code: string;
  /** The scope that is missing, if that is it. */
  readonly needed: string | undefined;
  /** Sentences about the arguments. */
  readonly messages: readonly string[];
}

/** Why a call has not been answered with `ok`. */
export type Failure = Refused | Unanswered;

/** Slack answers so when it does not say how long. */
const DEFAULT_RETRY_MS = 5_000;

/** Sorts what a call has thrown. */
export function failureOf(error: unknown): Failure {
  if (error instanceof webApi.WebAPIRateLimitedError) return { kind: "limited", retryAfterMs: error.retryAfter * 1000 };
  if (error instanceof webApi.WebAPIPlatformError) return refusalOf(error.data);
  if (error instanceof webApi.WebAPIHTTPError) return httpFailure(error.statusCode);
  if (error instanceof webApi.WebAPIRequestError) return requestFailure(error.original);
  // The SDK has no class for a 429 that does not say how long.
  if (error instanceof Error && error.message.startsWith("Retry header"))
    return { kind: "limited", retryAfterMs: DEFAULT_RETRY_MS };
  return { kind: "unclear", reason: "the answer broke off" };
}

function refusalOf(data: webApi.WebAPIPlatformError["data"]): Failure {
  const { error: code, response_metadata: metadata } = data;
  // An answer that is no JSON comes as the "error" it would be.
  if (typeof code !== "string" || !/^[\w.:-]{1,100}$/.test(code))
    return { kind: "unclear", reason: "the answer was not readable" };
  // By Slack's own word, something may have been done before these.
  if (code === "internal_error" || code === "fatal_error") return { kind: "unclear", reason: `Slack answered ${code}` };
  if (code === "ratelimited" || code === "rate_limited") return { kind: "limited", retryAfterMs: DEFAULT_RETRY_MS };
  const needed = "needed" in data && typeof data.needed === "string" ? data.needed : undefined;
  return { kind: "refused", code, needed, messages: metadata?.messages ?? [] };
}

function httpFailure(status: number): Failure {
  if (status >= 500) return { kind: "unclear", reason: `Slack answered with HTTP status ${status}` };
  return { kind: "unsent", reason: `the Web API's address answered with HTTP status ${status}` };
}

function requestFailure(original: Error): Failure {
  if (original.name === "TimeoutError") return { kind: "unclear", reason: "Slack did not answer in time" };
  return connectionFailure(original, "Slack");
}

const TOKEN_CODES = new Set([
  "account_inactive",
  "invalid_auth",
  "not_authed",
  "not_allowed_token_type",
  "org_login_required",
  "team_disabled",
  "token_expired",
  "token_revoked",
  "user_removed_from_team",
]);

/** Whether the token is of no use any more; only a person can mend that. */
export function isTokenRefusal({ code }: Pick<Refused, "code">): boolean {
  return TOKEN_CODES.has(code);
}

const PASSING_CODES = new Set(["request_timeout", "service_unavailable", "team_added_to_org"]);

/** What the outbox is told. Where nothing was posted and time or a person can mend it, the post waits. */
export function resultOf(failure: Failure): Exclude<PostResult, { status: "posted" }> {
  if (failure.kind !== "refused") return resultOfUnanswered(failure);
  if (isTokenRefusal(failure)) return { status: "rate-limited", retryAfterMs: TOKEN_RETRY_MS };
  return { status: "rejected", reason: reasonOf(failure), retry: PASSING_CODES.has(failure.code) };
}

const NOT_THERE = "the app is not in the channel, or the channel is gone: /invite the app there";
const NO_THREAD = "the thread is gone";
const RESTRICTED = "the workspace restricts who may post here: an admin has to allow the app";

const MENDS: Readonly<Record<string, string>> = {
  cannot_reply_to_message: NO_THREAD,
  cant_update_message: "the message belongs to another app",
  channel_not_found: NOT_THERE,
  is_archived: "the channel is archived: unarchive it",
  message_not_found: "the message is gone",
  msg_too_long: "the message is too long for Slack",
  no_text: "there is nothing to show in it",
  not_in_channel: NOT_THERE,
  restricted_action: RESTRICTED,
  restricted_action_non_threadable_channel: RESTRICTED,
  restricted_action_read_only_channel: RESTRICTED,
  restricted_action_thread_locked: RESTRICTED,
  restricted_action_thread_only_channel: RESTRICTED,
  thread_not_found: NO_THREAD,
  user_not_in_channel: "this person is not in the channel",
};

/** A refusal in words, with the mend where there is one. */
export function reasonOf({ code, needed, messages }: Refused): string {
  if (code === "missing_scope")
    return `Slack refused it (missing_scope): add the bot scope ${needed ?? "that is missing"} and reinstall the app`;
  const said = MENDS[code] ?? messages.join("; ");
  return `Slack refused it (${code})${said === "" ? "" : `: ${said}`}`;
}
