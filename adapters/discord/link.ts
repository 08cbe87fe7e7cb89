import type { Clock, Inbox, KeyValue, Logger, Reader } from "../../src/index.js";
import { createAdminHints } from "../shared/admin-hints.js";
import { createNotedCatchUp } from "../shared/catch-up/noted.js";
import { createCatchUps } from "../shared/catch-up/runs.js";
import { createHints } from "../shared/hints.js";
import type { Run } from "../shared/platform-runs.js";
import { catchUp } from "./catch-up/catch-up.js";
import { createDiscordTime, type DiscordTime } from "./discord-time.js";
import { createGateway, type Gateway } from "./gateway/gateway.js";
import { discordIds } from "./ids.js";
import { createDispatch } from "./inbound/dispatch.js";
import { createEventTaker } from "./inbound/events.js";
import { createInboundReader } from "./inbound/inbound.js";
import { createKnownMessages } from "./inbound/known.js";
import { echoOf, isOurs } from "./inbound/own.js";
import { createLanes } from "./inbound/queue.js";
import { createSenders } from "./inbound/senders.js";
import type { DiscordMessage } from "./inbound/wire.js";
import { createDesk } from "./interactions/desk.js";
import { locateLink } from "./message-link.js";
import { type Breaker, createBreaker } from "./outbound/breaker.js";
import { createOutbound } from "./outbound/outbound.js";
import type { Self } from "./self.js";
import { preflight } from "./setup/preflight.js";
import type { AgentFamily, DiscordPersona } from "./team.js";
import { createFinder, mayReadHistory } from "./whereabouts.js";

/** What the Discord adapter is built on. */
export interface DiscordAdapterOptions {
  readonly token: string;
  /** Base of the REST API; `https://discord.com/api` by default. */
  readonly apiUrl?: string | undefined;
  /** `false`: no budget of our own for posts, only what Discord asks for. */
  readonly pace?: boolean;
  /** What was said longer ago than this while we were away is not answered any more. */
  readonly catchUpMs: number;
  readonly families: readonly AgentFamily[];
  /** Who is in the team at this moment. */
  readonly personas: () => readonly DiscordPersona[];
  readonly reader: Reader;
  /** Where the adapter notes what has to outlive a crash; absent: nowhere. */
  readonly notes?: KeyValue;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A post that was sent may still land for so long; 20 seconds by default. */
  readonly landingMs?: number;
}

/** What a run is built on. */
interface LinkOptions extends DiscordAdapterOptions {
  /** What admins have been told to mend. */
  readonly told: Set<string>;
}

const API_URL = "https://discord.com/api";
/** Of the deadline, what saying goodbye may take. */
const HANG_UP_MS = 2_500;

/** Checks the token and puts a run of the adapter together. Rejects as `preflight` does. */
export async function createLink(options: LinkOptions, inbox: Inbox, signal: AbortSignal): Promise<Run> {
  signal.throwIfAborted();
  const { token, apiUrl = API_URL, clock, logger } = options;
  const time = createDiscordTime(clock);
  const breaker = createBreaker({ clock, logger, onDate: time.heard, onRefused: () => gateway.tokenRefused() });
  const gateway = createGateway({ token, apiUrl, makeRequest: breaker.makeRequest, clock: time.clock, logger });
  try {
    gateway.client.rest.setToken(token);
    const { self, problems } = await preflight(gateway.client.rest);
    signal.throwIfAborted();
    return connect({ options, inbox, signal, time, breaker, gateway, self, problems });
  } catch (error) {
    await gateway.close();
    throw error;
  }
}

interface Parts {
  readonly options: LinkOptions;
  readonly inbox: Inbox;
  readonly signal: AbortSignal;
  readonly time: DiscordTime;
  readonly breaker: Breaker;
  readonly gateway: Gateway;
  readonly self: Self;
  /** What an admin should mend. */
  readonly problems: readonly string[];
}

function connect({ options, inbox, signal, time, breaker, gateway, self, problems }: Parts): Run {
  const { apiUrl = API_URL, reader, clock, logger } = options;
  const { client } = gateway;
  const common = { client, self, breaker, clock, logger };
  const hints = createAdminHints((session, to, view) => outbound.ephemeral(session, to, view), options.told);
  const mayRead = (channel: string) => mayReadHistory(client, channel);
  const outbound = createOutbound({
    ...{ ...options, ...common, onAdminHint: hints.add, mayReadHistory: mayRead },
    aheadMs: time.aheadMs,
  });
  const isOwn = (message: DiscordMessage) => isOurs(message, self, outbound);

  const find = createFinder(client);
  const hint = createHints(logger, hints.add);
  for (const problem of problems) hint(problem, problem);
  const desk = createDesk({ ...options, ...common, apiUrl, inbox, find, hint });
  const senders = createSenders(common);
  const known = createKnownMessages(reader);
  const inbound = createInboundReader({ ...common, senders, known, find, personaOf: desk.personaOf, isOwn });
  const lanes = createLanes(common);
  const onLost = (at: number) => catchUps.lost(at);
  const onEcho = (message: DiscordMessage) => outbound.echo(echoOf(message));
  const taker = createEventTaker({ inbox, reader: inbound, lanes, logger, onEcho, isOwn, onSaid: hints.spoke, onLost });
  const windowMs = options.catchUpMs;
  const past = { ...common, inbound, accept: taker.accept, inbox, reader, windowMs, onLost };
  const noted = createNotedCatchUp({
    ...{ platform: "Discord", prefix: "discord:", ids: discordIds, notes: options.notes },
    ...{ reader, windowMs, clock, logger },
    catchUp: (unread, isWide, until) => catchUp(past, unread, isWide, until),
  });
  const catchUps = createCatchUps({ ...noted, platform: "Discord", clock, logger });
  let isClosed = false;

  const dispatch = createDispatch({ taker, outbound, onInteraction: desk.take });
  const onDispatch = (event: string, data: unknown) => (isClosed ? undefined : dispatch(event, data));

  return {
    outbound,
    locate: (link) => locateLink(client, link),
    async open() {
      await catchUps.mark();
      await gateway.open({ onDispatch, onGuild: (guild) => void desk.server(guild), onGap: catchUps.gap }, signal);
      void desk.open();
      catchUps.begin();
    },
    status() {
      const problem = outbound.problem();
      return problem === undefined ? gateway.status() : { ready: false, problem };
    },
    async close(deadlineMs) {
      isClosed = true;
      catchUps.stop();
      const patience = Math.max(0, deadlineMs - HANG_UP_MS);
      await Promise.all([lanes.close(patience), desk.stop(patience)]);
      await gateway.close();
    },
  };
}
