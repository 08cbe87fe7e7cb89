import { webApi } from "@slack/bolt";
import { ConfigError } from "../../src/index.js";

const APP_TOKEN = "SLACK_APP_TOKEN";

/** The error code that Slack answered with, if it did. */
export function slackError(error: unknown): string | undefined {
  return error instanceof webApi.WebAPIPlatformError ? error.data.error : undefined;
}

/** Codes with which Slack says that a token is worth nothing. */
const DEAD: ReadonlySet<string> = new Set([
  "account_inactive",
  "invalid_auth",
  "not_authed",
  "team_access_not_granted",
  "team_disabled",
  "token_expired",
  "token_revoked",
  "user_removed_from_team",
]);

/** Whether Slack's error says that a token is worth nothing, so that only the operator can help. */
export function isDeadToken(code: string | undefined): boolean {
  return code !== undefined && DEAD.has(code);
}

/** Throws a `ConfigError` with the mend when a bot token has not the form of one. */
export function checkBotToken(token: string, name: string): void {
  if (token.startsWith("xoxb-")) return;
  if (token.startsWith("xapp-"))
    throw new ConfigError("config_invalid", `${name} holds an app-level token (xapp-…): swap it with SLACK_APP_TOKEN`);
  throw new ConfigError(
    "config_invalid",
    `${name} is no bot token: copy the Bot User OAuth Token (xoxb-…) from the app's page "OAuth & Permissions"`,
  );
}

/** Likewise for the app-level token. */
export function checkAppToken(token: string): void {
  if (token.startsWith("xapp-")) return;
  if (token.startsWith("xoxb-"))
    throw new ConfigError("config_invalid", "SLACK_APP_TOKEN holds a bot token (xoxb-…): swap it with SLACK_BOT_TOKEN");
  throw new ConfigError(
    "config_invalid",
    'SLACK_APP_TOKEN is no app-level token: make one (xapp-…) with connections:write on the app\'s page "Basic Information"',
  );
}

/** What is wrong and how to mend it, of a call with the token of this name that failed. */
export function problemOf(error: unknown, token = APP_TOKEN): string {
  const code = slackError(error);
  if (code === undefined)
    return error instanceof Error ? `Slack cannot be reached: ${error.message}` : "Slack cannot be reached.";
  if (isDeadToken(code) || code === "missing_scope" || code === "not_allowed_token_type")
    return `Slack refuses ${token} (${code}): ${mendOf(token)} Then put it into ${token} and restart.`;
  return `Slack refuses ${token} (${code}).`;
}

function mendOf(token: string): string {
  return token === APP_TOKEN
    ? 'make a new app-level token (xapp-…) with connections:write on the app\'s page "Basic Information".'
    : 'install the app again and copy its Bot User OAuth Token (xoxb-…) from "OAuth & Permissions".';
}
