import type { ServerResponse } from "node:http";
import type { Fault } from "./faults.js";
import { type Json, Refusal } from "./wire.js";

/** What came of running a method. */
export type Attempted = { readonly result: Json } | { readonly retryAfterSeconds: number };

/** What the server answers, and how the recorder calls it. */
export interface Reply {
  readonly outcome: string;
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of any answer. */
  readonly silence?: "drop" | "hang";
  readonly isWithheld?: boolean;
}

/** The reply to a call, as it is or as a fault makes it. A call that is refused anyway is refused whatever the fault. */
export function replyTo(attempt: () => Attempted, fault: Fault | undefined): Reply {
  switch (fault?.kind) {
    case undefined:
      return attempted(attempt);
    case "error":
      return refused(fault.error, fault.extra ?? {});
    case "rate-limit":
      return tooMany(fault.retryAfterSeconds);
    case "status":
      return broken(fault.status);
    case "garbage":
      return { outcome: "garbage", status: 200, body: '{"ok": tr' };
    case "drop":
    case "hang":
      return silent(fault.kind);
    case "accept-then-status":
      return afterwards(attempted(attempt), broken(fault.status));
    case "accept-then-drop":
      return afterwards(attempted(attempt), silent("drop"));
    case "accept-then-hang":
      return afterwards(attempted(attempt), silent("hang"));
  }
}

/** Sends the reply, or does not: a request that hangs ends when the server closes. */
export function send(response: ServerResponse, { status, body, headers, silence }: Reply): void {
  if (silence === "hang") return;
  if (silence === "drop") response.destroy();
  else response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers }).end(body);
}

function attempted(attempt: () => Attempted): Reply {
  try {
    const came = attempt();
    if ("retryAfterSeconds" in came) return tooMany(came.retryAfterSeconds);
    return { outcome: "ok", status: 200, body: JSON.stringify({ ok: true, ...came.result }) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refused(error.code, error.extra);
  }
}

function afterwards(reply: Reply, instead: Reply): Reply {
  return reply.outcome === "ok" ? { ...instead, isWithheld: true } : reply;
}

function refused(error: string, extra: Json): Reply {
  return { outcome: error, status: 200, body: JSON.stringify({ ok: false, error, ...extra }) };
}

function tooMany(seconds: number): Reply {
  const body = JSON.stringify({ ok: false, error: "ratelimited" });
  return { outcome: "429", status: 429, body, headers: { "retry-after": String(seconds) } };
}

function broken(status: number): Reply {
  return { outcome: String(status), status, body: "upstream failure", headers: { "content-type": "text/plain" } };
}

function silent(silence: "drop" | "hang"): Reply {
  return { outcome: silence === "drop" ? "dropped" : "hangs", status: 0, body: "", silence };
}
