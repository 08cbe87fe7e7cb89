import {
  afterLast,
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

/** `/chat/completions` as Ollama, vLLM and LM Studio serve it. */
export const chatWire: Wire = {
  name: "chat",
  matches: (path) => path.endsWith("/chat/completions"),
  read(body) {
    const messages = list(body.messages).map(record);
    const fresh = afterLast(messages, (message) => message.role === "assistant");
    return {
      model: String(body.model),
      stream: body.stream === true,
      system: messages
        .filter((message) => message.role === "system")
        .map((message) => textIn(message.content))
        .join("\n\n"),
      lastText: textIn(messages.findLast((message) => message.role === "user")?.content ?? ""),
      toolResults: fresh.filter((message) => message.role === "tool").map((message) => textIn(message.content)),
      toolNames: list(body.tools).map((tool) => String(record(record(tool).function).name)),
    };
  },
  whole(reply, calls, model) {
    const message = {
      role: "assistant",
      content: reply.text ?? null,
      ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => toolCall(call)) }),
    };
    return {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1,
      model,
      choices: [{ index: 0, message, finish_reason: finishOf(reply, calls) }],
      ...usageOf(reply),
    };
  },
  chunks(reply, calls, model) {
    const chunk = (fields: Json) =>
      sse({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model, ...fields });
    const delta = (value: Json) => chunk({ choices: [{ index: 0, delta: value, finish_reason: null }] });
    return [
      delta({ role: "assistant", content: "" }),
      ...pieces(reply.reasoning ?? "").map((text) => delta({ reasoning_content: text })),
      ...pieces(reply.text ?? "").map((text) => delta({ content: text })),
      ...calls.map((call, index) => delta({ tool_calls: [{ index, ...toolCall(call) }] })),
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: finishOf(reply, calls) }] }),
      ...(reply.usage === null ? [] : [chunk({ choices: [], ...usageOf(reply) })]),
      sse("[DONE]"),
    ];
  },
  error: (status, message) => ({ error: { message, type: "fake_error", code: status } }),
};

function toolCall(call: SentCall) {
  return { id: call.id, type: "function", function: { name: call.name, arguments: call.args } };
}

function finishOf(reply: FakeReply, calls: readonly SentCall[]): string {
  if (reply.finish === "length") return "length";
  if (reply.finish === "refusal") return "content_filter";
  return calls.length > 0 ? "tool_calls" : "stop";
}

function usageOf(reply: FakeReply): Json {
  if (reply.usage === null) return {};
  const usage = reply.usage ?? DEFAULT_USAGE;
  return {
    usage: {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
      completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    },
  };
}
