import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileTexts } from "../../bench/mention-parser.js";
import { createMentionParser, type Mention, READ_AT_MOST } from "../../src/domain/mention.js";
import { forEachMention } from "../../src/domain/mention-grammar.js";
import { NameIndex } from "../../src/domain/name-index.js";
import { countedText } from "../support/counted-text.js";

const TEAM = [
  { name: "alpha", displayName: "Alpha" },
  { name: "beta", displayName: "Beta" },
  { name: "gamma", displayName: "Gamma Ray" },
  { name: "alpha-bot", displayName: "The Bot" },
  { name: "rev", displayName: "Rev" },
  { name: "reviewer", displayName: "Reviewer" },
  { name: "viet", displayName: "Việt" },
  { name: "strasse", displayName: "Große Straße" },
  { name: "acme", displayName: "Acme Inc." },
  { name: "emoji", displayName: "👩‍💻 Dev" },
];

const parse = createMentionParser(TEAM);

/** The mentions in short: a handle, `troupe`, `?unknown` or `!ambiguous`. */
function read(text: string, parser = parse): readonly string[] {
  return parser(text).map(short);
}

function short(mention: Mention): string {
  switch (mention.kind) {
    case "persona":
      return mention.name;
    case "app":
      return "troupe";
    case "unknown":
      return `?${mention.name}`;
    case "ambiguous":
      return `!${mention.name}`;
  }
}

describe("what is a mention", () => {
  it.each([
    ["hey @alpha can you help @beta?", ["alpha", "beta"]],
    ["nobody is named here, not even Beta", []],
    ["write to a@b.com", []],
    ["@alpha-bot, please", ["alpha-bot"]],
    ["@beta's", ["beta"]],
    ["@beta’s", ["beta"]],
    ["thanks @beta.", ["beta"]],
    ["thanks @beta...", ["beta"]],
    ["(@beta)", ["beta"]],
    ["**@beta**", ["beta"]],
    ["*@beta*", ["beta"]],
    ["~~@beta~~", ["beta"]],
    ["_@beta_", ["beta"]],
    ["__@beta__", ["beta"]],
    ["***@beta***", ["beta"]],
    ["(_@beta_)", ["beta"]],
    ["cc:@beta", ["beta"]],
    ["'@beta'", ["beta"]],
    ["[@beta]", ["beta"]],
    ["<@beta>", ["beta"]],
    ["-@beta", ["beta"]],
    ["@beta/@gamma", ["beta", "gamma"]],
    ["@beta,@gamma", ["beta", "gamma"]],
    ["@beta @beta", ["beta", "beta"]],
    ["@Beta, @BETA and @bEtA", ["beta", "beta", "beta"]],
    ["@beta!", ["beta"]],
    ["@beta:", ["beta"]],
    ["@beta -", ["beta"]],
    ["@beta- then", ["beta"]],
    ["@beta…", ["beta"]],
    ["@beta。", ["beta"]],
    ["请看，@beta，谢谢", ["beta"]],
    ["🎉@beta🎉", ["beta"]],
    ["@", []],
    ["@ beta", []],
    ["@@beta", []],
    ["@-", []],
    ["", []],
  ])("reads %j as %j", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it("says where a mention stands, from its @ to behind the name", () => {
    const text = "hi @Gamma Ray, and @nobody.";

    const places = parse(text).map(({ start, end }) => text.slice(start, end));

    expect(places).toEqual(["@Gamma Ray", "@nobody"]);
  });

  it("does not begin behind a letter, digit, mark, underscore in a word, dot, slash, @ or backslash", () => {
    for (const before of ["a", "é", "字", "7", "e\u0301", "a_", "7__", ".", "/", "@", "\\", "\\_", "𝒜"]) {
      expect(read(`${before}@beta`)).toEqual([]);
    }
  });

  it("finds nothing in a text of escaped mentions only", () => {
    expect(read("\\@alpha and \\\\@beta")).toEqual([]);
  });
});

describe("names", () => {
  it("takes the longest name and never a part of one", () => {
    expect(read("@reviewer")).toEqual(["reviewer"]);
    expect(read("@rev @reviewer @reviewers @review")).toEqual(["rev", "reviewer", "?reviewers", "?review"]);
    expect(read("@rev-2 @alpha_x @alpha-bot @alpha-")).toEqual(["?rev-2", "?alpha_x", "alpha-bot", "alpha"]);
  });

  it("knows display names, with their spaces, in any case", () => {
    expect(read("@Gamma Ray and @gamma ray")).toEqual(["gamma", "gamma"]);
    expect(read("@Gamma Rays, @Gamma  Ray")).toEqual(["gamma", "gamma"]);
    expect(read("@The Bot's answer, @The")).toEqual(["alpha-bot", "?The"]);
  });

  it("knows a display name that ends with a dot with and without it", () => {
    expect(read("@Acme Inc. and @acme inc")).toEqual(["acme", "acme"]);
  });

  it("compares names without regard to how their letters are composed, ordered or cased", () => {
    const spellings = ["Việt", "VIỆT", "Vie\u0302\u0323t", "Vi\u1EB9\u0302t", "Viê\u0323t", "Ｖｉệｔ"];

    expect(spellings.map((name) => read(`@${name}`))).toEqual(spellings.map(() => ["viet"]));
    expect(read("@große straße @GROSSE STRASSE")).toEqual(["strasse", "strasse"]);
    expect(read("@ｂｅｔａ")).toEqual(["beta"]);
    expect(read("@👩‍💻 dev")).toEqual(["emoji"]);
  });

  it("does not find a name with a mark, an invisible or a direction character in it", () => {
    expect(read("@be\u200bta")).toEqual(["?be\u200bta"]);
    expect(read("@rev\u200biewer")).toEqual(["?rev\u200biewer"]);
    expect(read("@rev\u202eiewer")).toEqual(["?rev\u202eiewer"]);
    expect(read("@beta\u0301")).toEqual(["?beta\u0301"]);
    expect(read("\u2068@beta\u2069")).toEqual(["beta"]);
  });

  it("gives up on a letter under a mountain of marks", () => {
    expect(read(`@Vie${"\u0302\u0323".repeat(1000)}t`)).toEqual([]);
  });

  it("knows the app in any case, and only as a whole word", () => {
    expect(read("@Troupe alpha @TROUPE @troupes @trouper's")).toEqual(["troupe", "troupe", "?troupes", "?trouper"]);
  });

  it("takes mentions of everybody for no mention at all", () => {
    expect(read("@here @everyone @Channel @ALL, please")).toEqual([]);
    expect(read("@all-hands @heretic")).toEqual(["?all-hands", "?heretic"]);
    expect(read("@here/@beta")).toEqual(["beta"]);
  });

  it("tells unknown names as they are written", () => {
    expect(read("@Delta's, @delta-2. @x_y_")).toEqual(["?Delta", "?delta-2", "?x_y"]);
  });

  it("takes times and numbers, and words that are too long for a name, for no mention", () => {
    expect(read("@5pm, @2x, @_x, @-x")).toEqual([]);
    expect(read(`@${"x".repeat(81)}`)).toEqual([]);
    expect(read(`@${"x".repeat(80)}`)).toHaveLength(1);
  });

  it("never takes a domain for the persona that it begins with", () => {
    expect(read("@beta.dev")).toEqual(["?beta.dev"]);
    expect(read("@beta.5")).toEqual(["?beta.5"]);
  });

  it("says when a name is that of two personas, and finds their other names", () => {
    const parser = createMentionParser([
      { name: "one", displayName: "Same" },
      { name: "two", displayName: "SAME" },
      { name: "same-too", displayName: "One" },
    ]);

    expect(read("@same @One @two @same-too", parser)).toEqual(["!same", "!One", "two", "same-too"]);
  });

  it("leaves the app's and the groups' names to them, whatever a persona is called", () => {
    const parser = createMentionParser([
      { name: "x", displayName: "Troupe" },
      { name: "y", displayName: "Everyone" },
      { name: "z", displayName: "..." },
    ]);

    expect(read("@troupe @everyone @...", parser)).toEqual(["troupe"]);
  });

  it("reads so much of a text and no more", () => {
    const words = (length: number) => "a ".repeat(length / 2);

    expect(read(`${words(READ_AT_MOST - 6)}@beta `)).toHaveLength(1);
    expect(read(`${words(READ_AT_MOST)}@beta`)).toEqual([]);
  });

  it("tells no more than a thousand unknown names, and all known ones", () => {
    expect(read("@nobody ".repeat(1500).concat("@beta"))).toHaveLength(1001);
  });

  it("works with an empty team", () => {
    expect(read("@alpha @troupe", createMentionParser([]))).toEqual(["?alpha", "troupe"]);
  });
});

describe("what only looks like a mention", () => {
  it.each([
    ["npm i @beta/core", "a package"],
    ["npm i @types/node", "a package of nobody's"],
    ["@beta/_internal", "a path"],
    ["@beta_/core", "a path"],
    ["@beta/core/@gamma", "a path in a path"],
    ["@Gamma Ray/x", "a path after a name with spaces"],
    ["https://x.y/@beta", "a URL"],
    ["https://x.y/a?b=(@beta)", "a URL"],
    ["ops@beta.dev", "an e-mail address"],
    ["<ops@beta>", "an address in angle brackets"],
    ['"@beta"', "a quoted name"],
    ["“@beta”", "a quoted name"],
    ["„@beta“", "a quoted name"],
    ['"@Gamma Ray"', "a quoted name"],
    ['"@nobody"', "a quoted name"],
  ])("finds none in %j, which is %s", (text) => {
    expect(read(text)).toEqual([]);
  });

  it("keeps a name live that is quoted with other words, or on one side only", () => {
    expect(read('"ask @beta"')).toEqual(["beta"]);
    expect(read('"@beta, hi"')).toEqual(["beta"]);
    expect(read('"@beta')).toEqual(["beta"]);
  });

  it("keeps a name live that a slash ends without making a path", () => {
    expect(read("@beta/ @gamma//x")).toEqual(["beta", "gamma"]);
  });
});

describe("any text", () => {
  const anyText = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
    fc
      .array(
        fc.oneof(
          fc.constantFrom(
            ..."@`~<>[]()!\\\n\t -*_#=:/.\"'&",
            "@beta",
            "```",
            "~~~",
            "<!--",
            "-->",
            "1. ",
            "://",
            "<b a=",
            "\ud800",
          ),
          fc.string({ unit: "binary", maxLength: 3 }),
        ),
        { maxLength: 60 },
      )
      .map((parts) => parts.join("")),
  );

  it("is read without failing, mentions in order, apart, and each at an @", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let end = 0;
        for (const mention of parse(text)) {
          expect(mention.start).toBeGreaterThanOrEqual(end);
          expect(mention.end).toBeGreaterThan(mention.start + 1);
          expect(text[mention.start]).toBe("@");
          end = mention.end;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 500 },
    );
  });

  it("gives the same mentions each time it is read", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(parse(text)).toEqual(parse(text));
      }),
    );
  });

  it("finds a persona by each spelling of its display name that folds to the same", () => {
    const name = fc.string({ unit: fc.constantFrom(..."aéßΣςİıǰΐ각한字Ⅻﬁẞ\u0301\u0323"), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(
        name.filter((text) => /^\p{L}/u.test(text)),
        (displayName) => {
          const parser = createMentionParser([{ name: "someone", displayName }]);
          const spellings = [displayName, displayName.normalize("NFD"), displayName.normalize("NFC")];
          for (const spelling of [...spellings, displayName.toUpperCase(), displayName.toLowerCase()]) {
            expect(read(`@${spelling}`, parser)).toEqual(["someone"]);
          }
        },
      ),
    );
  });

  it("is read in a number of steps that grows no faster than its length", () => {
    const [small, large] = [hostileTexts(1 << 9), hostileTexts(1 << 12)];
    for (const [name, text] of Object.entries(small)) {
      const more = large[name] ?? "";

      const steps = stepsOn(more);

      expect(steps, name).toBeLessThanOrEqual(stepsOn(text) * 8 * 1.2 + 1000);
      expect(steps, name).toBeLessThanOrEqual(more.length * 40);
    }
  });

  /** How many characters are looked at to find all mentions. */
  function stepsOn(text: string): number {
    const names = new NameIndex<string>();
    for (const { name, displayName } of TEAM) {
      names.add(name, name, () => name);
      names.add(displayName, name, () => name);
    }
    const counted = countedText(text);
    forEachMention(counted.units, names, () => {});
    return counted.reads();
  }
});
