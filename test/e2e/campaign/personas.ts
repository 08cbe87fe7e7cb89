import type { Persona, ScriptRule, ScriptStep } from "../../../src/domain/persona.js";

/** How many agent messages may follow each other in the campaign's rooms. */
export const BUDGET = 4;

/** Long enough that a process dies in the middle of turns, not only between them. */
const THINK: ScriptStep = { delayMs: 15 };

function rule(when: string, ...steps: readonly ScriptStep[]): ScriptRule {
  return { when, steps: [THINK, ...steps] };
}

/** Every reply quotes what it answers, so that its key tells whose it is; mentions in a quote wake nobody. */
const say = (text: string): ScriptStep => ({ say: `${text}\n> {{text}}` });

/** Two personas that answer, hand on, send each other messages, argue without end, and fail once. */
export const PERSONAS: readonly Persona[] = [
  persona("alpha", [
    rule("argue", say("@beta no")),
    rule("handoff", say("@beta take over")),
    rule("send", { tool: "send_message", input: { to: "beta", text: "@beta a note\n> {{text}}" } }, say("sent")),
    { when: "fail", times: 1, steps: [THINK, { fail: "the first time always fails." }] },
    rule("", say("alpha answers")),
  ]),
  persona("beta", [rule("argue", say("@alpha no")), rule("", say("beta answers"))]),
];

function persona(name: string, script: readonly ScriptRule[]): Persona {
  const displayName = name.charAt(0).toUpperCase() + name.slice(1);
  return { name, displayName, description: "", prompt: "", brain: "script", script };
}
