import { REST, Routes } from "discord.js";
import * as z from "zod";
import { ConfigError, PlatformError } from "../../../src/index.js";
import { isRefusedToken, problemOf } from "../tokens.js";
import { wantedRights } from "./rights.js";

const AUTHORIZE = "https://discord.com/oauth2/authorize";
const TIMEOUT_MS = 10_000;

/** The link that brings the bot into a server, with the permissions that it needs and no others. */
export function inviteLink(applicationId: string, withRoles: boolean): string {
  const permissions = wantedRights(withRoles).reduce((sum, { bit }) => sum | bit, 0n);
  const query = new URLSearchParams({ client_id: applicationId, permissions: String(permissions) });
  // A plus for the space would do as well; people who read the link know it so.
  return `${AUTHORIZE}?${query}&scope=bot%20applications.commands`;
}

export interface InviteOptions {
  readonly token: string;
  readonly apiUrl: string;
  readonly withRoles: boolean;
}

/**
 * The link for the application of this token. Asks Discord only where the token does not show the application. Rejects with a
 * `ConfigError` when the token is refused, with a `PlatformError` when Discord cannot be reached.
 */
export async function inviteFor({ token, apiUrl, withRoles }: InviteOptions): Promise<string> {
  return inviteLink(applicationIn(token) ?? (await askApplication(token, apiUrl)), withRoles);
}

/** A token begins with the bot's id, which is the application's. */
function applicationIn(token: string): string | undefined {
  const [first = ""] = token.split(".");
  const id = Buffer.from(first, "base64url").toString("latin1");
  return /^\d{17,20}$/.test(id) ? id : undefined;
}

const application = z.object({ id: z.string().regex(/^\d+$/) });

async function askApplication(token: string, apiUrl: string): Promise<string> {
  const rest = new REST({ api: apiUrl, timeout: TIMEOUT_MS, retries: 0 }).setToken(token);
  try {
    return application.parse(await rest.get(Routes.currentApplication())).id;
  } catch (error) {
    const says = problemOf(error);
    if (isRefusedToken(error)) throw new ConfigError("config_invalid", says, { cause: error });
    throw new PlatformError("platform_failed", says, { cause: error, retryable: true });
  }
}
