import { DiscordAPIError, HTTPError, RateLimitError } from "discord.js";
import type { PostResult } from "../../../src/index.js";
import { connectionFailure, resultOfUnanswered, TOKEN_RETRY_MS, type Unanswered } from "../../shared/failures.js";
import { PausedError } from "./breaker.js";

/** Discord has said no, for sure: nothing has happened. */
export interface Refused {
  readonly kind: "refused";
  /** Discord's number for it; 0 where it gave none. */
  readonly code: number;
  readonly status: number;
  /** The arguments that it did not like. */
  readonly fields: readonly string[];
}

/** Why a call has not been done. */
export type Failure = Refused | Unanswered;

/** Discord's numbers for what is not there, not allowed, or not to its liking. */
export const CODE = {
  unknownChannel: 10_003,
  unknownMessage: 10_008,
  unknownWebhook: 10_015,
  channelWriteLimit: 20_028,
  slowMode: 20_016,
  tooManyWebhooks: 30_007,
  tooManyGuildWebhooks: 30_058,
  missingAccess: 50_001,
  notOwn: 50_005,
  emptyMessage: 50_006,
  cannotSendToUser: 50_007,
  missingPermissions: 50_013,
  wrongChannelType: 50_024,
  invalidWebhookToken: 50_027,
  invalidForm: 50_035,
  threadArchived: 50_083,
  overloaded: 130_000,
  noHistory: 160_002,
  threadExists: 160_004,
  threadLocked: 160_005,
  blockedByAutoMod: 200_000,
  blockedTitleByAutoMod: 200_001,
  forumNeedsThread: 220_001,
} as const;

const LEAST_RETRY_MS = 100;

/** Sorts what a call has thrown. Nothing of the error itself goes on: it has the webhook's token in its address. */
export function failureOf(error: unknown, wasBegun: boolean): Failure {
  if (error instanceof PausedError) return { kind: "limited", retryAfterMs: error.retryAfterMs };
  if (error instanceof RateLimitError) return limited(Math.max(error.retryAfter, error.timeToReset));
  if (error instanceof DiscordAPIError) return refusalOf(error);
  if (error instanceof HTTPError)
    return { kind: "unclear", reason: `Discord answered with HTTP status ${error.status}` };
  const broken = connectionFailure(error, "Discord");
  if (broken.kind === "unsent") return broken;
  if (!wasBegun) return { kind: "unsent", reason: "stopped before it was sent" };
  if (error instanceof Error && error.name === "AbortError")
    return { kind: "unclear", reason: "Discord did not answer in time" };
  return broken;
}

function limited(ms: number): Failure {
  return { kind: "limited", retryAfterMs: Math.max(LEAST_RETRY_MS, ms) };
}

function refusalOf({ status, code, rawError }: DiscordAPIError): Failure {
  const number = typeof code === "number" ? code : 0;
  if (status === 401 && number !== CODE.invalidWebhookToken) return limited(TOKEN_RETRY_MS);
  if (status === 408) return { kind: "unclear", reason: "Discord did not answer in time" };
  return { kind: "refused", code: number, status, fields: fieldsOf(rawError) };
}

function fieldsOf(raw: object): readonly string[] {
  const errors = "errors" in raw ? raw.errors : undefined;
  return typeof errors === "object" && errors !== null ? Object.keys(errors) : [];
}

/** What passes by itself. */
const PASSING = new Map<number, number>([
  [CODE.slowMode, 10_000],
  [CODE.channelWriteLimit, 10_000],
  [CODE.overloaded, 5_000],
]);

/** What the outbox is told. Where nothing was posted and time or a person can mend it, the post waits. */
export function resultOf(failure: Failure): Exclude<PostResult, { status: "posted" }> {
  if (failure.kind !== "refused") return resultOfUnanswered(failure);
  const passesIn = PASSING.get(failure.code);
  if (passesIn !== undefined) return { status: "rate-limited", retryAfterMs: passesIn };
  return { status: "rejected", reason: reasonOf(failure), retry: WEBHOOK_GONE.has(failure.code) };
}

/** The webhook is of no use any more. */
export const WEBHOOK_GONE: ReadonlySet<number> = new Set([CODE.unknownWebhook, CODE.invalidWebhookToken]);

const LOCKED = "the thread is locked: a moderator has to unlock it";
const AUTO_MOD = "AutoMod blocked it: exempt the bot's role in Server Settings → AutoMod, or change the rule";

const MENDS: ReadonlyMap<number, string> = new Map([
  [CODE.unknownChannel, "the channel or thread is gone"],
  [CODE.unknownMessage, "the message is gone"],
  [CODE.unknownWebhook, "the webhook was deleted, again and again: see who deletes it under Integrations → Webhooks"],
  [
    CODE.invalidWebhookToken,
    "the webhook's token changes, again and again: see who does it under Integrations → Webhooks",
  ],
  [CODE.missingAccess, "the bot cannot see the channel: allow its role View Channel there"],
  [CODE.emptyMessage, "there is nothing to show in it"],
  [CODE.cannotSendToUser, "this person takes no direct messages from the bot"],
  [
    CODE.missingPermissions,
    "the bot may not speak there: allow its role Send Messages, and in threads Send Messages in Threads",
  ],
  [CODE.wrongChannelType, "nothing can be posted in this kind of channel"],
  [CODE.threadArchived, LOCKED],
  [CODE.threadLocked, LOCKED],
  [CODE.blockedByAutoMod, AUTO_MOD],
  [CODE.blockedTitleByAutoMod, AUTO_MOD],
  [CODE.forumNeedsThread, "in a forum only its posts can be spoken in: begin a post there"],
]);

/** A refusal in words, with the mend where there is one. */
export function reasonOf({ code, status, fields }: Refused): string {
  const named = code === 0 ? `HTTP status ${status}` : String(code);
  const said = MENDS.get(code) ?? fields.join(", ");
  return `Discord refused it (${named})${said === "" ? "" : `: ${said}`}`;
}
