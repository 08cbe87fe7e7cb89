import type { Brain, BrainEvent, BrainFailure, Turn } from "../../ports/brain.js";
import type { Clock } from "../../ports/clock.js";
import type { Logger } from "../../ports/logger.js";
import { MODEL_PROVIDERS, type ModelId, parseModelId } from "../model-id.js";
import { createTurnGate, type TurnRun } from "../turn-run.js";
import { accessProblem, type ModelEnv } from "./model-access.js";
import { createSight, type Sight } from "./sight.js";

export interface LlmBrainOptions {
  /** Keys and addresses of the model providers. */
  readonly env: ModelEnv;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * A brain that asks a language model, in a loop with the room's tools. The libraries are loaded by the first turn, each provider's by
 * the first turn that needs it. A reply is the text of the last step that wrote one; earlier steps only think aloud. Failures of
 * every kind end the turn as `failed`, with a class and a line for the room.
 */
export function createLlmBrain(options: LlmBrainOptions): Brain {
  const gate = createTurnGate(options.clock);
  const sight = createSight(options.clock);
  return {
    kind: "llm",
    async *run(turn) {
      const run = gate.enter(turn);
      try {
        yield* answer({ ...options, sight }, turn, run);
      } finally {
        run.leave();
      }
    },
    async close() {
      gate.close();
    },
  };
}

interface AnswerOptions extends LlmBrainOptions {
  readonly sight: Sight;
}

async function* answer(options: AnswerOptions, turn: Turn, run: TurnRun): AsyncGenerator<BrainEvent> {
  const model = usableModel(turn, options.env);
  if ("safeMessage" in model) return yield failedEnd(model);
  const loop = await import("./turn-loop.js").catch((error: unknown) => {
    options.logger.error({ err: error }, "the model library could not be loaded");
    return undefined;
  });
  if (loop === undefined) return yield failedEnd(NOT_LOADED);
  yield* loop.runTurn({ ...options, turn, run, model });
}

const NOT_LOADED: BrainFailure = {
  class: "internal",
  retryable: false,
  safeMessage: "the model library could not be loaded; the log has the details.",
};

function failedEnd(failure: BrainFailure): BrainEvent {
  return { type: "end", reason: "failed", text: "", failure };
}

/** The persona's model, or what its operator has to mend first. */
function usableModel({ persona }: Turn, env: ModelEnv): ModelId | BrainFailure {
  const model = parseModelId(persona.model ?? "");
  if (model === undefined) {
    const safeMessage = `it has no usable model: write provider:model, with one of ${MODEL_PROVIDERS.join(", ")}.`;
    return { class: "bad-request", retryable: false, safeMessage };
  }
  const problem = accessProblem(model.provider, env);
  if (problem === undefined) return model;
  return { class: "auth", retryable: false, safeMessage: `${problem}; the model ${persona.model} needs it.` };
}
