import type { IncomingMessage, ServerResponse } from "node:http";
import type { DiscordApp } from "./model.js";
import { type Attempted, type Reply, replyTo, send } from "./replies.js";
import { objectOf, type RequestBody, readBody } from "./request-body.js";
import { type Matched, match } from "./route-table.js";
import { Refusal } from "./wire.js";
import type { World } from "./world.js";

/** Where the REST API stands. */
export const API = "/api/v10";

interface Asked {
  readonly matched: Matched | undefined;
  readonly app: DiscordApp | undefined;
  readonly query: Readonly<Record<string, string>>;
  readonly body: RequestBody;
  readonly headers: Record<string, string>;
}

/** Answers one call of the REST API: recorded, faulted, limited, run. */
export async function serveRest(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
): Promise<void> {
  const url = new URL(request.url ?? "", "http://local");
  const path = url.pathname.slice(API.length);
  const matched = match(request.method ?? "GET", path);
  const query = Object.fromEntries(url.searchParams);
  const token = tokenOf(world, request.headers.authorization);
  const body = await readBody(request, bytes).catch((error: unknown) => {
    if (error instanceof Refusal) return error;
    throw error;
  });
  const read = body instanceof Refusal ? { json: undefined, files: [] } : body;
  const recorded = world.recorder.add({
    method: matched?.method ?? "unknown",
    verb: request.method ?? "GET",
    path,
    params: matched?.params ?? {},
    query,
    body: read.json,
    files: read.files.map(({ field, name, bytes: held }) => ({ field, name, size: held.length })),
    token: token.name,
    userAgent: request.headers["user-agent"],
    at: world.workspace.clock.now(),
  });
  world.recorder.changed();
  const { method, params } = recorded;
  const fault = world.faults.take({ method, app: token.name, params, query, body: objectOf(read) });
  const asked: Asked = { matched, app: token.app, query, body: read, headers: {} };
  const reply = await replyTo(() => {
    if (body instanceof Refusal) throw body;
    return run(world, asked, token.name);
  }, fault);
  recorded.outcome = reply.outcome;
  recorded.isWithheld = reply.isWithheld ?? false;
  if (isInvalid(reply)) world.limiter.invalid++;
  // The hour is the clock's, as it is in the ids.
  const date = new Date(world.workspace.clock.now()).toUTCString();
  send(response, reply, { ...asked.headers, date });
  world.recorder.changed();
}

function isInvalid({ status, isSharedLimit }: Reply): boolean {
  return status === 401 || status === 403 || (status === 429 && !isSharedLimit);
}

function tokenOf({ workspace }: World, header: string | undefined): { name: string; app?: DiscordApp } {
  if (header === undefined) return { name: "none" };
  const app = workspace.apps.find((it) => header === `Bot ${it.token}` && !it.isRevoked);
  return app ? { name: app.name, app } : { name: "unknown" };
}

/** Runs the call; one over a limit is turned away before it does anything. */
function run(world: World, { matched, app, query, body, headers }: Asked, tokenName: string): Attempted {
  if (!matched) throw new Refusal(404, 0, "404: Not Found");
  const { route, params, method } = matched;
  if (tokenName === "unknown" || (!app && !route.isOpen)) throw new Refusal(401, 0, "401: Unauthorized");
  const major = params.webhook_id ?? params.channel_id ?? params.guild_id ?? "";
  const { headers: bucket, limited } = world.limiter.check({
    method,
    major,
    channelId: world.workspace.webhooks.get(params.webhook_id ?? "")?.channelId,
  });
  Object.assign(headers, bucket);
  if (limited) return { limited };
  return { result: route.run({ world, app, params, query, body: objectOf(body), raw: body.json, files: body.files }) };
}
