import type { ScriptRule } from "../../domain/persona.js";
import { firstMatch } from "./first-match.js";

/** How often each rule of a script was used in a session, by the rule's place in the script. */
export interface ScriptState {
  readonly uses: Readonly<Record<string, number>>;
}

/** The state that a committed turn left; anything of another form counts as unused. */
export function parseScriptState(state: unknown): ScriptState {
  if (typeof state !== "object" || state === null || !("uses" in state)) return { uses: {} };
  if (typeof state.uses !== "object" || state.uses === null) return { uses: {} };
  const entries = Object.entries(state.uses).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  return { uses: Object.fromEntries(entries) };
}

/** The state after one more use of the rule at `index`. */
export function withUse(state: ScriptState, index: number): ScriptState {
  return { uses: { ...state.uses, [index]: usesOf(state, index) + 1 } };
}

/** How much of a waking text a rule looks at. */
export const MATCHED_CHARACTERS = 10_000;

/**
 * The place of the first rule that matches the text and is not used up. Throws when the expressions take too long: the
 * text may come from anybody, and one that makes an expression backtrack must not stop the service.
 */
export function ruleFor(rules: readonly ScriptRule[], text: string, state: ScriptState): number | undefined {
  const open = rules.flatMap((rule, place) => (hasUses(rule, usesOf(state, place)) ? [{ rule, place }] : []));
  // Rules behind the first without an expression are never reached.
  const last = open.findIndex(({ rule }) => rule.when === undefined);
  const candidates = last < 0 ? open : open.slice(0, last);
  const expressions = candidates.map(({ rule }) => new RegExp(rule.when ?? "", "i"));
  const found = firstMatch(expressions, text.slice(0, MATCHED_CHARACTERS));
  return candidates[found]?.place ?? open[last]?.place;
}

function usesOf(state: ScriptState, index: number): number {
  return state.uses[String(index)] ?? 0;
}

function hasUses(rule: ScriptRule, used: number): boolean {
  return rule.times === undefined || used < rule.times;
}
