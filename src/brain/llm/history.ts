import { type ModelMessage, modelMessageSchema } from "ai";
import { z } from "zod";
import type { BrainHistory } from "../../domain/entry.js";

/** The name under which this brain stores its part of the log. */
const LLM = "llm";

type Answer = Extract<ModelMessage, { role: "assistant" | "tool" }>;

const storedMessages = z.array(modelMessageSchema).transform((messages) => messages.filter(isAnswer));

/**
 * A finished turn in the form that later turns replay: texts, tool calls and their results. The last text becomes the reply as it was
 * posted, so that a model never sees itself do what we took out. Thoughts and provider ids are left out: they bind a log to one
 * provider's model, and a persona may change its model.
 */
export function historyOf(messages: readonly ModelMessage[], reply: string): BrainHistory {
  const neutral = answered(messages.filter(isAnswer)).map(withoutProvider).filter(hasContent);
  const last = neutral.findLastIndex((message) => message.role === "assistant" && hasText(message));
  const posted = neutral.map((message, index) => (index === last ? withText(message, reply) : message));
  // Through JSON, since that is how a store gives it back.
  return { brain: LLM, messages: JSON.parse(JSON.stringify(posted)) };
}

/** The messages of an earlier turn; `undefined` when they are another brain's or cannot be replayed. */
export function replayOf(history: BrainHistory | undefined): readonly ModelMessage[] | undefined {
  if (history?.brain !== LLM) return undefined;
  const parsed = storedMessages.safeParse(history.messages);
  if (!parsed.success) return undefined;
  const messages = answered(parsed.data).filter(hasContent);
  return messages.length === 0 ? undefined : messages;
}

function isAnswer(message: ModelMessage): message is Answer {
  return message.role === "assistant" || message.role === "tool";
}

/** Calls without a result are refused by strict providers: a turn cut off by its token limit leaves some. */
function answered(messages: readonly Answer[]): Answer[] {
  const results = new Set(messages.flatMap((message) => (message.role === "tool" ? message.content : [])).map(callOf));
  return messages.map((message) => {
    if (message.role === "tool" || typeof message.content === "string") return message;
    return {
      ...message,
      content: message.content.filter((part) => part.type !== "tool-call" || results.has(part.toolCallId)),
    };
  });
}

function callOf(part: Extract<Answer, { role: "tool" }>["content"][number]): string | undefined {
  return part.type === "tool-result" ? part.toolCallId : undefined;
}

function withoutProvider(message: Answer): Answer {
  if (message.role === "tool") {
    const results = message.content.filter((part) => part.type === "tool-result");
    return { role: "tool", content: results.map(({ providerOptions: _, ...part }) => part) };
  }
  if (typeof message.content === "string") return { role: "assistant", content: message.content };
  const kept = message.content.filter((part) => part.type === "text" || part.type === "tool-call");
  return { role: "assistant", content: kept.map(({ providerOptions: _, ...part }) => part) };
}

function hasContent(message: Answer): boolean {
  return message.content.length > 0;
}

function hasText(message: Answer): boolean {
  if (message.role === "tool") return false;
  if (typeof message.content === "string") return message.content.trim() !== "";
  return message.content.some((part) => part.type === "text" && part.text.trim() !== "");
}

function withText(message: Answer, text: string): Answer {
  if (message.role === "tool") return message;
  if (typeof message.content === "string") return { ...message, content: text };
  const others = message.content.filter((part) => part.type !== "text");
  return { ...message, content: [{ type: "text", text }, ...others] };
}
