import { createLlmBrain } from "../../src/brain/llm/llm-brain.js";
import type { ModelEnv } from "../../src/brain/llm/model-access.js";
import type { ModelProvider } from "../../src/brain/model-id.js";
import type { Brain, Turn } from "../../src/ports/brain.js";
import { type FakeLlm, startFakeLlm } from "../fakes/llm/server.js";
import type { FakeClock } from "./fake-clock.js";
import { createLogLines, type LogLines } from "./log-lines.js";
import { personaFixture, turnFixture } from "./turn-fixture.js";

/** A key that must never show anywhere but in a request's header. */
export const SECRET = "sk-secret-0123456789";

/** The environment with every provider pointed at the fake. */
function fakeEnv(url: string): ModelEnv {
  return {
    ANTHROPIC_API_KEY: SECRET,
    ANTHROPIC_BASE_URL: url,
    OPENAI_API_KEY: SECRET,
    OPENAI_BASE_URL: url,
    GOOGLE_GENERATIVE_AI_API_KEY: SECRET,
    GOOGLE_GENERATIVE_AI_BASE_URL: url,
    OPENAI_COMPATIBLE_API_KEY: SECRET,
    OPENAI_COMPATIBLE_BASE_URL: url,
  };
}

/** One model name per provider. */
export const MODELS: Readonly<Record<ModelProvider, string>> = {
  anthropic: "anthropic:claude-sonnet-4-5",
  openai: "openai:gpt-5.4",
  google: "google:gemini-3-pro",
  "openai-compatible": "openai-compatible:qwen3:8b",
};

/** A turn of `alpha` with a model of this provider; `over` changes any part of it. */
export function modelTurn(provider: ModelProvider, over: Partial<Turn> = {}): Turn {
  return turnFixture({ persona: personaFixture({ model: MODELS[provider] }), ...over });
}

export interface LlmHarness {
  readonly brain: Brain;
  readonly fake: FakeLlm;
  readonly log: LogLines;
  close(): Promise<void>;
}

/** A model brain on the fake server. Waits before a repeated call pass at once when `skipWaits` is set. */
export async function openLlm(clock: FakeClock, options: { readonly skipWaits?: boolean } = {}): Promise<LlmHarness> {
  const fake = await startFakeLlm();
  const log = createLogLines();
  const logger = {
    ...log,
    info(fields: object, message: string) {
      log.info(fields, message);
      if (options.skipWaits && "waitMs" in fields) setImmediate(() => void clock.advance(Number(fields.waitMs)));
    },
  };
  const brain = createLlmBrain({ env: fakeEnv(fake.url), clock, logger });
  return {
    brain,
    fake,
    log,
    async close() {
      await brain.close();
      await fake.close();
    },
  };
}
