import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { createConnection, type GatewayConnection, type Line } from "./gateway-line.js";
import { type GatewayDeps, type GatewaySession, nextOf, type Switchboard, type Withheld } from "./gateway-session.js";
import type { DiscordApp } from "./model.js";
import type { Json } from "./wire.js";

/** What becomes of a dispatch instead of its being sent once. */
export type DispatchFault = "duplicate" | "lose";

const COPIES: Readonly<Record<DispatchFault, number>> = { duplicate: 2, lose: 0 };

/** The gateway: its connections and sessions, and what a test does to them. */
export interface Gateway {
  readonly connections: readonly GatewayConnection[];
  /** How often clients have begun a new session, and how often they took one up again. */
  readonly identifies: number;
  readonly resumes: number;
  /** When each IDENTIFY came, by the clock. */
  readonly identifiedAt: readonly number[];
  /** Milliseconds between two beats, told to those who connect from now on. */
  heartbeatMs: number;
  /** How many IDENTIFYs there may be within 5 s, as GET /gateway/bot says. Large, so that tests do not wait. */
  maxConcurrency: number;
  /** IDENTIFYs left of the day. */
  sessionsLeft: number;
  open(app?: string): readonly GatewayConnection[];
  /** From now on nobody is greeted, or nobody is told that they are ready. */
  withhold(what: Withheld): void;
  /** The next connections are closed with this code as soon as they are open; 1006 breaks them off. */
  refuse(code: number, times: number): void;
  /** No session can be taken up again. */
  forgetSessions(): void;
  /** What becomes of the next dispatches of this name; `*` for any. */
  fail(fault: DispatchFault, event: string, times?: number): void;
  /** Keeps dispatches back; all of them, or those of one name. */
  hold(event?: string): void;
  /** Sends what was kept back, and no longer keeps it. */
  release(order?: "forwards" | "backwards"): void;
  dispatch(app: DiscordApp, event: string, intent: number, data: (intents: number) => Json): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Breaks every connection off. */
  cut(): void;
  close(): void;
}

export function createGateway(deps: GatewayDeps): Gateway {
  const server = new WebSocketServer({ noServer: true });
  const lines: Line[] = [];
  const sessions = new Map<string, GatewaySession>();
  const counts = { identifies: 0, resumes: 0, sessionsLeft: 1000 };
  const identifiedAt: number[] = [];
  const refusals: number[] = [];
  const failing: { readonly fault: DispatchFault; readonly event: string; left: number }[] = [];
  const held: (() => void)[] = [];
  let withheld: Withheld = "nothing";
  let holding: string | undefined;

  const board: Switchboard = {
    deps,
    sessions,
    counts,
    identifiedAt,
    withheld: () => withheld,
    heartbeatMs: () => gateway.heartbeatMs,
  };

  function deliver(session: GatewaySession, event: string, data: Json): void {
    const hit = failing.find((it) => it.left > 0 && (it.event === event || it.event === "*"));
    if (hit) hit.left--;
    for (let copies = hit ? COPIES[hit.fault] : 1; copies > 0; copies--) {
      const dispatched = nextOf(session, event, data);
      for (const line of lines.filter((it) => it.sessionId() === session.id)) line.dispatch(dispatched);
    }
    deps.onChange();
  }

  const gateway: Gateway = {
    get connections() {
      return lines.map((line) => line.connection);
    },
    get identifies() {
      return counts.identifies;
    },
    get resumes() {
      return counts.resumes;
    },
    get sessionsLeft() {
      return counts.sessionsLeft;
    },
    set sessionsLeft(left) {
      counts.sessionsLeft = left;
    },
    identifiedAt,
    heartbeatMs: 41_250,
    maxConcurrency: 16,
    open: (app) =>
      lines.map((it) => it.connection).filter((it) => it.isReady && it.isOpen && (app === undefined || it.app === app)),
    withhold(what) {
      withheld = what;
    },
    refuse: (code, times) => void refusals.push(...Array.from({ length: times }, () => code)),
    forgetSessions: () => sessions.clear(),
    fail: (fault, event, times = 1) => void failing.push({ fault, event, left: times }),
    hold(event = "*") {
      holding = event;
    },
    release(order = "forwards") {
      holding = undefined;
      const waiting = held.splice(0);
      for (const go of order === "forwards" ? waiting : waiting.reverse()) go();
    },
    dispatch(app, event, intent, data) {
      for (const session of sessions.values()) {
        if (session.app !== app || (intent !== 0 && (session.intents & intent) === 0)) continue;
        const body = data(session.intents);
        if (holding === "*" || holding === event) held.push(() => deliver(session, event, body));
        else deliver(session, event, body);
      }
    },
    upgrade(request, socket, head) {
      server.handleUpgrade(request, socket, head, (ws) => {
        lines.push(
          createConnection(board, {
            ws,
            socket,
            query: request.url ?? "",
            number: lines.length + 1,
            refusal: refusals.shift(),
          }),
        );
        deps.onChange();
      });
    },
    cut() {
      for (const line of lines) line.connection.kill();
    },
    close() {
      gateway.cut();
      server.close();
    },
  };
  return gateway;
}
