import { describe, expect, it } from "vitest";
import { slackClient } from "../../support/slack-bolt.js";
import { openSlackTown } from "../../support/slack-town.js";

async function shown(...blocks: readonly object[]) {
  const { slack } = await openSlackTown();
  const channel = slack.workspace.channel("general").id;
  await slackClient(slack).apiCall("chat.postMessage", { channel, text: "fallback", blocks });
  return slack.seen("general")[0]?.text;
}

const markdown = (text: string) => shown({ type: "markdown", text });

describe("what people see", () => {
  it.each([
    ["**重要**です", "重要です"],
    ["# Plan\n\nread [it](https://u.example)", "Plan\nread it (https://u.example)"],
    ["`a ** b` and ~~not~~ *so*", "`a ** b` and not so"],
    ["```ts\nconst a = '**b**';\n```", "```ts\nconst a = '**b**';\n```"],
    ["| a | b |\n|---|---|\n| 1 | 2 |", "a | b\n1 | 2"],
    ["1. one\n2. two\n\n- [x] done", "1. one\n2. two\n• [x] done"],
    ["a ** b", "a ** b"],
    ["&lt;!channel&gt; and <!here>", "<!channel> and @here"],
    ["`a &lt; b` <https://u.example>", "`a < b` https://u.example"],
  ])("of the Markdown %j is %j", async (text, seen) => {
    expect(await markdown(text)).toBe(seen);
  });

  it("of blocks is the blocks, not the text beside them, with the buttons below", async () => {
    const plain = (text: string) => ({ type: "plain_text", text });

    const seen = await shown(
      { type: "header", text: plain("Paused") },
      { type: "section", text: { type: "mrkdwn", text: "by *alpha* &amp; beta" }, fields: [plain("a & b")] },
      { type: "divider" },
      { type: "context", elements: [plain("since"), { type: "mrkdwn", text: "<https://u.example|noon>" }] },
      {
        type: "actions",
        elements: ["Resume", "Stop"].map((text) => ({ type: "button", action_id: text, text: plain(text) })),
      },
    );

    expect(seen).toBe("Paused\nby *alpha* & beta\na & b\n---\nsince noon\n[Resume] [Stop]");
  });

  it("of a person's message is what was typed", async () => {
    const { slack } = await openSlackTown();
    const ann = slack.person("ann");
    const typed = "@Troupe look at #general & `@bob`\n> quoted @cleo\n```\ncode <b>\n```\n:eyes: *bold*";

    ann.say("general", typed);

    expect(slack.transcript("general")).toEqual([`ann: ${typed.replace("*bold*", "bold")}`]);
  });
});
