import { type APIActionRowComponent, type APIButtonComponent, ButtonStyle, Events } from "discord.js";
import { describe, expect, it } from "vitest";
import { readyClient, textChannel } from "../../support/discord-client.js";
import { openDiscordTown } from "../../support/discord-town.js";

async function open() {
  const { discord } = await openDiscordTown();
  const client = await readyClient(discord);
  const general = await textChannel(client, discord.workspace.channel("general").id);
  return { discord, client, general, ann: discord.person("ann") };
}

const ROW: APIActionRowComponent<APIButtonComponent> = {
  type: 1,
  components: [{ type: 2, style: ButtonStyle.Primary, label: "Resume", custom_id: "troupe:1" }],
};

describe("a webhook", () => {
  it("is made, listed with its token and owner, and told of", async () => {
    const { discord, client, general } = await open();
    const told: string[] = [];
    client.on(Events.WebhooksUpdate, (channel) => void told.push(channel.id));

    const made = await general.createWebhook({ name: "troupe" });
    discord.foreignWebhook("relay", "general");
    const all = await general.fetchWebhooks();
    await discord.recorder.until(() => told.length === 2);

    expect(all.map((it) => [it.name, it.applicationId])).toEqual([
      ["troupe", discord.applicationId],
      ["relay", null],
    ]);
    expect(all.get(made.id)?.token).toBe(made.token);
  });

  it("cannot be made beyond 15, in a thread, without the right, or under a forbidden name", async () => {
    const { discord, general, ann } = await open();
    await expect(general.createWebhook({ name: "My Discord" })).rejects.toMatchObject({
      code: 50035,
      rawError: { errors: { name: { _errors: [{ code: "USERNAME_INVALID_CONTAINS" }] } } },
    });
    for (let i = 0; i < 15; i++) discord.foreignWebhook(`w${i}`, "general");
    await expect(general.createWebhook({ name: "troupe" })).rejects.toMatchObject({ code: 30007 });
    discord.workspace.deny("home", "troupe", ["manageWebhooks"], "general");

    await expect(general.createWebhook({ name: "troupe" })).rejects.toMatchObject({ code: 50013 });
    await expect(general.fetchWebhooks()).rejects.toMatchObject({ code: 50013 });
    expect(ann.openThread("random", "talk").parentId).toBe(discord.workspace.channel("random").id);
  });

  it("posts under any name that is not forbidden", async () => {
    const { discord, general } = await open();
    const webhook = await general.createWebhook({ name: "troupe" });
    const refused = ["Clyde", "my discord friend", "here", "Everyone", "a```b", "a@b", "#a", "a: b", "x".repeat(81)];

    for (const username of refused) {
      await expect(webhook.send({ content: "x", username })).rejects.toMatchObject({
        code: 50035,
        rawError: { errors: { username: { _errors: expect.anything() } } },
      });
    }
    await webhook.send({ content: "x", username: "over here", avatarURL: "https://example.org/a.png" });

    expect(discord.seen("general")).toMatchObject([
      { name: "over here", avatar: "https://example.org/a.png", isWebhook: true },
    ]);
  });

  it("that is gone, has another token or has moved takes nothing for the old place", async () => {
    const { discord, general } = await open();
    const webhook = await general.createWebhook({ name: "troupe" });
    const sent = await webhook.send("here I am");
    const random = discord.workspace.channel("random").id;

    await webhook.edit({ channel: random });
    await expect(webhook.editMessage(sent.id, "x")).rejects.toMatchObject({ code: 10008 });
    await webhook.send("moved");
    await webhook.delete();
    await expect(webhook.send("gone")).rejects.toMatchObject({ code: 10015 });

    expect(discord.transcript("general")).toEqual(["troupe [APP]: here I am"]);
    expect(discord.transcript("random")).toEqual(["troupe [APP]: moved"]);
  });

  it("has buttons if it is an app's; of another they are dropped, and with them a post that has nothing else", async () => {
    const { discord, client, general, ann } = await open();
    const own = await general.createWebhook({ name: "troupe" });
    const { webhook } = discord.foreignWebhook("relay", "random");
    const foreign = await client.fetchWebhook(webhook.id, webhook.token);

    await own.send({ content: "press", components: [ROW] });
    await foreign.send({ content: "no button", components: [ROW] });

    expect(ann.sees("general", "Resume").customId).toBe("troupe:1");
    expect(discord.seen("random").map((it) => it.buttons)).toEqual([[]]);
    await expect(foreign.send({ components: [ROW] })).rejects.toMatchObject({ code: 50006 });
  });

  it("pings users by default, and with a rule only those of the rule; an edit is read anew", async () => {
    const { discord, general, ann } = await open();
    const webhook = await general.createWebhook({ name: "troupe" });
    const bob = discord.person("bob").id;
    const content = `<@${ann.id}> <@${bob}> @everyone`;

    await webhook.send({ content });
    const quiet = await webhook.send({ content, allowedMentions: { parse: [], users: [bob] } });
    await webhook.editMessage(quiet.id, { content });

    const pinged = discord.seen("general").map((it) => it.pinged);
    expect(pinged).toEqual([
      ["@ann", "@bob"],
      ["@bob", "@ann"],
    ]);
  });

  it("sends files, which stand on another host and can be fetched without a token", async () => {
    const { discord, general } = await open();
    const webhook = await general.createWebhook({ name: "troupe" });

    const sent = await webhook.send({
      content: "see",
      files: [{ attachment: Buffer.from("hello"), name: "a b.txt", description: "A" }],
    });
    const [file] = discord.board.find(discord.workspace.channel("general"), sent.id).attachments;

    expect(await (await fetch(file?.url ?? "")).text()).toBe("hello");
    expect(discord.seen("general")).toMatchObject([{ files: ["a_b.txt"] }]);
    expect(discord.cdn.downloads).toMatchObject([{ status: 200, authorization: undefined }]);
    discord.cdn.expire();
    expect((await fetch(file?.url ?? "")).status).toBe(404);
  });
});
