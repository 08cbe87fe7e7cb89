import { generateText, jsonSchema, type ToolSet, tool } from "ai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openModel } from "../../../src/brain/llm/models.js";
import { MODEL_PROVIDERS } from "../../../src/brain/model-id.js";
import { type FakeLlm, startFakeLlm } from "./server.js";

const CALL = { maxRetries: 0, maxOutputTokens: 100 } as const;

let fake: FakeLlm;
beforeEach(async () => {
  fake = await startFakeLlm();
});
afterEach(() => fake.close());

function modelOf(provider: (typeof MODEL_PROVIDERS)[number]) {
  return openModel(
    { provider, name: "some-model" },
    {
      ANTHROPIC_API_KEY: "k",
      ANTHROPIC_BASE_URL: fake.url,
      OPENAI_API_KEY: "k",
      OPENAI_BASE_URL: fake.url,
      GOOGLE_GENERATIVE_AI_API_KEY: "k",
      GOOGLE_GENERATIVE_AI_BASE_URL: fake.url,
      OPENAI_COMPATIBLE_BASE_URL: fake.url,
    },
  );
}

describe.each(MODEL_PROVIDERS)("the fake server, asked by the client of %s for a whole answer", (provider) => {
  it("answers with what it was sent, and counts tokens", async () => {
    const { text, usage } = await generateText({ model: await modelOf(provider), prompt: "Hello.", ...CALL });

    expect(text).toBe("Hello.");
    expect(usage).toMatchObject({ inputTokens: 100, outputTokens: 10 });
    expect(fake.requests[0]).toMatchObject({ stream: false, model: "some-model", lastText: "Hello." });
  });

  it("calls tools and cuts answers as its script says", async () => {
    const replies = [{ calls: [{ name: "look", input: { at: "it" } }] }, { text: "Half", finish: "length" as const }];
    fake.script(() => replies.shift() ?? {});
    const look = tool({ inputSchema: jsonSchema<unknown>({ type: "object" }), execute: async () => "seen" });
    const tools: ToolSet = { look };
    const model = await modelOf(provider);

    const called = await generateText({ model, prompt: "Look.", tools, ...CALL });
    const cut = await generateText({ model, prompt: "Go on.", ...CALL });

    expect(called.toolCalls[0]).toMatchObject({ toolName: "look", input: { at: "it" } });
    expect(cut).toMatchObject({ text: "Half", finishReason: "length" });
  });
});

describe("the fake server", () => {
  it("knows no other paths", async () => {
    const answer = await fetch(`${fake.url}/embeddings`, { method: "POST", body: "{}" });

    expect(answer.status).toBe(404);
  });
});
