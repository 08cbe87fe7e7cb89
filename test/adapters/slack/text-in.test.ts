import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandTextOf, textOf } from "../../../adapters/slack/inbound/text-in.js";
import { slackMessage } from "../../../adapters/slack/inbound/wire.js";
import { createWorkspace } from "../../../adapters/slack/workspace.js";
import { createMentionParser } from "../../../src/domain/mention.js";
import { addressed } from "../../../src/domain/route.js";

const bot = (userId: string) => ({ tokenName: "T", botId: `B${userId}`, userId, appId: undefined });
const workspace = createWorkspace({
  teamId: "T1",
  url: "https://acme.slack.com/",
  appId: "A1",
  main: bot("UBOT"),
  personas: new Map([["gamma", bot("UGAMMA")]]),
  scopes: new Set(),
});
const people = (id: string) => ({ UANN: "Ann", UODD: "x @alpha `y`", UNONE: "@", UALPHA: "alpha" })[id] ?? id;
const parse = createMentionParser([
  { name: "alpha", displayName: "Alpha" },
  { name: "gamma", displayName: "Gamma" },
]);

function read(message: object): string {
  return textOf(slackMessage.parse({ ts: "1.0", ...message }), people, workspace);
}

function woken(message: object): readonly string[] {
  return parse(read(message)).map((mention) => ("name" in mention ? mention.name : "app"));
}

type Element = object;
const text = (words: string, style?: object) => ({ type: "text", text: words, ...(style ? { style } : {}) });
const user = (id: string, style?: object) => ({ type: "user", user_id: id, ...(style ? { style } : {}) });
const section = (...elements: Element[]) => ({ type: "rich_text_section", elements });
const quote = (...elements: Element[]) => ({ type: "rich_text_quote", elements });
const preformatted = (...elements: Element[]) => ({ type: "rich_text_preformatted", elements });
const list = (style: string, indent: number, ...items: Element[][]) => ({
  type: "rich_text_list",
  style,
  indent,
  elements: items.map((elements) => section(...elements)),
});
const rich = (...elements: Element[]) => ({ blocks: [{ type: "rich_text", elements }] });

describe("rich text", () => {
  it("becomes Markdown with its styles, lists, code and quotes", () => {
    const message = rich(
      section(text("Look", { bold: true }), text(" at "), text("this ", { italic: true }), text("a`b", { code: true })),
      list("ordered", 0, [text("one")], [text("two\nlines")]),
      list("bullet", 1, [text("deeper")]),
      quote(text("said\nbefore")),
      section(text("after")),
      preformatted(text("let x = `1`;\n")),
    );
    expect(read(message)).toBe(
      "**Look** at _this_ ``a`b``\n\n1. one\n2. two\n  lines\n\n    - deeper\n\n> said\n> before\n\nafter\n\n```\nlet x = `1`;\n```",
    );
  });

  it("wakes by a user element of our bots, also without any text", () => {
    expect(woken({ text: "", ...rich(section(user("UBOT"))) })).toEqual(["app"]);
    expect(woken(rich(section(text("hey"), user("UGAMMA"), text("what now"))))).toEqual(["gamma"]);
    expect(read(rich(section(text("hey"), user("UGAMMA"), text("what now"))))).toBe("hey @gamma what now");
    expect(woken(rich(section(user("UBOT", { bold: true }), text("'s turn"))))).toEqual(["app"]);
    expect(woken(rich(list("bullet", 3, [user("UGAMMA")])))).toEqual(["gamma"]);
  });

  it("does not wake from code, quotes and what is behind them in the quote", () => {
    expect(woken(rich(quote(text("as "), user("UBOT"), text(" said"))))).toEqual([]);
    expect(woken(rich(preformatted(user("UBOT"), text(" @alpha"))))).toEqual([]);
    expect(woken(rich(section(user("UBOT", { code: true }), text(" "), text("@alpha", { code: true }))))).toEqual([]);
    expect(woken(rich(quote(text("@alpha")), section(text("@gamma, see above"))))).toEqual(["gamma"]);
  });

  it("wakes by a name typed as text, once", () => {
    expect(woken(rich(quote(text("@alpha")), section(text("so, "), text("@alpha", { bold: true }))))).toEqual([
      "alpha",
    ]);
  });

  it("gives people by their names, which never wake", () => {
    expect(read(rich(section(text("ask "), user("UANN"))))).toBe("ask Ann");
    expect(woken(rich(section(user("UODD"), text(" "), user("UNONE"))))).toEqual([]);
    expect(read(rich(section(user("UNONE"))))).toBe("UNONE");
  });

  it("takes the labels of channels and groups from the plain text, and calls nobody by them", () => {
    const message = {
      text: "<#C1|ops> <!subteam^S1|@alpha> <!here>",
      ...rich(
        section(
          { type: "channel", channel_id: "C1" },
          text(" "),
          { type: "usergroup", usergroup_id: "S1" },
          text(" "),
          { type: "broadcast", range: "here" },
          text(" "),
          { type: "channel", channel_id: "C2" },
        ),
      ),
    };
    expect(read(message)).toBe("#ops alpha @here #C2");
    expect(woken(message)).toEqual([]);
  });

  it("keeps links, and nobody is woken by what is in an address", () => {
    const message = rich(
      section(
        { type: "link", url: "https://x.dev/@alpha" },
        text(" "),
        { type: "link", url: "https://y.dev", text: "the [page]" },
        text(" "),
        { type: "link", url: "mailto:me@alpha.dev", text: "me@alpha.dev" },
        { type: "emoji", name: "wave" },
      ),
    );
    expect(read(message)).toBe("https://x.dev/@alpha [the \\[page\\]](https://y.dev) me@alpha.dev:wave:");
    expect(woken(message)).toEqual([]);
  });

  it("outweighs the plain text, and what is unfurled never counts", () => {
    const unfurled = [{ is_msg_unfurl: true, text: "@alpha <@UBOT>", blocks: rich(section(user("UBOT"))).blocks }];
    expect(woken({ text: "@alpha", ...rich(section(text("no"))) })).toEqual([]);
    expect(woken({ text: "look", attachments: unfurled, ...rich(section(text("look"))) })).toEqual([]);
  });
});

describe("plain text", () => {
  it("becomes Markdown, with what is escaped unescaped once", () => {
    expect(read({ text: "*bold* _it_ ~gone~ a &lt; b &amp;amp; 2*3*4" })).toBe(
      "**bold** _it_ ~~gone~~ a < b &amp; 2*3*4",
    );
    expect(read({ text: "see <https://x.dev|the page> and <https://y.dev>" })).toBe(
      "see [the page](https://x.dev) and https://y.dev",
    );
    expect(read({ text: "say ```a &lt; b\nc``` now" })).toBe("say \n```\na < b\nc\n```\n now");
    expect(read({ text: "<!date^1^{date}|yesterday> in <#C1|>" })).toBe("yesterday in #C1");
  });

  it("wakes by a mention anywhere in it, with or without a label", () => {
    expect(woken({ text: "so <@UBOT> alpha" })).toEqual(["app"]);
    expect(woken({ text: "so<@UGAMMA|gamma>now" })).toEqual(["gamma"]);
    expect(woken({ text: "hello @alpha" })).toEqual(["alpha"]);
  });

  it("does not wake from code, quotes, addresses and other people's names", () => {
    const inert = [
      "`<@UBOT>`",
      "```<@UBOT>\n@alpha```",
      "&gt; <@UBOT> said",
      "&gt;&gt;&gt; first\nthen <@UBOT>",
      "<mailto:me@alpha.dev|me@alpha.dev>",
      "<https://x.dev/@alpha>",
      "<@UODD>",
      "<!subteam^S1|@alpha> <!channel>",
    ];
    for (const words of inert) expect([words, woken({ text: words })]).toEqual([words, []]);
    expect(woken({ text: "&gt; @alpha said\n@gamma, true?" })).toEqual(["gamma"]);
    expect(woken({ text: "```let x;``` @alpha" })).toEqual(["alpha"]);
  });

  it("of other kinds of blocks counts as plain text", () => {
    expect(woken({ text: "@alpha", blocks: [{ type: "section", text: { type: "mrkdwn", text: "@gamma" } }] })).toEqual([
      "alpha",
    ]);
  });
});

describe("the text of a command", () => {
  it("has names for ids and nothing escaped", () => {
    expect(commandTextOf("pause @alpha <@UGAMMA|gamma> &amp; <@UANN|ann>", people, workspace)).toBe(
      "pause @alpha @gamma & Ann",
    );
  });
});

describe("any text", () => {
  it("is read without a failure, whatever the blocks are", () => {
    fc.assert(
      fc.property(fc.anything(), fc.string(), (blocks, words) => {
        const message = slackMessage.parse({
          ts: "1.0",
          text: words,
          blocks: [blocks, { type: "rich_text", elements: [blocks] }],
        });
        expect(typeof textOf(message, people, workspace)).toBe("string");
      }),
    );
  });

  it("never wakes anybody from within code or a quote", () => {
    const words = fc.string({ unit: fc.constantFrom("a", " ", "`", "*", "\n", "@alpha", "> ", "[", "](", ")") });
    fc.assert(
      fc.property(words, (inside) => {
        expect(woken(rich(preformatted(text(inside))))).toEqual([]);
        expect(woken(rich(quote(text(inside)), section(text("end"))))).toEqual([]);
        if (!inside.includes("\n")) expect(woken(rich(section(text("so "), text(inside, { code: true }))))).toEqual([]);
      }),
    );
  });
});

describe("a name right behind the app's mention", () => {
  it.each([
    ["in plain text", { text: "<@UBOT>, <@UALPHA> says hello" }, "@Troupe, (alpha) says hello"],
    ["of a group", { text: "<@UBOT> <!subteam^S1|alpha> says hello" }, "@Troupe (alpha) says hello"],
    ["in rich text", rich(section(user("UBOT"), text(" "), user("UALPHA"), text(" hello"))), "@Troupe (alpha) hello"],
  ])("%s addresses nobody, whatever they are called", (_, message, words) => {
    expect(read(message)).toBe(words);
    expect(addressed(words, parse, ["alpha", "gamma"])?.persona).toBeUndefined();
    expect(addressed(words.replace("(alpha)", "alpha"), parse, ["alpha", "gamma"])?.persona).toBe("alpha");
  });

  it.each([
    ["further behind", { text: "<@UBOT> thank <@UALPHA>" }, "@Troupe thank alpha"],
    ["behind a persona's", { text: "<@UGAMMA> <@UALPHA>" }, "@gamma alpha"],
    [
      "further behind in rich text",
      rich(section(user("UBOT"), text(" thank "), user("UALPHA"))),
      "@Troupe thank alpha",
    ],
  ])("stands as it is %s", (_, message, words) => {
    expect(read(message)).toBe(words);
  });
});

describe("two mentions side by side", () => {
  it.each([
    ["in plain text", { text: "<@UBOT><@UGAMMA>" }],
    ["in rich text", rich(section(user("UBOT"), user("UGAMMA")))],
  ])("%s are two", (_, message) => {
    expect(read(message)).toBe("@Troupe @gamma");
    expect(woken(message)).toEqual(["app", "gamma"]);
  });
});
