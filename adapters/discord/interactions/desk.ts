import { type Client, type Guild, REST } from "discord.js";
import type { Clock, Inbox, Logger, Reader } from "../../../src/index.js";
import type { Hint } from "../../shared/hints.js";
import type { Breaker } from "../outbound/breaker.js";
import type { Self } from "../self.js";
import { createRegistrar } from "../setup/register-commands.js";
import { createPersonaRoles } from "../setup/roles.js";
import { createServers } from "../setup/servers.js";
import type { AgentFamily, DiscordPersona } from "../team.js";
import type { Finder } from "../whereabouts.js";
import { slashCommand } from "./commands.js";
import { createInteractions } from "./interactions.js";

/** Where people ask for something outside the message stream, and what servers need for that. */
export interface Desk {
  /** Registers the commands for direct conversations. The client must have its token. Never rejects. */
  open(): Promise<void>;
  /** A server is there: its commands, its roles, its rights. Never rejects. */
  server(guild: Guild): Promise<void>;
  /** Takes an `INTERACTION_CREATE` as it came. Never throws. */
  take(interaction: unknown): void;
  /** The persona that a role stands for. */
  personaOf(roleId: string): string | undefined;
  /** Takes nothing more, and lets what was taken be answered. Within the deadline; never rejects. */
  stop(deadlineMs: number): Promise<void>;
}

export interface DeskOptions {
  readonly self: Self;
  readonly client: Pick<Client, "rest">;
  /** Base of the REST API; `https://discord.com/api` by default. */
  readonly apiUrl?: string | undefined;
  readonly breaker: Pick<Breaker, "makeRequest">;
  readonly inbox: Inbox;
  readonly reader: Pick<Reader, "room" | "rooms">;
  readonly families: readonly AgentFamily[];
  readonly personas: () => readonly DiscordPersona[];
  readonly find: Finder;
  readonly hint: Hint;
  readonly clock: Clock;
  readonly logger: Logger;
}

const TIMEOUT_MS = 10_000;
const LONGEST_WAIT_MS = 5_000;

export function createDesk({ client, apiUrl, breaker, ...options }: DeskOptions): Desk {
  // An answer that was sent twice would be refused the second time, or be there twice. Discord's limit for everything together does not
  // hold for answers; one that asks for a longer wait than people have is as good as a refusal.
  const rest = new REST({
    ...(apiUrl === undefined ? {} : { api: apiUrl }),
    timeout: TIMEOUT_MS,
    retries: 0,
    globalRequestsPerSecond: Number.POSITIVE_INFINITY,
    rejectOnRateLimit: ({ timeToReset }) => timeToReset > LONGEST_WAIT_MS,
    makeRequest: breaker.makeRequest,
  });
  const registrar = createRegistrar({
    rest: client.rest,
    applicationId: options.self.applicationId,
    guildCommands: options.families.map((family) => slashCommand(family, "guild")),
    directCommands: options.families.map((family) => slashCommand(family, "direct")),
    clock: options.clock,
    logger: options.logger,
  });
  const roles = createPersonaRoles(options);
  const servers = createServers({ ...options, roles, registrar });
  const interactions = createInteractions({ ...options, rest });

  return {
    open: registrar.direct,
    server: servers.add,
    take: interactions.take,
    personaOf: roles.personaOf,
    async stop(deadlineMs) {
      registrar.stop();
      await interactions.stop(deadlineMs);
      rest.clearHandlerSweeper();
      rest.clearHashSweeper();
    },
  };
}
