import type { DiscordFinding } from "../adapters/discord/setup/examine.js";
import type { DiscordPersona } from "../adapters/discord/team.js";
import type { LoadedConfig } from "./config/loaded.js";
import { ConfigError } from "./domain/errors.js";
import type { Persona } from "./domain/persona.js";
import { FAMILIES } from "./engine/commands/table.js";
import type { Clock } from "./ports/clock.js";
import type { KeyValue } from "./ports/key-value.js";
import type { Logger } from "./ports/logger.js";
import type { Platform } from "./ports/platform.js";
import type { Reader } from "./ports/reader.js";

export interface DiscordOptions {
  readonly config: LoadedConfig;
  /** Who is in the team at this moment. */
  readonly personas: () => readonly Persona[];
  readonly reader: Reader;
  readonly notes: KeyValue;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The Discord adapter as the configuration wants it; `undefined` without a token, and then nothing of Discord's is loaded. */
export async function openDiscord({ config, personas, ...parts }: DiscordOptions): Promise<Platform | undefined> {
  const { token, apiUrl, roles } = config.discord;
  if (token === undefined) return undefined;
  const { createDiscordAdapter } = await import("../adapters/discord/index.js");
  return createDiscordAdapter({
    token,
    apiUrl,
    catchUpMs: config.catchUpMs,
    families: FAMILIES,
    personas: () => personas().map((persona) => discordPersona(persona, roles)),
    ...parts,
  });
}

function discordPersona({ name, displayName }: Persona, roles: ReadonlySet<string>): DiscordPersona {
  return { name, displayName, role: roles.has(name) };
}

export interface ExamineOptions {
  readonly config: LoadedConfig;
  /** Rooms that are known already, by id. */
  readonly rooms: readonly string[];
  /** Sends a request whose answer tells the time. */
  readonly ask: (url: string, init: RequestInit) => Promise<Response>;
  readonly signal: AbortSignal;
}

/** Checks the token, the intents and the rights; changes nothing. Never rejects; when the signal aborts, Discord counts as out of reach. */
export async function examineDiscord(options: ExamineOptions): Promise<readonly DiscordFinding[]> {
  const { config, rooms, ask, signal } = options;
  const { token, apiUrl, roles } = config.discord;
  if (token === undefined) return [{ ok: true, says: "takes no part: its token is not set" }];
  const { examineDiscord: examine } = await import("../adapters/discord/setup/examine.js");
  await ask(`${apiUrl}/v10/gateway`, { redirect: "error", signal }).catch(() => undefined);
  const late = new Promise<readonly DiscordFinding[]>((resolve) => {
    const says = `${new URL(apiUrl).host} does not answer: see that this machine may reach it, or correct DISCORD_API_URL`;
    signal.addEventListener("abort", () => resolve([{ ok: false, says }]), { once: true });
  });
  const personas = config.personas.map((persona) => discordPersona(persona, roles)).filter(({ role }) => role);
  return Promise.race([examine({ token, apiUrl, rooms, roles: personas.map(({ displayName }) => displayName) }), late]);
}

/** The link that brings the bot into a server. Rejects with a `ConfigError` without a token, or with one that Discord refuses. */
export async function discordInvite({ discord: { token, apiUrl, roles } }: LoadedConfig): Promise<string> {
  if (token === undefined)
    throw new ConfigError(
      "config_invalid",
      "DISCORD_TOKEN is not set, and the link is for its application: set it to the token from the page Bot in Discord's developer portal",
    );
  const { inviteFor } = await import("../adapters/discord/setup/invite.js");
  return inviteFor({ token, apiUrl, withRoles: roles.size > 0 });
}
