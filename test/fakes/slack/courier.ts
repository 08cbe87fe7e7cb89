import type { Clock } from "../../../src/ports/clock.js";
import type { SlackApp } from "./model.js";
import type { Json } from "./wire.js";

/** What is brought to an app; only events are tried again. */
export type ParcelKind = "events_api" | "slash_commands" | "interactive";

/** One try at bringing a parcel. */
export interface Attempt {
  readonly envelopeId: string;
  /** 0 for the first. */
  readonly number: number;
  /** Why it is tried again. */
  readonly reason: string;
  readonly at: number;
  /** What became of it; `undefined` while nobody knows. */
  outcome: Outcome | undefined;
}

export type Outcome =
  | { readonly ok: true; readonly answer: unknown; readonly status?: number; readonly ms: number }
  /** `isFinal`: the app asked not to be tried again. */
  | { readonly ok: false; readonly reason: string; readonly status?: number; readonly isFinal?: boolean };

/** A way to an app: sockets, or signed requests. */
export interface Carrier {
  /** Brings it and reports once, now or later; `false` when there is no way just now. */
  carry(
    app: SlackApp,
    parcel: { kind: ParcelKind; body: Json },
    attempt: Attempt,
    report: (outcome: Outcome) => void,
  ): boolean;
}

/** One parcel on its way, with everything that was tried. */
export interface Delivery {
  readonly app: string;
  readonly kind: ParcelKind;
  readonly body: Json;
  readonly attempts: readonly Attempt[];
  /** `held` by a fault, `waiting` for an answer or a retry, taken (`acked`), or given up (`failed`). */
  readonly state: "held" | "waiting" | "acked" | "failed";
  /** Resolves once the app has taken it or it is given up. */
  readonly settled: Promise<Delivery>;
  /** The last answer of the app. */
  readonly answer: unknown;
  /** Tries again at once, with the next retry number, whatever has been. */
  retryNow(): void;
  /** Brings the first try again as it was, same envelope, retry number 0. */
  again(): void;
}

/** What goes wrong with the next deliveries, one each. */
export type DeliveryFault =
  /** Comes twice, in two envelopes. */
  | "duplicate"
  /** The first try never arrives; the retry comes at once. */
  | "retry-only"
  /** Never arrives, until `retryNow`. */
  | "lose";

export interface Courier {
  readonly deliveries: readonly Delivery[];
  send(app: SlackApp, kind: ParcelKind, body: Json): Delivery;
  fail(...faults: readonly DeliveryFault[]): void;
  /** From now on everything waits. */
  hold(): void;
  /** Lets go what waits, in order or the other way round, and ends the holding. */
  release(order?: "forwards" | "backwards"): void;
  /** Tries everything again at once that has no answer. */
  retryNow(): void;
  close(): void;
}

const ANSWER_WITHIN_MS = 3_000;
/** Slack tries at once, after a minute and after five. */
const RETRY_AFTER_MS = [0, 60_000, 300_000] as const;

interface CourierOptions {
  readonly clock: Clock;
  readonly carriers: readonly Carrier[];
  readonly mintId: (prefix: string) => string;
  readonly onChange: () => void;
}

export function createCourier(options: CourierOptions): Courier {
  const deliveries: (Delivery & Driven)[] = [];
  const faults: DeliveryFault[] = [];
  let isHolding = false;

  return {
    deliveries,
    send(app, kind, body) {
      const delivery = createDelivery(options, app, { kind, body });
      deliveries.push(delivery);
      if (isHolding) return delivery;
      delivery.go(kind === "events_api" ? faults.shift() : undefined);
      return delivery;
    },
    fail: (...more) => void faults.push(...more),
    hold() {
      isHolding = true;
    },
    release(order = "forwards") {
      isHolding = false;
      const held = deliveries.filter((delivery) => delivery.state === "held");
      for (const delivery of order === "forwards" ? held : held.reverse()) delivery.go(faults.shift());
    },
    retryNow() {
      for (const delivery of deliveries.filter(({ state, kind }) => state === "waiting" && kind === "events_api"))
        delivery.retryNow();
    },
    close() {
      for (const delivery of deliveries) delivery.giveUp();
    },
  };
}

interface Driven {
  go(fault: DeliveryFault | undefined): void;
  giveUp(): void;
}

function createDelivery(
  { clock, carriers, mintId, onChange }: CourierOptions,
  app: SlackApp,
  parcel: { readonly kind: ParcelKind; readonly body: Json },
): Delivery & Driven {
  const attempts: Attempt[] = [];
  let state: Delivery["state"] = "held";
  let answer: unknown;
  let cancelTimer = () => {};
  let settle: (delivery: Delivery) => void = () => {};
  const settled = new Promise<Delivery>((resolve) => {
    settle = resolve;
  });

  function end(next: "acked" | "failed"): void {
    cancelTimer();
    state = next;
    settle(delivery);
    onChange();
  }

  function onOutcome(attempt: Attempt, outcome: Outcome): void {
    if (attempt.outcome?.ok) return;
    attempt.outcome = outcome;
    if (outcome.ok) {
      answer = outcome.answer;
      end("acked");
    } else if (state === "waiting" && attempt === attempts.at(-1)) scheduleRetry(outcome);
    onChange();
  }

  function scheduleRetry(outcome: Extract<Outcome, { ok: false }>): void {
    cancelTimer();
    const wait = RETRY_AFTER_MS[attempts.length - 1];
    if (parcel.kind !== "events_api" || outcome.isFinal || wait === undefined) end("failed");
    else if (wait === 0) tryIt(outcome.reason);
    else cancelTimer = clock.after(wait, () => tryIt(outcome.reason));
  }

  function tryIt(reason: string, number = attempts.length): void {
    cancelTimer();
    const attempt: Attempt = { envelopeId: mintId("env"), number, reason, at: clock.now(), outcome: undefined };
    attempts.push(attempt);
    carry(attempt);
  }

  function carry(attempt: Attempt): void {
    if (state !== "acked") state = "waiting";
    if (state === "waiting" && attempt === attempts.at(-1))
      cancelTimer = clock.after(ANSWER_WITHIN_MS, () => onOutcome(attempt, { ok: false, reason: "timeout" }));
    const isUnderWay = carriers.some((carrier) =>
      carrier.carry(app, parcel, attempt, (out) => onOutcome(attempt, out)),
    );
    // With no way to the app the answer stays out, as it does when a request goes nowhere.
    if (!isUnderWay && state !== "acked") onChange();
  }

  const delivery: Delivery & Driven = {
    app: app.name,
    ...parcel,
    attempts,
    get state() {
      return state;
    },
    get answer() {
      return answer;
    },
    settled,
    retryNow: () => tryIt("timeout"),
    again() {
      const first = attempts[0];
      if (first) carry(first);
    },
    go(fault) {
      if (fault === "lose") {
        state = "waiting";
        attempts.push({ envelopeId: mintId("env"), number: 0, reason: "", at: clock.now(), outcome: undefined });
        return;
      }
      if (fault === "retry-only") {
        attempts.push({ envelopeId: mintId("env"), number: 0, reason: "", at: clock.now(), outcome: undefined });
        return tryIt("timeout");
      }
      tryIt("");
      if (fault === "duplicate") tryIt("", 0);
    },
    giveUp: () => {
      if (state !== "acked" && state !== "failed") end("failed");
    },
  };
  return delivery;
}
