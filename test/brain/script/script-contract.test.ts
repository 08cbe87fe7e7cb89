import { createScriptBrain } from "../../../src/brain/script/script-brain.js";
import type { ScriptStep } from "../../../src/domain/persona.js";
import { brainContract, type Plan } from "../../contract/brain.js";
import { personaFixture } from "../../support/turn-fixture.js";

brainContract("script", async (clock) => ({
  brain: createScriptBrain({ clock }),
  arrange: (plan) => personaFixture({ brain: "script", script: [{ steps: plan.map(stepOf) }] }),
  close: async () => undefined,
}));

function stepOf(step: Plan[number]): ScriptStep {
  switch (step.do) {
    case "say":
      return { say: step.text };
    case "call":
      return { tool: step.tool, input: step.input };
    case "hang":
      return { delayMs: 1_000_000_000 };
    case "fail":
      return { fail: "It broke." };
  }
}
