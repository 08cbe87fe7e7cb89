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

/** Anthropic's `/messages`. */
export const messagesWire: Wire = {
  name: "messages",
  matches: (path) => path.endsWith("/messages"),
  read(body) {
    const messages = list(body.messages).map(record);
    const parts = (message: Json | undefined) => list(message?.content).map(record);
    const isSaid = (part: Json) => part.type === "text";
    const lastSaid = messages.findLast((message) => message.role === "user" && parts(message).some(isSaid));
    return {
      model: String(body.model),
      stream: body.stream === true,
      system: textIn(body.system),
      lastText: textIn(parts(lastSaid).filter(isSaid)),
      toolResults: parts(messages.at(-1))
        .filter((part) => part.type === "tool_result")
        .map((part) => textIn(part.content)),
      toolNames: list(body.tools).map((tool) => String(record(tool).name)),
    };
  },
  whole: (reply, calls, model) => ({
    ...head(model),
    content: [
      ...(reply.text === undefined ? [] : [{ type: "text", text: reply.text }]),
      ...calls.map((call) => ({ type: "tool_use", id: call.id, name: call.name, input: JSON.parse(call.args) })),
    ],
    stop_reason: stopOf(reply, calls),
    stop_sequence: null,
    usage: { ...inputUsage(reply), output_tokens: (reply.usage ?? DEFAULT_USAGE).output },
  }),
  chunks(reply, calls, model) {
    const blocks = [
      ...(reply.text === undefined ? [] : [textBlock(reply.text)]),
      ...calls.map((call) => ({
        start: { type: "tool_use", id: call.id, name: call.name, input: {} },
        deltas: [{ type: "input_json_delta", partial_json: call.args }],
      })),
    ];
    return [
      event("message_start", {
        message: {
          ...head(model),
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...inputUsage(reply), output_tokens: 0 },
        },
      }),
      ...blocks.flatMap(({ start, deltas }, index) => [
        event("content_block_start", { index, content_block: start }),
        ...deltas.map((delta) => event("content_block_delta", { index, delta })),
        event("content_block_stop", { index }),
      ]),
      event("message_delta", {
        delta: { stop_reason: stopOf(reply, calls), stop_sequence: null },
        usage: { output_tokens: (reply.usage ?? DEFAULT_USAGE).output },
      }),
      event("message_stop", {}),
    ];
  },
  error: (status, message) => ({ type: "error", error: { type: ERROR_TYPES[status] ?? "api_error", message } }),
};

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};

function textBlock(text: string) {
  return {
    start: { type: "text", text: "" },
    deltas: pieces(text).map((piece) => ({ type: "text_delta", text: piece })),
  };
}

function event(type: string, fields: Json): string {
  return sse({ type, ...fields }, type);
}

function head(model: string): Json {
  return { id: "msg_1", type: "message", role: "assistant", model };
}

function inputUsage(reply: FakeReply): Json {
  const usage = reply.usage ?? DEFAULT_USAGE;
  const cached = usage.cached ?? 0;
  return { input_tokens: usage.input - cached, cache_read_input_tokens: cached, cache_creation_input_tokens: 0 };
}

function stopOf(reply: FakeReply, calls: readonly SentCall[]): string {
  if (reply.finish === "length") return "max_tokens";
  if (reply.finish === "refusal") return "refusal";
  return calls.length > 0 ? "tool_use" : "end_turn";
}
