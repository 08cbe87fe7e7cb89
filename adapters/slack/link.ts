import {
  type Clock,
  ConfigError,
  type HttpMount,
  type Inbox,
  type Logger,
  type PlatformStatus,
  type Reader,
} from "../../src/index.js";
import { createAdminHints } from "../shared/admin-hints.js";
import { createCatchUps } from "./catch-up-runs.js";
import { createClients, type SlackClients } from "./clients.js";
import { createInboundReader } from "./inbound.js";
import { createApp, type Listeners } from "./inbound-app.js";
import { createAsks } from "./inbound-asks.js";
import { createEventTaker } from "./inbound-events.js";
import { createFileReader } from "./inbound-files.js";
import { createTokenWatch } from "./liveness.js";
import { createOutbound, type Outbound } from "./outbound.js";
import { missingScopes, preflight } from "./preflight.js";
import { createDoor, createGate, type Door } from "./receiver-door.js";
import { createHttpReceiver } from "./receiver-http.js";
import { createSocketPool, type SocketPool } from "./receiver-socket.js";
import { respond } from "./respond.js";
import { sdkLogger } from "./sdk-logger.js";
import { createDirectory } from "./senders.js";
import { checkAppToken } from "./tokens.js";
import type { Workspace } from "./workspace.js";

/** How Slack reaches us. */
export type Transport =
  | { readonly mode: "socket"; readonly appToken: string }
  /** Requests to the service's own port. */
  | { readonly mode: "http"; readonly signingSecret: string; readonly mount: HttpMount };

/** What the Slack adapter is built on. */
export interface SlackAdapterOptions {
  readonly botToken: string;
  readonly transport: Transport;
  /** Personas with a bot user of their own, by handle; `tokenName` is the variable that the token came from. */
  readonly personaTokens?: ReadonlyMap<string, { readonly tokenName: string; readonly token: string }>;
  /** Base of the Web API; Slack's own by default. */
  readonly apiUrl?: string | undefined;
  /** Posts per second and channel; 0: only what Slack asks for. */
  readonly pace: number;
  /** What was said longer ago than this while we were away is not answered any more. */
  readonly catchUpMs: number;
  readonly reader: Reader;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A connection whose pings stay unanswered for so long is dead; 5 seconds by default. */
  readonly pingTimeoutMs?: number;
}

/** One run of the adapter, from its start to its stop. */
export interface Link {
  /** Speaks for us, from before the way in is open until after it is closed. */
  readonly outbound: Outbound;
  /** Opens the way in. Resolves when Slack can reach us; what was said meanwhile is read from then on. */
  open(): Promise<void>;
  status(): PlatformStatus;
  /** For HTTP. */
  request(request: Request): Promise<Response>;
  /** Takes nothing more, lets what was taken be kept and acknowledged, then hangs up. Within the deadline; never rejects. */
  close(deadlineMs: number): Promise<void>;
}

/** Two connections: while Slack renews one, the other hears. */
const CONNECTIONS = 2;
const PING_TIMEOUT_MS = 5_000;
const HANG_UP_MS = 2_500;

/** Checks the tokens and puts a run of the adapter together. Rejects as `preflight` does. */
export async function createLink(options: SlackAdapterOptions, inbox: Inbox, signal: AbortSignal): Promise<Link> {
  const { botToken, transport, personaTokens = new Map(), apiUrl, logger } = options;
  checkTransport(transport);
  const tokens = new Map([...personaTokens].map(([handle, { token }]) => [handle, token]));
  const clients = createClients({ botToken, personaTokens: tokens, apiUrl, logger: sdkLogger(logger) });
  const workspace = await preflight({ clients, botToken, personaTokens, logger });
  signal.throwIfAborted();
  return connect({ options, inbox, signal, clients, workspace });
}

interface Parts {
  readonly options: SlackAdapterOptions;
  readonly inbox: Inbox;
  readonly signal: AbortSignal;
  readonly clients: SlackClients;
  readonly workspace: Workspace;
}

function connect({ options, inbox, signal, clients, workspace }: Parts): Link {
  const { clock, logger, pace } = options;
  const common = { workspace, clock, logger };
  const token = createTokenWatch({ ...common, client: clients.posts() });
  const hints = createAdminHints((session, to, view) => outbound.ephemeral(session, to, view));
  for (const { problem } of missingScopes(workspace.scopes)) hints.add(problem);
  const reports = { onAdminHint: hints.add, onTokenRefused: token.refused };
  const outbound = createOutbound({ ...common, clients, pace, ...reports });

  const directory = createDirectory({ ...common, reads: clients.reads, homeTeam: workspace.teamId });
  const inbound = createInboundReader(workspace, directory, createFileReader({ ...common, reads: clients.reads }));
  const onLost = (at: number) => catchUps.lost(at);
  const taker = createEventTaker({ inbox, reader: inbound, logger, onSaid: hints.spoke, onLost });
  const history = { history: clients.history, reader: options.reader, windowMs: options.catchUpMs };
  const catchUps = createCatchUps({ ...common, ...history, inbox, inbound, taker });
  const asks = createAsks({ inbox, workspace, directory, logger, ephemeral: outbound.ephemeral, respond });
  const gate = createGate(doorFor(options, workspace, { ...asks, event: taker.take, revoked: token.revoked }));
  const way = wayIn(options, gate.door, catchUps.gap);

  return {
    outbound,
    async open() {
      await catchUps.mark();
      await way.start(signal);
      catchUps.begin();
    },
    status() {
      const problem = token.problem();
      return problem === undefined ? way.status() : { ready: false, problem };
    },
    request: way.request,
    async close(deadlineMs) {
      catchUps.stop();
      token.stop();
      await gate.close(Math.max(0, deadlineMs - HANG_UP_MS), clock);
      await way.stop();
    },
  };
}

function checkTransport(transport: Transport): void {
  if (transport.mode === "socket") checkAppToken(transport.appToken);
  else if (transport.signingSecret === "")
    throw new ConfigError(
      "config_invalid",
      'SLACK_SIGNING_SECRET is empty: copy it from the app\'s page "Basic Information"',
    );
}

function doorFor(options: SlackAdapterOptions, workspace: Workspace, listeners: Listeners): Door {
  const { botToken, apiUrl, logger } = options;
  return createDoor(createApp({ botToken, workspace, apiUrl, logger: sdkLogger(logger), listeners }), logger);
}

/** Sockets that we open, or requests that come. */
interface WayIn extends Pick<SocketPool, "start" | "status" | "stop"> {
  request(request: Request): Promise<Response>;
}

function wayIn(options: SlackAdapterOptions, door: Door, onGap: (since: number) => void): WayIn {
  const { transport, apiUrl, pingTimeoutMs = PING_TIMEOUT_MS, clock, logger } = options;
  const common = { door, clock, logger, sdkLogger: sdkLogger(logger) };
  if (transport.mode === "http") {
    const request = createHttpReceiver({ ...common, signingSecret: transport.signingSecret });
    return { start: async () => {}, status: () => ({ ready: true }), stop: async () => {}, request };
  }
  const { appToken } = transport;
  const pool = createSocketPool({ ...common, appToken, apiUrl, pingTimeoutMs, size: CONNECTIONS, onGap });
  return { ...pool, request: async () => new Response("", { status: 404 }) };
}
