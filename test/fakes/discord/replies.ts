import type { ServerResponse } from "node:http";
import type { Fault, LimitScope } from "./faults.js";
import { type Json, Refusal, refusal } from "./wire.js";

/** What came of a call: JSON, nothing, or a limit. */
export type Attempted =
  | { readonly result: unknown }
  | { readonly limited: { readonly retryAfterSeconds: number; readonly scope: LimitScope } };

/** What the server answers, and how the recorder calls it. */
export interface Reply {
  readonly outcome: string;
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Instead of any answer. */
  readonly silence?: "drop" | "hang";
  readonly isWithheld?: boolean;
  readonly isSharedLimit?: boolean;
}

const JSON_TYPE = { "content-type": "application/json" };

/** The reply to a call, as it is or as a fault makes it. A call that is refused anyway is refused whatever the fault. */
export async function replyTo(attempt: () => Attempted, fault: Fault | undefined): Promise<Reply> {
  switch (fault?.kind) {
    case undefined:
      return attempted(attempt);
    case "error":
      return refused(fault.code, fault);
    case "rate-limit":
      return tooMany(fault.retryAfterSeconds, fault.scope ?? "user");
    case "bare-429":
      return { outcome: "429", status: 429, body: "", headers: {} };
    case "cloudflare":
      return cloudflare(fault.retryAfterSeconds);
    case "status":
      return broken(fault.status);
    case "garbage":
      return { outcome: "garbage", status: 200, body: '{"id": "12', headers: JSON_TYPE };
    case "drop":
    case "hang":
      return silent(fault.kind);
    case "wait":
      await fault.until;
      return attempted(attempt);
    case "accept-then-status":
      return afterwards(attempted(attempt), broken(fault.status));
    case "accept-then-drop":
      return afterwards(attempted(attempt), silent("drop"));
    case "accept-then-hang":
      return afterwards(attempted(attempt), silent("hang"));
    case "accept-then-wait": {
      const reply = attempted(attempt);
      await fault.until;
      return reply;
    }
  }
}

/** Sends the reply, or does not: a request that hangs ends when the server closes. A 204 bears no type and no text. */
export function send(response: ServerResponse, reply: Reply, headers: Readonly<Record<string, string>>): void {
  if (reply.silence === "hang") return;
  if (reply.silence === "drop") {
    response.socket?.resetAndDestroy();
    return;
  }
  response.writeHead(reply.status, { ...headers, ...reply.headers }).end(reply.body);
}

function attempted(attempt: () => Attempted): Reply {
  try {
    const came = attempt();
    if ("limited" in came) return tooMany(came.limited.retryAfterSeconds, came.limited.scope);
    if (came.result === undefined) return { outcome: "ok", status: 204, body: "", headers: {} };
    return { outcome: "ok", status: 200, body: JSON.stringify(came.result), headers: JSON_TYPE };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return said(error);
  }
}

function afterwards(reply: Reply, instead: Reply): Reply {
  return reply.outcome === "ok" ? { ...instead, isWithheld: true } : reply;
}

function said({ status, code, message, errors }: Refusal): Reply {
  const body: Json = { message, code, ...(errors ? { errors } : {}) };
  // Write limits come with a time like other limits.
  if (status === 429) body.retry_after = 5;
  const headers = status === 429 ? { ...JSON_TYPE, "retry-after": "5" } : JSON_TYPE;
  return { outcome: String(code || status), status, body: JSON.stringify(body), headers };
}

function refused(code: number, { status, errors }: { readonly status?: number; readonly errors?: Json }): Reply {
  const usual = refusal(code);
  return said(new Refusal(status ?? usual.status, code, usual.message, errors));
}

function tooMany(seconds: number, scope: LimitScope): Reply {
  const message = scope === "shared" ? "The resource is being rate limited." : "You are being rate limited.";
  return {
    outcome: "429",
    status: 429,
    body: JSON.stringify({ message, retry_after: seconds, global: scope === "global" }),
    headers: {
      ...JSON_TYPE,
      "retry-after": String(Math.ceil(seconds)),
      "x-ratelimit-scope": scope,
      via: "1.1 google",
      ...(scope === "global" ? { "x-ratelimit-global": "true" } : {}),
    },
    isSharedLimit: scope === "shared",
  };
}

function cloudflare(seconds: number | undefined): Reply {
  const body =
    "<!doctype html><html><head><title>Access denied | discord.com</title></head><body>error code: 1015</body></html>";
  const headers = { "content-type": "text/html; charset=UTF-8", server: "cloudflare" };
  return {
    outcome: "429",
    status: 429,
    body,
    headers: seconds === undefined ? headers : { ...headers, "retry-after": String(seconds) },
  };
}

function broken(status: number): Reply {
  return { outcome: String(status), status, body: "upstream failure", headers: { "content-type": "text/plain" } };
}

function silent(silence: "drop" | "hang"): Reply {
  return { outcome: silence === "drop" ? "dropped" : "hangs", status: 0, body: "", headers: {}, silence };
}
