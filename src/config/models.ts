import { MODEL_PROVIDERS, type ModelProvider, PROVIDER_NEEDS, parseModelId } from "../brain/model-id.js";

/** How to reach one provider. */
export interface ProviderAccess {
  readonly apiKey?: string;
  /** Only for `openai-compatible`, where it is required. */
  readonly baseUrl?: string;
}

/** Access to each provider that the environment names. */
export type ModelAccess = Readonly<Partial<Record<ModelProvider, ProviderAccess>>>;

/** What a model must look like, for messages. */
export const MODEL_FORM = `provider:model with one of the prefixes ${MODEL_PROVIDERS.map((name) => `${name}:`).join(", ")}`;

/** The variable that is missing to use this model; `undefined` when it can be tried. */
export function missingVariable(model: string, access: ModelAccess): string | undefined {
  const provider = parseModelId(model)?.provider;
  return provider === undefined || access[provider] !== undefined ? undefined : PROVIDER_NEEDS[provider];
}
