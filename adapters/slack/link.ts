import {
  type Clock,
  ConfigError,
  type HttpMount,
  type Inbox,
  type KeyValue,
  type Logger,
  type Reader,
} from "../../src/index.js";
import { createAdminHints } from "../shared/admin-hints.js";
import { createNotedCatchUp } from "../shared/catch-up/noted.js";
import { createCatchUps } from "../shared/catch-up/runs.js";
import type { Run } from "../shared/platform-runs.js";
import { catchUp } from "./catch-up/catch-up.js";
import { slackIds } from "./catch-up/marks.js";
import { createClients, type SlackClients } from "./clients.js";
import { createAsks } from "./inbound/asks.js";
import { createEventTaker } from "./inbound/events.js";
import { createFileReader } from "./inbound/files.js";
import { createInboundReader, roomOfChannel } from "./inbound/inbound.js";
import { createAwayCheck } from "./inbound/presence.js";
import { createDirectory } from "./inbound/senders.js";
import { locateLink } from "./message-link.js";
import { createOutbound } from "./outbound/outbound.js";
import { respond } from "./outbound/respond.js";
import { createApp, type Listeners } from "./receiver/app.js";
import { createDoor, createGate, type Door } from "./receiver/door.js";
import { createHttpReceiver } from "./receiver/http.js";
import { createSocketPool, type SocketPool } from "./receiver/socket.js";
import { sdkLogger } from "./sdk-logger.js";
import { createTokenWatch } from "./setup/liveness.js";
import { missingScopes, preflight } from "./setup/preflight.js";
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
  /** Where the adapter notes what has to outlive a crash; absent: nowhere. */
  readonly notes?: KeyValue;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A connection whose pings stay unanswered for so long is dead; 5 seconds by default. */
  readonly pingTimeoutMs?: number;
}

/** What outlives a run. */
export interface LinkOptions extends SlackAdapterOptions {
  /** What admins have been told to mend. */
  readonly told: Set<string>;
}

/** One run of the adapter, from its start to its stop. */
export interface Link extends Run {
  /** For HTTP. */
  request(request: Request): Promise<Response>;
}

/** Two connections: while Slack renews one, the other hears. */
const CONNECTIONS = 2;
const PING_TIMEOUT_MS = 5_000;
const HANG_UP_MS = 2_500;

/** Checks the tokens and puts a run of the adapter together. Rejects as `preflight` does. */
export async function createLink(options: LinkOptions, inbox: Inbox, signal: AbortSignal): Promise<Link> {
  const { botToken, transport, personaTokens = new Map(), apiUrl, logger } = options;
  checkTransport(transport);
  const tokens = new Map([...personaTokens].map(([handle, { token }]) => [handle, token]));
  const clients = createClients({ botToken, personaTokens: tokens, apiUrl, logger: sdkLogger(logger) });
  const workspace = await preflight({ clients, botToken, personaTokens, logger });
  signal.throwIfAborted();
  return connect({ options, inbox, signal, clients, workspace });
}

interface Parts {
  readonly options: LinkOptions;
  readonly inbox: Inbox;
  readonly signal: AbortSignal;
  readonly clients: SlackClients;
  readonly workspace: Workspace;
}

function connect({ options, inbox, signal, clients, workspace }: Parts): Link {
  const { clock, logger, pace } = options;
  const common = { workspace, clock, logger };
  const token = createTokenWatch({ ...common, client: clients.posts() });
  const hints = createAdminHints((session, to, view) => outbound.ephemeral(session, to, view), options.told);
  for (const { problem } of missingScopes(workspace.scopes)) hints.add(problem);
  const reports = { onAdminHint: hints.add, onTokenRefused: token.refused };
  const outbound = createOutbound({ ...common, clients, pace, ...reports });

  const directory = createDirectory({ ...common, reads: clients.reads, homeTeam: workspace.teamId });
  const inbound = createInboundReader(workspace, directory, createFileReader({ ...common, reads: clients.reads }));
  const onLost = (at: number) => catchUps.lost(at);
  const taker = createEventTaker({ inbox, reader: inbound, logger, onSaid: hints.spoke, onLost });
  const windowMs = options.catchUpMs;
  const past = { ...options, ...common, history: clients.history, windowMs, inbox, inbound, taker };
  const noted = createNotedCatchUp({
    ...{ platform: "Slack", prefix: roomOfChannel(workspace.teamId, ""), ids: slackIds, notes: options.notes },
    ...{ reader: options.reader, windowMs, clock, logger },
    catchUp: (unread, isWide, until) => catchUp({ ...past, signal: until }, unread, isWide),
  });
  const catchUps = createCatchUps({ ...noted, platform: "Slack", clock, logger });
  const isAway = createAwayCheck(clients.reads);
  const asks = createAsks({ inbox, workspace, directory, logger, ephemeral: outbound.ephemeral, respond, isAway });
  const gate = createGate(doorFor(options, workspace, { ...asks, event: taker.take, revoked: token.revoked }));
  const way = wayIn(options, gate.door, catchUps.gap);

  return {
    outbound,
    locate: (address) => locateLink(address, workspace),
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
