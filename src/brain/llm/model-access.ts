import { type ModelProvider, PROVIDER_NEEDS } from "../model-id.js";

/** The variables that the model brain knows. */
type ModelVariable =
  | "ANTHROPIC_API_KEY"
  | "ANTHROPIC_BASE_URL"
  | "OPENAI_API_KEY"
  | "OPENAI_BASE_URL"
  | "GOOGLE_GENERATIVE_AI_API_KEY"
  | "GOOGLE_GENERATIVE_AI_BASE_URL"
  | "OPENAI_COMPATIBLE_BASE_URL"
  | "OPENAI_COMPATIBLE_API_KEY";

/** Their values, as the composition root hands them over: nothing here looks at the environment. An empty one counts as absent. */
export type ModelEnv = Readonly<Partial<Record<ModelVariable, string | undefined>>>;

interface Access {
  readonly key: keyof ModelEnv;
  readonly address: keyof ModelEnv;
  readonly needs: keyof ModelEnv;
}

/** Where each provider's key and address are found, and which of them it cannot do without. */
export const ACCESS: Readonly<Record<ModelProvider, Access>> = {
  anthropic: { key: "ANTHROPIC_API_KEY", address: "ANTHROPIC_BASE_URL", needs: PROVIDER_NEEDS.anthropic },
  openai: { key: "OPENAI_API_KEY", address: "OPENAI_BASE_URL", needs: PROVIDER_NEEDS.openai },
  google: {
    key: "GOOGLE_GENERATIVE_AI_API_KEY",
    address: "GOOGLE_GENERATIVE_AI_BASE_URL",
    needs: PROVIDER_NEEDS.google,
  },
  "openai-compatible": {
    key: "OPENAI_COMPATIBLE_API_KEY",
    address: "OPENAI_COMPATIBLE_BASE_URL",
    needs: PROVIDER_NEEDS["openai-compatible"],
  },
};

/** What has to be mended in the environment before this model can be asked; `undefined` when nothing is. */
export function accessProblem(provider: ModelProvider, env: ModelEnv): string | undefined {
  const { needs, address, key } = ACCESS[provider];
  if (!env[needs]) return `${needs} is not set`;
  // A line break behind a key is seen only when the request cannot be sent.
  if (/[^\x21-\x7e]/.test(env[key] ?? ""))
    return `${key} holds a space, a line break or another character that no key has`;
  const url = env[address];
  return url && !isWebAddress(url) ? `${address} is not an http or https address` : undefined;
}

function isWebAddress(text: string): boolean {
  return /^https?:/i.test(text) && URL.canParse(text);
}
