import { createFaultRules, type FaultRules, type FaultTimes } from "../fault-rules.js";
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
export interface FaultRule extends FaultTimes {
  /** `chat.postMessage`, or `*` for all. */
  readonly method: string;
  readonly fault: Fault;
  /** Only of the app with this name. */
  readonly app?: string;
  /** Only when the arguments are such. */
  readonly when?: (args: Json) => boolean;
}

export interface Faults extends Pick<FaultRules<FaultRule>, "add" | "clear"> {
  take(method: string, app: string, args: Json): Fault | undefined;
}

export function createFaults(): Faults {
  const { add, clear, take } = createFaultRules<FaultRule>();
  return {
    add,
    clear,
    take: (method, app, args) =>
      take(method, (rule) => (rule.app === undefined || rule.app === app) && (rule.when?.(args) ?? true)),
  };
}
