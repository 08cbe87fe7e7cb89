import { resolve } from "node:path";
import type { z } from "zod";
import { baseAddress, host, line, model, oneOf, origin } from "./fields.js";
import { LOG_LEVELS } from "./loaded.js";
import type { ModelAccess, ProviderAccess } from "./models.js";
import { nearestOf } from "./nearest.js";
import type { ConfigProblem } from "./problem.js";
import { readText } from "./read-text.js";
import { burstBudget, port, threshold } from "./schema.js";

/** Variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

const MAX_SECRET_BYTES = 64 * 1024;
/** A shorter key to the web room can be guessed. */
const SHORTEST_TOKEN = 16;

/** Variables that are no secrets, with what they must be. */
const SETTINGS = {
  TROUPE_DATA_DIR: line(4096),
  TROUPE_HOST: host(),
  TROUPE_PORT: port,
  TROUPE_LOG_LEVEL: oneOf(LOG_LEVELS),
  TROUPE_BURST_BUDGET: burstBudget,
  TROUPE_PAIR_GUARD: oneOf(["0", "1"]),
  TROUPE_PAIR_ALTERNATIONS: threshold("alternations"),
  TROUPE_PAIR_REPEATS: threshold("repeats"),
  TROUPE_PAIR_SIMILARITY: threshold("similarity"),
  TROUPE_PAIR_MAX_MESSAGES: threshold("max_messages"),
  TROUPE_PAIR_WINDOW_SECS: threshold("window_secs"),
  TROUPE_PUBLIC_URL: origin(),
  TROUPE_DEFAULT_MODEL: model(),
  SLACK_API_URL: baseAddress("https://slack.com/api/"),
  DISCORD_API_URL: baseAddress("https://discord.com/api"),
} as const;

/** Variables whose value may also be in a file that the variable with `_FILE` behind its name names. */
const SECRETS = [
  "TROUPE_ADMIN_TOKEN",
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "OPENAI_COMPATIBLE_API_KEY",
  "SLACK_BOT_TOKEN",
  "SLACK_APP_TOKEN",
  "SLACK_SIGNING_SECRET",
  "DISCORD_TOKEN",
] as const;

type Settings = { readonly [Name in keyof typeof SETTINGS]?: z.output<(typeof SETTINGS)[Name]> };
type SecretName = (typeof SECRETS)[number];

/** What the environment says. A variable that is set to nothing counts as not set. */
export interface EnvironmentSettings extends Settings {
  readonly adminToken?: string;
  readonly models: ModelAccess;
  readonly slack: SlackSecrets;
  readonly discordToken?: string;
  readonly problems: readonly ConfigProblem[];
}

/** What of Slack's secrets the environment holds. */
export interface SlackSecrets {
  readonly botToken?: string;
  readonly appToken?: string;
  readonly signingSecret?: string;
}

/** Reads the variables and the files of secrets. Never throws; never puts a secret into a problem. */
export async function readEnvironment(env: Environment, cwd: string): Promise<EnvironmentSettings> {
  const problems: ConfigProblem[] = [];
  const settings: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(SETTINGS)) {
    const value = variable(env, name);
    if (value !== undefined) settings[name] = parseText(schema, value, { file: "environment", key: name }, problems);
  }
  const secrets = new Map<SecretName, string>();
  for (const name of SECRETS) {
    const secret = await readSecret(name, env, cwd, problems);
    if (secret !== undefined) secrets.set(name, secret);
  }
  const adminToken = longEnough(secrets.get("TROUPE_ADMIN_TOKEN"), env, problems);
  const botToken = secrets.get("SLACK_BOT_TOKEN");
  const appToken = secrets.get("SLACK_APP_TOKEN");
  const signingSecret = secrets.get("SLACK_SIGNING_SECRET");
  const discordToken = secrets.get("DISCORD_TOKEN");
  return {
    // Each value has the type of its schema's output, by the loop above.
    ...(settings as Settings),
    ...(adminToken === undefined ? {} : { adminToken }),
    models: modelAccess(secrets, baseUrl(env, problems)),
    slack: {
      ...(botToken === undefined ? {} : { botToken }),
      ...(appToken === undefined ? {} : { appToken }),
      ...(signingSecret === undefined ? {} : { signingSecret }),
    },
    ...(discordToken === undefined ? {} : { discordToken }),
    problems,
  };
}

/** Parses what was typed as one word; a problem is added if it does not fit. Whole numbers only in digits. */
export function parseText<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  place: { readonly file: string; readonly key: string },
  problems: ConfigProblem[],
): z.output<Schema> | undefined {
  const result = schema.safeParse(text);
  if (result.success) return result.data;
  const asNumber = /^\d{1,15}$/.test(text) ? schema.safeParse(Number(text)) : result;
  if (asNumber.success) return asNumber.data;
  const message = asNumber.error.issues[0]?.message ?? "is not valid";
  problems.push({ ...place, message, severity: "error" });
  return undefined;
}

const KNOWN = [
  "TROUPE_CONFIG",
  "TROUPE_PRINT_KEY",
  ...Object.keys(SETTINGS),
  "TROUPE_ADMIN_TOKEN",
  "TROUPE_ADMIN_TOKEN_FILE",
];

/** Variables of ours that are one slip away from a known one: they would be passed over in silence. */
export function misspelt(env: Environment): readonly ConfigProblem[] {
  return Object.keys(env)
    .filter((name) => name.startsWith("TROUPE_") && !KNOWN.includes(name))
    .flatMap((key): readonly ConfigProblem[] => {
      const near = nearestOf(
        key.slice("TROUPE_".length),
        KNOWN.map((name) => name.slice("TROUPE_".length)),
      );
      if (near === undefined) return [];
      const mend = `did you mean TROUPE_${near}?`;
      return [{ file: "environment", key, message: "is not a known variable", mend, severity: "warning" }];
    });
}

function variable(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
}

/**
 * Reads one secret from its variable or from the file that NAME_FILE names; `undefined` when neither is set. Never throws; what is
 * wrong is added to the problems, the secret itself never.
 */
export async function readSecret(
  name: string,
  env: Environment,
  cwd: string,
  problems: ConfigProblem[],
): Promise<string | undefined> {
  const value = variable(env, name);
  const path = variable(env, `${name}_FILE`);
  const fail = (key: string, message: string, mend?: string) => {
    problems.push({ file: "environment", key, message, ...(mend === undefined ? {} : { mend }), severity: "error" });
    return undefined;
  };
  if (value !== undefined && path !== undefined)
    return fail(name, `${name} and ${name}_FILE are both set`, "set one of them");
  const read = path === undefined ? { text: value ?? "" } : await readText(resolve(cwd, path), MAX_SECRET_BYTES);
  if ("fault" in read) return fail(`${name}_FILE`, `the file that it names ${read.fault}`, read.mend);
  const secret = read.text.trim();
  if (secret === "" && path !== undefined)
    return fail(`${name}_FILE`, "the file that it names is empty", "write the secret into it");
  // A secret travels in a header, where other characters would break or split the request.
  if (!/^[\x21-\x7e]*$/.test(secret)) {
    const mend = /^(Bot|Bearer)\s/i.test(secret) ? "leave out the word in front of the token" : undefined;
    return fail(path === undefined ? name : `${name}_FILE`, "must be printable ASCII without spaces", mend);
  }
  return secret === "" ? undefined : secret;
}

/** The person's key, unless it could be guessed: then a problem is added. */
function longEnough(token: string | undefined, env: Environment, problems: ConfigProblem[]): string | undefined {
  if (token === undefined || token.length >= SHORTEST_TOKEN) return token;
  const key = variable(env, "TROUPE_ADMIN_TOKEN") === undefined ? "TROUPE_ADMIN_TOKEN_FILE" : "TROUPE_ADMIN_TOKEN";
  const message = `must have at least ${SHORTEST_TOKEN} characters: a shorter key can be guessed`;
  problems.push({ file: "environment", key, message, mend: "make one with `openssl rand -hex 24`", severity: "error" });
  return undefined;
}

function baseUrl(env: Environment, problems: ConfigProblem[]): string | undefined {
  const key = "OPENAI_COMPATIBLE_BASE_URL";
  const value = variable(env, key);
  if (value === undefined) return undefined;
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value.replace(/\/+$/, "");
  const message = "must be an http or https address, such as http://127.0.0.1:11434/v1";
  problems.push({ file: "environment", key, message, severity: "error" });
  return undefined;
}

function modelAccess(secrets: ReadonlyMap<SecretName, string>, url: string | undefined): ModelAccess {
  const withKey = (name: SecretName): ProviderAccess | undefined => {
    const apiKey = secrets.get(name);
    return apiKey === undefined ? undefined : { apiKey };
  };
  const compatible = url === undefined ? undefined : { baseUrl: url, ...withKey("OPENAI_COMPATIBLE_API_KEY") };
  const access = {
    anthropic: withKey("ANTHROPIC_API_KEY"),
    openai: withKey("OPENAI_API_KEY"),
    google: withKey("GOOGLE_GENERATIVE_AI_API_KEY"),
    "openai-compatible": compatible,
  };
  return Object.fromEntries(Object.entries(access).filter(([, provider]) => provider !== undefined));
}
