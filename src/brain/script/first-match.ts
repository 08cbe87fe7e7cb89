import { createContext, Script } from "node:vm";

/** How long all expressions of a turn may take together. Generous, since a busy machine must not fail a healthy one. */
const LIMIT_MS = 1_000;

const FIND = new Script("expressions.findIndex((expression) => expression.test(text))");
const scope = createContext({ expressions: [], text: "" });

/**
 * The place of the first expression that matches, -1 for none. Throws after a second: expressions come from
 * persona files and texts from anybody, and JavaScript's own matching can take exponential time. A script under a time limit
 * is the one way to stop it without a thread of its own.
 */
export function firstMatch(expressions: readonly RegExp[], text: string): number {
  if (expressions.length === 0) return -1;
  Object.assign(scope, { expressions, text });
  const found: unknown = FIND.runInContext(scope, { timeout: LIMIT_MS });
  return typeof found === "number" ? found : -1;
}
