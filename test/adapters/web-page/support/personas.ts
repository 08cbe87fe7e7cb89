import type { Persona, ScriptRule } from "../../../../src/domain/persona.js";

function persona(name: string, avatar: string, description: string, script: readonly ScriptRule[]): Persona {
  const displayName = name.charAt(0).toUpperCase() + name.slice(1);
  return { name, displayName, avatar, description, prompt: "", brain: "script", script };
}

const PLAN = `Here is a first plan:

1. **Name it** and say in one line what it is
2. Ask @beta for the numbers
3. Ship \`v1\` on Friday

| step | owner | days |
| --- | :---: | ---: |
| name | alpha | 1 |
| numbers | beta | 2 |`;

const CODE = `Numbers look fine. I checked with:

\`\`\`ts
const cost = days.reduce((sum, day) => sum + day, 0);
\`\`\`

- [x] checked the cost
- [ ] asked the customer

> Careful: @alpha wanted Friday.

See [the guide](https://example.com/guide).`;

/** Two personas that settle a plan, argue without end, fail on demand, and think long when asked to. */
export const PERSONAS: readonly Persona[] = [
  persona("alpha", ":compass:", "Plans work and asks others for facts.", [
    { when: "plan", steps: [{ delayMs: 80 }, { say: PLAN }] },
    {
      when: "argue|tabs|spaces",
      steps: [{ delayMs: 30 }, { say: "@beta spaces are the better choice, turn {{turn}}." }],
    },
    { when: "fail", steps: [{ fail: "the model is away" }] },
    { when: "think", steps: [{ delayMs: 20_000 }, { say: "Thought about it." }] },
    { when: "tool", steps: [{ tool: "list_room", input: {} }, { say: "Looked around." }] },
    { steps: [{ say: "You said: {{text}}" }] },
  ]),
  persona("beta", ":bar_chart:", "Knows the numbers, and says so.", [
    { when: "numbers", steps: [{ delayMs: 80 }, { say: CODE }] },
    { when: "argue|tabs|spaces", steps: [{ delayMs: 30 }, { say: "@alpha tabs are, turn {{turn}}." }] },
    { steps: [{ say: "I have nothing to add." }] },
  ]),
];
