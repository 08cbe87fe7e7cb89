import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../../src/store/memory/memory-store.js";
import type { PostShape } from "../../fakes/slack/model.js";
import { settle } from "../../support/fake-clock.js";
import { scripted } from "../../support/rooms.js";
import { startSlackRooms, taken } from "../../support/slack-rooms.js";
import { openSlackTown } from "../../support/slack-town.js";

const alpha = scripted("alpha", "Alpha here: {{text}}");

describe("a message in Slack", () => {
  it("that mentions a persona is answered in a thread on it", async () => {
    const { slack, shows, log, session } = await startSlackRooms({ personas: [alpha] });

    const said = slack.person("ann").say("general", "@alpha are you there?");

    await shows("general", "Alpha here: @alpha are you there?");
    const [trigger] = await log("general");
    expect(trigger?.entry).toMatchObject({
      id: said.ts,
      at: Math.round(Number(said.ts) * 1_000),
      text: "@alpha are you there?",
      sender: { kind: "person", id: slack.person("ann").id, name: "ann" },
    });
    expect(trigger?.outcome).toEqual({
      kind: "parts",
      parts: [{ persona: "alpha", result: "woke", ref: session("general", said.ts) }],
    });
  });

  it.each(["message-first", "mention-first"] as const)(
    "that mentions the app is one entry with its twin, %s",
    async (order) => {
      const { slack, shows, log } = await startSlackRooms({ personas: [alpha] });
      slack.feed.twins = order;

      const said = slack.person("ann").say("general", "@Troupe alpha hello");
      await taken(said);
      await shows("general", "Alpha here:");

      expect(said.deliveries).toHaveLength(2);
      expect(await log("general")).toHaveLength(1);
      expect(slack.recorder.of("chat.postMessage")).toHaveLength(1);
    },
  );

  it("that comes twice, or only by a retry, or again with the same envelope, is handled once", async () => {
    const { slack, log } = await startSlackRooms({ personas: [alpha] });
    slack.courier.fail("duplicate", "retry-only");

    const twice = slack.person("ann").say("general", "one");
    const late = slack.person("ann").say("general", "two");
    await taken(twice, late);
    twice.deliveries[0]?.again();
    const last = slack.person("ann").say("general", "three");
    await taken(last);

    expect((await log("general")).map(({ entry }) => entry.text).sort()).toEqual(["one", "three", "two"]);
  });

  it("whose retry comes six minutes later, after a restart, is still handled once", async () => {
    const town = await openSlackTown();
    const store = createMemoryStore();
    const first = await startSlackRooms({ personas: [alpha], town, store });
    const said = town.slack.person("ann").say("general", "@alpha hello");
    await first.shows("general", "Alpha here:");
    await taken(said);
    await first.stop();
    await town.clock.advance(6 * 60_000);
    const second = await startSlackRooms({ personas: [alpha], town, store });

    said.deliveries[0]?.retryNow();
    const marker = town.slack.person("ann").say("general", "a marker");
    await taken(said, marker);

    expect((await second.log("general")).map(({ entry }) => entry.text)).toEqual(["@alpha hello", "a marker"]);
    expect(town.slack.recorder.of("chat.postMessage")).toHaveLength(1);
  });

  it("is acknowledged only once it is kept, and comes again when it could not be", async () => {
    const store = createMemoryStore();
    const { slack, log } = await startSlackRooms({ personas: [alpha], store });
    const { commit } = store;
    const failed = new Promise<void>((resolve) => {
      store.commit = async () => {
        store.commit = commit;
        resolve();
        throw new Error("the disk is away");
      };
    });

    const said = slack.person("ann").say("general", "hello");
    await failed;
    await settle();
    expect(said.deliveries[0]?.state).toBe("waiting");
    slack.courier.retryNow();
    await taken(said);

    expect((await log("general")).map(({ entry }) => entry.text)).toEqual(["hello"]);
  });

  it("in a private channel, a direct message and a group conversation each have a room of their own", async () => {
    const { slack, shows, log } = await startSlackRooms({ personas: [alpha] });
    const group = slack.workspace.conversationOf(["ann", "bob", "troupe"].map((name) => slack.workspace.user(name).id));

    const ann = slack.person("ann");
    ann.say("den", "@alpha in the den");
    const direct = ann.say("@troupe", "nobody is named here");
    const quiet = ann.say(group.name, "nor here");
    ann.say(group.name, "@alpha in the group");

    await shows("den", "in the den");
    await shows(direct.channel, "nobody is named here");
    await shows(group.name, "in the group");
    await taken(quiet);
    const unaddressed = (await log(group.name)).find(({ entry }) => entry.id === quiet.ts);
    expect(unaddressed?.outcome).toEqual({ kind: "ignored", reason: "no_mention" });
  });

  it("in a thread belongs to the thread, and equal threads of two channels share nothing", async () => {
    const { slack, log, shows } = await startSlackRooms({ personas: [scripted("alpha", "heard")] });
    const ann = slack.person("ann");
    const ts = "1767600000.000100";
    ann.say("general", "root in general", { ts });
    ann.say("den", "root in the den", { ts });

    const one = ann.say("general", "@alpha secret of general", { thread: ts });
    const other = ann.say("den", "@alpha secret of the den", { thread: ts });
    await taken(one, other);
    await shows("general", "heard");
    await shows("den", "heard");

    const texts = async (channel: string) => (await log(channel, ts)).map(({ entry }) => entry.text);
    expect(await texts("general")).toContain("@alpha secret of general");
    expect(await texts("general")).not.toContain("@alpha secret of the den");
    expect(await texts("den")).toContain("@alpha secret of the den");
  });

  it("in a thread that is opened on a persona's post is for that persona", async () => {
    const { slack, shows } = await startSlackRooms({ personas: [scripted("beta", "b"), alpha], reply: "channel" });
    const ann = slack.person("ann");
    ann.say("general", "@alpha hello");
    await shows("general", "Alpha here: @alpha hello");
    const post = slack.seen("general").find(({ text }) => text.includes("Alpha here"));

    ann.say("general", "and then?", { thread: post?.ts ?? "" });
    await shows("general", "Alpha here: and then?");
  });

  it("that a thread also shows in its channel stays in the thread", async () => {
    const { slack, log } = await startSlackRooms({ personas: [alpha] });
    const root = slack.person("ann").say("general", "root");
    await taken(root, slack.person("ann").say("general", "for all", { thread: root, broadcast: true }));

    expect((await log("general", root.ts)).map(({ entry }) => entry.text)).toEqual(["for all"]);
    expect((await log("general")).map(({ entry }) => entry.text)).toEqual(["root"]);
  });

  it("that a client has sent twice by one gesture is one message", async () => {
    const { slack, log, logs } = await startSlackRooms({ personas: [alpha] });
    const gesture = { clientMsgId: "one-gesture" };
    await taken(
      slack.person("ann").say("general", "hello", gesture),
      slack.person("ann").say("general", "hello", gesture),
    );

    expect(await log("general")).toHaveLength(1);
    expect(logs.lines).toContainEqual(
      expect.objectContaining({
        message: "an event was left out",
        fields: expect.objectContaining({ reason: "a second message of one gesture" }),
      }),
    );
  });

  it("that has not the form of one is a line in the log and nothing more", async () => {
    const { slack, log, logs } = await startSlackRooms({ personas: [alpha] });
    const app = slack.workspace.app("troupe");

    const odd = [{ type: "message", channel: 7 }, { type: "message", channel: "C1", ts: "soon" }, { type: "message" }];
    await Promise.all(odd.map((event) => slack.feed.tellApp(app, event).settled));
    await taken(slack.person("ann").say("general", "still here"));

    expect(await log("general")).toHaveLength(1);
    const lines = ["an event from Slack has not the form of one", "something from Slack could not be read"];
    expect(logs.lines.filter(({ message }) => lines.includes(message))).toHaveLength(3);
  });

  it("too long to be kept is acknowledged, once, with a line in the log", async () => {
    const { slack, log, logs } = await startSlackRooms({ personas: [alpha] });
    await taken(slack.person("ann").say("general", "a".repeat(100_001), { raw: true }));

    expect(await log("general")).toEqual([]);
    expect(logs.lines).toContainEqual(expect.objectContaining({ message: "a message from Slack cannot be taken" }));
  });
});

describe("what was not said by a person", () => {
  it.each<PostShape>(["bot_message", "plain", "bare"])(
    "is known as our own in the shape %s, and its edits and deletes too",
    async (shape) => {
      const { slack, log } = await startSlackRooms({ personas: [alpha] });
      slack.feed.echoesMetadata = false;
      const post = slack.robot("troupe").say("general", "@alpha and @Troupe", { username: "Alpha", shape });
      const persona = slack.robot("gamma").say("general", "@alpha", { shape });
      const channel = slack.workspace.channel("general");
      const edit = slack.board.edit(channel, slack.board.find(channel, post.ts), { text: "@alpha again" });
      const removal = slack.board.remove(channel, slack.board.find(channel, post.ts));
      await taken(post, persona, edit, removal);

      expect(await log("general")).toEqual([]);
    },
  );

  it("but by another app is kept as context and wakes nobody, unless the room listens to it", async () => {
    const { slack, log } = await startSlackRooms({ personas: [alpha] });
    await taken(slack.robot("pager").say("general", "@alpha look"));

    const [entry] = await log("general");
    expect(entry?.entry.sender).toEqual({ kind: "bot", id: slack.workspace.app("pager").botId, name: "Pager" });
    expect(entry?.outcome).toEqual({ kind: "ignored", reason: "bot" });
  });

  it("by a bot that the room listens to wakes as an agent does", async () => {
    const town = await openSlackTown();
    const bots = [town.slack.workspace.app("pager").botId];
    const { slack, shows } = await startSlackRooms({ personas: [alpha], town, bots });
    slack.robot("pager").say("general", "@alpha look", { username: "Nightly", shape: "bot_message" });

    await shows("general", "Alpha here: @alpha look");
  });

  it("such as people joining or renaming is left out, with its reason in the log", async () => {
    const { slack, log, logs } = await startSlackRooms({ personas: [alpha] });
    const { id } = slack.workspace.channel("general");
    const joined = {
      type: "message",
      subtype: "channel_join",
      channel: id,
      ts: "1767600001.000100",
      user: "U1",
      text: "@alpha",
    };
    await slack.feed.tellApp(slack.workspace.app("troupe"), joined).settled;

    expect(await log("general")).toEqual([]);
    expect(logs.lines).toContainEqual({
      level: "debug",
      message: "an event was left out",
      fields: { channel: id, ts: "1767600001.000100", reason: "subtype channel_join" },
    });
  });
});
