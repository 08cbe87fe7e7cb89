import { describe, expect, it } from "vitest";
import { transcriptInput, transcriptLines } from "../../../src/cli/simulate/transcript-input.js";

const SESSION = "file:local:log";
const DAY = Date.UTC(2026, 0, 5);

function inputOf(text: string, personas?: readonly string[]) {
  const cast = { known: [], ...(personas === undefined ? {} : { personas }) };
  return transcriptInput(transcriptLines(text), cast, SESSION);
}

const names = (text: string, personas?: readonly string[]) =>
  inputOf(text, personas).personas.map(({ displayName }) => displayName);

describe("a pasted conversation", () => {
  it("is read turn by turn, with what belongs to each", () => {
    const text = [
      "\ufeffAnn: @alpha list the steps",
      "",
      "alpha: Here they are:",
      "",
      "1. Look: first of all.",
      "  Note: this is still alpha.",
      "```",
      "Ann: not Ann, but code",
      "```",
      "Over at https://example.org: nothing.",
      "- **Beta:** fine",
      "@gamma: so be it",
    ].join("\r\n");

    expect(transcriptLines(text.replace("\ufeff", "")).map(({ name, text: words }) => [name, words])).toEqual([
      ["Ann", "@alpha list the steps"],
      [
        "alpha",
        "Here they are:\n\n1. Look: first of all.\nNote: this is still alpha.\n```\nAnn: not Ann, but code\n```\nOver at https://example.org: nothing.",
      ],
      ["Beta", "fine"],
      ["gamma", "so be it"],
    ]);
  });

  it("may carry times: those of a day go on over midnight, and lines without one follow in five seconds", () => {
    const text = [
      "[2026-01-05 23:59] Ann: hello",
      "23:59:30 alpha: hello",
      "00:00:10 Ann: good night",
      "alpha: good night",
      "[2026-01-06T09:00:00Z] Ann: morning",
    ].join("\n");

    const ats = inputOf(text).log.map(({ entry }) => entry.at);

    const start = Date.parse("2026-01-05T23:59:00");
    expect(ats[0]).toBe(start);
    expect((ats[2] ?? 0) - (ats[1] ?? 0)).toBeGreaterThan(0);
    expect((ats[3] ?? 0) - (ats[2] ?? 0)).toBe(5_000);
    expect(ats[4]).toBe(DAY + 86_400_000 + 9 * 3_600_000);
  });

  it("takes those who are mentioned for personas, but not who begins", () => {
    expect(names("Ann: @alpha hello\nalpha: hello @Ann\nBob: and me?\nbeta: no")).toEqual(["alpha"]);
    expect(names("Ann: @alpha hello\nalpha: @beta?\nBeta: yes\nBob: well")).toEqual(["alpha", "Beta"]);
    expect(names("Ann: hello\nalpha: hello")).toEqual([]);
  });

  it("takes exactly those for personas that are named", () => {
    const { personas, log } = inputOf("Ann: hello\nAlpha: hello\nBeta: hello", ["alpha"]);

    expect(personas).toEqual([{ name: "alpha", displayName: "Alpha" }]);
    expect(log.map(({ entry }) => entry.sender.kind)).toEqual(["person", "agent", "person"]);
  });

  it("takes the team's own personas by either name", () => {
    const known = [
      { name: "alpha", displayName: "Alpha One" },
      { name: "beta", displayName: "Beta" },
    ];
    const { personas } = transcriptInput(transcriptLines("Ann: hello\nalpha one: hello"), { known }, SESSION);

    expect(personas).toEqual([{ name: "alpha", displayName: "Alpha One" }]);
  });

  it("takes for the host who answers the first words that mention nobody", () => {
    expect(inputOf("Ann: @alpha hello\nalpha: @beta?\nbeta: no\nAnn: so what?\nbeta: nothing").traces).toEqual({
      wake: "always",
      host: "beta",
    });
  });

  it("knows pressed buttons, and words to one persona after the app's name", () => {
    const text =
      "Ann: @alpha go\nalpha: @beta well?\nbeta: @alpha no\nAnn: [Continue]\nBob: [presses Resume]\nAnn: @troupe beta hello";

    const kinds = inputOf(text).log.map(({ entry }) => entry.kind);
    const [resumed, addressed] = inputOf(text).log.slice(-2);

    expect(kinds).toEqual(["message", "message", "message", "directive", "agent_pair_resumed", "message"]);
    expect(resumed?.entry).toMatchObject({ pair: "alpha~beta", sender: { kind: "person", name: "Bob" } });
    expect(addressed?.entry).toMatchObject({ to: "beta" });
  });

  it("is none where no line has a name", () => {
    expect(transcriptLines("hello\nworld")).toEqual([]);
    expect(transcriptLines("")).toEqual([]);
  });
});
