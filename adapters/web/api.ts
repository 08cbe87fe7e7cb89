import { Hono } from "hono";
import {
  type Answer,
  type Clock,
  errorResponse,
  type Inbox,
  isSessionId,
  isSlashCommand,
  methodNotAllowed,
  ProtocolError,
  type Reader,
  type RequestInfo,
  type RoomState,
  roomOf,
  type SessionId,
  TroupeError,
} from "../../src/index.js";
import { entryJson } from "./entry-json.js";
import type { Streams } from "./events.js";
import {
  actionBody,
  checkLength,
  entriesQuery,
  eventsQuery,
  jsonBody,
  lastEventId,
  messageBody,
  noBody,
  noQuery,
  parseInput,
  queryOf,
} from "./input.js";
import { isWebRoom, WEB_PERSON } from "./person.js";

export interface ApiOptions {
  readonly reader: Reader;
  readonly streams: Streams;
  readonly clock: Clock;
  /** The engine's inbox, once the adapter has been started. */
  inbox(): Inbox | undefined;
}

type Api = Hono<{ Bindings: RequestInfo }>;

/** The HTTP interface to rooms (product section 7). The server has checked keys and methods; errors are thrown. */
export function createApi(options: ApiOptions): Api {
  const app: Api = new Hono();
  app.onError((error) => {
    throw error;
  });
  app.notFound(() => errorResponse(404, "not_found", "There is nothing at this path."));
  readingPaths(app, options);
  actingPaths(app, options);
  return app;
}

function readingPaths(app: Api, { reader, streams }: ApiOptions): void {
  app.get("/api/rooms", async (c) => {
    parseInput(noQuery, queryOf(c.req.raw));
    return c.json({ rooms: await reader.rooms() });
  });
  app.get("/api/rooms/:id", async (c) => {
    parseInput(noQuery, queryOf(c.req.raw));
    return c.json(await existing(reader, c.req.param("id")));
  });
  app.get("/api/rooms/:id/entries", async (c) => {
    const { after, limit } = parseInput(entriesQuery, queryOf(c.req.raw));
    const session = c.req.param("id");
    await existing(reader, session);
    return c.json(await page(reader, session, after, limit));
  });
  app.get("/api/events", async (c) => {
    const { room: session } = parseInput(eventsQuery, queryOf(c.req.raw));
    const after = parseInput(lastEventId, c.req.header("last-event-id"));
    // A web room that nobody has written to yet is there to be watched: its first message makes it.
    if (!isWebRoom(session)) await existing(reader, session);
    const body = streams.open({
      session,
      person: c.env.access === "person",
      closing: c.env.closing,
      ...(after === undefined ? {} : { after }),
    });
    if (!body) return errorResponse(429, "too_many_requests", "Too many event streams are open: close some pages.");
    return new Response(body, { headers: { "content-type": "text/event-stream", "x-accel-buffering": "no" } });
  });
  for (const path of ["/api/rooms", "/api/rooms/:id", "/api/rooms/:id/entries", "/api/events"]) {
    app.all(path, () => methodNotAllowed(["GET", "HEAD"]));
  }
}

function actingPaths(app: Api, options: ApiOptions): void {
  const { reader, clock } = options;
  app.post("/api/rooms/:id/messages", async (c) => {
    parseInput(noQuery, queryOf(c.req.raw));
    const session = writable(c.req.param("id"));
    const { text, id } = parseInput(messageBody, await jsonBody(c.req.raw));
    checkLength(text);
    const to = { session, from: WEB_PERSON, direct: true } as const;
    if (isSlashCommand(text)) {
      const answer = await started(options).command({ ...to, text: text.slice(1) });
      return c.json({ entry: null, answer: answerJson(answer) }, 202);
    }
    const message = { ...to, id: id ?? crypto.randomUUID(), text, at: clock.now() };
    const { seq } = await started(options).message(message);
    const [logged] = await reader.entries(session, seq - 1, 1);
    return c.json({ entry: logged ? entryJson(logged) : null }, 202);
  });
  app.post("/api/rooms/:id/actions", async (c) => {
    parseInput(noQuery, queryOf(c.req.raw));
    const { action, value } = parseInput(actionBody, await jsonBody(c.req.raw));
    const { id: room } = await existing(reader, c.req.param("id"));
    const answer = await started(options).press({ room, from: WEB_PERSON, action, value });
    return c.json({ answer: answerJson(answer) });
  });
  app.post("/api/rooms/:id/pairs/:pair/resume", async (c) => {
    parseInput(noQuery, queryOf(c.req.raw));
    parseInput(noBody, (await c.req.raw.text()).trim());
    const session = c.req.param("id");
    await existing(reader, session);
    const answer = await started(options).resume({ session, from: WEB_PERSON, pair: c.req.param("pair") });
    if (!answer.ok) throw new ProtocolError("forbidden", answer.view.text);
    return c.json(answer.data);
  });
  for (const path of ["messages", "actions", "pairs/:pair/resume"].map((action) => `/api/rooms/:id/${action}`)) {
    app.all(path, () => methodNotAllowed(["POST"]));
  }
}

/** The room that a room or session id names; throws when there is none. */
async function existing(reader: Reader, id: string): Promise<RoomState> {
  const state = isSessionId(id) ? await reader.room(id) : undefined;
  if (!state) throw new ProtocolError("not_found", "There is no such room: GET /api/rooms lists them.");
  return state;
}

/** The id, if the web room's person may write there. */
function writable(id: string): SessionId {
  if (isWebRoom(id)) return id;
  if (isSessionId(id) && !id.startsWith("web:")) {
    throw new ProtocolError("forbidden", `${roomOf(id)} is shown here only: write on its own platform.`);
  }
  throw new ProtocolError("invalid_input", "A web room is web:local:NAME, NAME of 1 to 32 characters a-z, 0-9 and -.");
}

function started({ inbox }: ApiOptions): Inbox {
  const engine = inbox();
  if (engine) return engine;
  throw new TroupeError("stopping", "The service is starting or stopping: try again in a moment.", { retryable: true });
}

/** One page of a log. `next` is the `after` of the following page, `null` at the end. */
async function page(reader: Reader, session: SessionId, after: number, limit: number) {
  const entries = await reader.entries(session, after, limit);
  const last = entries.at(-1)?.entry.seq;
  const isFull = last !== undefined && entries.length === limit;
  const hasMore = isFull && (await reader.entries(session, last, 1)).length > 0;
  return { entries: entries.map(entryJson), next: hasMore ? last : null };
}

function answerJson({ ok, view, public: isPublic, data }: Answer) {
  return { ok, view, public: isPublic, data };
}
