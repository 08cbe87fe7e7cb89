import type { webApi } from "@slack/bolt";
import * as z from "zod";
import { ConfigError, type Logger, PlatformError } from "../../../src/index.js";
import type { SlackClients } from "../clients.js";
import { checkBotToken, isDeadToken, problemOf, slackError } from "../tokens.js";
import { type BotIds, createWorkspace, type Workspace } from "../workspace.js";
import { MAIN_SCOPES } from "./manifest.js";

/** What is asked of Slack before anything is connected. */
export interface PreflightOptions {
  readonly clients: SlackClients;
  readonly botToken: string;
  /** By persona handle, with the name of the variable that each token came from. */
  readonly personaTokens: ReadonlyMap<string, { readonly tokenName: string; readonly token: string }>;
  readonly logger: Logger;
}

/** Without these nothing works: nothing can be heard, or nothing said. */
const MUST: readonly string[] = ["chat:write"];

const authTest = z.object({
  url: z.string(),
  team_id: z.string().min(1),
  user_id: z.string().min(1),
  bot_id: z.string().min(1),
  response_metadata: z.object({ scopes: z.array(z.string()).optional() }).optional(),
});

const botsInfo = z.object({ bot: z.object({ app_id: z.string() }) });

/** A right that the app has not been granted, and what does not work without it. */
export interface MissingScope {
  readonly scope: string;
  readonly problem: string;
}

/**
 * Asks Slack who each token is. Rejects with a `ConfigError` that names the token and the mend when one is of the wrong kind, refused, of
 * another workspace, or may not even post, and with a `PlatformError` when Slack cannot be reached.
 */
export async function preflight({ clients, botToken, personaTokens, logger }: PreflightOptions): Promise<Workspace> {
  checkBotToken(botToken, "SLACK_BOT_TOKEN");
  for (const { token, tokenName } of personaTokens.values()) checkBotToken(token, tokenName);
  const main = await identify(clients.posts(), "SLACK_BOT_TOKEN");
  if (main.scopes === undefined)
    logger.warn({}, "Slack did not say what SLACK_BOT_TOKEN may do; its rights are not checked");
  const scopes = main.scopes ?? new Set(Object.keys(MAIN_SCOPES));
  for (const { scope, problem } of missingScopes(scopes)) {
    if (MUST.includes(scope)) throw new ConfigError("config_invalid", problem);
    logger.warn({ scope }, problem);
  }
  const personas = new Map<string, BotIds>();
  for (const [handle, { tokenName }] of personaTokens) {
    const own = await identify(clients.posts(handle), tokenName);
    if (own.teamId !== main.teamId)
      throw new ConfigError(
        "config_invalid",
        `${tokenName} is a token of another workspace than SLACK_BOT_TOKEN: install that app in the same one`,
      );
    personas.set(handle, own.ids);
  }
  const { teamId, url, ids } = main;
  const unsure = main.scopes === undefined ? ({ areScopesAssumed: true } as const) : {};
  return createWorkspace({ teamId, url, appId: ids.appId, main: ids, personas, scopes, ...unsure });
}

/** The rights that are missing, each with the exact mend. */
export function missingScopes(granted: ReadonlySet<string>): readonly MissingScope[] {
  return Object.entries(MAIN_SCOPES)
    .filter(([scope]) => !granted.has(scope))
    .map(([scope, use]) => ({
      scope,
      problem: `The Slack app may not ${use}: add the scope ${scope} on its page "OAuth & Permissions", then install it to the workspace again.`,
    }));
}

interface Identified {
  readonly teamId: string;
  readonly url: string;
  /** Absent: something between us and Slack has left them out of the answer. */
  readonly scopes: ReadonlySet<string> | undefined;
  readonly ids: BotIds;
}

async function identify(client: webApi.WebClient, tokenName: string): Promise<Identified> {
  const {
    team_id: teamId,
    user_id: userId,
    bot_id: botId,
    url,
    response_metadata: metadata,
  } = await whoIs(client, tokenName);
  const appId = await client.bots.info({ bot: botId }).then(
    (answer) => botsInfo.safeParse(answer).data?.bot.app_id,
    // Without `users:read` it stays unknown, and ids of bot and user have to do.
    () => undefined,
  );
  const { scopes } = metadata ?? {};
  return { teamId, url, scopes: scopes && new Set(scopes), ids: { tokenName, botId, userId, appId } };
}

async function whoIs(client: webApi.WebClient, tokenName: string): Promise<z.infer<typeof authTest>> {
  let answer: unknown;
  try {
    answer = await client.auth.test();
  } catch (error) {
    const code = slackError(error);
    if (isDeadToken(code) || code === "not_allowed_token_type")
      throw new ConfigError("config_invalid", problemOf(error, tokenName), { cause: error });
    throw new PlatformError("platform_failed", problemOf(error, tokenName), { cause: error, retryable: true });
  }
  const parsed = authTest.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    "config_invalid",
    `${tokenName} is no token of a bot user: copy the Bot User OAuth Token (xoxb-…)`,
  );
}
