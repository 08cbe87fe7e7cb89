import {
  extractReasoningMiddleware,
  type SystemModelMessage,
  stepCountIs,
  streamText,
  type ToolSet,
  wrapLanguageModel,
} from "ai";
import { systemPrompt } from "../../domain/room-note.js";
import type { BrainEvent, BrainFailure, Turn } from "../../ports/brain.js";
import type { Clock } from "../../ports/clock.js";
import type { Logger } from "../../ports/logger.js";
import type { ModelId } from "../model-id.js";
import { type TurnRun, untilAborted } from "../turn-run.js";
import { CACHE_MARK } from "./cache.js";
import { fenceOf } from "./envelope.js";
import { failureOf } from "./failure.js";
import { ACCESS, type ModelEnv } from "./model-access.js";
import { openModel } from "./models.js";
import { picturesOf } from "./pictures.js";
import { buildPrompt, type Prompt, withPlainTexts } from "./prompt.js";
import { retryMiddleware } from "./retry.js";
import { type Sight, sightMiddleware } from "./sight.js";
import { createStallWatch, type StallWatch } from "./stall.js";
import { modelTools, type ToolLog } from "./tools.js";
import { createTurnRecord, type TurnRecord } from "./turn-record.js";

/** How much of the log a model is shown: 24,000 tokens at 4 bytes each. */
const VIEW_BYTES = 96_000;

// The library would print the providers' warnings; they go to our log.
globalThis.AI_SDK_LOG_WARNINGS = false;

export interface TurnContext {
  readonly env: ModelEnv;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly turn: Turn;
  readonly run: TurnRun;
  readonly model: ModelId;
  readonly sight: Sight;
}

/** One turn against a model whose settings are complete: its events, then exactly one `end`. Never throws. */
export async function* runTurn(context: TurnContext): AsyncGenerator<BrainEvent> {
  const { turn, run, model } = context;
  const log: ToolLog = { posted: [], idled: false };
  const classify = (error: unknown): BrainFailure => failureOf(error, model, context.clock.now());
  const record = createTurnRecord({ turn, run, model, log, fence: fenceOf(turn.room), classify });
  try {
    run.signal.throwIfAborted();
    yield* streamTurn(context, log, record);
  } catch (error) {
    record.fail(error);
  }
  if (record.error !== undefined && run.stopped === undefined) {
    logFailure(context, record.error, classify(record.error));
  }
  yield* record.unfinishedCalls();
  yield record.end();
}

async function* streamTurn(context: TurnContext, log: ToolLog, record: TurnRecord): AsyncGenerator<BrainEvent> {
  const { turn, run, clock, sight, model } = context;
  const stall = createStallWatch(clock, turn.limits.stallMs, () => run.stop("stall"));
  const view = await untilAborted(turn.view(VIEW_BYTES), run.signal);
  const pictures = sight.isBlind(model) ? [] : await picturesOf(turn, context.logger, run.signal);
  const prompt = buildPrompt(turn, view, clock.now(), pictures);
  const parts = await openStream(context, { log, record, stall, prompt });
  try {
    while (true) {
      const next = await stall.during(untilAborted(parts.next(), run.signal));
      if (next.done === true) return;
      if (next.value.type === "start-step") logWarnings(context, next.value.warnings);
      yield* record.take(next.value);
      if (record.isFull) return;
    }
  } finally {
    // Ends the request where the turn ends before it; it may take as long as it likes.
    parts.return?.().catch(() => undefined);
  }
}

interface StreamParts {
  readonly log: ToolLog;
  readonly record: TurnRecord;
  readonly stall: StallWatch;
  readonly prompt: Prompt;
}

async function openStream(context: TurnContext, { log, record, stall, prompt }: StreamParts) {
  const { turn, run, clock, model, env } = context;
  const retry = retryMiddleware({
    clock,
    signal: run.signal,
    classify: (error) => failureOf(error, model, clock.now()),
    onWait: (failure, waitMs) => {
      context.logger.info(
        { persona: turn.persona.name, model: turn.persona.model, class: failure.class, waitMs },
        "model call failed, will be repeated",
      );
      return stall.hold();
    },
  });
  const seeing = sightMiddleware({
    sight: context.sight,
    model,
    classify: (error) => failureOf(error, model, clock.now()),
    onBlind: () =>
      context.logger.info(
        { persona: turn.persona.name, model: turn.persona.model },
        "this model takes no pictures; for an hour it gets texts alone",
      ),
  });
  // Local models often think aloud in their text, between tags.
  const thinkTags = model.provider === "openai-compatible" ? [extractReasoningMiddleware({ tagName: "think" })] : [];
  const tools: ToolSet = modelTools({ turn, signal: run.signal, log, onRun: () => stall.hold() });
  const result = streamText({
    model: wrapLanguageModel({ model: await openModel(model, env), middleware: [retry, seeing, ...thinkTags] }),
    system: systemOf(model, prompt),
    messages: model.provider === "openai-compatible" ? withPlainTexts(prompt.messages) : prompt.messages,
    tools,
    stopWhen: [() => log.idled, stepCountIs(turn.limits.steps)],
    maxOutputTokens: turn.limits.outputTokens,
    maxRetries: 0,
    abortSignal: run.signal,
    providerOptions: { ...CACHE_MARK, openai: { store: false, promptCacheKey: cacheKey(turn) } },
    onError: ({ error }) => record.fail(error),
    onStepFinish: ({ response }) => record.finished(response.messages),
  });
  return result.fullStream[Symbol.asyncIterator]();
}

/** Anthropic caches up to the end of the first part; other servers often take only one system message. */
function systemOf(model: ModelId, { persona, note }: Prompt): SystemModelMessage[] {
  if (model.provider !== "anthropic") return [{ role: "system", content: systemPrompt(persona, note) }];
  const first: SystemModelMessage = { role: "system", content: persona, providerOptions: CACHE_MARK };
  return note === undefined ? [first] : [first, { role: "system", content: note }];
}

/** Requests that begin alike should reach the same cache. At most 64 characters. */
function cacheKey(turn: Turn): string {
  return `${fenceOf(turn.room)}-${turn.persona.name}`;
}

function logWarnings({ turn, logger }: TurnContext, warnings: readonly { readonly type: string }[]): void {
  if (warnings.length === 0) return;
  logger.debug({ persona: turn.persona.name, model: turn.persona.model, warnings }, "model warnings");
}

/**
 * What we did wrong is logged whole. A provider's words stay at debug, since they may repeat what it was sent; keys are taken out of
 * both.
 */
function logFailure({ turn, env, model, logger }: TurnContext, error: unknown, { class: reason }: BrainFailure): void {
  const fields = { persona: turn.persona.name, model: turn.persona.model, class: reason };
  const key = env[ACCESS[model.provider].key];
  const whole = (error instanceof Error ? error.stack : JSON.stringify(error)) ?? "";
  const details = (key ? whole.replaceAll(key, "(key)") : whole).slice(0, 2_000);
  if (reason === "internal") {
    logger.error({ ...fields, details }, "model turn failed");
    return;
  }
  logger.warn(fields, "model turn failed");
  logger.debug({ ...fields, details }, "what the model's provider said");
}
