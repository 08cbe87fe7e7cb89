import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "../../../src/clock.js";
import type { Clock } from "../../../src/ports/clock.js";
import { createBoard } from "./board.js";
import { createCourier } from "./courier.js";
import { createFaults } from "./faults.js";
import { createFeed } from "./feed.js";
import { receiveUpload, serveFile } from "./file-host.js";
import { createFiles } from "./files.js";
import { createHttpEvents, type HttpEvents } from "./http-events.js";
import { createInteractions } from "./interactions.js";
import { createLimiter } from "./limits.js";
import type { SlackMessage } from "./model.js";
import { createPerson, type Person } from "./person.js";
import { createRecorder } from "./recorder.js";
import { createRobot, type Robot } from "./robot.js";
import { createSockets } from "./socket-mode.js";
import { type Seen, seenIn, transcriptOf } from "./transcript.js";
import { serveMethod } from "./web-api.js";
import { isRecord, Refusal } from "./wire.js";
import { createWorkspace } from "./workspace.js";
import type { ThreadStatus, World } from "./world.js";

/** A status that nothing follows goes away. */
const STATUS_STANDS_MS = 120_000;

/** The whole workspace: what its parts do, and the views a person has of it. */
export interface FakeSlack extends World {
  readonly http: HttpEvents;
  /** For `slackApiUrl`. */
  readonly apiUrl: string;
  person(name: string): Person;
  robot(app: string): Robot;
  /** What stands in the channel, or what this person sees of it. */
  seen(channel: string, viewer?: string): readonly Seen[];
  /** The same as lines. */
  transcript(channel: string, viewer?: string): readonly string[];
  /** The "is thinking…" line of a thread, while it stands. */
  status(channel: string, thread: string): ThreadStatus | undefined;
  close(): Promise<void>;
}

export interface FakeSlackOptions {
  /** Time stamps, retries, limits and expiry go by it; the machine's own without one. */
  readonly clock?: Clock;
  readonly teamId?: string;
  /** Called with each message as it is posted, for those who count or time them. */
  readonly onPost?: (message: SlackMessage) => void;
}

/**
 * A Slack workspace on the loopback: Web API, Socket Mode, signed events, commands, buttons and files, strict about limits. It has
 * nobody and nothing in it at first. Every fault and limit is off until a test switches it on.
 */
export async function startFakeSlack(options: FakeSlackOptions = {}): Promise<FakeSlack> {
  const workspace = createWorkspace(options.clock ?? systemClock, options.teamId);
  const recorder = createRecorder();
  const onChange = () => recorder.changed();
  const server = createServer((request, response) => void serve(world, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server's address is never a path.
  const { port } = server.address() as AddressInfo;
  const url = () => `http://127.0.0.1:${port}`;

  const sockets = createSockets({ workspace, wsUrl: () => `ws://127.0.0.1:${port}`, onChange });
  const http = createHttpEvents(workspace.mintId);
  const courier = createCourier({
    clock: workspace.clock,
    carriers: [sockets, http],
    mintId: workspace.mintId,
    onChange,
  });
  const feed = createFeed(workspace, courier, url);
  const board = createBoard({ workspace, feed, filesUrl: url, onChange, onPost: options.onPost ?? (() => {}) });
  const interactions = createInteractions({ workspace, courier, board: () => board, url, onChange });
  const nameOfToken = (header: string | undefined) =>
    header && (workspace.apps.find((app) => header.endsWith(app.token))?.name ?? "unknown");
  const files = await createFiles(workspace, nameOfToken);
  const limiter = createLimiter(workspace.clock);
  const faults = createFaults();
  const parts = { workspace, recorder, sockets, courier, feed, board, interactions, files, limiter, faults };
  const world: World = { ...parts, statuses: new Map(), url };
  server.on("upgrade", (request, socket, head) => sockets.upgrade(request, socket, head));
  const seen = (channel: string, viewer?: string) =>
    seenIn(workspace, board, workspace.channel(channel), viewer && workspace.user(viewer).id);

  return {
    ...world,
    http,
    apiUrl: `${url()}/api/`,
    person: (name) => createPerson(world, workspace.user(name)),
    robot: (name) => createRobot(world, workspace.app(name)),
    seen,
    transcript: (channel, viewer) => transcriptOf(seen(channel, viewer)),
    status(channel, thread) {
      const standing = world.statuses.get(`${workspace.channel(channel).id} ${thread}`);
      return standing && workspace.clock.now() - standing.at < STATUS_STANDS_MS ? standing : undefined;
    },
    async close() {
      courier.close();
      recorder.close();
      sockets.close();
      http.close();
      server.closeAllConnections();
      await Promise.all([files.close(), new Promise<void>((resolve) => server.close(() => resolve()))]);
    },
  };
}

async function serve(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? "";
  if (path.startsWith("/files-pri/")) return serveFile(world, request, response);
  const body = await readAll(request);
  if (!body) return;
  if (path.startsWith("/api/")) return serveMethod(world, request, response, body);
  if (path.startsWith("/upload/")) return receiveUpload(world, request, response, body);
  if (path.startsWith("/response/")) return serveResponse(world, path, response, body);
  response.writeHead(404).end();
}

function serveResponse({ interactions, recorder }: World, path: string, response: ServerResponse, body: Buffer): void {
  try {
    const parsed: unknown = JSON.parse(body.toString("utf8"));
    interactions.responseUrls.receive(path.slice("/response/".length), isRecord(parsed) ? parsed : {});
    response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}');
  } catch (error) {
    const reason = error instanceof Refusal ? error.code : "invalid_payload";
    const status = /_url$/.test(reason) ? 404 : 400;
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify({ ok: false, error: reason }));
  }
  recorder.changed();
}

/** Nothing when the client has gone before it has said everything. */
async function readAll(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}
