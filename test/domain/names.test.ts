import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldName, nearestName } from "../../src/domain/names.js";

describe("folding a name", () => {
  it("takes away case, width and the way in which letters are composed", () => {
    expect(foldName("BETA")).toBe("beta");
    expect(foldName("Ｂｅｔａ")).toBe("beta");
    expect(foldName("Vie\u0302\u0323t")).toBe(foldName("VIỆT"));
    expect(foldName("ﬁn Ⅻ")).toBe("fin xii");
  });

  it("folds letters that lower case alone keeps apart", () => {
    expect(foldName("STRASSE")).toBe(foldName("straße"));
    expect(foldName("STRAẞE")).toBe(foldName("straße"));
    expect(foldName("ΟΔΟΣ")).toBe(foldName("οδος"));
    expect(foldName("ΟΔΟΣ")).toBe(foldName("οδοσ"));
  });

  it("keeps spaces, marks and different letters", () => {
    expect(foldName("Gamma Ray")).toBe("gamma ray");
    expect(foldName("é")).not.toBe(foldName("e"));
  });

  it("of a folded name changes nothing", () => {
    const unit = fc.oneof(
      fc.constantFrom(..."aßẞΣσςİıǰΐ각Ⅻﬁ\u0345\u0301\u0323ſK"),
      fc.string({ unit: "binary", maxLength: 1 }),
    );
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect(foldName(foldName(text))).toBe(foldName(text));
      }),
      { numRuns: 300 },
    );
  });
});

describe("the nearest name", () => {
  const names = ["alpha", "beta", "gamma", "reviewer"];

  it("is the one with the fewest slips, whatever the case", () => {
    expect(nearestName("bta", names)).toBe("beta");
    expect(nearestName("BETTA", names)).toBe("beta");
    expect(nearestName("reviwer", names)).toBe("reviewer");
    expect(nearestName("gamma", names)).toBe("gamma");
  });

  it("takes two letters in the wrong order for one slip", () => {
    expect(nearestName("abc", ["bac"])).toBe("bac");
    expect(nearestName("abc", ["bca"])).toBeUndefined();
    expect(nearestName("ab", ["cd"], 1)).toBeUndefined();
  });

  it("is none when a third of the word would have to change, or more than was allowed", () => {
    expect(nearestName("delta", names)).toBeUndefined();
    expect(nearestName("delta", names, 2)).toBe("beta");
    expect(nearestName("x", ["y"])).toBe("y");
    expect(nearestName("xy", ["ab"])).toBeUndefined();
  });

  it("is the first of equally near ones", () => {
    expect(nearestName("bat", ["cat", "hat"])).toBe("cat");
  });

  it("is none among no candidates and for a word that is no name", () => {
    expect(nearestName("beta", [])).toBeUndefined();
    expect(nearestName("x".repeat(65), ["x".repeat(65)])).toBeUndefined();
  });
});
