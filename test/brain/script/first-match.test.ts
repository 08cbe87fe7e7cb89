import { describe, expect, it } from "vitest";
import { firstMatch } from "../../../src/brain/script/first-match.js";
import { ruleFor } from "../../../src/brain/script/script-state.js";

const HOSTILE = `${"a".repeat(40)}!`;

describe("matching a script's expressions", () => {
  it("finds the first that matches", () => {
    expect(firstMatch([/x/, /b/i, /b/], "aBc")).toBe(1);
    expect(firstMatch([/x/], "abc")).toBe(-1);
    expect(firstMatch([], "abc")).toBe(-1);
  });

  it.each([/(a+)+$/, /^(([a-z])+.)+[A-Z]$/, /^(a|aa)+$/])(
    "gives up %s on a text that makes it backtrack, and goes on working",
    (expression) => {
      expect(() => firstMatch([expression], HOSTILE)).toThrow(/timed out/);
      expect(firstMatch([/a/], "a")).toBe(0);
    },
  );

  it("takes a rule without an expression only when no rule before it matches", () => {
    const rules = [{ when: "one", times: 1, steps: [] }, { steps: [] }, { when: "two", steps: [] }];

    expect(ruleFor(rules, "one", { uses: {} })).toBe(0);
    expect(ruleFor(rules, "one", { uses: { 0: 1 } })).toBe(1);
    expect(ruleFor(rules, "two", { uses: {} })).toBe(1);
    expect(ruleFor([{ when: "two", steps: [] }], "one", { uses: {} })).toBeUndefined();
  });
});
