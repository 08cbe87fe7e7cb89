import { type Dispatched, type GatewaySession, nextOf, type Switchboard } from "./gateway-session.js";
import { Intent } from "./intents.js";
import type { DiscordApp } from "./model.js";
import { userWire } from "./people-wire.js";
import { isRecord, type Json, numberOf, textOf } from "./wire.js";

/** What one connection remembers. */
export interface LineState {
  session: GatewaySession | undefined;
  isMute: boolean;
  beats: number;
  closedBy: number | undefined;
  readonly received: Json[];
}

/** One connection, as the conversation on it needs it. */
export interface Talk {
  readonly board: Switchboard;
  readonly state: LineState;
  readonly say: (op: number, rest?: Json) => void;
  readonly dispatch: (dispatched: Dispatched) => void;
  readonly close: (code: number, reason?: string) => void;
}

/** A code to close with, and the reason. */
type Closing = readonly [code: number, reason: string] | undefined;

/** The highest intent bit there is. */
const KNOWN_INTENTS = (1 << 26) - 1;

/** Bytes of the longest thing that a client may send. */
const LONGEST = 4096;

/** The codes after which a session is gone. */
const ENDS_SESSION = new Set([1000, 1001, 4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014]);

export function endSession(board: Switchboard, state: LineState, code: number): void {
  if (state.session && ENDS_SESSION.has(code)) board.sessions.delete(state.session.id);
}

/** Answers one thing that the client has sent, or closes the connection for it. */
export function hear(talk: Talk, text: string): void {
  const closing = answer(talk, text);
  if (closing) talk.close(...closing);
}

function answer(talk: Talk, text: string): Closing {
  const { state, say } = talk;
  if (Buffer.byteLength(text) > LONGEST) return [4002, "Payload too large."];
  const message = parsed(text);
  if (!message) return [4002, "Error while decoding payload."];
  state.received.push(message);
  const data = isRecord(message.d) ? message.d : {};
  switch (message.op) {
    case 1:
      state.beats++;
      say(11);
      return undefined;
    case 2:
      return identify(talk, data);
    case 6:
      return resume(talk, data);
    case 3:
    case 4:
    case 8:
      return state.session ? undefined : [4003, "Not authenticated."];
    default:
      return [4001, "Unknown opcode."];
  }
}

function identify(talk: Talk, asked: Json): Closing {
  const { board, state } = talk;
  const { workspace } = board.deps;
  if (state.session) return [4005, "Already authenticated."];
  const app = workspace.apps.find((it) => it.token === asked.token && !it.isRevoked);
  board.counts.identifies++;
  board.counts.sessionsLeft--;
  board.identifiedAt.push(workspace.clock.now());
  if (!app) return [4004, "Authentication failed."];
  const refused = intentRefusal(app, asked.intents);
  if (refused) return refused;
  if (Array.isArray(asked.shard) && !(Number(asked.shard[0]) < Number(asked.shard[1]))) return [4010, "Invalid shard."];
  if (board.withheld() !== "ready") begin(talk, app, asked);
  return undefined;
}

function begin({ board, state, dispatch }: Talk, app: DiscordApp, asked: Json): void {
  const { workspace, wsUrl, guildsOf } = board.deps;
  const id = workspace.mintId();
  const session: GatewaySession = { id, app, intents: Number(asked.intents), seq: 0, log: [] };
  board.sessions.set(id, session);
  state.session = session;
  const guilds = guildsOf(app);
  const ready = {
    v: 10,
    user: { ...userWire(app.user), verified: true, mfa_enabled: true, email: null },
    guilds: guilds.map((guild) => ({ id: guild.id, unavailable: true })),
    session_id: id,
    session_type: "normal",
    resume_gateway_url: wsUrl(),
    shard: asked.shard ?? [0, 1],
    application: { id: app.id, flags: app.privileges.has("content") ? 1 << 19 : 0 },
  };
  dispatch(nextOf(session, "READY", ready));
  for (const guild of guilds) if (guild.unavailable !== true) dispatch(nextOf(session, "GUILD_CREATE", guild));
}

function intentRefusal(app: DiscordApp, intents: unknown): Closing {
  if (typeof intents !== "number" || intents < 0 || (intents & ~KNOWN_INTENTS) !== 0) {
    return [4013, "Invalid intent(s)."];
  }
  for (const privilege of ["content", "members", "presences"] as const) {
    if ((intents & Intent[privilege]) !== 0 && !app.privileges.has(privilege)) return [4014, "Disallowed intent(s)."];
  }
  return undefined;
}

function resume({ board, state, say, dispatch }: Talk, asked: Json): Closing {
  if (state.session) return [4005, "Already authenticated."];
  const session = board.sessions.get(textOf(asked, "session_id") ?? "");
  const seq = numberOf(asked, "seq") ?? 0;
  const isAlive = board.deps.workspace.apps.some((it) => it.token === asked.token && !it.isRevoked);
  if (!isAlive) return [4004, "Authentication failed."];
  if (!session || session.app.token !== asked.token) {
    say(9, { d: false });
    return undefined;
  }
  if (seq > session.seq) return [4007, "Invalid seq."];
  board.counts.resumes++;
  state.session = session;
  for (const missed of session.log) if (missed.seq > seq) dispatch(missed);
  dispatch(nextOf(session, "RESUMED", { _trace: [] }));
  return undefined;
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
