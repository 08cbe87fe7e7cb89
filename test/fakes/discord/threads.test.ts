import { Events } from "discord.js";
import { describe, expect, it } from "vitest";
import { rawCall, readyClient, textChannel } from "../../support/discord-client.js";
import { openDiscordTown } from "../../support/discord-town.js";

async function open() {
  const { discord } = await openDiscordTown();
  const client = await readyClient(discord);
  const general = await textChannel(client, discord.workspace.channel("general").id);
  const webhook = await general.createWebhook({ name: "troupe" });
  return { discord, client, general, webhook, ann: discord.person("ann") };
}

describe("a thread", () => {
  it("on a message has its id, and begins only once", async () => {
    const { discord, general, ann } = await open();
    const said = ann.say("general", "question");
    const message = await general.messages.fetch(said.id);

    const thread = await message.startThread({ name: "answers" });

    expect(thread.id).toBe(said.id);
    expect(thread.parentId).toBe(general.id);
    // The client itself would not ask again.
    const again = rawCall(discord, "POST", `/channels/${general.id}/messages/${said.id}/threads`, { name: "again" });
    expect(await again).toMatchObject({ status: 400, body: { code: 160004 } });
  });

  it("takes a webhook's posts and edits only with its id", async () => {
    const { discord, webhook, ann } = await open();
    const said = ann.say("general", "question");
    const thread = ann.openThread("general", "talk", { on: said });

    const posted = await webhook.send({ content: "in there", username: "Alpha", threadId: thread.id });
    await webhook.editMessage(posted.id, { content: "edited in there", threadId: thread.id });

    await expect(webhook.editMessage(posted.id, { content: "lost" })).rejects.toMatchObject({ code: 10008 });
    await expect(
      webhook.send({ content: "x", threadId: discord.workspace.channel("random").id }),
    ).rejects.toMatchObject({ code: 10003 });
    expect(discord.transcript("general")).toEqual(["Ann: question", "  Alpha [APP]: edited in there (edited)"]);
  });

  it("of a forum is a post: its first message has its id, and a webhook needs to be told which", async () => {
    const { discord, client, ann } = await open();
    const post = ann.openPost("ideas", "A thought", "what if");
    const forum = await client.channels.fetch(discord.workspace.channel("ideas").id);
    if (!forum?.isThreadOnly()) throw new Error("no forum");
    const webhook = await forum.createWebhook({ name: "troupe" });

    expect(post.id).toBe(post.channel);
    await expect(webhook.send("where?")).rejects.toMatchObject({ code: 220001 });
    await expect(webhook.send({ content: "x", threadId: post.channel, threadName: "y" })).rejects.toMatchObject({
      code: 220002,
    });
    await webhook.send({ content: "then", threadId: post.channel });
    const { id, token } = discord.foreignWebhook("relay", "general").webhook;
    const misplaced = await rawCall(discord, "POST", `/webhooks/${id}/${token}`, { content: "x", thread_name: "y" });
    expect(misplaced.body).toMatchObject({ code: 220003 });
    const own = await forum.threads.create({ name: "Mine", message: { content: "first" } });
    expect(discord.transcript(own.id)).toEqual(["Troupe [APP]: first"]);
    expect(discord.transcript("ideas")).toEqual(["Ann: what if", "  troupe [APP]: then", "Troupe [APP]: first"]);
  });

  it("that is archived opens for a post, and one that is locked does not", async () => {
    const { discord, webhook, ann } = await open();
    const thread = ann.openThread("general", "talk");

    discord.admin.archive(thread.id);
    await webhook.send({ content: "wake up", threadId: thread.id });
    discord.admin.lock(thread.id);

    expect(thread.isArchived).toBe(false);
    await expect(webhook.send({ content: "hello?", threadId: thread.id })).rejects.toMatchObject({ code: 160005 });
    discord.admin.archive(thread.id);
    await expect(webhook.send({ content: "hello?", threadId: thread.id })).rejects.toMatchObject({ code: 50083 });
  });

  it("that the app has not been told of is heard only with partial channels and a kind", async () => {
    const { discord, client, ann } = await open();
    const heard: string[] = [];
    client.on(Events.MessageCreate, ({ content }) => void heard.push(content));
    const thread = ann.openThread("general", "quiet", { isUncached: true });

    discord.feed.hasChannelType = false;
    ann.say("general", "lost", { thread });
    discord.feed.hasChannelType = true;
    ann.say("general", "heard", { thread });
    await discord.recorder.until(() => heard.includes("heard"));

    expect(heard).not.toContain("lost");
    const fetched = await client.channels.fetch(thread.id, { force: true });
    expect(fetched?.isThread() && fetched.parentId).toBe(discord.workspace.channel("general").id);
  });

  it("needs the right to write in threads, and the right to begin one", async () => {
    const { discord, client, general, ann } = await open();
    discord.workspace.deny("home", "troupe", ["sendMessagesInThreads", "createPublicThreads"]);
    discord.workspace.deny("home", "everyone", ["sendMessagesInThreads", "createPublicThreads"]);
    const owner = discord.person("ann");
    const thread = owner.openThread("general", "talk");
    const said = ann.say("general", "question");

    const shown = await client.channels.fetch(thread.id);
    if (!shown?.isThread()) throw new Error("no thread");
    await expect(shown.send("x")).rejects.toMatchObject({ code: 50013 });
    await expect(general.threads.create({ name: "x", startMessage: said.id })).rejects.toMatchObject({ code: 50013 });
    await general.send("in the channel");
  });
});
