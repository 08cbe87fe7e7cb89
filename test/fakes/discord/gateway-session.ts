import type { DiscordApp } from "./model.js";
import type { Json } from "./wire.js";
import type { Workspace } from "./workspace.js";

/** One dispatch as it was sent, for those who resume. */
export interface Dispatched {
  readonly seq: number;
  readonly event: string;
  readonly data: Json;
}

/** What lives on when a connection breaks. */
export interface GatewaySession {
  readonly id: string;
  readonly app: DiscordApp;
  readonly intents: number;
  seq: number;
  readonly log: Dispatched[];
}

/** What the gateway keeps from its clients. */
export type Withheld = "hello" | "ready" | "nothing";

export interface GatewayDeps {
  readonly workspace: Workspace;
  readonly wsUrl: () => string;
  /** GUILD_CREATE for one app, as the guilds stand. */
  readonly guildsOf: (app: DiscordApp) => readonly Json[];
  readonly onChange: () => void;
}

/** What all lines of one gateway have in common. */
export interface Switchboard {
  readonly deps: GatewayDeps;
  readonly sessions: Map<string, GatewaySession>;
  readonly counts: { identifies: number; resumes: number; sessionsLeft: number };
  readonly identifiedAt: number[];
  readonly withheld: () => Withheld;
  readonly heartbeatMs: () => number;
}

/** Events that a session keeps for a resume. */
const KEPT = 2_000;

/** Writes the next dispatch of a session down. */
export function nextOf(session: GatewaySession, event: string, data: Json): Dispatched {
  const dispatched = { seq: ++session.seq, event, data };
  session.log.push(dispatched);
  if (session.log.length > KEPT) session.log.shift();
  return dispatched;
}
