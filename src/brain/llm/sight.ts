import type { LanguageModelMiddleware } from "ai";
import type { BrainFailure } from "../../ports/brain.js";
import type { Clock } from "../../ports/clock.js";
import type { ModelId } from "../model-id.js";

type CallOptions = Parameters<NonNullable<LanguageModelMiddleware["wrapStream"]>>[0]["params"];

/**
 * Which models take pictures. No provider says so beforehand: each model is shown them, and a call that is refused is repeated
 * without. A local model that took only the second is spared pictures for an hour; the big providers' models all see, so there it
 * was the picture.
 */
export interface Sight {
  isBlind(model: ModelId): boolean;
  /** Takes note that a model took no pictures. Answers whether it is now held to be blind. */
  foundBlind(model: ModelId): boolean;
}

const BLIND_MS = 60 * 60_000;

export function createSight(clock: Clock): Sight {
  const blindUntil = new Map<string, number>();
  return {
    isBlind: ({ name }) => (blindUntil.get(name) ?? 0) > clock.monotonic(),
    foundBlind({ provider, name }) {
      if (provider !== "openai-compatible") return false;
      blindUntil.set(name, clock.monotonic() + BLIND_MS);
      return true;
    },
  };
}

interface SightOptions {
  readonly sight: Sight;
  readonly model: ModelId;
  readonly classify: (error: unknown) => BrainFailure;
  /** The model is held to take no pictures from now on. */
  readonly onBlind: () => void;
}

/** Repeats a call once without its pictures when it is refused with them. */
export function sightMiddleware({ sight, model, classify, onBlind }: SightOptions): LanguageModelMiddleware {
  return {
    specificationVersion: "v3",
    async wrapStream({ doStream, params, model: asked }) {
      if (!hasPictures(params)) return doStream();
      if (sight.isBlind(model)) return asked.doStream(withoutPictures(params));
      try {
        return await doStream();
      } catch (error) {
        const failure = classify(error);
        const mayBePictures = REFUSALS.has(failure.class) || isBroken(error, model);
        if (params.abortSignal?.aborted || !mayBePictures) throw error;
        const answer = await asked.doStream(withoutPictures(params));
        // Too large is no reason to show it no smaller ones.
        if (failure.class === "bad-request" && sight.foundBlind(model)) onBlind();
        return answer;
      }
    },
  };
}

const REFUSALS: ReadonlySet<BrainFailure["class"]> = new Set(["bad-request", "context-overflow"]);

/** Some local servers have no other word for a picture that their model cannot take. */
function isBroken(error: unknown, { provider }: ModelId): boolean {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  return provider === "openai-compatible" && status === 500;
}

const NOT_SHOWN = "[room] (A picture that cannot be shown to you.)";

function hasPictures({ prompt }: CallOptions): boolean {
  return prompt.some(({ role, content }) => role === "user" && content.some(({ type }) => type === "file"));
}

function withoutPictures(params: CallOptions): CallOptions {
  const prompt = params.prompt.map((message) => {
    if (message.role !== "user") return message;
    return {
      ...message,
      content: message.content.map((part) =>
        part.type === "file" ? ({ type: "text", text: NOT_SHOWN } as const) : part,
      ),
    };
  });
  return { ...params, prompt };
}
