import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MODEL_PROVIDERS } from "../../../src/brain/model-id.js";
import type { BrainEvent, Turn, ViewEntry } from "../../../src/ports/brain.js";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.js";
import { type LlmHarness, MODELS, modelTurn, openLlm } from "../../support/llm-harness.js";
import { endOf, eventsOf, fakeTool, messageFixture } from "../../support/turn-fixture.js";

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

describe.each(MODEL_PROVIDERS)("a turn of a model of %s", (provider) => {
  const run = (over: Partial<Turn> = {}) => eventsOf(llm.brain.run(modelTurn(provider, over)));

  it("sends the persona, the room note, the fenced message and the tools in the order of their names", async () => {
    llm.fake.script(() => ({ text: "Fine." }));

    await run({
      roomNote: "You share this room with Beta.",
      tools: [fakeTool("send_message"), fakeTool("idle"), fakeTool("list_room")],
    });

    const request = llm.fake.requests[0];
    expect(request?.system).toMatch(/^You are Alpha\.\n\n# The room\n[\s\S]*You share this room with Beta\.$/);
    expect(request?.lastText).toMatch(
      /^\[message m1 \| 2026-01-05 09:00 UTC \| Robin \(person\) \| mentions you\]\n<<<(\w+)\n@alpha please review\n\1>>>\n[\s\S]*\[room\] It is 2026-01-05 09:00 UTC\./,
    );
    expect(request?.toolNames).toEqual(["idle", "list_room", "send_message"]);
    expect(request?.stream).toBe(true);
  });

  it("sends the same bytes for the same log, but for the time at the end", async () => {
    llm.fake.script(() => ({ text: "Fine." }));

    await run({ roomNote: "Note.", tools: [fakeTool("idle"), fakeTool("send_message")] });
    await run({ roomNote: "Note.", tools: [fakeTool("send_message"), fakeTool("idle")] });
    await clock.advance(3_600_000);
    await run({ roomNote: "Note.", tools: [fakeTool("send_message"), fakeTool("idle")] });

    const [first, second, later] = llm.fake.requests;
    expect(second?.raw).toBe(first?.raw);
    expect(later?.raw).toBe(first?.raw.replace("[room] It is 2026-01-05 09:00", "[room] It is 2026-01-05 10:00"));
  });

  it("repeats the bytes of the log when the log has grown", async () => {
    llm.fake.script(() => ({ text: "Fine." }));
    const first: ViewEntry = { entry: messageFixture(), own: false };
    const mine: ViewEntry = {
      entry: {
        ...messageFixture({ id: "r1", seq: 2, text: "Fine." }),
        sender: { kind: "agent", id: "alpha", name: "Alpha" },
      },
      own: true,
    };
    const next = messageFixture({ id: "m2", seq: 3, text: "And now?" });

    await run({ view: async () => [{ ...first, waking: true }] });
    await run({ view: async () => [first, mine, { entry: next, own: false, waking: true }], waking: next });

    const envelope = JSON.stringify(llm.fake.requests[0]?.lastText.split("\n[room]")[0]?.trimEnd()).slice(1, -1);
    expect(llm.fake.requests[1]?.raw).toContain(envelope);
  });

  it("gives usage per step, cached and thinking tokens included", async () => {
    const replies = [
      { calls: [{ name: "list_room", input: {} }] },
      { text: "Two.", usage: { input: 200, output: 30, cached: 150, reasoning: 12 } },
    ];
    llm.fake.script(() => replies.shift() ?? {});

    const all = await run({ tools: [fakeTool("list_room")] });

    const expected = { model: MODELS[provider], inputTokens: 200, cacheReadTokens: 150, outputTokens: 30 };
    const thinking = provider === "anthropic" ? {} : { reasoningTokens: 12 };
    expect(usagesOf(all).map((event) => event.step)).toEqual([1, 2]);
    expect(usagesOf(all)[0]?.usage).toMatchObject({ inputTokens: 100, outputTokens: 10 });
    expect(usagesOf(all)[1]?.usage).toMatchObject({ ...expected, ...thinking });
  });

  it("tells the model what a refused tool said, and shows it the results of all calls", async () => {
    const replies = [
      {
        calls: [
          { name: "send_message", input: { to: "x" } },
          { name: "list_room", input: {} },
        ],
      },
      { text: "Sorry." },
    ];
    llm.fake.script(() => replies.shift() ?? {});
    const tools = [
      fakeTool("send_message", { result: { ok: false, text: "No such persona." } }),
      fakeTool("list_room"),
    ];

    await run({ tools });

    const results = llm.fake.requests[1]?.toolResults ?? [];
    expect(results).toHaveLength(2);
    expect(results[0]).toContain("No such persona.");
    expect(results[1]).toContain("list_room is done");
  });

  it("answers an unknown tool with words and goes on", async () => {
    const replies = [{ calls: [{ name: "nothing", input: {} }] }, { text: "Sorry." }];
    llm.fake.script(() => replies.shift() ?? {});

    const all = await run({ tools: [fakeTool("list_room")] });

    expect(all).toContainEqual(expect.objectContaining({ type: "tool-end", ok: false }));
    expect(llm.fake.requests[1]?.toolResults).toHaveLength(1);
    expect(endOf(all)).toMatchObject({ reason: "done", text: "Sorry." });
  });

  it("hands wrong arguments to the tool, whose words come back to the model", async () => {
    const replies = [{ calls: [{ name: "send_message", input: { to: 7 } }] }, { text: "Sorry." }];
    llm.fake.script(() => replies.shift() ?? {});
    const tool = fakeTool("send_message", { result: { ok: false, text: "Invalid input: to must be text." } });

    const end = endOf(await run({ tools: [tool] }));

    expect(tool.calls[0]?.input).toEqual({ to: 7 });
    expect(llm.fake.requests[1]?.toolResults[0]).toContain("Invalid input");
    expect(end.text).toBe("Sorry.");
  });

  it("stops at its cap of steps and says so", async () => {
    llm.fake.script(() => ({ text: "Looking.", calls: [{ name: "list_room", input: {} }] }));
    const limits = { steps: 3, wallMs: 300_000, stallMs: 60_000, outputTokens: 100 };

    const end = endOf(await run({ tools: [fakeTool("list_room")], limits }));

    expect(llm.fake.requests).toHaveLength(3);
    expect(end).toMatchObject({ reason: "step-limit", text: "Looking." });
  });

  it("says when an answer was cut by the token limit or refused", async () => {
    const replies = [
      { text: "Half an", finish: "length" as const },
      { text: "", finish: "refusal" as const },
    ];
    llm.fake.script(() => replies.shift() ?? {});

    const cut = endOf(await run());
    const refused = endOf(await run());

    expect(cut).toMatchObject({ reason: "token-limit", text: "Half an" });
    expect(refused).toMatchObject({ reason: "refused", text: "" });
  });

  it("replays its own turn with the tool calls in it, and no call without a result", async () => {
    const replies = [
      { calls: [{ name: "list_room", input: {} }] },
      { text: "Alpha: Two.", calls: [] },
      { text: "Still two." },
    ];
    llm.fake.script(() => replies.shift() ?? {});
    const first = endOf(await run({ tools: [fakeTool("list_room")] }));
    const history = first.history;
    if (history === undefined) throw new Error("expected a history");
    const own = messageFixture({
      id: "r1",
      seq: 2,
      text: first.text,
      sender: { kind: "agent", id: "alpha", name: "Alpha" },
      history,
      cause: { kind: "person", entry: "m1" },
    });
    const next = messageFixture({ id: "m2", seq: 3, text: "And now?" });

    const view: readonly ViewEntry[] = [
      { entry: messageFixture(), own: false },
      { entry: own, own: true },
      { entry: next, own: false, waking: true },
    ];
    const second = endOf(await run({ view: async () => view, waking: next, tools: [fakeTool("list_room")] }));

    expect(first.text).toBe("Two.");
    expect(second.text).toBe("Still two.");
    const raw = llm.fake.requests[2]?.raw ?? "";
    expect(raw).toContain("list_room is done");
    expect(raw).not.toContain("Alpha: Two.");
  });

  it("waits as long as it takes for its own tool", async () => {
    const replies = [{ calls: [{ name: "list_room", input: {} }] }, { text: "Two." }];
    llm.fake.script(() => replies.shift() ?? {});
    let release: () => void = () => undefined;
    const tool = fakeTool("list_room", { until: new Promise<void>((resolve) => (release = resolve)) });
    const running = run({ tools: [tool] });

    await tool.called;
    await clock.advance(120_000);
    release();

    expect(endOf(await running).text).toBe("Two.");
  });
});
