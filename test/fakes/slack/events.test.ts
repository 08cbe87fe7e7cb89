import { describe, expect, it } from "vitest";
import { slackClient } from "../../support/slack-bolt.js";
import { openSlackTown } from "../../support/slack-town.js";
import type { Delivery } from "./courier.js";
import { isRecord, type Json } from "./wire.js";

async function open() {
  const town = await openSlackTown();
  const { slack } = town;
  const main = slack.workspace.app("troupe");
  return { ...town, main, ann: slack.person("ann"), channel: slack.workspace.channel("general").id };
}

const eventOf = (delivery: Delivery | undefined): Json => (isRecord(delivery?.body.event) ? delivery.body.event : {});
const kinds = (deliveries: readonly Delivery[]) =>
  deliveries.map((it) => `${it.app} ${eventOf(it).type}${eventOf(it).subtype ? ` ${eventOf(it).subtype}` : ""}`);

describe("a message of a person", () => {
  it("comes as one event, with rich text, in the body of an event", async () => {
    const { slack, main, ann, channel } = await open();

    const { ts, deliveries } = ann.say("general", "hello & welcome");

    expect(deliveries).toHaveLength(1);
    expect(deliveries[0]?.body).toMatchObject({
      type: "event_callback",
      team_id: "T0HOME",
      api_app_id: main.appId,
      event_id: expect.stringMatching(/^Ev/),
      authorizations: [{ team_id: "T0HOME", user_id: main.userId, is_bot: true }],
      event: {
        type: "message",
        user: ann.id,
        text: "hello &amp; welcome",
        ts,
        event_ts: ts,
        channel,
        channel_type: "channel",
        team: "T0HOME",
        client_msg_id: expect.any(String),
        blocks: [{ type: "rich_text" }],
      },
    });
    expect(slack.transcript("general")).toEqual(["ann: hello & welcome"]);
  });

  it("that names the app comes twice, in the order that is set, with one time and two ids", async () => {
    const { slack, ann } = await open();

    const first = ann.say("general", "@Troupe hi");
    slack.feed.twins = "mention-first";
    const second = ann.say("general", "@Troupe hi");

    expect(kinds(first.deliveries)).toEqual(["troupe message", "troupe app_mention"]);
    expect(kinds(second.deliveries)).toEqual(["troupe app_mention", "troupe message"]);
    expect(new Set(first.deliveries.map((it) => eventOf(it).ts)).size).toBe(1);
    expect(new Set(first.deliveries.map((it) => it.body.event_id)).size).toBe(2);
    expect(eventOf(second.deliveries[0])).not.toHaveProperty("channel_type");
  });

  it("comes once in a direct conversation, whatever it names, and in a group as in a channel", async () => {
    const { slack, ann } = await open();
    const group = slack.workspace.conversationOf(["ann", "bob", "troupe"].map((name) => slack.workspace.user(name).id));

    const direct = ann.say("@troupe", "@Troupe hi");
    const inGroup = ann.say(group.id, "@Troupe hi");
    const inDen = ann.say("den", "hi");

    expect(direct.deliveries.map((it) => [eventOf(it).type, eventOf(it).channel_type])).toEqual([["message", "im"]]);
    expect(inGroup.deliveries.map((it) => eventOf(it).channel_type)).toEqual(["mpim", undefined]);
    expect(eventOf(inDen.deliveries[0]).channel_type).toBe("group");
  });

  it("comes to every app that subscribes, may read and is in the channel, once for each", async () => {
    const { slack, main, ann } = await open();
    const gamma = slack.workspace.app("gamma");
    gamma.events.add("message.channels").add("app_mention");
    gamma.scopes.add("channels:history").add("app_mentions:read");

    expect(kinds(ann.say("general", "@gamma hi").deliveries)).toEqual([
      "troupe message",
      "gamma message",
      "gamma app_mention",
    ]);
    ann.kick("general", "gamma");
    expect(kinds(ann.say("general", "@gamma hi").deliveries)).toEqual(["troupe message"]);
    main.scopes.delete("channels:history");
    expect(ann.say("general", "hi").deliveries).toEqual([]);
  });

  it("of a stranger bears the stranger's team; the authorization says whose event it is", async () => {
    const { slack } = await open();

    const [delivery] = slack.person("dora").say("general", "hi").deliveries;

    expect(delivery?.body).toMatchObject({
      team_id: "T0AWAY",
      context_team_id: "T0HOME",
      is_ext_shared_channel: true,
      authorizations: [{ team_id: "T0HOME" }],
      event: { user_team: "T0AWAY", source_team: "T0AWAY" },
    });
  });

  it("in a thread names the root, and a broadcast says so", async () => {
    const { ann } = await open();
    const root = ann.say("general", "root");

    const reply = ann.say("general", "reply", { thread: root });
    const broadcast = ann.say("general", "for all", { thread: root, broadcast: true });

    expect(eventOf(reply.deliveries[0])).toMatchObject({
      thread_ts: root.ts,
      parent_user_id: ann.id,
    });
    expect(eventOf(broadcast.deliveries[0])).toMatchObject({
      subtype: "thread_broadcast",
      thread_ts: root.ts,
      root: { ts: root.ts, text: "root" },
    });
  });
});

describe("a change", () => {
  it("by its author brings the new and the old message, and the mention again, marked as edited", async () => {
    const { ann } = await open();
    const said = ann.say("general", "hi");

    const edit = ann.edit(said, "hi @Troupe");

    expect(kinds(edit.deliveries)).toEqual(["troupe message message_changed", "troupe app_mention"]);
    const [changed, mention] = edit.deliveries.map(eventOf);
    expect(changed).toMatchObject({
      hidden: true,
      message: { ts: said.ts, edited: { user: ann.id } },
      previous_message: { ts: said.ts, text: "hi" },
    });
    expect(changed?.ts).not.toBe(said.ts);
    expect(mention).toMatchObject({ ts: said.ts, edited: { user: ann.id } });
  });

  it("by a preview is one that nobody made", async () => {
    const { ann } = await open();
    const said = ann.say("general", "@Troupe see https://a.example/1");

    const unfurl = ann.unfurl(said, { text: "<@U1> wrote", from_url: "https://a.example/1" });

    expect(kinds(unfurl.deliveries)).toEqual(["troupe message message_changed"]);
    expect(eventOf(unfurl.deliveries[0])).toMatchObject({
      message: { attachments: [{ is_msg_unfurl: true }] },
    });
    expect(eventOf(unfurl.deliveries[0]).message).not.toHaveProperty("edited");
  });

  it("to nothing is a deletion, and of a root with replies a tombstone", async () => {
    const { slack, ann } = await open();
    const lone = ann.say("general", "lone");
    const root = ann.say("general", "root");
    ann.say("general", "reply", { thread: root });

    const [deleted] = ann.remove(lone).deliveries.map(eventOf);
    const [changed] = ann.remove(root).deliveries.map(eventOf);

    expect(deleted).toMatchObject({
      subtype: "message_deleted",
      deleted_ts: lone.ts,
      previous_message: { text: "lone" },
    });
    expect(changed).toMatchObject({
      subtype: "message_changed",
      message: { subtype: "tombstone", ts: root.ts },
      previous_message: { text: "root" },
    });
    expect(slack.transcript("general")).toEqual(["Slackbot: This message was deleted.", "  ann: reply"]);
  });
});

describe("a post of an app", () => {
  it("comes back to the app that made it, with its metadata, and never as its own mention", async () => {
    const { slack, main, channel } = await open();
    const metadata = { event_type: "troupe_entry", event_payload: { id: "e1" } };

    await slackClient(slack).chat.postMessage({ channel, text: `<@${main.userId}> hi`, username: "Alpha", metadata });
    const { ts } = slack.robot("pager").say("general", `<@${main.userId}> disk full`);

    const events = slack.courier.deliveries.map(eventOf);
    expect(events[0]).toMatchObject({ subtype: "bot_message", bot_id: main.botId, app_id: main.appId, metadata });
    expect(events[0]).not.toHaveProperty("user");
    expect(events.slice(1).map((event) => [event.type, event.ts])).toEqual([
      ["message", ts],
      ["app_mention", ts],
    ]);
  });

  it("of a foreign one comes in the shape that is asked for", async () => {
    const { slack } = await open();
    const pager = slack.robot("pager");

    const plain = pager.say("general", "a");
    const classic = pager.say("general", "b", { shape: "bot_message", username: "Pager Prod" });

    const { userId, botId } = pager.app;
    expect(eventOf(plain.deliveries[0])).toMatchObject({ user: userId, bot_id: botId });
    expect(eventOf(classic.deliveries[0])).toMatchObject({ subtype: "bot_message", bot_id: botId });
    expect(eventOf(classic.deliveries[0])).not.toHaveProperty("user");
  });
});

describe("what happens to channels and apps", () => {
  it("is told to the apps that are in them", async () => {
    const { slack, main, ann, channel } = await open();
    slack.workspace.addUser({ name: "eli" });

    ann.invite("general", "eli");
    ann.rename("general", "plaza");
    ann.archive("plaza");
    ann.archive("den");
    slack.robot("troupe").revoke();

    expect(slack.courier.deliveries.map(eventOf)).toMatchObject([
      { type: "member_joined_channel", user: slack.person("eli").id, channel, channel_type: "C" },
      { type: "channel_rename", channel: { id: channel, name: "plaza" } },
      { type: "channel_archive", channel },
      { type: "group_archive" },
      { type: "tokens_revoked", tokens: { bot: [main.userId] } },
    ]);
  });

  it("reaches an app that is put out of one, and then nothing more from there", async () => {
    const { ann, slack, channel } = await open();

    ann.kick("general", "troupe");

    expect(slack.courier.deliveries.map(eventOf)).toMatchObject([{ type: "channel_left", channel }]);
    expect(ann.say("general", "@Troupe hi").deliveries).toEqual([]);
  });
});
