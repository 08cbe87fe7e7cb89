import { describe, expect, it } from "vitest";
import { openSlackTown } from "../../support/slack-town.js";
import { compose } from "./compose.js";
import { type Json, records } from "./wire.js";

async function type(typed: string) {
  const { slack } = await openSlackTown();
  slack.workspace.userGroups.set("crew", "S0CREW");
  const id = (name: string) => slack.workspace.user(name).id;
  const { text, blocks } = compose(typed, slack.workspace);
  return { id, text, elements: records(blocks[0]?.elements), general: slack.workspace.channel("general").id };
}

const leaves = (elements: readonly Json[]) => elements.flatMap((element) => records(element.elements));

describe("the composer", () => {
  it("completes members, apps and user groups, and leaves every other name as it is", async () => {
    const { id, text, elements } = await type("@Troupe alpha, ask @ann. and @crew, not @alpha");

    expect(text).toBe(`<@${id("troupe")}> alpha, ask <@${id("ann")}>. and <!subteam^S0CREW|@crew>, not @alpha`);
    expect(leaves(elements)).toEqual([
      { type: "user", user_id: id("troupe") },
      { type: "text", text: " alpha, ask " },
      { type: "user", user_id: id("ann") },
      { type: "text", text: ". and " },
      { type: "usergroup", usergroup_id: "S0CREW" },
      { type: "text", text: ", not @alpha" },
    ]);
  });

  it("makes tokens of mass mentions, channels, links and addresses, and escapes the rest", async () => {
    const { text, elements, general } = await type("@here #general a<b & https://a.example/@beta. me@alpha.example");

    expect(text).toBe(
      `<!here> <#${general}|general> a&lt;b &amp; <https://a.example/@beta>. <mailto:me@alpha.example|me@alpha.example>`,
    );
    expect(leaves(elements).map((leaf) => leaf.type)).toEqual([
      "broadcast",
      "text",
      "channel",
      "text",
      "link",
      "text",
      "link",
    ]);
  });

  it("reads nothing inside code", async () => {
    const { text, elements } = await type("`@ann <@U1>`\n```ts\n@ann & co\n```");

    expect(text).toBe("`@ann &lt;@U1&gt;`\n```@ann &amp; co```");
    expect(elements.map((element) => element.type)).toEqual(["rich_text_section", "rich_text_preformatted"]);
    expect(leaves(elements)).toEqual([
      { type: "text", text: "@ann <@U1>", style: { code: true } },
      { type: "text", text: "@ann & co" },
    ]);
  });

  it("keeps mentions in quotes and in bold, with their marks in the text only", async () => {
    const { id, text, elements } = await type("> said @ann\n*@bob* and _@alpha_");

    expect(text).toBe(`&gt; said <@${id("ann")}>\n*<@${id("bob")}>* and _@alpha_`);
    expect(elements.map((element) => element.type)).toEqual(["rich_text_quote", "rich_text_section"]);
    expect(leaves(elements).at(-1)).toEqual({ type: "text", text: "@alpha", style: { italic: true } });
  });
});
