import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "../../../src/clock.js";
import type { Clock } from "../../../src/ports/clock.js";
import { type Admin, createAdmin } from "./admin.js";
import { createBoard } from "./board.js";
import { createCdn } from "./cdn.js";
import { createFaults } from "./faults.js";
import { createFeed } from "./feed.js";
import { createGateway } from "./gateway.js";
import { guildWire } from "./guild-wire.js";
import { createInteractions } from "./interactions.js";
import { createLimiter } from "./limits.js";
import type { DiscordApp, DiscordMessage } from "./model.js";
import { createPerson, type Person } from "./person.js";
import { createRecorder } from "./recorder.js";
import { API, serveRest } from "./rest.js";
import { createForeignWebhook, createRobot, type ForeignWebhook, type Robot } from "./robot.js";
import { createServerLife, type ServerLife } from "./server-life.js";
import { type Seen, seenIn, transcriptOf } from "./transcript.js";
import { createWorkspace } from "./workspace.js";
import type { World } from "./world.js";

/** The whole service: what its parts do, and the views a person has of it. */
export interface FakeDiscord extends World, Pick<ServerLife, "down" | "up"> {
  /** For the option `rest.api` of discord.js. */
  readonly apiUrl: string;
  /** The app that is tested, called `troupe`. */
  readonly app: DiscordApp;
  readonly token: string;
  readonly applicationId: string;
  readonly botUserId: string;
  /** What those do who run a server. */
  readonly admin: Admin;
  person(name: string): Person;
  /** Somebody else's bot. */
  robot(name: string): Robot;
  /** A new webhook that is not the app's, in a channel; of nobody's app, or of that of `ownerId` with `isApps`. */
  foreignWebhook(
    name: string,
    channel: string,
    owner?: { readonly ownerId: string; readonly isApps?: boolean },
  ): ForeignWebhook;
  /** What stands in the channel or thread, or what this person sees of it. */
  seen(channel: string, viewer?: string): readonly Seen[];
  /** The same as lines. */
  transcript(channel: string, viewer?: string): readonly string[];
  close(): Promise<void>;
}

export interface FakeDiscordOptions {
  /** Ids, times, limits and expiry go by it; the machine's own without one. */
  readonly clock?: Clock;
  /** Called with each message as it is posted, for those who count or time them. */
  readonly onPost?: (message: DiscordMessage) => void;
}

/**
 * Discord on the loopback: REST v10, gateway, files, webhooks, commands and buttons, strict about rights and forms. It has one app and
 * nobody else in it at first. Every fault and limit is off until a test switches it on.
 */
export async function startFakeDiscord(options: FakeDiscordOptions = {}): Promise<FakeDiscord> {
  const workspace = createWorkspace(options.clock ?? systemClock);
  const recorder = createRecorder();
  const onChange = () => recorder.changed();
  const server = createServer((request, response) => void serveSafely(world, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server's address is never a path.
  const { port } = server.address() as AddressInfo;
  const url = () => `http://127.0.0.1:${port}`;
  const wsUrl = () => `ws://127.0.0.1:${port}`;

  const guildsOf = (app: DiscordApp) =>
    [...workspace.guilds.values()]
      .filter((it) => it.members.has(app.id))
      .map((it) => (it.isUnavailable ? { id: it.id, unavailable: true } : guildWire(workspace, it, app)));
  const gateway = createGateway({ workspace, wsUrl, guildsOf, onChange });
  const feed = createFeed(workspace, gateway);
  const board = createBoard({ workspace, feed, onChange, onPost: options.onPost ?? (() => {}) });
  const interactions = createInteractions({ workspace, feed });
  const cdn = await createCdn(workspace);
  const limiter = createLimiter(workspace.clock);
  const parts = { workspace, recorder, gateway, feed, board, interactions, cdn, limiter, faults: createFaults() };
  const world: World = { ...parts, typings: [], url, wsUrl };
  const app = workspace.addApp({ name: "troupe", displayName: "Troupe" });
  server.on("upgrade", (request, socket, head) => gateway.upgrade(request, socket, head));
  const life = createServerLife(server, port, gateway);
  const seen = (channel: string, viewer?: string) =>
    seenIn(workspace, board, workspace.channel(channel), viewer && workspace.user(viewer).id);

  return {
    ...world,
    apiUrl: `${url()}/api`,
    app,
    token: app.token,
    applicationId: app.id,
    botUserId: app.id,
    admin: createAdmin(world, app.id, (id) => guildWire(workspace, workspace.guild(id), app)),
    person: (name) => createPerson(world, workspace.user(name)),
    robot: (name) => createRobot(world, workspace.user(name)),
    foreignWebhook: (name, channel, owner) => createForeignWebhook(world, { name, channel, ...owner }),
    seen,
    transcript: (channel, viewer) => transcriptOf(seen(channel, viewer)),
    down: life.down,
    up: life.up,
    async close() {
      recorder.close();
      gateway.close();
      await Promise.all([cdn.close(), life.close()]);
    },
  };
}

/** A mistake of the fake is a 500 for the client, and still comes to light. */
async function serveSafely(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await serve(world, request, response);
  } catch (error) {
    response.writeHead(500).end();
    throw error;
  }
}

async function serve(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readAll(request);
  if (!body) return;
  if (request.url?.startsWith(`${API}/`)) return serveRest(world, request, response, body);
  response.writeHead(404, { "content-type": "application/json" }).end('{"message":"404: Not Found","code":0}');
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
