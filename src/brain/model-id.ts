/** Model providers, as written before the colon in `provider:model` (product section 8). */
export const MODEL_PROVIDERS = ["anthropic", "openai", "google", "openai-compatible"] as const;

/** Prefix of a model. */
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** The variable without which a provider cannot be used. */
export const PROVIDER_NEEDS = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  google: "GOOGLE_GENERATIVE_AI_API_KEY",
  "openai-compatible": "OPENAI_COMPATIBLE_BASE_URL",
} as const satisfies Readonly<Record<ModelProvider, string>>;

/** A model name taken apart at its first colon: the rest may hold colons and slashes. */
export interface ModelId {
  readonly provider: ModelProvider;
  readonly name: string;
}

/** `undefined` when the text is not `provider:model` with a provider that we know and a printable name. */
export function parseModelId(id: string): ModelId | undefined {
  const colon = id.indexOf(":");
  const provider = MODEL_PROVIDERS.find((known) => known === id.slice(0, Math.max(colon, 0)));
  const name = id.slice(colon + 1);
  return provider !== undefined && /^[\x21-\x7e]{1,200}$/.test(name) ? { provider, name } : undefined;
}
