import { describe, expect, it } from "vitest";
import { playHistories } from "../support/guard-histories.js";

describe("The pair guard, over many more histories", () => {
  it.each([1, 2, 3, 4])(
    "does what the model does (seed %i)",
    async (seed) => {
      const seen = await playHistories({ seed, numRuns: 150 });

      expect(seen.held).toBe(seen.released + seen.dropped);
    },
    600_000,
  );
});
