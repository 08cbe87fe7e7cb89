import { webApi } from "@slack/bolt";
import * as z from "zod";
import { type Logger, TroupeError } from "../../../src/index.js";
import { base, createClients } from "../clients.js";
import { sdkLogger } from "../sdk-logger.js";
import { problemOf } from "../tokens.js";
import type { Workspace } from "../workspace.js";
import { PERSONA_SCOPES } from "./manifest.js";
import { missingScopes, preflight } from "./preflight.js";

/** What examining Slack has shown. Where something is wrong, `says` names the mend. */
export interface SlackFinding {
  readonly ok: boolean;
  readonly says: string;
}

export interface SlackExamination {
  readonly botToken: string;
  /** By persona handle. */
  readonly personaTokens: ReadonlyMap<string, { readonly tokenName: string; readonly token: string }>;
  /** Absent in HTTP mode. */
  readonly appToken?: string | undefined;
  readonly apiUrl: string;
}

/** Everything worth telling is in the findings. */
const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => SILENT };

/** Asks Slack about every token and every right that the adapter needs. Posts nothing and opens no connection. Never rejects. */
export async function examineSlack({
  botToken,
  personaTokens,
  appToken,
  apiUrl,
}: SlackExamination): Promise<readonly SlackFinding[]> {
  const logger = sdkLogger(SILENT);
  const plain = new Map([...personaTokens].map(([persona, { token }]) => [persona, token]));
  const clients = createClients({ botToken, personaTokens: plain, apiUrl, logger });
  const socket =
    appToken === undefined ? [] : [await connection(new webApi.WebClient(appToken, socketOptions(apiUrl, logger)))];
  try {
    const workspace = await preflight({ clients, botToken, personaTokens, logger: SILENT });
    const personas = [...workspace.personas].map(([persona, { tokenName }]) =>
      personaRights(persona, tokenName, clients.posts(persona)),
    );
    return [...mainRights(workspace), ...socket, ...(await Promise.all(personas))];
  } catch (error) {
    if (error instanceof TroupeError) return [{ ok: false, says: error.message }, ...socket];
    throw error;
  }
}

function mainRights({ url, teamId, scopes, areScopesAssumed }: Workspace): readonly SlackFinding[] {
  const known = { ok: true, says: `SLACK_BOT_TOKEN is good for ${url} (${teamId})` };
  if (areScopesAssumed) return [known, { ok: true, says: "what the app may do was not said, and is not checked" }];
  const missing = missingScopes(scopes).map(({ problem }) => ({ ok: false, says: problem }));
  return [known, ...(missing.length === 0 ? [{ ok: true, says: "the app has every right that it needs" }] : missing)];
}

const granted = z.object({ response_metadata: z.object({ scopes: z.array(z.string()) }) });

async function personaRights(persona: string, tokenName: string, client: webApi.WebClient): Promise<SlackFinding> {
  try {
    const scopes = granted.safeParse(await client.auth.test()).data?.response_metadata.scopes ?? [];
    const missing = Object.keys(PERSONA_SCOPES).filter((scope) => !scopes.includes(scope));
    if (missing.length === 0) return { ok: true, says: `${tokenName} speaks for ${persona}` };
    const says = `${persona}'s own app lacks ${missing.join(", ")}: add it on its page "OAuth & Permissions", then install it to the workspace again.`;
    return { ok: false, says };
  } catch (error) {
    return { ok: false, says: problemOf(error, tokenName) };
  }
}

/** Asks for the address of a connection, and opens none: that would take events from the running service. */
async function connection(client: webApi.WebClient): Promise<SlackFinding> {
  try {
    await client.apps.connections.open();
    return { ok: true, says: "SLACK_APP_TOKEN may open connections" };
  } catch (error) {
    return { ok: false, says: problemOf(error) };
  }
}

function socketOptions(apiUrl: string, logger: ReturnType<typeof sdkLogger>): webApi.WebClientOptions {
  return { ...base(apiUrl, logger), retryConfig: { retries: 0 }, rejectRateLimitedCalls: true };
}
