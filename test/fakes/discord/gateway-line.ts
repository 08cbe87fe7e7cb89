import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Dispatched, Switchboard } from "./gateway-session.js";
import { endSession, hear, type LineState, type Talk } from "./gateway-talk.js";
import type { Json } from "./wire.js";

/** One connection of a client. */
export interface GatewayConnection {
  readonly number: number;
  /** Of the app that has identified itself on it. */
  readonly app: string | undefined;
  readonly intents: number;
  readonly isOpen: boolean;
  /** A session runs on it. */
  readonly isReady: boolean;
  readonly sessionId: string | undefined;
  /** Heartbeats that came. */
  readonly beats: number;
  /** Everything that the client has sent. */
  readonly received: readonly Json[];
  /** The code that the client closed it with. */
  readonly closedBy: number | undefined;
  /** Op 7: the client shall come again. */
  reconnect(): void;
  /** Op 9: the session is worth nothing, or may be taken up again. */
  invalidate(isResumable: boolean): void;
  close(code: number, reason?: string): void;
  /** Breaks the TCP connection off, which the client sees as 1006. */
  kill(): void;
  /** A zombie: open, and silent from now on; events wait for a resume. */
  mute(): void;
  /** Asks for a heartbeat at once. */
  askBeat(): void;
  /** Any text, also what is no JSON. */
  send(text: string): void;
}

/** A connection with what the gateway itself needs of it. */
export interface Line {
  readonly connection: GatewayConnection;
  sessionId(): string | undefined;
  dispatch(dispatched: Dispatched): void;
}

interface Wires {
  readonly ws: WebSocket;
  readonly socket: Duplex;
  readonly query: string;
  readonly number: number;
  readonly refusal: number | undefined;
}

export function createConnection(board: Switchboard, wires: Wires): Line {
  const { ws, socket, number } = wires;
  const state: LineState = { session: undefined, isMute: false, beats: 0, closedBy: undefined, received: [] };
  const say = (op: number, rest: Json = {}) => {
    if (!state.isMute && ws.readyState === ws.OPEN) ws.send(JSON.stringify({ op, d: null, s: null, t: null, ...rest }));
  };
  const dispatch = ({ seq, event, data }: Dispatched) => say(0, { t: event, s: seq, d: data });
  const close = (code: number, reason?: string) => {
    endSession(board, state, code);
    if (code === 1006) socket.destroy();
    else ws.close(code, reason);
  };
  const talk: Talk = { board, state, say, dispatch, close };

  ws.on("error", () => {});
  ws.on("close", (code) => {
    state.closedBy = code;
    if (code === 1000 || code === 1001) endSession(board, state, code);
    board.deps.onChange();
  });
  ws.on("message", (data) => {
    hear(talk, String(data));
    board.deps.onChange();
  });
  if (wires.refusal !== undefined) close(wires.refusal);
  else if (new URL(wires.query, "http://local").searchParams.get("v") !== "10") close(4012, "Invalid API version.");
  else if (board.withheld() !== "hello") say(10, { d: { heartbeat_interval: board.heartbeatMs(), _trace: [] } });

  const connection: GatewayConnection = {
    number,
    get app() {
      return state.session?.app.name;
    },
    get intents() {
      return state.session?.intents ?? 0;
    },
    get isOpen() {
      return ws.readyState === ws.OPEN;
    },
    get isReady() {
      return state.session !== undefined;
    },
    get sessionId() {
      return state.session?.id;
    },
    get beats() {
      return state.beats;
    },
    received: state.received,
    get closedBy() {
      return state.closedBy;
    },
    reconnect: () => say(7),
    invalidate(isResumable) {
      if (!isResumable && state.session) board.sessions.delete(state.session.id);
      say(9, { d: isResumable });
    },
    close,
    kill: () => void socket.destroy(),
    mute() {
      state.isMute = true;
    },
    askBeat: () => say(1),
    send: (text) => ws.send(text),
  };
  return { connection, sessionId: () => state.session?.id, dispatch };
}
