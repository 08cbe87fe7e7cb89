import { describe, expect, it } from "vitest";
import { playHistories } from "../support/guard-histories.js";

describe("The pair guard, against a plain model of its rules", () => {
  it("loses, doubles and reorders nothing, lets nothing through a pause, and obeys only people with the right", async () => {
    const seen = await playHistories({ seed: 20_260_105, numRuns: 40 });

    // The histories must have had something to go wrong.
    expect(Object.entries(seen).filter(([, count]) => count < 5)).toEqual([]);
  }, 120_000);
});
