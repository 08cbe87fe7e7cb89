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
export interface FaultRule {
  /** The operation, as Discord's OpenAPI document calls it: `execute_webhook`; or `*` for all. */
  readonly method: string;
  readonly fault: Fault;
  /** How many it meets; one, if nothing is said. */
  readonly times?: number;
  /** Only every n-th of the method, counted from the first after the rule was made. */
  readonly every?: number;
  /** Lets this many pass first. */
  readonly skip?: number;
  /** Only when the request is such. */
  readonly when?: (request: Meeting) => boolean;
}

export interface Faults {
  /** Adds a rule; the returned function takes it away. The first rule that meets a request is applied. */
  add(rule: FaultRule): () => void;
  clear(): void;
  take(request: Meeting): Fault | undefined;
}

export function createFaults(): Faults {
  const rules: { readonly rule: FaultRule; left: number; seen: number }[] = [];

  function isHit(standing: (typeof rules)[number], request: Meeting): boolean {
    const { rule } = standing;
    if (rule.when && !rule.when(request)) return false;
    standing.seen++;
    if (standing.seen <= (rule.skip ?? 0) || standing.left <= 0) return false;
    return (standing.seen - (rule.skip ?? 0)) % (rule.every ?? 1) === 0;
  }

  return {
    add(rule) {
      const standing = { rule, left: rule.times ?? (rule.every ? Number.POSITIVE_INFINITY : 1), seen: 0 };
      rules.push(standing);
      return () => {
        standing.left = 0;
      };
    },
    clear() {
      rules.length = 0;
    },
    take(request) {
      let hit: Fault | undefined;
      for (const standing of rules.filter(({ rule }) => rule.method === request.method || rule.method === "*")) {
        if (!isHit(standing, request) || hit) continue;
        standing.left--;
        hit = standing.rule.fault;
      }
      return hit;
    },
  };
}
