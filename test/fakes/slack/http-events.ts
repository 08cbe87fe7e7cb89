import { createHmac } from "node:crypto";
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import type { Attempt, Carrier, Outcome, ParcelKind } from "./courier.js";
import type { SlackApp } from "./model.js";
import type { Json } from "./wire.js";

/** What an app answered to a request of Slack. */
export interface AppAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly ms: number;
}

/** How a request is signed, for requests that are not as they should be. */
export interface Signing {
  readonly secret?: string;
  /** Seconds since the epoch. */
  readonly timestamp?: number;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpEvents extends Carrier {
  /** Posts a body to the app as Slack does, or nearly so. */
  post(app: SlackApp, body: string, signing?: Signing): Promise<AppAnswer>;
  /** Resolves with what the app answered to the challenge. */
  verify(app: SlackApp): Promise<AppAnswer>;
  close(): void;
}

/**
 * Brings events as signed requests to an app's address. The signature bears the machine's own time, whatever the clock of the
 * workspace says: that is what the receiver compares it with.
 */
export function createHttpEvents(mintId: (prefix: string) => string): HttpEvents {
  const agent = new Agent({ keepAlive: true });

  async function post(app: SlackApp, body: string, signing: Signing = {}): Promise<AppAnswer> {
    const started = performance.now();
    const { statusCode = 0, headers, text } = await send(agent, app, body, headersFor(app, body, signing));
    return { status: statusCode, headers, body: text, ms: performance.now() - started };
  }

  return {
    post,
    verify(app) {
      const challenge = mintId("challenge");
      const body = { type: "url_verification", token: "verification-token", challenge };
      return post(app, JSON.stringify(body), { contentType: "application/json" });
    },
    carry(app, parcel, attempt, report) {
      if (app.requestUrl === undefined) return false;
      post(app, encode(parcel), { contentType: contentTypeOf(parcel.kind), headers: retryHeaders(attempt) }).then(
        (answer) => report(outcomeOf(answer)),
        () => report({ ok: false, reason: "connection_failed" }),
      );
      return true;
    },
    close: () => agent.destroy(),
  };
}

function headersFor(app: SlackApp, body: string, signing: Signing): Record<string, string> {
  const timestamp = String(signing.timestamp ?? Math.trunc(Date.now() / 1000));
  const digest = createHmac("sha256", signing.secret ?? app.signingSecret)
    .update(`v0:${timestamp}:${body}`)
    .digest("hex");
  return {
    "content-type": signing.contentType ?? "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "user-agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
    "x-slack-request-timestamp": timestamp,
    "x-slack-signature": `v0=${digest}`,
    ...signing.headers,
  };
}

function retryHeaders({ number, reason }: Attempt): Record<string, string> {
  if (number === 0) return {};
  const named = reason === "timeout" ? "http_timeout" : reason;
  return { "x-slack-retry-num": String(number), "x-slack-retry-reason": named };
}

function contentTypeOf(kind: ParcelKind): string {
  return kind === "events_api" ? "application/json" : "application/x-www-form-urlencoded";
}

function encode({ kind, body }: { kind: ParcelKind; body: Json }): string {
  if (kind === "events_api") return JSON.stringify(body);
  if (kind === "interactive") return new URLSearchParams({ payload: JSON.stringify(body) }).toString();
  return new URLSearchParams(
    Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}

function outcomeOf(answer: AppAnswer): Outcome {
  const { status, ms } = answer;
  if (status >= 200 && status < 300) return { ok: true, status, ms, answer: parsed(answer) };
  return { ok: false, status, reason: "http_error", isFinal: answer.headers["x-slack-no-retry"] === "1" };
}

/** An answer to a command may be plain text; an empty one says nothing. */
function parsed({ body, headers }: AppAnswer): unknown {
  if (body === "") return {};
  return headers["content-type"]?.includes("json") ? JSON.parse(body) : { text: body };
}

interface Received {
  readonly statusCode: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function send(agent: Agent | false, app: SlackApp, body: string, headers: Record<string, string>): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent = request(app.requestUrl ?? "", { method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve({ statusCode: response.statusCode, headers: response.headers, text }));
      response.on("error", reject);
    });
    sent.on("error", (error) => {
      // A connection that was kept open may be closed by the app while this is on its way: that is no failure of the app.
      if (sent.reusedSocket && isClosed(error)) send(false, app, body, headers).then(resolve, reject);
      else reject(error);
    });
    sent.end(body);
  });
}

function isClosed(error: NodeJS.ErrnoException): boolean {
  return error.code === "ECONNRESET" || error.code === "EPIPE";
}
