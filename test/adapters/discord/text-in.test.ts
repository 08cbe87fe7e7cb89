import { describe, expect, it } from "vitest";
import { textOf } from "../../../adapters/discord/inbound/text-in.js";
import type { Names } from "../../../adapters/discord/inbound/text-in-tokens.js";
import { discordMessage } from "../../../adapters/discord/inbound/wire.js";
import { createMentionParser } from "../../../src/domain/mention.js";
import { addressed } from "../../../src/domain/route.js";

const TEAM = [
  { name: "alpha", displayName: "Alpha" },
  { name: "beta", displayName: "Beta Ray" },
];

const PEOPLE: Readonly<Record<string, string>> = { 20: "Ann", 21: "alpha", 22: "@alpha", 23: "**@beta** `x`", 24: "" };
const ROLES: Readonly<Record<string, ReturnType<Names["role"]>>> = {
  30: { kind: "app", name: "Troupe" },
  31: { kind: "persona", name: "alpha" },
  32: { kind: "other", name: "@alpha fans" },
};

const names: Names = {
  isOwn: (id) => id === "10",
  user: (id) => PEOPLE[id],
  channel: (id) => (id === "40" ? "general" : undefined),
  role: (id) => ROLES[id],
};

function read(content: string, rest: object = {}): string {
  return textOf(discordMessage.parse({ id: "1", channel_id: "2", author: { id: "20" }, content, ...rest }), names);
}

const parse = createMentionParser(TEAM);

/** Who is mentioned, as routing sees it. */
function mentioned(content: string): readonly string[] {
  return parse(read(content)).map((mention) => (mention.kind === "app" ? "app" : mention.name));
}

describe("a mention in Discord", () => {
  it.each([
    ["<@10> hello", "@Troupe hello", ["app"]],
    ["<@!10> hello", "@Troupe hello", ["app"]],
    ["<@&30> hello", "@Troupe hello", ["app"]],
    ["<@&31> hello", "@alpha hello", ["alpha"]],
    ["hey<@10>you", "hey @Troupe you", ["app"]],
    ["<@10><@&31>", "@Troupe @alpha", ["app", "alpha"]],
    ["||<@&31>||", "||@alpha||", ["alpha"]],
    ["@alpha and @Beta Ray", "@alpha and @Beta Ray", ["alpha", "beta"]],
  ])("of the bot or a persona is live: %s", (content, text, live) => {
    expect(read(content)).toBe(text);
    expect(mentioned(content)).toEqual(live);
  });

  it.each([
    ["of a person", "<@20> is here", "Ann is here"],
    ["of a person called as a persona", "<@21> is here", "alpha is here"],
    ["of a person called as a mention", "<@22> is here", "alpha is here"],
    ["of a person whose name is markup", "<@!23> is here", "beta x is here"],
    ["of a person without a name", "<@24> and <@25>", "24 and 25"],
    ["of another role", "<@&32> and <@&33>", "alpha fans and 33"],
    ["of a channel", "<#40> and <#41>", "#general and #41"],
    ["of an emoji", "<:fire:123> <a:dance:124>", ":fire: :dance:"],
    ["of a moment", "<t:1767603600:R>, <t:1767603600>", "2026-01-05 09:00 UTC, 2026-01-05 09:00 UTC"],
    ["of a command", "</agent room:55>", "/agent room"],
    ["of a place in the server", "<id:customize>", "customize"],
    ["of a moment that is none", "<t:9999999999999:F>", "<t:9999999999999:F>"],
    ["of everybody", "@everyone @here", "@everyone @here"],
    ["behind a backslash", "\\<@10> and \\<@&31>", "\\@Troupe and \\@alpha"],
    ["in code", "`<@10>` ``<@&31>``", "`@Troupe` ``@alpha``"],
    ["in a quote", "> <@10>\nyes", "> @Troupe\nyes"],
    ["in a quote of the rest", "yes\n>>> <@10>\n<@&31>", "yes\n> @Troupe\n> @alpha"],
  ])("%s wakes nobody", (_, content, text) => {
    expect(read(content)).toBe(text);
    expect(mentioned(content)).toEqual([]);
  });

  it("of a person right behind the app's addresses nobody, whatever they are called", () => {
    const text = read("<@10>, <@21> says hello");

    expect(text).toBe("@Troupe, (alpha) says hello");
    expect(addressed(text, parse, ["alpha", "beta"])?.persona).toBeUndefined();
    expect(addressed(read("<@10> alpha, hello"), parse, ["alpha", "beta"])?.persona).toBe("alpha");
  });
});

describe("code in Discord", () => {
  it.each([
    ["that ends in the middle of a line", "```js\na()```\n@alpha hi", "```js\na()\n```\n@alpha hi", ["alpha"]],
    ["that begins in the middle of a line", "see ```\n@alpha\n``` @beta", "see \n```\n@alpha\n```\n @beta", ["beta"]],
    ["in one line", "```@alpha``` @beta", "```@alpha``` @beta", ["beta"]],
    ["that nobody ends", "```\n@alpha", "```\n@alpha", []],
    ["with a quote of the rest in it", "```\n>>> a\n``` @beta", "```\n>>> a\n```\n @beta", ["beta"]],
  ])("%s is code in Markdown too", (_, content, text, live) => {
    expect(read(content)).toBe(text);
    expect(mentioned(content)).toEqual(live);
  });
});

describe("a forwarded message", () => {
  it("is a quote, which wakes nobody", () => {
    const snapshots = [{ message: { content: "@alpha was here\nand there" } }];

    const text = read("", { message_snapshots: snapshots });

    expect(text).toBe("> @alpha was here\n> and there");
    expect(parse(text)).toEqual([]);
  });
});
