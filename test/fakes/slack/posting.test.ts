import type { webApi } from "@slack/bolt";
import { describe, expect, it } from "vitest";
import { refusal, slackClient } from "../../support/slack-bolt.js";
import { openSlackTown } from "../../support/slack-town.js";

const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text } });
const button = (text: string, more = {}) => ({
  type: "actions",
  elements: [{ type: "button", action_id: "go", text: { type: "plain_text", text }, ...more }],
});

async function open() {
  const town = await openSlackTown();
  const channel = town.slack.workspace.channel("general").id;
  const client = slackClient(town.slack);
  return {
    ...town,
    channel,
    client,
    post: (args: object): Promise<webApi.ChatPostMessageResponse> =>
      client.apiCall("chat.postMessage", { channel, ...args }),
  };
}

describe("a post", () => {
  it("stands in the channel under its own name and icon, the emoji before the address", async () => {
    const { slack, post } = await open();

    await post({ text: "hi", username: "Alpha", icon_emoji: ":owl:", icon_url: "https://a.example/owl.png" });
    await post({ text: "ho", username: "Beta", icon_url: "https://a.example/fox.png" });

    expect(slack.transcript("general")).toEqual([":owl: Alpha [APP]: hi", "https://a.example/fox.png Beta [APP]: ho"]);
  });

  it("needs a scope for a name of its own, and a picture that can be one", async () => {
    const { slack, post } = await open();

    expect(await refusal(post({ text: "hi", icon_emoji: "owl" }))).toBe("invalid_arguments");
    expect(await refusal(post({ text: "hi", icon_url: "http://a.example/owl.png" }))).toBe("invalid_arguments");
    slack.workspace.app("troupe").scopes.delete("chat:write.customize");
    await expect(post({ text: "hi", username: "Alpha" })).rejects.toMatchObject({
      data: { error: "missing_scope", needed: "chat:write.customize" },
    });
    expect(slack.transcript("general")).toEqual([]);
  });

  it("goes only where the app is, and where one can still post", async () => {
    const { slack, client, post } = await open();
    const text = "hi";
    const side = slack.workspace.addChannel({ name: "side", members: ["ann"] }).id;
    const den = slack.workspace.channel("den").id;

    expect(await refusal(post({ channel: "C0NOWHERE", text }))).toBe("channel_not_found");
    expect(await refusal(slackClient(slack, "gamma").chat.postMessage({ channel: den, text }))).toBe(
      "channel_not_found",
    );
    expect(await refusal(post({ channel: side, text }))).toBe("not_in_channel");
    slack.workspace.app("troupe").scopes.add("chat:write.public");
    expect((await client.chat.postMessage({ channel: side, text })).ok).toBe(true);
    slack.person("ann").archive("general");
    expect(await refusal(post({ text }))).toBe("is_archived");
  });

  it("is held against the limits of texts", async () => {
    const { slack, post } = await open();

    expect(await refusal(post({ text: "" }))).toBe("no_text");
    expect(await refusal(post({ text: "x".repeat(40_001) }))).toBe("msg_too_long");
    expect(await refusal(post({ markdown_text: "x".repeat(12_001) }))).toBe("msg_too_long");
    expect(await refusal(post({ markdown_text: "x", text: "x" }))).toBe("markdown_text_conflict");
    await post({ text: "x".repeat(40_000) });
    await post({ markdown_text: "x".repeat(12_000) });
    slack.limiter.limits.splitTextAt = 4_000;
    await post({ text: `${"x".repeat(4_000)}end` });
    expect(slack.seen("general").map(({ text }) => text.length)).toEqual([40_000, 12_000, 4_000, 3]);
  });

  it.each([
    ["51 blocks", Array.from({ length: 51 }, () => ({ type: "divider" }))],
    ["a Markdown block that expands to more than 50", [{ type: "markdown", text: "# a\n\nb\n\n".repeat(26) }]],
    [
      "12,001 characters of Markdown in two blocks",
      [6_000, 6_001].map((n) => ({ type: "markdown", text: "x".repeat(n) })),
    ],
    ["a section over 3,000 characters", [section("x".repeat(3_001))]],
    ["an empty section", [section("")]],
    ["a button over 75 characters", [button("x".repeat(76))]],
    ["a value over 2,000 characters", [button("Go", { value: "x".repeat(2_001) })]],
    ["a button in mrkdwn", [button("Go", { text: { type: "mrkdwn", text: "Go" } })]],
    ["two buttons of one id", [{ type: "actions", elements: [...button("a").elements, ...button("b").elements] }]],
    ["a type that is none", [{ type: "paragraph", text: "hi" }]],
  ])("with %s is refused as invalid_blocks", async (_, blocks) => {
    const { post } = await open();

    expect(await refusal(post({ text: "fallback", blocks }))).toBe("invalid_blocks");
  });

  it("with blocks that are none, or far too long, is refused", async () => {
    const { post } = await open();

    expect(await refusal(post({ blocks: "[{" }))).toBe("invalid_blocks_format");
    const long = Array.from({ length: 5 }, () => section("x".repeat(2_900)));
    expect(await refusal(post({ blocks: long }))).toBe("msg_blocks_too_long");
  });

  it("gets an id for each block and button that has none", async () => {
    const { post } = await open();

    const answer = await post({ blocks: [section("hi"), { ...button("Go"), block_id: "mine" }] });

    expect(answer).toMatchObject({ message: { blocks: [{ block_id: expect.any(String) }, { block_id: "mine" }] } });
  });

  it("is shown by name whom it calls, and the call is noted", async () => {
    const { slack, post } = await open();
    const ann = slack.person("ann");

    await post({ text: `<!channel> <@${ann.id}> &lt;!here&gt; @everyone` });
    await post({ blocks: [{ type: "markdown", text: "see <!here>" }] });

    expect(slack.board.calls.map(({ who }) => who)).toEqual(["!channel", `@${ann.id}`, "!here"]);
    expect(slack.transcript("general")[0]).toBe("Troupe [APP]: @channel @ann <!here> @everyone");
  });
});

describe("a reply", () => {
  it("stands under its root, and a broadcast in the channel as well", async () => {
    const { slack, post } = await open();
    const { ts } = slack.person("ann").say("general", "question");

    await post({ text: "answer", thread_ts: ts });
    await post({ text: "for all", thread_ts: ts, reply_broadcast: true });

    expect(slack.transcript("general")).toEqual([
      "ann: question",
      "  Troupe [APP]: answer",
      "  Troupe [APP]: for all",
      "Troupe [APP]: for all",
    ]);
  });

  it("to a reply is refused, and to a message that is gone it lands in the channel", async () => {
    const { slack, post } = await open();
    const ann = slack.person("ann");
    const root = ann.say("general", "question");
    const reply = ann.say("general", "more", { thread: root });

    expect(await refusal(post({ text: "x", thread_ts: reply.ts }))).toBe("cannot_reply_to_message");
    const gone = ann.say("general", "never mind");
    ann.remove(gone);
    expect(await post({ text: "late", thread_ts: gone.ts })).not.toHaveProperty("message.thread_ts");
    expect(slack.transcript("general").at(-1)).toBe("Troupe [APP]: late");
  });
});

describe("an update", () => {
  it("keeps the look, takes blocks away with a text, and is the poster's alone", async () => {
    const { slack, client, channel, post } = await open();
    const { ts } = await post({ text: "x", blocks: [button("Go")], username: "Alpha", icon_emoji: ":owl:" });
    const at = { channel, ts: String(ts) };

    expect(await refusal(slackClient(slack, "gamma").chat.update({ ...at, text: "mine" }))).toBe("cant_update_message");
    await client.chat.update({ ...at, text: "", blocks: [section("waiting")] });
    expect(slack.transcript("general")).toEqual([":owl: Alpha [APP]: waiting"]);
    await client.chat.update({ ...at, text: "done" });
    expect(slack.transcript("general")).toEqual([":owl: Alpha [APP]: done (edited)"]);
    expect(await refusal(client.chat.update({ ...at, text: "x".repeat(4_001) }))).toBe("msg_too_long");
    expect(await refusal(client.chat.update({ channel, ts: "1.000001", text: "x" }))).toBe("message_not_found");
    expect(await refusal(slackClient(slack, "gamma").chat.delete(at))).toBe("cant_delete_message");
    await client.chat.delete(at);
    expect(slack.transcript("general")).toEqual([]);
  });
});

describe("a message for one person", () => {
  it("is seen by that person alone, who has to be in the channel", async () => {
    const { slack, client, channel } = await open();
    const [ann, text] = [slack.person("ann").id, "psst"];

    await client.chat.postEphemeral({ channel, user: ann, text });

    expect(slack.transcript("general")).toEqual([]);
    expect(slack.transcript("general", "ann")).toEqual(["Troupe [APP]: psst (only visible to you)"]);
    expect(slack.transcript("general", "bob")).toEqual([]);
    const den = slack.workspace.channel("den").id;
    const cleo = slack.person("cleo").id;
    expect(await refusal(client.chat.postEphemeral({ channel: den, user: cleo, text }))).toBe("user_not_in_channel");
    expect((await client.conversations.history({ channel })).messages).toEqual([]);
  });
});

describe("marks at a message", () => {
  it("are a reaction, once, and a status that goes with a post or after two minutes", async () => {
    const { slack, clock, client, channel, post } = await open();
    const { ts } = slack.person("ann").say("general", "question");
    const react = () => client.reactions.add({ channel, timestamp: ts, name: "eyes" });
    const think = () =>
      client.apiCall("assistant.threads.setStatus", {
        channel_id: channel,
        thread_ts: ts,
        status: "is thinking…",
        username: "Alpha",
      });

    await react();
    expect(await refusal(react())).toBe("already_reacted");
    await think();
    expect(slack.status("general", ts)).toMatchObject({ text: "is thinking…", username: "Alpha" });
    await post({ text: "answer", thread_ts: ts });
    expect(slack.status("general", ts)).toBeUndefined();
    await think();
    await clock.advance(120_000);
    expect(slack.status("general", ts)).toBeUndefined();
  });
});
