import { DiscordAPIError, HTTPError } from "discord.js";

const RESET =
  "choose Reset Token on the application's page Bot in Discord's developer portal, put the new token into DISCORD_TOKEN and restart.";

/** Whether Discord has said that the token is worth nothing, so that only the operator can help. */
export function isRefusedToken(error: unknown): boolean {
  return (error instanceof DiscordAPIError || error instanceof HTTPError) && error.status === 401;
}

/** What is wrong and how to mend it, of a call with DISCORD_TOKEN that failed. */
export function problemOf(error: unknown): string {
  if (isRefusedToken(error)) return `Discord refuses DISCORD_TOKEN (401): ${RESET}`;
  if (error instanceof DiscordAPIError) return `Discord refuses a question (${error.code}): ${error.message}`;
  if (error instanceof HTTPError)
    return `Discord answers ${error.status}; it may be down: see https://discordstatus.com`;
  return `Discord cannot be reached: ${error instanceof Error ? error.message : "the connection failed"}`;
}

/** Discord's code of a refusal, if it is one. */
export function discordCode(error: unknown): number | undefined {
  return error instanceof DiscordAPIError ? Number(error.code) : undefined;
}
