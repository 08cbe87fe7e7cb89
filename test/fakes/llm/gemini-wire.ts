import {
  DEFAULT_USAGE,
  type FakeReply,
  type Json,
  list,
  pieces,
  record,
  type SentCall,
  sse,
  textIn,
  type Wire,
} from "./wire.js";

/** Google's `:generateContent` and `:streamGenerateContent`. */
export const geminiWire: Wire = {
  name: "gemini",
  matches: (path) => /:(generateContent|streamGenerateContent)$/.test(path),
  read(body, path) {
    const contents = list(body.contents).map(record);
    const parts = (content: Json | undefined) => list(content?.parts).map(record);
    const isSaid = (part: Json) => typeof part.text === "string";
    const lastSaid = contents.findLast((content) => content.role === "user" && parts(content).some(isSaid));
    const results = parts(contents.at(-1)).filter((part) => "functionResponse" in part);
    return {
      model: /models\/([^:]+):/.exec(path)?.[1] ?? "",
      stream: path.endsWith(":streamGenerateContent"),
      system: textIn(record(body.systemInstruction).parts),
      lastText: textIn(parts(lastSaid).filter(isSaid)),
      toolResults: results.map((part) => textIn(record(record(record(part).functionResponse).response).content)),
      toolNames: list(body.tools).flatMap((tool) =>
        list(record(tool).functionDeclarations).map((declaration) => String(record(declaration).name)),
      ),
    };
  },
  whole: (reply, calls, model) => candidate([...textParts(reply.text ?? ""), ...callParts(calls)], model, reply),
  chunks: (reply, calls, model) => [
    ...pieces(reply.text ?? "").map((text) => sse(candidate(textParts(text), model))),
    sse(candidate(callParts(calls), model, reply)),
  ],
  error: (status, message) => ({ error: { code: status, message, status: STATUS[status] ?? "INTERNAL" } }),
};

const STATUS: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  429: "RESOURCE_EXHAUSTED",
  529: "UNAVAILABLE",
};
const FINISH = { stop: "STOP", length: "MAX_TOKENS", refusal: "SAFETY" } as const;

function textParts(text: string): readonly Json[] {
  return text === "" ? [] : [{ text }];
}

function callParts(calls: readonly SentCall[]): readonly Json[] {
  return calls.map((call) => ({ functionCall: { name: call.name, args: JSON.parse(call.args) } }));
}

/** A chunk; with the reply it is the last one. */
function candidate(parts: readonly Json[], model: string, reply?: FakeReply): Json {
  const finish = reply === undefined ? {} : { finishReason: FINISH[reply.finish ?? "stop"] };
  return {
    candidates: [{ index: 0, content: { role: "model", parts }, ...finish }],
    ...usageOf(reply),
    modelVersion: model,
  };
}

function usageOf(reply: FakeReply | undefined): Json {
  if (reply === undefined || reply.usage === null) return {};
  const usage = reply.usage ?? DEFAULT_USAGE;
  return {
    usageMetadata: {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output - (usage.reasoning ?? 0),
      thoughtsTokenCount: usage.reasoning ?? 0,
      cachedContentTokenCount: usage.cached ?? 0,
      totalTokenCount: usage.input + usage.output,
    },
  };
}
