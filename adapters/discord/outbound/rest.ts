import { REST, type RESTOptions, type RequestMethod, type RouteLike } from "discord.js";
import type { Clock } from "../../../src/index.js";
import { TOKEN_RETRY_MS } from "../../shared/failures.js";
import type { Breaker } from "./breaker.js";
import type { Budget, Window } from "./budget.js";
import { type Failure, failureOf } from "./results.js";

/** One call of the REST API. */
export interface Call {
  readonly method: RequestMethod;
  readonly path: RouteLike;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** A webhook's own token stands in the path: then the bot's is not sent. */
  readonly isWebhook?: true;
  /** What waits in one line, and how much of it may pass; absent: it does not wait. */
  readonly lane?: { readonly key: string; readonly windows: readonly Window[] };
}

/** What came of a call. */
export type Called = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly failure: Failure };

/** Makes calls. Never rejects: what goes wrong is a value, and so is an abort. Nothing is sent twice. */
export type Caller = (call: Call, signal: AbortSignal) => Promise<Called>;

export interface CallerOptions {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  readonly clock: Clock;
  readonly breaker: Breaker;
  readonly budget: Budget;
  /** With a budget of our own for all calls together. */
  readonly isPaced: boolean;
}

/** A call that takes longer has failed. */
const TIMEOUT_MS = 15_000;
/** When everything stops, an answer that is about to come is still worth having. */
const GRACE_MS = 2_000;
/** Only if our own clock did not end it. */
const LIBRARY_TIMEOUT_MS = 60_000;

/** What Discord allows a bot. The library counts it too, but on its own clock. */
const ALL: Window = { key: "all", most: 50, perMs: 1_000 };

/** What is known of a call while it is made. */
interface Notes {
  /** It may have reached Discord. */
  isBegun: boolean;
  /** How long Discord asks to wait before the next of its kind. */
  pauseMs: number;
}

/** Makes calls through a REST of their own, which neither retries nor waits by itself: the outbox decides. */
export function createCaller({ token, apiUrl, clock, breaker, budget, isPaced }: CallerOptions): {
  readonly call: Caller;
  readonly stop: () => void;
} {
  const all = isPaced ? [ALL] : [];
  const notes = new Map<string, Notes>();
  let made = 0;
  const rest = new REST({
    ...(apiUrl === undefined ? {} : { api: apiUrl }),
    version: "10",
    retries: 0,
    timeout: LIBRARY_TIMEOUT_MS,
    globalRequestsPerSecond: Number.POSITIVE_INFINITY,
    rejectOnRateLimit: () => true,
    makeRequest: noted(breaker.makeRequest, notes),
  }).setToken(token);

  async function make(call: Call, signal: AbortSignal): Promise<Called> {
    const { method, path, query, body, isWebhook } = call;
    const note: Notes = { isBegun: false, pauseMs: 0 };
    const noteId = String(++made);
    notes.set(noteId, note);
    const limit = limitOf(clock, signal, () => note.isBegun);
    try {
      // The library forgets a token that was refused.
      if (isWebhook !== true) rest.setToken(token);
      const data = await rest.request({
        method,
        fullRoute: path,
        auth: isWebhook !== true,
        headers: { [NOTE_HEADER]: noteId },
        signal: limit.signal,
        ...(query === undefined ? {} : { query: new URLSearchParams(query) }),
        ...(body === undefined ? {} : { body }),
      });
      if (call.lane && note.pauseMs > 0) budget.pause(call.lane.key, note.pauseMs);
      return { ok: true, data };
    } catch (error) {
      return { ok: false, failure: failureOf(error, note.isBegun) };
    } finally {
      notes.delete(noteId);
      limit.end();
    }
  }

  async function makeInLane(call: Call, signal: AbortSignal): Promise<Called> {
    const { lane } = call;
    const turn = await budget.turn(lane?.key, [...(lane?.windows ?? []), ...all], signal);
    if (!turn.ok) return { ok: false, failure: { kind: "limited", retryAfterMs: turn.retryAfterMs } };
    try {
      const called = await make(call, signal);
      if (lane && !called.ok && called.failure.kind === "limited") budget.pause(lane.key, called.failure.retryAfterMs);
      return called;
    } finally {
      turn.end();
    }
  }

  return {
    async call(call, signal) {
      const pausedMs = breaker.pausedMs();
      if (pausedMs > 0) return { ok: false, failure: { kind: "limited", retryAfterMs: pausedMs } };
      if (breaker.isTokenRefused() && call.isWebhook !== true)
        return { ok: false, failure: { kind: "limited", retryAfterMs: TOKEN_RETRY_MS } };
      return makeInLane(call, signal);
    },
    stop() {
      rest.clearHashSweeper();
      rest.clearHandlerSweeper();
    },
  };
}

type MakeRequest = RESTOptions["makeRequest"];

/**
 * Tells which call a request is of, through the library, and goes no further. The library hands on nothing else of a call's own, and
 * asynchronous context would slow down every promise of the process.
 */
const NOTE_HEADER = "x-note";

/**
 * Notes that a call has begun, and what Discord says of its limits; the library does not hear of these. It would hold calls back on
 * its own clock, and let later ones overtake earlier ones when it learns a limit's name.
 */
function noted(makeRequest: MakeRequest, notes: ReadonlyMap<string, Notes>): MakeRequest {
  return async (url, init) => {
    // The library makes its headers as a plain object.
    const { [NOTE_HEADER]: noteId = "", ...headersToSend } = init.headers as Readonly<Record<string, string>>;
    const note = notes.get(noteId);
    if (note) note.isBegun = true;
    const response = await makeRequest(url, { ...init, headers: headersToSend });
    const { headers, status } = response;
    if (note && status !== 429 && headers.get("x-ratelimit-remaining") === "0")
      note.pauseMs = Math.ceil(Number(headers.get("x-ratelimit-reset-after") ?? 0) * 1000) || 0;
    for (const name of LIMIT_HEADERS) headers.delete(name);
    return response;
  };
}

const LIMIT_HEADERS = [
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-ratelimit-reset-after",
  "x-ratelimit-bucket",
];

/** Ends a call that takes too long; and soon, when everything stops. */
function limitOf(clock: Clock, outer: AbortSignal, isBegun: () => boolean) {
  const ending = new AbortController();
  const abort = () => ending.abort(new DOMException("The call takes too long", "AbortError"));
  const cancels = [clock.after(TIMEOUT_MS, abort)];
  const onAbort = () => {
    if (isBegun()) cancels.push(clock.after(GRACE_MS, abort));
    else abort();
  };
  if (outer.aborted) onAbort();
  else outer.addEventListener("abort", onAbort);
  return {
    signal: ending.signal,
    end() {
      outer.removeEventListener("abort", onAbort);
      for (const cancel of cancels) cancel();
    },
  };
}
