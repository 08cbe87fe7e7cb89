import { ApplicationFlags, type REST, Routes } from "discord.js";
import * as z from "zod";
import { ConfigError, PlatformError } from "../../../src/index.js";
import type { Self } from "../self.js";
import { isRefusedToken, problemOf } from "../tokens.js";

const snowflake = z.string().regex(/^\d+$/);

const applicationInfo = z.object({
  id: snowflake,
  name: z.string().default(""),
  flags: z.number().default(0),
  interactions_endpoint_url: z.string().nullish(),
});

const userInfo = z.object({ id: snowflake, username: z.string() });

/** Who the token is, and what keeps the adapter from working. */
export interface Preflight {
  readonly self: Self;
  /** Without their mend nothing can be heard. */
  readonly fatal: readonly string[];
  /** What works badly until somebody mends it. */
  readonly problems: readonly string[];
}

/**
 * Asks Discord whose token this is and how its application is set up. Rejects with a `ConfigError` that names the mend when the token is
 * refused, and with a `PlatformError` when Discord cannot be reached.
 */
export async function askPreflight(rest: REST): Promise<Preflight> {
  try {
    const application = applicationInfo.parse(await rest.get(Routes.currentApplication()));
    const user = userInfo.parse(await rest.get(Routes.user()));
    const self = { applicationId: application.id, userId: user.id, name: user.username };
    return { self, fatal: intentProblems(application), problems: endpointProblems(application) };
  } catch (error) {
    const says = problemOf(error);
    if (isRefusedToken(error)) throw new ConfigError("config_invalid", says, { cause: error });
    throw new PlatformError("platform_failed", says, { cause: error, retryable: true });
  }
}

/** As `askPreflight`; rejects with a `ConfigError` also for what keeps the adapter from hearing anything. */
export async function preflight(rest: REST): Promise<Preflight> {
  const found = await askPreflight(rest);
  const [problem] = found.fatal;
  if (problem !== undefined) throw new ConfigError("config_invalid", problem);
  return found;
}

type ApplicationInfo = z.infer<typeof applicationInfo>;

/** With it switched off, Discord would close the connection at once (4014). */
function intentProblems({ id, flags }: ApplicationInfo): readonly string[] {
  const granted = ApplicationFlags.GatewayMessageContent | ApplicationFlags.GatewayMessageContentLimited;
  if ((flags & granted) !== 0) return [];
  return [
    `The bot may not read messages: turn on "Message Content Intent" at ${portal(id)}/bot, under Privileged Gateway Intents.`,
  ];
}

/** Discord sends commands and clicks to such an address, and never over the gateway. */
function endpointProblems({ id, interactions_endpoint_url: url }: ApplicationInfo): readonly string[] {
  if (url === undefined || url === null || url === "") return [];
  return [`Commands and clicks go to another address: empty "Interactions Endpoint URL" at ${portal(id)}/information.`];
}

function portal(applicationId: string): string {
  return `https://discord.com/developers/applications/${applicationId}`;
}
