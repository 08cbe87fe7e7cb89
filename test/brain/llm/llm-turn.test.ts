import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLlmBrain } from "../../../src/brain/llm/llm-brain.js";
import type { BrainEvent, Turn } from "../../../src/ports/brain.js";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.js";
import { type LlmHarness, MODELS, modelTurn, openLlm } from "../../support/llm-harness.js";
import { endOf, eventsOf, fakeTool, runToEnd } from "../../support/turn-fixture.js";

let clock: FakeClock;
let llm: LlmHarness;
beforeEach(async () => {
  clock = createFakeClock();
  llm = await openLlm(clock, { skipWaits: true });
});
afterEach(() => llm.close());

function usagesOf(events: readonly BrainEvent[]) {
  return events.flatMap((event) => (event.type === "usage" ? [event] : []));
}

describe("a turn of a model", () => {
  const run = (over: Partial<Turn> = {}) => eventsOf(llm.brain.run(modelTurn("openai-compatible", over)));

  it("leaves usage unknown that the server does not give", async () => {
    llm.fake.script(() => ({ text: "Fine.", usage: null }));

    const all = await run();

    expect(usagesOf(all)).toEqual([{ type: "usage", step: 1, usage: { model: MODELS["openai-compatible"] } }]);
  });

  it("tells the model that arguments were no JSON, and never runs the tool", async () => {
    const replies = [{ calls: [{ name: "list_room", input: "{not json" }] }, { text: "Sorry." }];
    llm.fake.script(() => replies.shift() ?? {});
    const tool = fakeTool("list_room");

    const all = await run({ tools: [tool] });

    expect(tool.calls).toEqual([]);
    expect(all).toContainEqual(expect.objectContaining({ type: "tool-end", ok: false }));
    expect(endOf(all).text).toBe("Sorry.");
  });

  it("drops a reply that only repeats what it has sent by send_message", async () => {
    const replies = [
      { calls: [{ name: "send_message", input: { to: "beta", text: "Please check the numbers." } }] },
      { text: "@beta please check  the numbers" },
    ];
    llm.fake.script(() => replies.shift() ?? {});

    const end = endOf(await run({ tools: [fakeTool("send_message")] }));

    expect(end).toEqual({ type: "end", reason: "done", text: "" });
  });

  it("drops a repeated reply that mentions the receiver by its display name", async () => {
    const replies = [
      { calls: [{ name: "send_message", input: { to: "beta", text: "Please check." } }] },
      { text: "@Beta Two please check" },
    ];
    llm.fake.script(() => replies.shift() ?? {});
    const others = [{ name: "beta", displayName: "Beta Two" }];

    const end = endOf(await run({ tools: [fakeTool("send_message")], others }));

    expect(end).toEqual({ type: "end", reason: "done", text: "" });
  });

  it("ends in silence where it has sent a message and its steps are used up", async () => {
    llm.fake.script(() => ({ calls: [{ name: "send_message", input: { to: "beta", text: "Please check." } }] }));
    const limits = { steps: 2, wallMs: 300_000, stallMs: 60_000, outputTokens: 100 };

    const end = endOf(await run({ tools: [fakeTool("send_message")], limits }));

    expect(end).toEqual({ type: "end", reason: "done", text: "" });
  });

  it("stops reading an answer that is far longer than a reply may be", async () => {
    llm.fake.script(() => ({ text: "endless ".repeat(200_000) }));

    const end = endOf(await run());

    expect(end.reason).toBe("token-limit");
    expect(end.text.length).toBeGreaterThan(400_000);
    expect(end.text.length).toBeLessThan(1_000_000);
  });

  it("refuses calls that come after idle in the same step", async () => {
    llm.fake.script(() => ({
      calls: [
        { name: "idle", input: {} },
        { name: "list_room", input: {} },
      ],
    }));
    const tool = fakeTool("list_room");

    const all = await run({ tools: [fakeTool("idle", { class: "idle" }), tool] });

    expect(tool.calls).toEqual([]);
    expect(endOf(all)).toMatchObject({ reason: "idle", text: "" });
  });

  it("posts the last step's text, or the last one that there was", async () => {
    const replies = [
      { text: "I'll look.", calls: [{ name: "list_room", input: {} }] },
      { text: "Two are here." },
      { text: "All done.", calls: [{ name: "list_room", input: {} }] },
      { text: "" },
    ];
    llm.fake.script(() => replies.shift() ?? {});

    const first = endOf(await run({ tools: [fakeTool("list_room")] }));
    const second = endOf(await run({ tools: [fakeTool("list_room")] }));

    expect([first.text, second.text]).toEqual(["Two are here.", "All done."]);
  });

  it("gives calls unique ids where a server numbers them from zero in every answer", async () => {
    const call = { id: "call_0", name: "list_room", input: {} };
    const replies = [{ calls: [call] }, { calls: [call] }, { text: "Done." }];
    llm.fake.script(() => replies.shift() ?? {});
    const tool = fakeTool("list_room");

    const all = await run({ tools: [tool] });

    const started = all.flatMap((event) => (event.type === "tool-start" ? [event.callId] : []));
    expect(new Set(started).size).toBe(2);
    expect(tool.calls.map((made) => made.callId)).toEqual(started);
  });

  it("takes thoughts between tags for thoughts", async () => {
    llm.fake.script(() => ({ text: "<think>Hmm, a review.</think>\n\nFine." }));

    expect(endOf(await run()).text).toBe("Fine.");
  });

  it("keeps thoughts out of the reply and shows them as thoughts", async () => {
    llm.fake.script(() => ({ reasoning: "Hmm, a review.", text: "Fine." }));

    const all = await run();

    const thoughts = all.flatMap((event) =>
      event.type === "text" && event.channel === "thought" ? [event.delta] : [],
    );
    expect(thoughts.join("")).toBe("Hmm, a review.");
    expect(endOf(all).text).toBe("Fine.");
  });
});

describe("what only one provider needs", () => {
  it("asks OpenAI to store nothing and to give its thoughts encrypted", async () => {
    llm.fake.script(() => ({ text: "Fine." }));

    await runToEnd(llm.brain, modelTurn("openai"));

    expect(llm.fake.requests[0]?.body).toMatchObject({ store: false, include: ["reasoning.encrypted_content"] });
    expect(String(llm.fake.requests[0]?.body.prompt_cache_key).length).toBeLessThanOrEqual(64);
  });

  it("marks for Anthropic what can be cached, at most four times", async () => {
    llm.fake.script(() => ({ text: "Fine." }));

    await runToEnd(
      llm.brain,
      modelTurn("anthropic", { tools: [fakeTool("idle"), fakeTool("list_room")], roomNote: "Note." }),
    );

    const request = llm.fake.requests[0];
    expect(request?.raw.match(/"cache_control"/g)).toHaveLength(4);
    expect(request?.body.cache_control).toEqual({ type: "ephemeral" });
    expect(request?.body.system).toEqual([
      expect.objectContaining({ cache_control: { type: "ephemeral" } }),
      { type: "text", text: "Note." },
    ]);
  });

  it("gives a compatible server one system message and plain strings, and asks it for usage", async () => {
    llm.fake.script(() => ({ text: "Fine." }));

    await runToEnd(llm.brain, modelTurn("openai-compatible", { roomNote: "Note." }));

    const body = llm.fake.requests[0]?.body;
    expect(body).toMatchObject({ model: "qwen3:8b", stream_options: { include_usage: true } });
    expect(body?.messages).toEqual([
      { role: "system", content: expect.any(String) },
      { role: "user", content: expect.any(String) },
    ]);
  });

  it("needs no key for a compatible server", async () => {
    const brain = createLlmBrain({ env: { OPENAI_COMPATIBLE_BASE_URL: llm.fake.url }, clock, logger: llm.log });
    llm.fake.script(() => ({ text: "Fine." }));

    const end = await runToEnd(brain, modelTurn("openai-compatible"));

    expect(end.text).toBe("Fine.");
    expect(llm.fake.requests[0]?.headers.authorization).toBeUndefined();
  });

  it("takes Anthropic's address with and without its version", async () => {
    const bare = llm.fake.url.replace(/\/v1$/, "");
    const brain = createLlmBrain({
      env: { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: `${bare}/` },
      clock,
      logger: llm.log,
    });

    await runToEnd(brain, modelTurn("anthropic"));

    expect(llm.fake.requests[0]?.path).toBe("/v1/messages");
  });
});
