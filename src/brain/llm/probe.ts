import type { ModelId, ModelProvider } from "../model-id.js";
import { ACCESS, accessProblem, type ModelEnv } from "./model-access.js";
import { baseUrlOf } from "./models.js";

/** What asking about a model has shown; `mend` where something is wrong. */
export interface ModelProbe {
  readonly says: string;
  readonly mend?: string;
}

export interface ProbeOptions {
  readonly env: ModelEnv;
  /** Sends the question. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly signal: AbortSignal;
}

/**
 * Asks a model's provider whether it knows the model and takes the key, without running the model: it costs nothing. Never
 * rejects; nothing of the key is in the answer.
 */
export async function probeModel(
  { provider, name }: ModelId,
  { env, fetch, signal }: ProbeOptions,
): Promise<ModelProbe> {
  const problem = accessProblem(provider, env);
  if (problem !== undefined) return { says: problem, mend: `set ${ACCESS[provider].needs} in the environment` };
  const url = baseUrlOf(provider, env);
  const { origin } = new URL(url);
  // Servers of one's own list their models, but few tell of a single one.
  const path = provider === "openai-compatible" ? "models" : `models/${encodeURIComponent(name)}`;
  try {
    const { status } = await fetch(`${url}/${path}`, { headers: headersFor(provider, env), redirect: "error", signal });
    return verdict({ provider, name, origin, status });
  } catch {
    return {
      says: `${origin} does not answer`,
      mend: `see that it runs and can be reached from here, or correct ${ACCESS[provider].address}`,
    };
  }
}

interface Asked {
  readonly provider: ModelProvider;
  readonly name: string;
  readonly origin: string;
  readonly status: number;
}

function verdict({ provider, name, origin, status }: Asked): ModelProbe {
  const { key, address } = ACCESS[provider];
  if (status === 401 || status === 403 || (provider === "google" && status === 400)) {
    return { says: `${origin} refuses the key (${status})`, mend: `set ${key} to a key that is valid there` };
  }
  if (status === 404 && provider !== "openai-compatible") {
    return {
      says: `${origin} knows no model ${name}`,
      mend: "correct the model in the persona's file, or default_model",
    };
  }
  if (status >= 500) return { says: `${origin} has a fault of its own (${status})`, mend: "try again later" };
  // A list that is not there says nothing about the models.
  if (status >= 400 && status !== 404 && status !== 405) {
    return { says: `${origin} does not take the question (${status})`, mend: `correct ${address}` };
  }
  return { says: provider === "openai-compatible" ? `${origin} answers` : `${origin} knows ${name}` };
}

function headersFor(provider: ModelProvider, env: ModelEnv): Record<string, string> {
  const key = env[ACCESS[provider].key];
  if (!key) return {};
  switch (provider) {
    case "anthropic":
      return { "x-api-key": key, "anthropic-version": "2023-06-01" };
    case "google":
      return { "x-goog-api-key": key };
    default:
      return { authorization: `Bearer ${key}` };
  }
}
