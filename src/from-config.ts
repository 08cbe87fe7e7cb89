import type { ModelEnv } from "./brain/llm/model-access.js";
import type { LoadedConfig } from "./config/loaded.js";
import type { Persona } from "./domain/persona.js";
import type { EngineConfig } from "./engine/config.js";
import type { TeamSpec } from "./engine/team.js";

/** A model that sends nothing for so long is taken to hang. */
const STALL_MS = 60_000;
/** Tokens that one model call may write: a long answer in a chat, and some thinking. */
const OUTPUT_TOKENS = 8_192;

/** What the engine takes from the configuration. */
export function engineConfig(config: LoadedConfig): EngineConfig {
  const { burstBudget, fanout, pairGuard, rooms, admins, limits, schedules } = config;
  return {
    burstBudget,
    fanout,
    guard: pairGuard.settings,
    resume: pairGuard.resume,
    room: (id) => ({ ...rooms.defaults, ...rooms.overrides.get(id) }),
    admins,
    schedules,
    limits: { ...limits, stallMs: STALL_MS, outputTokens: OUTPUT_TOKENS },
  };
}

/** The team with these personas; those of the configuration's start may have been replaced since. */
export function teamOf({ team, defaultPersona }: LoadedConfig, personas: readonly Persona[]): TeamSpec {
  return { name: team, personas, ...(defaultPersona === undefined ? {} : { defaultPersona }) };
}

/** Keys and addresses of the model providers: keys as the configuration found them, other addresses from the environment. */
export function modelEnv({ models }: LoadedConfig, env: Readonly<Record<string, string | undefined>>): ModelEnv {
  return {
    ANTHROPIC_API_KEY: models.anthropic?.apiKey,
    ANTHROPIC_BASE_URL: env.ANTHROPIC_BASE_URL,
    OPENAI_API_KEY: models.openai?.apiKey,
    OPENAI_BASE_URL: env.OPENAI_BASE_URL,
    GOOGLE_GENERATIVE_AI_API_KEY: models.google?.apiKey,
    GOOGLE_GENERATIVE_AI_BASE_URL: env.GOOGLE_GENERATIVE_AI_BASE_URL,
    OPENAI_COMPATIBLE_BASE_URL: models["openai-compatible"]?.baseUrl,
    OPENAI_COMPATIBLE_API_KEY: models["openai-compatible"]?.apiKey,
  };
}

/** Everything in the configuration that must never be shown. */
export function secretsOf({ adminToken, models, slack, discord }: LoadedConfig): readonly string[] {
  const keys = Object.values(models).map((access) => access.apiKey);
  return [adminToken, ...keys, ...slackSecrets(slack), discord.token].filter((secret) => secret !== undefined);
}

function slackSecrets({ tokens }: LoadedConfig["slack"]): readonly string[] {
  if (tokens === undefined) return [];
  const { botToken, personaTokens } = tokens;
  const partner = tokens.mode === "http" ? tokens.signingSecret : tokens.appToken;
  return [botToken, partner, ...[...personaTokens.values()].map(({ token }) => token)];
}
