import type { IncomingMessage, ServerResponse } from "node:http";
import { createArgs } from "./args.js";
import { chatMethods, markMethods } from "./methods/chat.js";
import { conversationMethods } from "./methods/conversations.js";
import { fileMethods } from "./methods/files.js";
import { type Method, type Methods, needScope } from "./methods/method.js";
import { peopleMethods } from "./methods/people.js";
import { otherMethods } from "./methods/views.js";
import type { SlackApp } from "./model.js";
import { type Attempted, replyTo, send } from "./replies.js";
import { isRecord, type Json, Refusal } from "./wire.js";
import type { World } from "./world.js";

const METHODS: Methods = {
  ...chatMethods,
  ...markMethods,
  ...conversationMethods,
  ...peopleMethods,
  ...fileMethods,
  ...otherMethods,
};

/** Answers one call of the Web API: recorded, faulted, limited, run. */
export function serveMethod(world: World, request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const url = new URL(request.url ?? "", "http://local");
  const method = url.pathname.replace(/^\/api\//, "");
  const sent = { ...Object.fromEntries(url.searchParams), ...parseBody(request.headers["content-type"] ?? "", body) };
  const { token: bodyToken, ...args } = sent;
  const headerToken = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  const owner = ownerOf(world, headerToken ?? (typeof bodyToken === "string" ? bodyToken : undefined));
  const tokenIn = [...(headerToken ? ["header" as const] : []), ...(bodyToken ? ["body" as const] : [])];
  const at = world.workspace.clock.now();
  const recorded = world.recorder.add({ method, token: owner.name, tokenIn, args: readable(args), at });
  const fault = world.faults.take(method, owner.app?.name ?? "", recorded.args);
  const reply = replyTo(
    () => run(world, { method, owner, args, setHeader: (...it) => void response.setHeader(...it) }),
    fault,
  );
  recorded.outcome = reply.outcome;
  recorded.isWithheld = reply.isWithheld ?? false;
  send(response, reply);
  world.recorder.changed();
}

interface Owner {
  readonly name: string;
  readonly app?: SlackApp;
  readonly isAppToken: boolean;
}

function ownerOf({ workspace }: World, token: string | undefined): Owner {
  if (!token) return { name: "none", isAppToken: false };
  const app = workspace.apps.find((it) => it.token === token || it.appToken === token);
  if (!app) return { name: "unknown", isAppToken: false };
  const isAppToken = app.appToken === token;
  return { name: isAppToken ? `${app.name} (app)` : app.name, app, isAppToken };
}

interface Asked {
  readonly method: string;
  readonly owner: Owner;
  readonly args: Json;
  readonly setHeader: (name: string, value: string) => void;
}

/** Runs the method; a call over a limit is turned away before it does anything. */
function run(world: World, { method: name, owner, args: sent, setHeader }: Asked): Attempted {
  const method = METHODS[name];
  if (!method) throw new Refusal("unknown_method", { req_method: name });
  const app = authorized(owner, method);
  if (method.scope) setHeader("x-accepted-oauth-scopes", method.scope);
  setHeader("x-oauth-scopes", owner.isAppToken ? "connections:write" : [...app.scopes].join(","));
  if (method.scope) needScope(app, method.scope);
  const args = createArgs(sent);
  const retryAfterSeconds = world.limiter.check(app, name, args);
  if (retryAfterSeconds !== undefined) return { retryAfterSeconds };
  return { result: method.run({ app, args, world }) };
}

function authorized({ name, app, isAppToken }: Owner, method: Method): SlackApp {
  if (name === "none") throw new Refusal("not_authed");
  if (!app) throw new Refusal("invalid_auth");
  if (isAppToken !== (method.isForAppToken ?? false)) throw new Refusal("not_allowed_token_type");
  if (app.isUninstalled) throw new Refusal("account_inactive");
  if (app.isRevoked) throw new Refusal("token_revoked");
  return app;
}

function parseBody(contentType: string, body: Buffer): Json {
  const text = body.toString("utf8");
  if (!contentType.startsWith("application/json")) return Object.fromEntries(new URLSearchParams(text));
  const parsed = tryParse(text);
  return isRecord(parsed) ? parsed : {};
}

/** The arguments as one would write them: what forms carry as JSON text is read. */
function readable(args: Json): Json {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === "string" && /^[[{]/.test(value) ? tryParse(value) : value,
    ]),
  );
}

function tryParse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
