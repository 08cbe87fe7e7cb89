import type { EnvironmentSettings } from "./environment.js";
import type { DiscordConfig } from "./loaded.js";
import type { PersonaSet } from "./personas.js";
import type { ConfigProblem } from "./problem.js";

const API_URL = "https://discord.com/api";

const MEND =
  "set it to the token from the application's page Bot in Discord's developer portal, which Reset Token shows once";

/** What Discord's settings are read from. */
export interface DiscordSources {
  readonly env: EnvironmentSettings;
  readonly set: PersonaSet;
}

/** Discord's settings, and what is wrong with them. Without a token Discord takes no part, and nothing is wrong. Never throws. */
export function readDiscord({ env, set }: DiscordSources): {
  readonly config: DiscordConfig;
  readonly problems: readonly ConfigProblem[];
} {
  const apiUrl = (env.DISCORD_API_URL ?? API_URL).replace(/\/+$/, "");
  const roles = new Set([...set.platforms].filter(([, { discordRole }]) => discordRole).map(([name]) => name));
  const { discordToken: token } = env;
  const problems = [...versioned(apiUrl), ...wrongKind(token)];
  return { config: { apiUrl, roles, ...(token === undefined ? {} : { token }) }, problems };
}

/** The version is our own choice, and is put behind the address. */
function versioned(apiUrl: string): readonly ConfigProblem[] {
  const plain = apiUrl.replace(/\/v\d+$/, "");
  if (plain === apiUrl) return [];
  return [fault("DISCORD_API_URL", "must be without the version at its end", `set it to ${plain}`)];
}

/** What is mistaken for a bot's token, by its form; the first that fits counts. */
const MISTAKEN = [
  [/^xox|^xapp-/, "a token of Slack's"],
  [/^https?:/, "an address"],
  [/^\d{17,20}$/, "an application's or a user's id"],
  [/^[0-9a-f]{64}$/, "the application's public key"],
  [/^[\w-]{32}$/, "the application's client secret"],
  [/^mfa\./, "the token of a person's account, which must never be given to a program"],
  [/^eyJ/, "a token of another service"],
] as const;
const BOT_TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

function wrongKind(token: string | undefined): readonly ConfigProblem[] {
  if (token === undefined) return [];
  const held = MISTAKEN.find(([form]) => form.test(token))?.[1];
  if (held === undefined && BOT_TOKEN.test(token)) return [];
  return [fault("DISCORD_TOKEN", `holds ${held ?? "no token of a bot"}`, MEND)];
}

function fault(key: string, message: string, mend: string): ConfigProblem {
  return { file: "environment", key, message, mend, severity: "error" };
}
