import { MODEL_PROVIDERS } from "../../../src/brain/model-id.js";
import { brainContract, type Plan } from "../../contract/brain.js";
import type { FakeLlm } from "../../fakes/llm/server.js";
import type { FakeCall, FakeReply } from "../../fakes/llm/wire.js";
import { MODELS, openLlm } from "../../support/llm-harness.js";
import { personaFixture } from "../../support/turn-fixture.js";

for (const provider of MODEL_PROVIDERS) {
  brainContract(`a model of ${provider}`, async (clock) => {
    const { brain, fake, close } = await openLlm(clock);
    const model = MODELS[provider];
    return {
      brain,
      close,
      arrange(plan) {
        follow(fake, plan);
        return personaFixture({ model });
      },
    };
  });
}

/** Makes the fake answer as the plan says: a text and the calls after it are one step of the model. */
function follow(fake: FakeLlm, plan: Plan): void {
  const steps = stepsOf(plan);
  fake.script(() => steps.shift() ?? { text: "" });
  if (plan.some((step) => step.do === "hang")) fake.fail({ kind: "pause", after: "text" });
  if (plan.some((step) => step.do === "fail")) fake.fail({ kind: "status", status: 400 });
}

function stepsOf(plan: Plan): FakeReply[] {
  const replies: FakeReply[] = [];
  let calls: FakeCall[] = [];
  for (const step of plan) {
    if (step.do === "say") {
      calls = [];
      replies.push({ text: step.text, calls });
    } else if (step.do === "call") {
      if (replies.length === 0) replies.push({ calls });
      calls.push({ name: step.tool, input: step.input });
    }
  }
  return replies;
}
