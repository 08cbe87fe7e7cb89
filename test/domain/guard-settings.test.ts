import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GUARD_DEFAULTS, GUARD_KEYS, guardOverrides, isGuardKey } from "../../src/domain/guard-settings.js";

describe("The guard's settings", () => {
  it("are 10 alternations, 3 repeats at 90 %, 20 messages in 600 seconds, 50 held", () => {
    expect(GUARD_DEFAULTS).toEqual({
      enabled: true,
      alternations: 10,
      repeats: 3,
      similarity: 90,
      maxMessages: 20,
      windowSecs: 600,
      heldMax: 50,
    });
  });

  it.each([
    ["alternations", 2],
    ["repeats", 2],
    ["similarity", 1],
    ["max_messages", 0],
    ["window_secs", 0],
    ["held_max", 1],
  ] as const)("%s is at least %i", (name, min) => {
    const { key, max } = GUARD_KEYS[name];

    expect(GUARD_KEYS[name].min).toBe(min);
    expect(guardOverrides({ [key]: min })).toEqual({ [key]: min });
    expect(guardOverrides({ [key]: max })).toEqual({ [key]: max });
    for (const value of [min - 1, max + 1, min + 0.5, Number.NaN, Number.POSITIVE_INFINITY, `${min}`, null, [min]]) {
      expect(guardOverrides({ [key]: value })).toEqual({});
    }
  });

  it("take similarity up to 100 percent", () => {
    expect(GUARD_KEYS.similarity.max).toBe(100);
  });

  it.each(["__proto__", "constructor", "toString", "maxMessages", "enabled", "", "Repeats"])(
    "have no threshold named %j",
    (word) => {
      expect(isGuardKey(word)).toBe(false);
    },
  );

  it("stored with damage keep what is whole", () => {
    expect(guardOverrides({ enabled: false, repeats: 5, similarity: 0, alternations: "many" })).toEqual({
      enabled: false,
      repeats: 5,
    });
    expect(guardOverrides({ enabled: "no" })).toEqual({});
  });

  it("stored in any form at all give only whole values of the guard", () => {
    const stored = fc.oneof(
      fc.anything(),
      fc.record(Object.fromEntries(Object.keys(GUARD_DEFAULTS).map((key) => [key, fc.anything()])), {
        requiredKeys: [],
      }),
    );
    fc.assert(
      fc.property(stored, (value) => {
        const overrides = guardOverrides(value);
        expect(guardOverrides(overrides)).toEqual(overrides);
        expect(Object.keys(GUARD_DEFAULTS)).toEqual(expect.arrayContaining(Object.keys(overrides)));
      }),
    );
  });
});
