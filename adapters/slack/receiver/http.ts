import type { Clock, Logger } from "../../../src/index.js";
import type { Door } from "./door.js";
import { isSigned } from "./signature.js";

interface HttpReceiverOptions {
  readonly signingSecret: string;
  readonly door: Door;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Takes Slack's signed requests. An event is answered when it is kept (200) or could not be kept (500, so that Slack sends it again);
 * a command or a click as soon as it is acknowledged. Anything that Slack has not signed within five minutes is a 401.
 */
export function createHttpReceiver(options: HttpReceiverOptions): (request: Request) => Promise<Response> {
  const { signingSecret, door, clock, logger } = options;
  return async (request) => {
    if (request.method !== "POST") return plain(405, "only POST", { allow: "POST" });
    const raw = await request.text();
    const header = (name: string) => request.headers.get(name) ?? "";
    const signed = {
      body: raw,
      signature: header("x-slack-signature"),
      timestamp: header("x-slack-request-timestamp"),
    };
    if (!isSigned(signed, signingSecret, clock.now())) {
      logger.warn(
        {},
        "a request to /slack/events does not bear Slack's signature: check SLACK_SIGNING_SECRET and this machine's clock",
      );
      return plain(401, "bad signature");
    }
    const body = bodyOf(header("content-type"), raw);
    if (body === undefined) return plain(400, "neither JSON nor a form");
    if (body.type === "url_verification") return Response.json({ challenge: body.challenge });
    if (body.ssl_check !== undefined) return plain(200);
    return answerOf(body, request, door, logger);
  };
}

type Body = Record<string, unknown>;

/** The response to what the door acknowledges. What it is still busy with then goes on without Slack waiting. */
function answerOf(body: Body, request: Request, door: Door, logger: Logger): Promise<Response> {
  return new Promise((resolve) => {
    const ack = async (answer?: unknown) => resolve(acknowledged(answer));
    const retry = Number(request.headers.get("x-slack-retry-num") ?? Number.NaN);
    const reason = request.headers.get("x-slack-retry-reason");
    door({
      body,
      ack,
      ...(Number.isNaN(retry) ? {} : { retryNum: retry }),
      ...(reason === null ? {} : { retryReason: reason }),
    }).catch((error: unknown) => {
      logger.warn({ error }, "something from Slack could not be kept; Slack will send it again");
      resolve(plain(500));
    });
  });
}

function acknowledged(answer: unknown): Response {
  if (answer === undefined || answer === "") return plain(200);
  return typeof answer === "string" ? plain(200, answer) : Response.json(answer);
}

function plain(status: number, text = "", headers: Readonly<Record<string, string>> = {}): Response {
  // Without a text there is no stream to make and to read.
  return new Response(text || null, { status, headers });
}

/** Events come as JSON, commands as a form, clicks as JSON in a form. */
function bodyOf(contentType: string, raw: string): Body | undefined {
  if (contentType.startsWith("application/json")) return json(raw);
  if (!contentType.startsWith("application/x-www-form-urlencoded")) return undefined;
  const form = Object.fromEntries(new URLSearchParams(raw));
  return form.payload === undefined ? form : json(form.payload);
}

function json(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
