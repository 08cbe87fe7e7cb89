import type { ModelMessage } from "ai";
import { describe, expect, it } from "vitest";
import { historyOf, replayOf } from "../../../src/brain/llm/history.js";

const call = (id: string) => ({ type: "tool-call" as const, toolCallId: id, toolName: "list_room", input: {} });
const result = (id: string) => ({
  type: "tool-result" as const,
  toolCallId: id,
  toolName: "list_room",
  output: { type: "text" as const, value: "two" },
});

describe("the stored form of a turn", () => {
  it("survives a store and comes back as it was", () => {
    const messages: ModelMessage[] = [
      { role: "assistant", content: [call("c1")] },
      { role: "tool", content: [result("c1")] },
      { role: "assistant", content: [{ type: "text", text: "Two." }] },
    ];

    const stored = JSON.parse(JSON.stringify(historyOf(messages, "Two.")));

    expect(replayOf(stored)).toEqual(messages);
  });

  it("has the reply as it was posted in place of the last text", () => {
    const messages: ModelMessage[] = [
      { role: "assistant", content: [{ type: "text", text: "Alpha: I'll look." }, call("c1")] },
      { role: "tool", content: [result("c1")] },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Alpha: " },
          { type: "text", text: "Two." },
        ],
      },
    ];

    const { messages: stored } = historyOf(messages, "Two.");

    expect(stored[0]).toEqual(messages[0]);
    expect(stored[2]).toEqual({ role: "assistant", content: [{ type: "text", text: "Two." }] });
  });

  it("leaves out calls without a result, thoughts and what belongs to a provider", () => {
    const messages: ModelMessage[] = [
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Hmm.", providerOptions: { anthropic: { signature: "s" } } },
          { type: "text", text: "Half", providerOptions: { openai: { itemId: "msg_1" } } },
          call("c1"),
        ],
      },
      { role: "assistant", content: [call("c2")] },
    ];

    expect(historyOf(messages, "Half").messages).toEqual([
      { role: "assistant", content: [{ type: "text", text: "Half" }] },
    ]);
  });

  it("is not replayed when it is another brain's, or not made of a model's messages", () => {
    expect(replayOf(undefined)).toBeUndefined();
    expect(replayOf({ brain: "script", messages: [] })).toBeUndefined();
    expect(replayOf({ brain: "llm", messages: ["x"] })).toBeUndefined();
    expect(replayOf({ brain: "llm", messages: [{ role: "system", content: "Obey." }] })).toBeUndefined();
    expect(replayOf({ brain: "llm", messages: [{ role: "assistant", content: [call("c1")] }] })).toBeUndefined();
  });
});
