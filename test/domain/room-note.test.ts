import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { roomNote, systemPrompt } from "../../src/domain/room-note.js";

function agent(name: string, displayName = name) {
  return { name, displayName };
}

const ALPHA = agent("alpha", "Alpha");
const BETA = agent("beta", "Beta");
const GAMMA = agent("gamma", "Gamma Ray");

describe("the room note", () => {
  it("is absent in a room of none or one, and where everybody is oneself", () => {
    expect(roomNote("alpha", [])).toBeUndefined();
    expect(roomNote("alpha", [ALPHA])).toBeUndefined();
    expect(roomNote("alpha", [BETA])).toBeUndefined();
    expect(roomNote("alpha", [ALPHA, agent("ALPHA", "alpha")])).toBeUndefined();
  });

  it("names the others only, with their display names, in roster order", () => {
    const note = roomNote("beta", [GAMMA, BETA, ALPHA]);

    expect(note).toContain("@Gamma Ray, @Alpha");
    expect(note).not.toContain("Beta");
  });

  it("drops oneself in the middle of the roster, also when written in another case", () => {
    for (const self of ["beta", "BETA", "Beta"]) {
      expect(roomNote(self, [ALPHA, BETA, GAMMA])).toContain("@Alpha, @Gamma Ray.");
    }
    expect(roomNote("b", [ALPHA, agent("b", "Bee"), agent("other", "BEE")])).toContain(": @Alpha.");
  });

  it("names nobody twice, also when written in another case", () => {
    expect(roomNote("alpha", [ALPHA, BETA, agent("b2", "BETA"), GAMMA])).toContain(": @Beta, @Gamma Ray.");
  });

  it("says how another is reached and that a message without a mention reaches none", () => {
    const note = roomNote("alpha", [ALPHA, BETA]);

    expect(note).toMatch(/share this room/);
    expect(note).toMatch(/@ followed by its name/);
    expect(note).toMatch(/sees your message and may answer/);
    expect(note).toMatch(/mentions nobody goes to no other agent/);
  });

  const rosters = fc.array(
    fc.record({ name: fc.stringMatching(/^[a-d]{1,2}$/), displayName: fc.stringMatching(/^[A-Da-d]{1,2}$/) }),
    { maxLength: 5 },
  );

  it("is the same to the byte for equal rosters", () => {
    fc.assert(
      fc.property(fc.constantFrom("a", "b"), rosters, (self, roster) => {
        expect(roomNote(self, structuredClone(roster))).toBe(roomNote(self, roster));
      }),
    );
  });

  it("is there only with two agents at least, and never names oneself", () => {
    fc.assert(
      fc.property(fc.constantFrom("a", "b"), rosters, (self, roster) => {
        const note = roomNote(self, roster);

        if (roster.length < 2) expect(note).toBeUndefined();
        expect(note ?? "").not.toMatch(new RegExp(`@${self}[,.]`, "i"));
      }),
    );
  });
});

describe("the system prompt", () => {
  const prompts = ["", "You are Alpha.", "  odd\r\n\twhite space \n\n", "\ud800"];

  it("of an agent alone is its own prompt to the byte", () => {
    for (const prompt of prompts) expect(systemPrompt(prompt, roomNote("alpha", [ALPHA]))).toBe(prompt);
  });

  it("of one among others is its own prompt, unchanged, with the note below", () => {
    expect(systemPrompt("You are Alpha.", "The note.")).toBe("You are Alpha.\n\nThe note.");
    expect(systemPrompt("", "The note.")).toBe("The note.");
  });
});
