import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLlmBrain } from "../../../src/brain/llm/llm-brain.js";
import { MODEL_PROVIDERS } from "../../../src/brain/model-id.js";
import type { BrainEvent, Turn } from "../../../src/ports/brain.js";
import type { Fault } from "../../fakes/llm/server.js";
import { createFakeClock, type FakeClock, settle } from "../../support/fake-clock.js";
import { type LlmHarness, MODELS, modelTurn, openLlm, SECRET } from "../../support/llm-harness.js";
import { drive, endOf, eventsOf, personaFixture, runToEnd, turnFixture } from "../../support/turn-fixture.js";

let clock: FakeClock;
let llm: LlmHarness;
beforeEach(async () => {
  clock = createFakeClock();
  llm = await openLlm(clock, { skipWaits: true });
});
afterEach(() => llm.close());

function _usagesOf(events: readonly BrainEvent[]) {
  return events.flatMap((event) => (event.type === "usage" ? [event] : []));
}

describe.each(MODEL_PROVIDERS)("a failing model of %s", (provider) => {
  const run = (over: Partial<Turn> = {}) => eventsOf(llm.brain.run(modelTurn(provider, over)));

  const faults: readonly [string, Fault, string, boolean][] = [
    ["a refused key", { kind: "status", status: 401 }, "auth", false],
    ["a bad request", { kind: "status", status: 400 }, "bad-request", false],
    ["an unknown model", { kind: "status", status: 404 }, "bad-request", false],
    [
      "too long a prompt",
      { kind: "status", status: 400, message: "prompt is too long: maximum context length" },
      "context-overflow",
      false,
    ],
    ["a connection that broke in the answer", { kind: "drop", after: "text" }, "network", true],
  ];
  it.each(faults)(
    "fails at once after %s, without a word of the answer or the key",
    async (_, fault, reason, retryable) => {
      llm.fake.script(() => ({ text: "First half." }));
      llm.fake.fail(fault);

      const end = endOf(await run());

      expect(end).toMatchObject({ reason: "failed", text: "", failure: { class: reason, retryable } });
      expect(llm.fake.requests).toHaveLength(1);
      expect(end.failure?.safeMessage).toContain(MODELS[provider]);
      expect(end.failure?.safeMessage).not.toMatch(/fake failure|maximum context/);
      expect(JSON.stringify([end, llm.log.lines])).not.toContain(SECRET);
    },
  );

  it("fails, and shows nothing of it, when the answers are no protocol", async () => {
    llm.fake.fail({ kind: "garbage" }, { kind: "garbage" }, { kind: "garbage" });

    const end = endOf(await run());

    // One provider's client reports this as a failure of the server, which is repeated.
    expect(end.failure).toMatchObject({ class: provider === "anthropic" ? "overloaded" : "protocol", retryable: true });
    expect(end.failure?.safeMessage).not.toContain("unfinished");
  });

  it.each([429, 500, 529])("repeats a call that was answered with %i, and answers", async (status) => {
    llm.fake.script(() => ({ text: "At last." }));
    llm.fake.fail({ kind: "status", status }, { kind: "status", status });

    const end = endOf(await run());

    expect(end.text).toBe("At last.");
    expect(llm.fake.requests).toHaveLength(3);
  });

  it("repeats a call whose connection broke before the answer", async () => {
    llm.fake.script(() => ({ text: "At last." }));
    llm.fake.fail({ kind: "drop", after: "nothing" });

    expect(endOf(await run()).text).toBe("At last.");
  });

  it("fails as overloaded when it stays so", async () => {
    const overloaded: Fault = { kind: "status", status: 529 };
    llm.fake.fail(overloaded, overloaded, overloaded);

    const end = endOf(await run());

    expect(end.failure).toMatchObject({ class: "overloaded", retryable: true });
    expect(llm.fake.requests).toHaveLength(3);
  });

  it("does not sit out a long Retry-After, but tells it", async () => {
    llm.fake.fail({ kind: "status", status: 429, headers: { "retry-after": "3600" } });

    const end = endOf(await run());

    expect(end.failure).toMatchObject({ class: "rate-limit", retryable: true, retryAfterMs: 3_600_000 });
    expect(end.failure?.safeMessage).toContain("about 60 minutes");
    expect(llm.fake.requests).toHaveLength(1);
  });

  it("fails as timed out when the answer stops in the middle, and lets go of the connection", async () => {
    llm.fake.script(() => ({ text: "First half." }));
    llm.fake.fail({ kind: "pause", after: "text" });
    const running = llm.brain.run(modelTurn(provider))[Symbol.asyncIterator]();

    await running.next();
    const last = await drive(clock, 60_000, running.next());

    expect(last.value).toMatchObject({ type: "end", reason: "failed", failure: { class: "timeout", retryable: true } });
    expect(await llm.fake.requests[0]?.closed).toBe(false);
  });
});

describe("a model that cannot be asked", () => {
  const run = (over: Partial<Turn> = {}) => eventsOf(llm.brain.run(modelTurn("openai-compatible", over)));

  it("can be cancelled while it waits to repeat a call", async () => {
    const waiting = await openLlm(clock);
    waiting.fake.fail({ kind: "status", status: 529 });
    const abort = new AbortController();
    const running = runToEnd(waiting.brain, modelTurn("openai", { signal: abort.signal }));

    // The deadline and the wait are what the clock holds then; the stall watch rests.
    await waiting.fake.reached(1);
    while (!waiting.log.lines.some((line) => line.message.includes("repeated"))) await settle(1);
    abort.abort();

    expect(await running).toMatchObject({ reason: "cancelled" });
    expect(waiting.fake.requests).toHaveLength(1);
    expect(clock.pending).toBe(0);
    await waiting.close();
  });

  it("fails when the log cannot be read", async () => {
    const end = endOf(await run({ view: () => Promise.reject(new Error("disk on fire")) }));

    expect(end).toMatchObject({ reason: "failed", failure: { class: "internal" } });
    expect(end.failure?.safeMessage).not.toContain("disk");
  });

  it("names the variable that is missing, and the prefixes there are", async () => {
    const brain = createLlmBrain({ env: { OPENAI_API_KEY: "" }, clock, logger: llm.log });

    const failures = await Promise.all(
      [...MODEL_PROVIDERS.map((provider) => MODELS[provider]), "gpt-5", "mistral:x", "openai:"].map(
        async (model, index) => {
          const turn = turnFixture({ session: `web:local:r${index}`, persona: personaFixture({ model }) });
          return (await runToEnd(brain, turn)).failure;
        },
      ),
    );

    expect(failures.map((failure) => failure?.class)).toEqual([
      "auth",
      "auth",
      "auth",
      "auth",
      "bad-request",
      "bad-request",
      "bad-request",
    ]);
    expect(failures[0]?.safeMessage).toBe(
      "ANTHROPIC_API_KEY is not set; the model anthropic:claude-sonnet-4-5 needs it.",
    );
    expect(failures[3]?.safeMessage).toContain("OPENAI_COMPATIBLE_BASE_URL");
    expect(failures[4]?.safeMessage).toContain("anthropic, openai, google, openai-compatible");
  });

  it("fails as unreachable when nobody listens at the address", async () => {
    await llm.fake.close();

    const end = endOf(await run());

    expect(end.failure).toMatchObject({ class: "network", retryable: true });
  });

  it("names an address that is none", async () => {
    const brain = createLlmBrain({ env: { OPENAI_COMPATIBLE_BASE_URL: "localhost:11434" }, clock, logger: llm.log });

    const end = await runToEnd(brain, modelTurn("openai-compatible"));

    expect(end.failure?.safeMessage).toMatch(/^OPENAI_COMPATIBLE_BASE_URL is not an http or https address;/);
  });

  it("names a key that cannot be one, and shows it nowhere", async () => {
    const brain = createLlmBrain({ env: { OPENAI_API_KEY: `${SECRET}\n` }, clock, logger: llm.log });

    const end = await runToEnd(brain, modelTurn("openai"));

    expect(end.failure).toMatchObject({ class: "auth", retryable: false });
    expect(end.failure?.safeMessage).toContain("OPENAI_API_KEY holds a space, a line break");
    expect(JSON.stringify([end, llm.log.lines])).not.toContain(SECRET);
  });

  it("keeps the key out of the log where the provider repeats it", async () => {
    llm.fake.fail({ kind: "status", status: 401, message: `no such key: ${SECRET}` });

    const end = endOf(await run());

    expect(llm.log.lines.map((line) => line.level)).toEqual(["warn", "debug"]);
    expect(JSON.stringify([end, llm.log.lines])).not.toContain(SECRET);
  });
});
