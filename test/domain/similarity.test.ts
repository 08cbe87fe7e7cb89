import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNearIdentical } from "../../src/domain/similarity.js";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** So many different words, the first named by `from`. */
function words(count: number, from = 0): string {
  return Array.from({ length: count }, (_, i) => {
    const n = i + from;
    return `w${LETTERS[Math.floor(n / 26) % 26]}${LETTERS[n % 26]}`;
  }).join(" ");
}

const near = (a: string, b: string) => isNearIdentical(a, b, 90);

describe("Two messages", () => {
  it.each([
    ["digits", "step 3 of 9", "Step 4 of 9"],
    ["case", "CONFIRMED, parked", "confirmed, PARKED"],
    ["punctuation", "Confirmed — parked!", "confirmed: parked?!"],
    ["the order and number of words", "yes yes and amen", "amen and yes"],
    ["white space", " yes\n\tand  amen ", "yes and amen"],
    ["the width of letters", "ＯＫ parked", "ok parked"],
    ["digits of other scripts", "часть ٣", "часть ٤"],
    ["composed and decomposed accents", "d\u00e9j\u00e0 vu", "de\u0301ja\u0300 vu"],
    ["marked letters in capitals", "ÉTÉ fini", "été fini"],
  ])("that differ in %s are the same", (_, a, b) => {
    expect(near(a, b)).toBe(true);
    expect(isNearIdentical(a, b, 100)).toBe(true);
  });

  it.each([
    ["accents", "a resume", "a résumé"],
    ["one word of nine", `${words(8)} yes`, `${words(8)} no`],
    ["a word more of nine", words(8), words(9)],
    ["Cyrillic and Latin letters of the same look", "сор", "cop"],
  ])("that differ in %s are not", (_, a, b) => {
    expect(near(a, b)).toBe(false);
  });

  it.each([1, 2, 5, 9])("of %i words are different as soon as one word is another", (count) => {
    expect(near(`${words(count - 1)} yes`, `${words(count - 1)} no`)).toBe(false);
  });

  it("are near-identical at the threshold and not below", () => {
    // 9 shared of 10, 89 of 99, 18 of 20.
    expect(near(words(9), words(10))).toBe(true);
    expect(isNearIdentical(words(9), words(10), 91)).toBe(false);
    expect(near(`${words(89)} ${words(5, 200)}`, `${words(89)} ${words(5, 300)}`)).toBe(false);
    expect(near(words(19), `${words(18)} other`)).toBe(true);
    expect(near(words(18), `${words(17)} other`)).toBe(false);
  });

  it("with threshold 1 need one shared word in a hundred, with 100 the same words", () => {
    expect(isNearIdentical(`same ${words(49)}`, `same ${words(50, 100)}`, 1)).toBe(true);
    expect(isNearIdentical(words(5), words(5, 50), 1)).toBe(false);
    expect(isNearIdentical(words(99), words(100), 100)).toBe(false);
  });

  it.each(["", "  \n", "!?", "12 345", "👍", "❤️", "1️⃣", "👩‍👩‍👧", "🇩🇪", "…", "\u0301\ufe0f", "\u200b"])(
    "without any word are the same, and differ from words: %j",
    (empty) => {
      for (const other of ["", "👍👍", "7", "❤️"]) expect(near(empty, other)).toBe(true);
      expect(near(empty, "yes")).toBe(false);
      expect(near("yes", empty)).toBe(false);
    },
  );

  it.each([
    ["Chinese", "我已经确认了这个方案可以开始", "我已经确认了这个方案可以开始。", "今天的天气非常好我们去公园"],
    ["Japanese", "確認しました。駐車完了です", "確認しました、駐車完了です", "それはまだ決まっていません"],
    ["Thai", "ยืนยันแล้วจอดรถเรียบร้อย", "ยืนยันแล้ว จอดรถเรียบร้อย!", "วันนี้อากาศดีมากไปเที่ยวกัน"],
  ])("in %s are compared by pairs of letters", (_, text, same, other) => {
    expect(isNearIdentical(text, same, 75)).toBe(true);
    expect(isNearIdentical(text, other, 20)).toBe(false);
  });

  it("in a script without spaces differ when a short one says something else", () => {
    expect(near("好的", "不行")).toBe(false);
    expect(near("好", "好")).toBe(true);
    expect(near("好", "好的")).toBe(false);
  });

  it.each([
    "Alpha: confirmed and parked",
    "**Alpha:** confirmed and parked",
    "**Alpha**: confirmed and parked",
    "[Alpha] confirmed and parked",
    "[Alpha]: confirmed and parked",
    "alpha:\n```\nconfirmed and parked\n```",
    "```text\nconfirmed and parked\n```",
    "~~~~\nconfirmed and parked\n~~~~",
    "**[The Planner 2]** confirmed and parked",
  ])("are the same with and without a transport's header or fence: %j", (framed) => {
    expect(isNearIdentical(framed, "confirmed and parked", 100)).toBe(true);
  });

  it("are different where different headers say what is meant", () => {
    expect(near("Paris: sunny", "Rome: sunny")).toBe(false);
    expect(near("Note: sunny", "note: sunny!")).toBe(true);
    expect(near("Step 3: sunny", "Step 4: sunny")).toBe(true);
    expect(near("Note: parked", "**Note:** parked")).toBe(true);
  });

  it("keep a bracket, an address and a fence that are not around the text", () => {
    expect(near("[x](https://a.example) parked", "parked")).toBe(false);
    expect(near("see\n```\nconfirmed\n```", "confirmed")).toBe(false);
    expect(near("```\nconfirmed", "confirmed")).toBe(true);
  });

  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
    fc
      .array(fc.constantFrom("yes", "no", "@beta", "Alpha:", "**", "```\n", "[x]", "7", "好的", "👍"), {
        maxLength: 12,
      })
      .map((parts) => parts.join(" ")),
  );
  const percent = fc.integer({ min: 1, max: 100 });

  it("are compared the same way round and round", () => {
    fc.assert(
      fc.property(text, text, percent, (a, b, threshold) => {
        expect(isNearIdentical(a, b, threshold)).toBe(isNearIdentical(b, a, threshold));
      }),
    );
  });

  it("are the same as themselves at every threshold, in any dress", () => {
    fc.assert(
      fc.property(text, percent, (a, threshold) => {
        expect(isNearIdentical(a, a, threshold)).toBe(true);
        expect(isNearIdentical(a, ` ${a}\n`, threshold)).toBe(true);
      }),
    );
  });

  it("that are the same at a threshold are the same below it", () => {
    fc.assert(
      fc.property(text, text, percent, percent, (a, b, one, other) => {
        fc.pre(isNearIdentical(a, b, Math.max(one, other)));
        expect(isNearIdentical(a, b, Math.min(one, other))).toBe(true);
      }),
    );
  });
});
