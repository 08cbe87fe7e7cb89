import type { wrapLanguageModel } from "ai";
import type { ModelId, ModelProvider } from "../model-id.js";
import { ACCESS, type ModelEnv } from "./model-access.js";

/** A model as the library can wrap it. */
export type OpenModel = Parameters<typeof wrapLanguageModel>[0]["model"];

const DEFAULT_URLS: Readonly<Record<ModelProvider, string>> = {
  anthropic: "https://api.anthropic.com",
  openai: "https://api.openai.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
  "openai-compatible": "",
};

type Opener = (name: string, env: ModelEnv) => Promise<OpenModel>;

/**
 * One provider each, imported when its first turn runs. Keys and addresses are always given, also the default ones: the libraries
 * would otherwise read the environment by themselves.
 */
const OPENERS: Readonly<Record<ModelProvider, Opener>> = {
  async anthropic(name, env) {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({ apiKey: env.ANTHROPIC_API_KEY ?? "", baseURL: baseUrlOf("anthropic", env) })(name);
  },
  async openai(name, env) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({ apiKey: env.OPENAI_API_KEY ?? "", baseURL: baseUrlOf("openai", env) }).responses(name);
  },
  async google(name, env) {
    const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
    const baseURL = baseUrlOf("google", env);
    return createGoogleGenerativeAI({ apiKey: env.GOOGLE_GENERATIVE_AI_API_KEY ?? "", baseURL })(name);
  },
  async "openai-compatible"(name, env) {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const apiKey = env.OPENAI_COMPATIBLE_API_KEY;
    return createOpenAICompatible({
      name: "openai-compatible",
      baseURL: baseUrlOf("openai-compatible", env),
      // Without it a stream reports no usage at all.
      includeUsage: true,
      ...(apiKey ? { apiKey } : {}),
    })(name);
  },
};

/** Loads the provider and opens the model. What the provider needs has been checked before (`accessProblem`). */
export function openModel(id: ModelId, env: ModelEnv): Promise<OpenModel> {
  return OPENERS[id.provider](id.name, env);
}

/** Where a provider's interface is, without a slash at its end. */
export function baseUrlOf(provider: ModelProvider, env: ModelEnv): string {
  const given = env[ACCESS[provider].address];
  const url = (given || DEFAULT_URLS[provider]).replace(/\/+$/, "");
  return provider === "anthropic" ? versioned(url) : url;
}

/** Anthropic's own clients take the address without its version, this library with it: both are right. */
function versioned(baseUrl: string): string {
  return /\/v\d+$/.test(baseUrl) ? baseUrl : `${baseUrl}/v1`;
}
