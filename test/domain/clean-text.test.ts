import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanInbound, escapeBidi, hasBidiOrControl } from "../../src/domain/clean-text.js";

describe("text at the edge", () => {
  it("loses NUL and the other control characters, but keeps tabs and newlines", () => {
    expect(cleanInbound("a\0b\u0007c\u001bd\u007fe\tf\ng")).toBe("abcde\tf\ng");
  });

  it("ends its lines with a newline, however they ended", () => {
    expect(cleanInbound("a\r\nb\rc\nd\r\n\r\n")).toBe("a\nb\nc\nd\n\n");
  });

  it("keeps direction controls, joiners and everything that can be seen", () => {
    const text = "\u202eabc\u202c \u2067x\u2069 👩‍💻 é 字 \u00a0";

    expect(cleanInbound(text)).toBe(text);
  });

  it("replaces half characters and keeps whole ones", () => {
    expect(cleanInbound("a\ud83d b\ude00 😀")).toBe("a\ufffd b\ufffd 😀");
  });

  it("is well-formed and free of controls whatever came in, and cleaning it again changes nothing", () => {
    const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));
    const controls = fc.string({ unit: fc.constantFrom(..."\r\n\t\0a\u001f\ud800\udc00") });
    fc.assert(
      fc.property(fc.oneof(anyText, controls), (text) => {
        const clean = cleanInbound(text);

        expect(clean).not.toMatch(/[^\P{Cc}\t\n\u0080-\u009f]|\p{Cs}/u);
        expect(cleanInbound(clean)).toBe(clean);
      }),
    );
  });
});

describe("showing text", () => {
  it("writes direction controls out", () => {
    expect(escapeBidi("abc\u202edef")).toBe("abc⟨U+202E⟩def");
    expect(escapeBidi("\u061c\u200e\u200f\u2066\u2069")).toBe("⟨U+061C⟩⟨U+200E⟩⟨U+200F⟩⟨U+2066⟩⟨U+2069⟩");
  });

  it("leaves all other text as it is, also from right to left", () => {
    expect(escapeBidi("שלום 👩‍💻 abc")).toBe("שלום 👩‍💻 abc");
  });
});

describe("a name", () => {
  it("is unfit with direction, control, invisible or half characters in it", () => {
    for (const bad of [
      "\u202e",
      "\u2067",
      "\u200e",
      "\u061c",
      "\0",
      "\n",
      "\t",
      "\u0085",
      "\u200b",
      "\ufeff",
      "\u2028",
      "\ud800",
    ]) {
      expect(hasBidiOrControl(`al${bad}pha`), JSON.stringify(bad)).toBe(true);
    }
  });

  it("is fit with letters of any script, spaces and signs", () => {
    for (const good of ["alpha", "Gamma Ray", "Việt", "שלום", "字", "Dr. O'Neil-2", "🤖 Bot"]) {
      expect(hasBidiOrControl(good), good).toBe(false);
    }
  });
});
