import { createFaultRules, type FaultRules, type FaultTimes } from "../fault-rules.js";
import type { Json } from "./wire.js";

/** Whose limit a 429 speaks of. */
export type LimitScope = "user" | "shared" | "global";

/** What goes wrong with a request. "Accept" means that it is done, and seen by everyone, before it goes wrong. */
export type Fault =
  /** Discord's JSON with this code; nothing happens. The status is the one that goes with the code, if none is said. */
  | { readonly kind: "error"; readonly code: number; readonly status?: number; readonly errors?: Json }
  | { readonly kind: "rate-limit"; readonly retryAfterSeconds: number; readonly scope?: LimitScope }
  /** A 429 of the edge that does not say for how long. */
  | { readonly kind: "bare-429" }
  /** The HTML page of a blocked address, with a `Retry-After` if there are seconds. */
  | { readonly kind: "cloudflare"; readonly retryAfterSeconds?: number }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "garbage" }
  | { readonly kind: "drop" }
  | { readonly kind: "hang" }
  /** It is done only when the promise resolves. */
  | { readonly kind: "wait"; readonly until: Promise<unknown> }
  | { readonly kind: "accept-then-status"; readonly status: number }
  | { readonly kind: "accept-then-drop" }
  | { readonly kind: "accept-then-hang" }
  /** The answer goes out when the promise resolves: events overtake it. */
  | { readonly kind: "accept-then-wait"; readonly until: Promise<unknown> };

/** A request as a rule looks at it. */
export interface Meeting {
  readonly method: string;
  readonly app: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Json;
}

/** Which requests a fault meets. */
export interface FaultRule extends FaultTimes {
  /** The operation, as Discord's OpenAPI document calls it: `execute_webhook`; or `*` for all. */
  readonly method: string;
  readonly fault: Fault;
  /** Only when the request is such. */
  readonly when?: (request: Meeting) => boolean;
}

export interface Faults extends Pick<FaultRules<FaultRule>, "add" | "clear"> {
  take(request: Meeting): Fault | undefined;
}

export function createFaults(): Faults {
  const { add, clear, take } = createFaultRules<FaultRule>();
  return { add, clear, take: (request) => take(request.method, (rule) => rule.when?.(request) ?? true) };
}
