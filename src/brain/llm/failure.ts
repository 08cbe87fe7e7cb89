import { z } from "zod";
import type { BrainFailure, FailureClass } from "../../ports/brain.js";
import type { ModelId } from "../model-id.js";
import { ACCESS } from "./model-access.js";

/** What errors of the model libraries and of Node have in common. Read to be sorted, never to be shown: bodies may hold anything. */
const errorShape = z.object({
  name: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  type: z.string().optional().catch(undefined),
  code: z.union([z.string(), z.number()]).optional().catch(undefined),
  statusCode: z.number().optional().catch(undefined),
  isRetryable: z.boolean().optional().catch(undefined),
  responseHeaders: z.record(z.string(), z.string()).optional().catch(undefined),
  responseBody: z.string().optional().catch(undefined),
  cause: z.unknown().optional(),
});

type ErrorShape = z.infer<typeof errorShape>;

interface Sorted {
  readonly class: FailureClass;
  readonly retryable: boolean;
  readonly says: string;
}

/** Sorts what a model call failed with. The message names the model and the mend, and takes nothing from the error but its status. */
export function failureOf(error: unknown, model: ModelId, now: number): BrainFailure {
  const parsed = errorShape.safeParse(typeof error === "string" ? { message: error } : error);
  if (!parsed.success) return failure({ class: "internal", retryable: false, says: "could not be asked" }, model);
  const shape = parsed.data;
  const sorted = sortByWords(shape) ?? sortByStatus(shape, model) ?? sortByKind(shape);
  const retryAfterMs = sorted.retryable ? retryAfterOf(shape, now) : undefined;
  return failure(sorted, model, retryAfterMs);
}

/** A failure of which we know everything ourselves. */
export function failure(sorted: Sorted, model: ModelId, retryAfterMs?: number): BrainFailure {
  const hint = retryAfterMs === undefined ? "" : ` Try again in ${spoken(retryAfterMs)}.`;
  return {
    class: sorted.class,
    retryable: sorted.retryable,
    safeMessage: `the model ${model.provider}:${model.name} ${sorted.says}.${hint}`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

const QUOTA = /insufficient_quota|billing|credit balance/;
const CONTEXT =
  /context[_ ]length|context window|maximum context|prompt is too long|prompt_too_long|too many tokens|input token count|request_too_large/;
const OVERLOADED = /overloaded/;
const RATE = /rate[_ ]limit|resource_exhausted/;
const AUTH = /authentication_error|invalid_api_key|permission_error|api key not valid/;

/** Providers word the same state with different numbers, or in a stream with none. */
function sortByWords(shape: ErrorShape): Sorted | undefined {
  const words = [shape.type, shape.code, shape.message, shape.responseBody?.slice(0, 2_000)].join(" ").toLowerCase();
  if (QUOTA.test(words)) return { class: "rate-limit", retryable: false, says: "has used up its account's quota" };
  if (CONTEXT.test(words))
    return { class: "context-overflow", retryable: false, says: "got more text than it can take" };
  if (shape.statusCode !== undefined && shape.statusCode !== 400) return undefined;
  if (OVERLOADED.test(words)) return OVERLOAD;
  if (RATE.test(words)) return RATE_LIMIT;
  if (AUTH.test(words)) return { class: "auth", retryable: false, says: "refused the key" };
  return undefined;
}

const OVERLOAD: Sorted = { class: "overloaded", retryable: true, says: "is overloaded" };
const RATE_LIMIT: Sorted = { class: "rate-limit", retryable: true, says: "has reached its rate limit" };

function sortByStatus(shape: ErrorShape, model: ModelId): Sorted | undefined {
  const status = shape.statusCode;
  if (status === undefined || status < 400) return undefined;
  if (status === 401 || status === 403)
    return { class: "auth", retryable: false, says: `refused the key: check ${ACCESS[model.provider].key}` };
  if (status === 404) return { class: "bad-request", retryable: false, says: "is not known to its provider" };
  if (status === 408) return { class: "timeout", retryable: true, says: "took too long" };
  if (status === 413) return { class: "context-overflow", retryable: false, says: "got more text than it can take" };
  if (status === 429) return RATE_LIMIT;
  if (status === 503 || status === 529) return OVERLOAD;
  if (status >= 500) return { class: "overloaded", retryable: true, says: `failed at its provider (status ${status})` };
  return { class: "bad-request", retryable: false, says: `refused the request (status ${status})` };
}

const NETWORK_CODE = /^(E[A-Z]+|UND_ERR_[A-Z_]+)$/;
const NOT_UNDERSTOOD =
  /^AI_(JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|NoOutputGenerated|APICall)Error$/;

function sortByKind(shape: ErrorShape): Sorted {
  if (isNetwork(shape))
    return { class: "network", retryable: true, says: "could not be reached, or the connection broke" };
  if (NOT_UNDERSTOOD.test(shape.name ?? "")) return UNREADABLE;
  return { class: "internal", retryable: false, says: "could not be asked" };
}

/** An answer that does not follow the provider's protocol. */
export const UNREADABLE: Sorted = { class: "protocol", retryable: true, says: "sent an answer that could not be read" };

/** Connection trouble shows by Node's error codes, by the word of a stream cut off, or only in a cause further down. */
function isNetwork(shape: ErrorShape, depth = 0): boolean {
  if (NETWORK_CODE.test(String(shape.code ?? "")) || shape.message === "terminated") return true;
  const cause = errorShape.safeParse(shape.cause);
  if (cause.success && depth < 5) return isNetwork(cause.data, depth + 1);
  return shape.isRetryable === true && shape.statusCode === undefined;
}

/** `Retry-After` as seconds or as a date; some providers also send milliseconds. */
function retryAfterOf(shape: ErrorShape, now: number): number | undefined {
  const headers = shape.responseHeaders ?? {};
  const ms = Number.parseFloat(headers["retry-after-ms"] ?? "");
  if (Number.isFinite(ms)) return Math.max(0, ms);
  const after = headers["retry-after"];
  if (after === undefined) return undefined;
  const seconds = Number(after);
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(after) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

function spoken(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `about ${Math.round(seconds / 60)} minutes` : `about ${Math.round(seconds / 3_600)} hours`;
}
