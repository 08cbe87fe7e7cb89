import { beforeEach, describe, expect, it } from "vitest";
import { createScriptBrain } from "../../../src/brain/script/script-brain.js";
import { MATCHED_CHARACTERS } from "../../../src/brain/script/script-state.js";
import type { ScriptRule } from "../../../src/domain/persona.js";
import type { Brain, Turn } from "../../../src/ports/brain.js";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.js";
import { endOf, eventsOf, fakeTool, messageFixture, personaFixture, turnFixture } from "../../support/turn-fixture.js";

let clock: FakeClock;
let brain: Brain;
beforeEach(() => {
  clock = createFakeClock();
  brain = createScriptBrain({ clock });
});

async function play(script: readonly ScriptRule[] | undefined, over: Partial<Turn> = {}) {
  const persona = personaFixture({ brain: "script", ...(script === undefined ? {} : { script }) });
  return endOf(await eventsOf(brain.run(turnFixture({ persona, ...over }))));
}

const says = (text: string, rule: Partial<ScriptRule> = {}): ScriptRule => ({ ...rule, steps: [{ say: text }] });

describe("a script", () => {
  it("runs the first rule that matches the waking text, whatever its case", async () => {
    const script = [says("A review.", { when: "review" }), says("Anything.")];

    expect((await play(script, { text: "Please REVIEW this" })).text).toBe("A review.");
    expect((await play(script, { text: "hello" })).text).toBe("Anything.");
  });

  it("is silent when no rule matches, or without rules", async () => {
    expect(await play([says("No.", { when: "never" })])).toMatchObject({ reason: "done", text: "" });
    expect(await play(undefined)).toMatchObject({ reason: "done", text: "" });
  });

  it("uses a rule as often as it may in a session, counted in the state it hands on", async () => {
    const script = [says("First.", { times: 1 }), says("Second.", { times: 1 })];

    const first = await play(script);
    const second = await play(script, { state: JSON.parse(JSON.stringify(first.state)) });
    const third = await play(script, { state: second.state });

    expect([first.text, second.text, third.text]).toEqual(["First.", "Second.", ""]);
  });

  it("takes a state that it does not know as none", async () => {
    for (const state of [null, 7, { uses: 3 }, { uses: { "0": "x" } }]) {
      expect((await play([says("First.", { times: 1 })], { state })).text).toBe("First.");
    }
  });

  it("joins its texts by a blank line", async () => {
    expect((await play([{ steps: [{ say: "One." }, { say: "Two." }] }])).text).toBe("One.\n\nTwo.");
  });

  it("fills templates in texts, tool inputs and failures, and leaves unknown ones and filled values alone", async () => {
    const tool = fakeTool("send_message");
    const steps = [
      { say: "{{sender}} said {{ text }} in turn {{turn}}, {{task.id}} {{nothing}}" },
      { tool: "send_message", input: { to: "beta", list: ["{{turn}}"], count: 2, none: null } },
    ];

    const waking = messageFixture({ sender: { kind: "person", id: "u1", name: "{{turn}}" } });
    const end = await play([{ steps }], { text: "hi", number: 3, tools: [tool], waking });

    expect(end.text).toBe("{{turn}} said hi in turn 3, {{task.id}} {{nothing}}");
    expect(tool.calls[0]?.input).toEqual({ to: "beta", list: ["3"], count: 2, none: null });
  });

  it("waits on the clock", async () => {
    const running = play([{ steps: [{ delayMs: 50 }, { say: "Later." }] }]);

    await clock.advance(49);
    const waiting = clock.pending;
    await clock.advance(1);

    expect(waiting).toBe(2);
    expect((await running).text).toBe("Later.");
  });

  it("fails with its own words, and counts the use so that a retry reaches the next rule", async () => {
    const script: readonly ScriptRule[] = [
      { times: 1, steps: [{ say: "x" }, { fail: "No {{text}}." }] },
      says("Now it works."),
    ];

    const first = await play(script, { text: "tea" });
    const retried = await play(script, { state: first.state });

    expect(first).toMatchObject({ reason: "failed", text: "", failure: { class: "internal", safeMessage: "No tea." } });
    expect(retried.text).toBe("Now it works.");
  });

  it("names the tool that it does not have", async () => {
    const end = await play([{ steps: [{ tool: "task_create", input: {} }] }]);

    expect(end.failure?.safeMessage).toBe("its script calls the tool task_create, which it does not have here.");
  });

  it("looks at the beginning of a very long text only", async () => {
    const script = [says("Found.", { when: "needle" })];

    expect((await play(script, { text: `${"x".repeat(MATCHED_CHARACTERS)}needle` })).text).toBe("");
    expect((await play(script, { text: `needle${"x".repeat(MATCHED_CHARACTERS)}` })).text).toBe("Found.");
  });

  it("fails with the mend when an expression is none", async () => {
    const end = await play([says("x", { when: "(" })]);

    expect(end).toMatchObject({ reason: "failed", failure: { class: "internal" } });
    expect(end.failure?.safeMessage).toContain("check its expressions");
  });
});
