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

/** OpenAI's `/responses`. */
export const responsesWire: Wire = {
  name: "responses",
  matches: (path) => path.endsWith("/responses"),
  read(body) {
    const input = list(body.input).map(record);
    const fresh = afterLast(input, (item) => item.role === "assistant" || item.type === "function_call");
    const isSystem = (item: Json) => item.role === "system" || item.role === "developer";
    return {
      model: String(body.model),
      stream: body.stream === true,
      system: input
        .filter(isSystem)
        .map((item) => textIn(item.content))
        .join("\n\n"),
      lastText: textIn(input.findLast((item) => item.role === "user")?.content ?? ""),
      toolResults: fresh.filter((item) => item.type === "function_call_output").map((item) => textIn(item.output)),
      toolNames: list(body.tools).map((tool) => String(record(tool).name)),
    };
  },
  whole: (reply, calls, model) => ({ ...head(model), output: itemsOf(reply, calls), ...tail(reply) }),
  chunks(reply, calls, model) {
    const items = itemsOf(reply, calls);
    return [
      event("response.created", { response: { ...head(model), status: "in_progress" } }),
      ...items.flatMap((item, index) => itemChunks(item, index)),
      event(reply.finish === "length" ? "response.incomplete" : "response.completed", {
        response: { ...head(model), output: items, ...tail(reply) },
      }),
    ];
  },
  error: (status, message) => ({ error: { message, type: "fake_error", param: null, code: String(status) } }),
};

type Item = Json & { readonly id: string; readonly type: string };

function itemsOf(reply: FakeReply, calls: readonly SentCall[]): readonly Item[] {
  const text = reply.text ?? "";
  const message: Item = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text, annotations: [] }],
  };
  const callItems = calls.map(
    (call): Item => ({
      id: `fc_${call.id}`,
      type: "function_call",
      call_id: call.id,
      name: call.name,
      arguments: call.args,
      status: "completed",
    }),
  );
  return [...(text === "" ? [] : [message]), ...callItems];
}

function itemChunks(item: Item, index: number): readonly string[] {
  const at = { item_id: item.id, output_index: index };
  const done = event("response.output_item.done", { output_index: index, item });
  if (item.type === "function_call") {
    const args = String(item.arguments);
    return [
      event("response.output_item.added", {
        output_index: index,
        item: { ...item, arguments: "", status: "in_progress" },
      }),
      event("response.function_call_arguments.delta", { ...at, delta: args }),
      event("response.function_call_arguments.done", { ...at, arguments: args }),
      done,
    ];
  }
  return [
    event("response.output_item.added", { output_index: index, item: { ...item, content: [], status: "in_progress" } }),
    ...pieces(textIn(item.content)).map((delta) =>
      event("response.output_text.delta", { ...at, content_index: 0, delta }),
    ),
    done,
  ];
}

function event(type: string, fields: Json): string {
  return sse({ type, sequence_number: 0, ...fields }, type);
}

function head(model: string): Json {
  return { id: "resp_1", object: "response", created_at: 1, model, error: null };
}

function tail(reply: FakeReply): Json {
  const reason =
    reply.finish === "length" ? "max_output_tokens" : reply.finish === "refusal" ? "content_filter" : undefined;
  const usage = reply.usage ?? DEFAULT_USAGE;
  return {
    status: reason === undefined ? "completed" : "incomplete",
    incomplete_details: reason === undefined ? null : { reason },
    ...(reply.usage === null
      ? {}
      : {
          usage: {
            input_tokens: usage.input,
            input_tokens_details: { cached_tokens: usage.cached ?? 0 },
            output_tokens: usage.output,
            output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
            total_tokens: usage.input + usage.output,
          },
        }),
  };
}
