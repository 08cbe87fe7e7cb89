import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFragment, roomFragment } from "../../../adapters/web/page/src/net/session-key.js";
import { showBidi } from "../../../adapters/web/page/src/text/bidi.js";
import { avatarOf } from "../../../adapters/web/page/src/text/emoji.js";
import { splitMentions } from "../../../adapters/web/page/src/text/mentions.js";
import { explain, keptFrom } from "../../../adapters/web/page/src/text/outcome-words.js";
import { roomLabel, roomNameFrom } from "../../../adapters/web/page/src/text/room-names.js";
import { dayLabel } from "../../../adapters/web/page/src/text/times.js";
import { toneOf } from "../../../adapters/web/page/src/text/tone.js";

const ROSTER = [
  { name: "alpha", displayName: "Alpha" },
  { name: "alpha-two", displayName: "The Second" },
];

function mentioned(text: string): readonly string[] {
  return splitMentions(text, ROSTER).flatMap((piece) => (piece.persona === undefined ? [] : [piece.persona]));
}

describe("mentions as they are shown", () => {
  it.each([
    ["hi @alpha!", ["alpha"]],
    ["@Alpha-Two and @the second.", ["alpha-two", "alpha-two"]],
    ["(@alpha),@alpha", ["alpha", "alpha"]],
    ["@alphabet @alpha_x", []],
    ["ops@alpha.dev x/@alpha \\@alpha", []],
    ["@alpha/core", []],
    ['"@alpha"', []],
  ])("%s", (text, expected) => {
    expect(mentioned(text)).toEqual(expected);
  });

  it("never lose or add a character", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("@", "alpha", "-two", " ", "The Second", "é", "/", "."), { maxLength: 20 }),
        (parts) => {
          const text = parts.join("");

          expect(
            splitMentions(text, ROSTER)
              .map((piece) => piece.text)
              .join(""),
          ).toBe(text);
        },
      ),
    );
  });
});

describe("direction controls", () => {
  it("are written out, so that a text cannot lie about itself", () => {
    expect(showBidi("a\u202Eb\u2066c\u200F")).toBe("a\\u202Eb\\u2066c\\u200F");
    expect(showBidi("שלום")).toBe("שלום");
  });
});

describe("avatars", () => {
  it.each([
    [":compass:", { kind: "emoji", text: "🧭" }],
    ["🦊", { kind: "emoji", text: "🦊" }],
    ["https://example.com/a.png", { kind: "image", url: "https://example.com/a.png" }],
    [":no_such_emoji:", { kind: "initials", text: "DP" }],
    ["javascript:alert(1)", { kind: "initials", text: "DP" }],
    ["http://example.com/a.png", { kind: "initials", text: "DP" }],
    [undefined, { kind: "initials", text: "DP" }],
  ])("%s", (avatar, expected) => {
    expect(avatarOf("data-pilot", avatar)).toEqual(expected);
  });
});

describe("colours", () => {
  it("differ within a roster of ten, and are steady for everybody else", () => {
    const roster = Array.from({ length: 10 }, (_, index) => `p${index}`);

    expect(new Set(roster.map((name) => toneOf(name, roster))).size).toBe(10);
    expect(toneOf("stranger", roster)).toBe(toneOf("stranger", []));
  });
});

describe("the outcome in words", () => {
  const nameOf = (persona: string): string => persona.toUpperCase();

  it("has one sentence for each addressee", () => {
    const outcome = {
      kind: "parts",
      parts: [
        { persona: "alpha", result: "woke" },
        { persona: "beta", result: "suppressed" },
      ],
    } as const;

    expect(explain({ outcome }, nameOf)).toEqual([
      "It woke ALPHA.",
      expect.stringContaining("did not wake BETA: the burst budget"),
    ]);
    expect(keptFrom({ outcome })).toEqual(["beta"]);
  });

  it("says why nobody woke, also while nothing is decided", () => {
    expect(explain({ outcome: { kind: "ignored", reason: "empty_room" } }, nameOf)[0]).toContain("No persona");
    expect(explain({ outcome: { kind: "superseded" } }, nameOf)[0]).toContain("edited or deleted");
    expect(explain({ outcome: { kind: "parts", parts: [] } }, nameOf)).toEqual(["It woke nobody."]);
    expect(explain({ outcome: null }, nameOf)[0]).toContain("Not decided yet");
    expect(keptFrom({})).toEqual([]);
  });
});

describe("names of rooms", () => {
  it("are made of what was typed, or refused", () => {
    expect(roomNameFrom(" #Launch Plan ")).toBe("launch-plan");
    expect(roomNameFrom("-x")).toBeUndefined();
    expect(roomNameFrom("ä")).toBeUndefined();
    expect(roomNameFrom("a".repeat(33))).toBeUndefined();
    expect(roomLabel("web:local:main")).toBe("main");
    expect(roomLabel("slack:T1:C1")).toBe("slack:T1:C1");
  });
});

describe("the address", () => {
  it("names a room, and a key whatever characters it has", () => {
    expect(readFragment("#key=a%2Bb&room=web:local:main")).toEqual({ key: "a+b", room: "web:local:main" });
    expect(readFragment("#key=a+b")).toEqual({ key: "a+b" });
    expect(readFragment("")).toEqual({});
    expect(readFragment(roomFragment("slack:T1:C 1"))).toEqual({ room: "slack:T1:C 1" });
  });
});

describe("days", () => {
  it("are called by their nearness", () => {
    const now = new Date(2026, 2, 1, 10).getTime();

    expect(dayLabel(new Date(2026, 2, 1, 0, 1).getTime(), now)).toBe("Today");
    expect(dayLabel(new Date(2026, 1, 28, 23).getTime(), now)).toBe("Yesterday");
    expect(dayLabel(new Date(2025, 1, 28).getTime(), now)).toContain("2025");
  });
});
