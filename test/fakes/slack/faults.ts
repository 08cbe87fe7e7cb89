import type { Json } from "./wire.js";

/** What goes wrong with a request. "Accept" means that the method runs, and is seen by everyone, before it goes wrong. */
export type Fault =
  /** `{ ok: false, error }` with status 200; nothing happens. */
  | { readonly kind: "error"; readonly error: string; readonly extra?: Json }
  | { readonly kind: "rate-limit"; readonly retryAfterSeconds: number }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "garbage" }
  | { readonly kind: "drop" }
  | { readonly kind: "hang" }
  | { readonly kind: "accept-then-status"; readonly status: number }
  | { readonly kind: "accept-then-drop" }
  | { readonly kind: "accept-then-hang" };

/** Which requests a fault meets. */
export interface FaultRule {
  /** `chat.postMessage`, or `*` for all. */
  readonly method: string;
  readonly fault: Fault;
  /** How many it meets; one, if nothing is said. */
  readonly times?: number;
  /** Only every n-th of the method, counted from the first after the rule was made. */
  readonly every?: number;
  /** Lets this many pass first. */
  readonly skip?: number;
  /** Only of the app with this name. */
  readonly app?: string;
  /** Only when the arguments are such. */
  readonly when?: (args: Json) => boolean;
}

export interface Faults {
  /** Adds a rule; the returned function takes it away. The first rule that meets a request is applied. */
  add(rule: FaultRule): () => void;
  clear(): void;
  take(method: string, app: string, args: Json): Fault | undefined;
}

export function createFaults(): Faults {
  const rules: { readonly rule: FaultRule; left: number; seen: number }[] = [];

  function isHit(standing: (typeof rules)[number], app: string, args: Json): boolean {
    const { rule } = standing;
    if (rule.app !== undefined && rule.app !== app) return false;
    if (rule.when && !rule.when(args)) return false;
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
    take(method, app, args) {
      let hit: Fault | undefined;
      for (const standing of rules.filter(({ rule }) => rule.method === method || rule.method === "*")) {
        if (!isHit(standing, app, args) || hit) continue;
        standing.left--;
        hit = standing.rule.fault;
      }
      return hit;
    },
  };
}
