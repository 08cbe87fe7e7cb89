import { describe, expect, it } from "vitest";
import { refusal, slackClient } from "../../support/slack-bolt.js";
import { openSlackTown } from "../../support/slack-town.js";

async function open() {
  const town = await openSlackTown();
  const channel = town.slack.workspace.channel("general").id;
  return { ...town, channel, client: slackClient(town.slack), ann: town.slack.person("ann") };
}

const texts = ({ messages }: { messages?: readonly { text?: string }[] }) => messages?.map(({ text }) => text);

describe("the history of a channel", () => {
  it("goes from new to old, without replies, page by page", async () => {
    const { channel, client, ann } = await open();
    const root = ann.say("general", "one");
    ann.say("general", "reply", { thread: root });
    ann.say("general", "two");
    ann.say("general", "for all", { thread: root, broadcast: true });

    const first = await client.conversations.history({ channel, limit: 2 });
    const cursor = first.response_metadata?.next_cursor ?? "";
    const second = await client.conversations.history({ channel, limit: 2, cursor });

    expect([texts(first), first.has_more]).toEqual([["for all", "two"], true]);
    expect([texts(second), second.has_more]).toEqual([["one"], false]);
    expect(second.messages?.[0]).toMatchObject({ thread_ts: root.ts, reply_count: 2 });
  });

  it("has a window, open at both ends unless asked otherwise", async () => {
    const { channel, client, ann } = await open();
    const [one, , three] = ["one", "two", "three"].map((text) => ann.say("general", text));
    const window = { channel, oldest: one?.ts ?? "", latest: three?.ts ?? "" };

    expect(texts(await client.conversations.history(window))).toEqual(["two"]);
    expect(texts(await client.conversations.history({ ...window, inclusive: true }))).toEqual(["three", "two", "one"]);
  });

  it("shows metadata only when asked for all of it", async () => {
    const { channel, client } = await open();
    const metadata = { event_type: "troupe_entry", event_payload: { id: "e1", n: 0 } };
    await client.chat.postMessage({ channel, text: "hi", metadata });

    const plain = await client.conversations.history({ channel });
    const full = await client.conversations.history({ channel, include_all_metadata: true });

    expect(plain.messages?.[0]).not.toHaveProperty("metadata");
    expect(full.messages?.[0]).toMatchObject({ metadata });
    const half = { event_type: "troupe_entry" };
    expect(await refusal(client.apiCall("chat.postMessage", { channel, text: "x", metadata: half }))).toBe(
      "invalid_metadata_schema",
    );
    expect(await refusal(client.apiCall("chat.postMessage", { channel, text: "x", metadata: "{" }))).toBe(
      "invalid_metadata_format",
    );
  });

  it("is for members with the scope alone", async () => {
    const { slack, channel, client } = await open();
    const side = slack.workspace.addChannel({ name: "side", members: ["ann"] }).id;

    expect(await refusal(client.conversations.history({ channel: side }))).toBe("not_in_channel");
    slack.workspace.app("troupe").scopes.delete("channels:history");
    await expect(client.conversations.history({ channel })).rejects.toMatchObject({
      data: { error: "missing_scope", needed: "channels:history" },
    });
  });
});

describe("a thread", () => {
  it("begins with its root whatever the window, then goes from old to new", async () => {
    const { channel, client, ann } = await open();
    const root = ann.say("general", "root");
    const first = ann.say("general", "first", { thread: root });
    ann.say("general", "second", { thread: root });

    const replies = await client.conversations.replies({ channel, ts: root.ts, oldest: first.ts });

    expect(texts(replies)).toEqual(["root", "second"]);
    expect(await refusal(client.conversations.replies({ channel, ts: "1.000001" }))).toBe("thread_not_found");
  });
});

describe.each([
  ["bot_message", { subtype: "bot_message" }, ["user"]],
  ["plain", { user: expect.stringMatching(/^U/), bot_profile: expect.anything() }, ["subtype"]],
  ["bare", {}, ["user", "subtype", "app_id"]],
] as const)("a customised post in the shape %s", (shape, has, hasNot) => {
  it("comes back so in history", async () => {
    const { slack, channel, client } = await open();
    slack.workspace.postShape = shape;
    await client.chat.postMessage({ channel, text: "hi", username: "Alpha", icon_emoji: ":owl:" });

    const [message] = (await client.conversations.history({ channel })).messages ?? [];

    const { botId } = slack.workspace.app("troupe");
    expect(message).toMatchObject({ bot_id: botId, username: "Alpha", icons: { emoji: ":owl:" }, ...has });
    for (const name of hasNot) expect(message).not.toHaveProperty(name);
  });
});
