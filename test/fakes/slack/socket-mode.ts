import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Attempt, Carrier, Outcome } from "./courier.js";
import type { SlackApp } from "./model.js";
import { isRecord, type Json, Refusal } from "./wire.js";
import type { Workspace } from "./workspace.js";

/** An acknowledgement as it came in. */
export interface Ack {
  readonly app: string;
  readonly envelopeId: string;
  readonly payload: unknown;
  readonly at: number;
}

/** One open connection of an app. */
export interface SocketConnection {
  readonly app: string;
  readonly number: number;
  readonly isOpen: boolean;
  /** Parcels that have gone out on it. */
  readonly sent: number;
  /** Says that it will be closed, and sends it no more events; the client reconnects. */
  disconnect(reason: "warning" | "refresh_requested" | "link_disabled"): void;
  /** Breaks the TCP connection. */
  kill(): void;
  /** From now on pings go unanswered. */
  mute(): void;
  /** Sends something as it is. */
  send(message: Json | string): void;
  ping(): void;
}

export interface Sockets extends Carrier {
  /** All there have been, in order. */
  readonly connections: readonly SocketConnection[];
  readonly acks: readonly Ack[];
  /** Open ones of an app that are not about to close. */
  open(app: string): readonly SocketConnection[];
  /** New connections get no `hello`, from now on or never again. */
  withholdHello(isWithheld: boolean): void;
  /** More connections than this are turned away. */
  allow(connections: number): void;
  /** Answers a closing frame but leaves the connection open, as Slack does. */
  closeLazily(isLazy: boolean): void;
  /** A fresh address, good for one connection. */
  issue(app: SlackApp): string;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

interface SocketOptions {
  readonly workspace: Workspace;
  readonly wsUrl: () => string;
  readonly onChange: () => void;
}

interface Line {
  readonly connection: SocketConnection;
  readonly ws: WebSocket;
  readonly app: SlackApp;
  readonly state: { isLeaving: boolean; sent: number };
}

export function createSockets({ workspace, wsUrl, onChange }: SocketOptions): Sockets {
  const server = new WebSocketServer({ noServer: true, autoPong: false, perMessageDeflate: true });
  const tickets = new Map<string, SlackApp>();
  const lines: Line[] = [];
  const acks: Ack[] = [];
  const waiting = new Map<string, (outcome: Outcome) => void>();
  let most = 10;
  let hasHello = true;
  let isLazy = false;
  let turn = 0;

  const openLines = (app: SlackApp) =>
    lines.filter((line) => line.app === app && line.ws.readyState === line.ws.OPEN && !line.state.isLeaving);

  function connect(ws: WebSocket, app: SlackApp, socket: Duplex): void {
    const state = { isLeaving: false, sent: 0 };
    const connection = createConnection({ ws, socket, app, number: lines.length + 1, state });
    const line: Line = { app, ws, connection, state };
    const before = openLines(app).length;
    lines.push(line);
    if (isLazy) keepOpen(socket);
    ws.on("message", (data) => onMessage(line, String(data)));
    ws.on("error", () => {});
    ws.on("close", onChange);
    if (before >= most) {
      state.isLeaving = true;
      ws.send(JSON.stringify({ type: "disconnect", reason: "too_many_websockets", debug_info: { host: "local" } }));
    } else if (hasHello) ws.send(JSON.stringify(hello(app, before + 1)));
    onChange();
  }

  function onMessage({ app }: Line, data: string): void {
    const message: unknown = JSON.parse(data);
    if (!isRecord(message) || typeof message.envelope_id !== "string") return;
    acks.push({ app: app.name, envelopeId: message.envelope_id, payload: message.payload, at: workspace.clock.now() });
    waiting.get(message.envelope_id)?.({ ok: true, answer: message.payload, ms: 0 });
    waiting.delete(message.envelope_id);
    onChange();
  }

  return {
    get connections() {
      return lines.map((line) => line.connection);
    },
    acks,
    open: (app) => openLines(workspace.app(app)).map((line) => line.connection),
    withholdHello(isWithheld) {
      hasHello = !isWithheld;
    },
    allow(connections) {
      most = connections;
    },
    closeLazily(lazy) {
      isLazy = lazy;
    },
    issue(app) {
      if (app.requestUrl !== undefined) throw new Refusal("forbidden_team");
      const ticket = workspace.mintId("ticket");
      tickets.set(ticket, app);
      return `${wsUrl()}/link/?ticket=${ticket}&app_id=${app.appId}`;
    },
    upgrade(request, socket, head) {
      const ticket = new URL(request.url ?? "", "http://local").searchParams.get("ticket") ?? "";
      const app = tickets.get(ticket);
      tickets.delete(ticket);
      if (!app) return void socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      server.handleUpgrade(request, socket, head, (ws) => connect(ws, app, socket));
    },
    /** To one of the open connections, each in turn. */
    carry(app, parcel, attempt, report) {
      if (app.requestUrl !== undefined) return false;
      const open = openLines(app);
      const line = open[turn++ % open.length];
      if (!line) return false;
      const sentAt = workspace.clock.now();
      waiting.set(attempt.envelopeId, (outcome) =>
        report(outcome.ok ? { ...outcome, ms: workspace.clock.now() - sentAt } : outcome),
      );
      line.state.sent++;
      line.ws.send(JSON.stringify(envelope(parcel, attempt)));
      return true;
    },
    close() {
      for (const { ws } of lines) ws.terminate();
      server.close();
    },
  };
}

interface Wires {
  readonly ws: WebSocket;
  readonly socket: Duplex;
  readonly app: SlackApp;
  readonly number: number;
  readonly state: { isLeaving: boolean; sent: number };
}

function createConnection({ ws, socket, app, number, state }: Wires): SocketConnection {
  let isMute = false;
  ws.on("ping", (data) => {
    if (!isMute) ws.pong(data);
  });
  return {
    app: app.name,
    number,
    get isOpen() {
      return ws.readyState === ws.OPEN;
    },
    get sent() {
      return state.sent;
    },
    disconnect(reason) {
      state.isLeaving = reason !== "warning";
      ws.send(JSON.stringify({ type: "disconnect", reason, debug_info: { host: "local" } }));
    },
    kill: () => void socket.destroy(),
    mute() {
      isMute = true;
    },
    send: (message) => ws.send(typeof message === "string" ? message : JSON.stringify(message)),
    ping: () => ws.ping(),
  };
}

/** The closing handshake ends, the TCP connection does not. */
function keepOpen(socket: Duplex): void {
  socket.end = () => socket;
}

function hello(app: SlackApp, connections: number): Json {
  return {
    type: "hello",
    num_connections: connections,
    debug_info: { host: "local", build_number: 1, approximate_connection_time: 18_060 },
    connection_info: { app_id: app.appId },
  };
}

function envelope(parcel: { kind: string; body: Json }, attempt: Attempt): Json {
  const isEvent = parcel.kind === "events_api";
  return {
    envelope_id: attempt.envelopeId,
    type: parcel.kind,
    accepts_response_payload: !isEvent,
    payload: parcel.body,
    ...(isEvent ? { retry_attempt: attempt.number, retry_reason: attempt.reason } : {}),
  };
}
