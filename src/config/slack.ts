import type { ReadConfig } from "./config-file.js";
import { type Environment, type EnvironmentSettings, readSecret, type SlackSecrets } from "./environment.js";
import type { NamedToken, SlackConfig, SlackTokens } from "./loaded.js";
import type { PersonaPlatforms } from "./persona-file.js";
import type { PersonaSet } from "./personas.js";
import type { ConfigProblem } from "./problem.js";

const API_URL = "https://slack.com/api/";

/** What Slack's settings are read from. */
export interface SlackSources {
  readonly read: ReadConfig;
  readonly env: EnvironmentSettings;
  readonly set: PersonaSet;
  /** The process's variables, for the tokens of personas. */
  readonly variables: Environment;
  readonly cwd: string;
  /** Take a persona's missing token for an error: it would speak, but not as its own app. */
  readonly strict: boolean;
}

/** Slack's settings, and what is wrong with them. Without a secret Slack takes no part, and nothing is wrong. Never throws. */
export async function readSlack(sources: SlackSources): Promise<{
  readonly config: SlackConfig;
  readonly problems: readonly ConfigProblem[];
}> {
  const { env, read } = sources;
  const { mode: wanted, pace } = read.settings.slack;
  const { botToken, appToken, signingSecret } = env.slack;
  const mode = wanted ?? (appToken === undefined && signingSecret !== undefined ? "http" : "socket");
  const config = { mode, pace, apiUrl: env.SLACK_API_URL ?? API_URL };
  if ((botToken ?? appToken ?? signingSecret) === undefined) return { config, problems: [] };
  const problems = [...faultsOf(env, mode), ...unreachable(sources, mode)];
  const personaTokens = await readPersonaTokens(sources, problems);
  const tokens = tokensOf(env.slack, mode, personaTokens);
  return { config: { ...config, ...(tokens === undefined ? {} : { tokens }) }, problems };
}

function tokensOf(
  { botToken, appToken, signingSecret }: SlackSecrets,
  mode: SlackConfig["mode"],
  personaTokens: SlackTokens["personaTokens"],
): SlackTokens | undefined {
  if (botToken === undefined) return undefined;
  if (mode === "http")
    return signingSecret === undefined ? undefined : { mode, botToken, signingSecret, personaTokens };
  return appToken === undefined ? undefined : { mode, botToken, appToken, personaTokens };
}

/** Where each secret is found in Slack's pages on the app. */
const MENDS = {
  SLACK_BOT_TOKEN: "set it to the Bot User OAuth Token (xoxb-…) from the app's page OAuth & Permissions",
  SLACK_APP_TOKEN: "set it to an App-Level Token (xapp-…) with connections:write from the app's page Basic Information",
  SLACK_SIGNING_SECRET: "set it to the Signing Secret from the app's page Basic Information",
} as const;
const PERSONA_MEND = "set it to the Bot User OAuth Token (xoxb-…) of the persona's own app";

type Variable = keyof typeof MENDS;

function faultsOf({ slack, problems: before }: EnvironmentSettings, mode: SlackConfig["mode"]): ConfigProblem[] {
  const { botToken, appToken, signingSecret } = slack;
  if (isKind("app", botToken) && isKind("bot", appToken)) {
    return [fault("SLACK_BOT_TOKEN", "and SLACK_APP_TOKEN are swapped", "give each the value of the other")];
  }
  // A variable that could not be read has been spoken of already.
  const missing = (key: Variable, message: string) =>
    before.some((problem) => problem.key?.startsWith(key)) ? [] : [fault(key, message, MENDS[key])];
  const isSecret = signingSecret === undefined || kindOf(signingSecret) === undefined;
  return [
    ...(botToken === undefined ? missing("SLACK_BOT_TOKEN", "is not set, though another secret of Slack is") : []),
    ...(mode === "http" && signingSecret === undefined
      ? missing("SLACK_SIGNING_SECRET", "is not set, though slack.mode is http")
      : []),
    ...(mode === "socket" && appToken === undefined
      ? missing("SLACK_APP_TOKEN", `is not set, though ${socketBecause(slack)}`)
      : []),
    ...wrongKind({ key: "SLACK_BOT_TOKEN", kind: "bot", token: botToken, mend: MENDS.SLACK_BOT_TOKEN }),
    ...wrongKind({ key: "SLACK_APP_TOKEN", kind: "app", token: appToken, mend: MENDS.SLACK_APP_TOKEN }),
    ...(isSecret ? [] : [fault("SLACK_SIGNING_SECRET", "holds a token", MENDS.SLACK_SIGNING_SECRET)]),
  ];
}

function socketBecause({ signingSecret }: SlackSecrets): string {
  return signingSecret === undefined ? "SLACK_BOT_TOKEN is" : "slack.mode is socket";
}

/** Kinds of secrets by how they begin; the first that fits counts. */
const KINDS = [
  ["xoxb-", "a bot token (xoxb-…)"],
  ["xapp-", "an app-level token (xapp-…)"],
  ["xoxp-", "a user token (xoxp-…)"],
  ["xoxe", "a token that expires (xoxe…), since the app was made with token rotation"],
  ["xox", "a token of another kind"],
] as const;

function kindOf(secret: string): string | undefined {
  return KINDS.find(([start]) => secret.startsWith(start))?.[1];
}

function isKind(kind: "bot" | "app", token: string | undefined): boolean {
  return token?.startsWith(kind === "bot" ? "xoxb-" : "xapp-") === true;
}

interface Held {
  readonly key: string;
  readonly kind: "bot" | "app";
  readonly token: string | undefined;
  readonly mend: string;
}

function wrongKind({ key, kind, token, mend }: Held): readonly ConfigProblem[] {
  if (token === undefined || isKind(kind, token)) return [];
  const wanted = kind === "bot" ? KINDS[0][1] : KINDS[1][1];
  return [fault(key, `holds ${kindOf(token) ?? "no token of Slack's"}, and must hold ${wanted}`, mend)];
}

function fault(key: string, message: string, mend: string): ConfigProblem {
  return { file: "environment", key, message, mend, severity: "error" };
}

/** Requests that a proxy passes on come under its host name, which the service must know to be its own. */
function unreachable({ read, env }: SlackSources, mode: SlackConfig["mode"]): readonly ConfigProblem[] {
  if (mode === "socket" || (env.TROUPE_PUBLIC_URL ?? read.settings.web.public_url) !== undefined) return [];
  const message =
    "is not set, so that Slack's requests are refused unless a proxy passes them on under our own address";
  const mend = "set it to the address at which Slack reaches the service";
  return [{ file: read.place.file, key: "web.public_url", message, mend, severity: "warning" }];
}

async function readPersonaTokens(
  { set, variables, cwd, env, strict }: SlackSources,
  problems: ConfigProblem[],
): Promise<SlackTokens["personaTokens"]> {
  const tokens = new Map<string, NamedToken>();
  const owners = new Map([[env.slack.botToken, "the main app"]]);
  for (const [name, { slackToken }] of set.platforms) {
    if (slackToken === undefined) continue;
    const token = await readSecret(slackToken.variable, variables, cwd, problems);
    const found = token === undefined ? notSet(slackToken, strict) : tokenFault(slackToken.variable, token, owners);
    problems.push(...found);
    if (token === undefined || found.length > 0) continue;
    tokens.set(name, { tokenName: slackToken.variable, token });
    owners.set(token, name);
  }
  return tokens;
}

function notSet(
  { variable, file, at }: NonNullable<PersonaPlatforms["slackToken"]>,
  strict: boolean,
): readonly ConfigProblem[] {
  const message = `${variable} is not set, so the persona speaks through the main app`;
  const mend = `set ${variable} to the bot token of the persona's own app, or remove the key`;
  return [{ file, ...at, key: "slack.token_env", message, mend, severity: strict ? "error" : "warning" }];
}

function tokenFault(
  variable: string,
  token: string,
  owners: ReadonlyMap<string | undefined, string>,
): readonly ConfigProblem[] {
  const owner = owners.get(token);
  if (owner === undefined) return wrongKind({ key: variable, kind: "bot", token, mend: PERSONA_MEND });
  return [fault(variable, `holds the token of ${owner} too`, "give the persona an app of its own")];
}
