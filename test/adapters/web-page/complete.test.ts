import { describe, expect, it } from "vitest";
import { accept, complete, type People } from "../../../adapters/web/page/src/text/complete.js";

const member = { description: "", missing: false, host: false, busy: false };
const PEOPLE: People = {
  roster: [
    { ...member, name: "alpha", displayName: "Alpha One" },
    { ...member, name: "alfred", displayName: "Butler" },
    { ...member, name: "gone", displayName: "Gone", missing: true },
  ],
  others: [{ name: "zeta", displayName: "Zeta", description: "" }],
};

function offered(text: string, caret = text.length): readonly string[] {
  return complete(text, caret, PEOPLE)?.suggestions.map((suggestion) => suggestion.insert) ?? [];
}

function taken(text: string, caret = text.length): string {
  const completion = complete(text, caret, PEOPLE);
  const first = completion?.suggestions[0];
  if (completion === undefined || first === undefined) return text;
  const { text: done, caret: at } = accept(text, completion, first);
  return `${done.slice(0, at)}|${done.slice(at)}`;
}

describe("what the message box offers", () => {
  it("is everybody who can answer after an @, by handle and by name", () => {
    expect(offered("hi @")).toEqual(["@alpha ", "@alfred "]);
    expect(offered("(@alp")).toEqual(["@alpha "]);
    expect(offered("@BUT")).toEqual(["@alfred "]);
  });

  it("is nothing in an address, after an escape or for a stranger", () => {
    expect(offered("ops@al")).toEqual([]);
    expect(offered("\\@al")).toEqual([]);
    expect(offered("see /@al")).toEqual([]);
    expect(offered("@nobody")).toEqual([]);
    expect(offered("no mention")).toEqual([]);
  });

  it("is the commands of this room after a slash", () => {
    expect(offered("/")).toContain("/agent room");
    expect(offered("/ag")).toHaveLength(15);
    expect(offered("/agent ro")).toEqual(["room"]);
    expect(offered("/sch")).toHaveLength(4);
    expect(offered("/schedule re")).toEqual(["remove "]);
    expect(offered("/task")).toEqual([]);
  });

  it("is what may follow a command", () => {
    expect(offered("/agent wake ")).toEqual(["mention", "always"]);
    expect(offered("/agent add ")).toEqual(["zeta "]);
    expect(offered("/agent host @al")).toEqual(["alpha ", "alfred "]);
    expect(offered("/agent remove alpha go")).toEqual(["gone "]);
    expect(offered("/agent help fan")).toEqual(["fanout "]);
    expect(offered("/agent room x")).toEqual([]);
    expect(offered("/schedule once tea 10m al")).toEqual(["alpha ", "alfred "]);
  });

  it("replaces the whole word at the caret and leaves one blank behind it", () => {
    expect(taken("hi @al")).toBe("hi @alpha |");
    expect(taken("hi @alxx there", 6)).toBe("hi @alpha |there".replace("|there", " |there").replace("  ", " "));
    expect(taken("/ag")).toBe("/agent help |");
  });
});
