import type { webApi } from "@slack/bolt";
import type { Clock } from "../../../src/index.js";
import type { Scheduler } from "../../shared/scheduler.js";
import { type Failure, failureOf, isTokenRefusal } from "./results.js";

/** One call of the Web API, on one channel. */
export interface Call {
  readonly client: webApi.WebClient;
  readonly method: string;
  readonly channel: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What came of a call. */
export type Called =
  | { readonly ok: true; readonly data: webApi.WebAPICallResult }
  | { readonly ok: false; readonly failure: Failure };

/** Makes calls, in turn. Never rejects: what goes wrong is a value, and so is an abort. */
export type Caller = (call: Call, signal: AbortSignal) => Promise<Called>;

export interface CallerOptions {
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  /** A token is of no use any more. */
  readonly onTokenRefused: (client: webApi.WebClient, code: string) => void;
}

/** When everything stops, an answer that is about to come is still worth having. */
const GRACE_MS = 2_000;

/** Makes calls one after the other at the scheduler's pace, for each method, channel and token by itself. */
export function createCaller({ scheduler, clock, onTokenRefused }: CallerOptions): Caller {
  const lanes = new WeakMap<webApi.WebClient, number>();
  let apps = 0;

  function laneOf({ client, method, channel }: Call): string {
    const app = lanes.get(client) ?? ++apps;
    lanes.set(client, app);
    return `${app} ${method} ${channel}`;
  }

  async function make({ client, method, args }: Call, signal: AbortSignal): Promise<Called> {
    try {
      const data = await orAbort(clock, client.apiCall(method, args), signal);
      return data
        ? { ok: true, data }
        : { ok: false, failure: { kind: "unclear", reason: "stopped before Slack answered" } };
    } catch (error) {
      return { ok: false, failure: failureOf(error) };
    }
  }

  return async (call, signal) => {
    const lane = laneOf(call);
    const retryAfterMs = await scheduler.turn(lane, signal).catch(() => 1_000);
    if (retryAfterMs > 0) return { ok: false, failure: { kind: "limited", retryAfterMs } };
    const called = await make(call, signal);
    if (called.ok) return called;
    const { failure } = called;
    if (failure.kind === "limited") scheduler.pause(lane, failure.retryAfterMs);
    if (failure.kind === "refused" && isTokenRefusal(failure)) onTokenRefused(call.client, failure.code);
    return called;
  };
}

/** The answer; nothing if the signal aborts and it does not come soon. */
async function orAbort<T>(clock: Clock, answer: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let cancel = () => {};
  let abandon = () => {};
  const abandoned = new Promise<undefined>((resolve) => {
    abandon = () => {
      cancel = clock.after(GRACE_MS, () => resolve(undefined));
    };
  });
  if (signal.aborted) abandon();
  else signal.addEventListener("abort", abandon, { once: true });
  try {
    return await Promise.race([answer, abandoned]);
  } finally {
    signal.removeEventListener("abort", abandon);
    cancel();
    // An answer that nobody waits for any more may still fail.
    answer.catch(() => {});
  }
}
