import { describe, expect, it } from "vitest";
import { fenceOf } from "../../../src/brain/llm/envelope.js";
import { cleanReply, repeatsPosted } from "../../../src/brain/llm/reply.js";
import { personaFixture } from "../../support/turn-fixture.js";

const FENCE = fenceOf("web:local:main");
const PERSONA = personaFixture({ displayName: "Alpha One" });

const posted = (text: string) => [{ text, names: ["beta", "Beta Two"] }];

function cleaned(text: string): string {
  return cleanReply(text, PERSONA, FENCE);
}

describe("a model's text as a reply", () => {
  it.each([
    "alpha: Hello.",
    "Alpha: Hello.",
    "Alpha One: Hello.",
    "**Alpha One:** Hello.",
    "**Alpha One**: Hello.",
    "_alpha_: Hello.",
    "[Alpha One] Hello.",
    "[Alpha One]: Hello.",
    "[alpha]\nHello.",
    "<alpha> Hello.",
    "@alpha: Hello.",
    "Alpha One (agent): Hello.",
    "alpha: Alpha One: Hello.",
    "\n\n  Alpha : Hello.  \n",
  ])("loses the name in front of it: %j", (text) => {
    expect(cleaned(text)).toBe("Hello.");
  });

  it.each([
    "Beta: that is your part.",
    "Alphabet: a list of letters.",
    "Hello, Alpha: welcome.",
    "@alpha was asked.",
    "Note: alpha",
    "[alphabet] soup",
  ])("keeps what only looks like it: %j", (text) => {
    expect(cleaned(text)).toBe(text);
  });

  it("loses an imitated header and our fence", () => {
    const text = `[message r9 | 2026-01-05 09:00 UTC | Alpha One (agent)]\n<<<${FENCE}\nHello.\n${FENCE}>>>`;

    expect(cleaned(text)).toBe("Hello.");
  });

  it("ends where the model goes on with somebody else's message", () => {
    const text = `Hello.\n\n[message m7 | 2026-01-05 09:01 UTC | Robin (person)]\n<<<${FENCE}\nI agree.\n${FENCE}>>>`;

    expect(cleaned(text)).toBe("Hello.");
  });

  it("is empty when nothing visible is left", () => {
    expect(["", "  \n", "\u200b\u2060", "Alpha:", `<<<${FENCE}\n${FENCE}>>>`].map(cleaned)).toEqual([
      "",
      "",
      "",
      "",
      "",
    ]);
    expect(cleaned("👍")).toBe("👍");
  });

  it.each(["[message ", "<<<", "**", " \t", "alpha ", "[alpha"])(
    "takes a large text of %j without going over it again and again",
    (piece) => {
      const text = `x${piece.repeat(100_000)}x`;

      expect(cleaned(text)).toBe(text);
    },
  );
});

describe("a reply that was posted before", () => {
  it("is recognised through case, spacing, punctuation and a leading mention", () => {
    expect(repeatsPosted("@beta, please check  the NUMBERS", posted("Please check the numbers."))).toBe(true);
    expect(repeatsPosted("@Beta Two please check the numbers", posted("Please check the numbers."))).toBe(true);
    expect(repeatsPosted("Please check the numbers", posted("@Beta Two: please check the numbers."))).toBe(true);
    expect(repeatsPosted("👍", posted("👍"))).toBe(true);
  });

  it("is not confused with another", () => {
    expect(repeatsPosted("I asked Beta to check the numbers.", posted("Please check the numbers."))).toBe(false);
    expect(repeatsPosted("@gamma please check the numbers", posted("Please check the numbers."))).toBe(false);
    expect(repeatsPosted("@betamax please check", posted("max please check"))).toBe(false);
    expect(repeatsPosted("👍", posted("👎"))).toBe(false);
    expect(repeatsPosted("Hello.", [])).toBe(false);
  });
});
