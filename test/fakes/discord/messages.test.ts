import { Events } from "discord.js";
import { describe, expect, it } from "vitest";
import { rawCall, readyClient, textChannel } from "../../support/discord-client.js";
import { openDiscordTown } from "../../support/discord-town.js";

async function open() {
  const { discord, clock } = await openDiscordTown();
  const client = await readyClient(discord);
  const general = await textChannel(client, discord.workspace.channel("general").id);
  return { discord, clock, client, general, ann: discord.person("ann") };
}

describe("a message of the bot", () => {
  it("pings everyone it names by default, as far as it may, and nobody if it says so", async () => {
    const { discord, general, ann } = await open();
    const role = discord.workspace.addRole("home", { name: "helpers" });
    const content = `<@${ann.id}> <@&${role.id}> @everyone`;

    await general.send(content);
    discord.workspace.allow("home", "troupe", ["mentionEveryone"]);
    await general.send(content);
    await general.send({ content, allowedMentions: { parse: [] } });

    expect(discord.seen("general").map((it) => it.pinged)).toEqual([["@ann"], ["@ann", "@&helpers", "@everyone"], []]);
  });

  it("may not name the same kind twice in allowed_mentions", async () => {
    const { general, ann } = await open();

    const both = general.send({ content: "x", allowedMentions: { parse: ["users"], users: [ann.id] } });

    await expect(both).rejects.toMatchObject({ code: 50035 });
  });

  it("stands once when its nonce is enforced, also when it has gone since, and twice when it is not, or much later", async () => {
    const { discord, clock, general } = await open();

    const first = await general.send({ content: "once", nonce: "n1", enforceNonce: true });
    const again = await general.send({ content: "once", nonce: "n1", enforceNonce: true });
    await clock.advance(6 * 60_000);
    await general.send({ content: "once", nonce: "n1", enforceNonce: true });
    await general.send({ content: "once", nonce: "n1" });

    expect(again.id).toBe(first.id);
    expect(discord.seen("general")).toHaveLength(3);
    await first.delete();
    await general.send({ content: "twice", nonce: "n2", enforceNonce: true }).then((it) => it.delete());
    const afterwards = general.send({ content: "twice", nonce: "n2", enforceNonce: true });
    await expect(afterwards).rejects.toMatchObject({ code: 10008 });
  });

  it("is refused when it is too long, empty, or has components that are not right", async () => {
    const { discord, general } = await open();
    const button = (over: object) => ({ type: 2, style: 1, label: "x", custom_id: "1", ...over });
    const withRow = (...components: object[]) => ({ content: "x", components: [{ type: 1, components }] });
    const path = `/channels/${general.id}/messages`;
    const refused = async (body: unknown) => (await rawCall(discord, "POST", path, body)).body;

    expect(await refused({ content: "x".repeat(2001) })).toMatchObject({
      code: 50035,
      errors: { content: { _errors: [{ code: "BASE_TYPE_MAX_LENGTH" }] } },
    });
    expect(await refused({ content: "  " })).toMatchObject({ code: 50006 });
    expect(await refused(withRow(button({ custom_id: "x".repeat(101) })))).toMatchObject({
      errors: { components: { "0": { components: { "0": { custom_id: { _errors: expect.anything() } } } } } },
    });
    expect(await refused(withRow(button({}), button({})))).toMatchObject({
      errors: { components: { _errors: [{ code: "COMPONENT_CUSTOM_ID_DUPLICATED" }] } },
    });
    const six = Array.from({ length: 6 }, (_, index) => button({ custom_id: String(index) }));
    expect(await refused(withRow(...six))).toMatchObject({
      errors: { components: { "0": { components: { _errors: [{ code: "BASE_TYPE_BAD_LENGTH" }] } } } },
    });
    expect(
      await refused({ embeds: [{ description: "x".repeat(4000) }, { description: "x".repeat(2001) }] }),
    ).toMatchObject({
      errors: { embeds: { _errors: [{ code: "MAX_EMBED_SIZE_EXCEEDED" }] } },
    });
    expect(discord.seen("general")).toEqual([]);
  });

  it("answers a message only with the right to read history, and only one that is there", async () => {
    const { discord, general, ann } = await open();
    const message = await general.messages.fetch(ann.say("general", "hi").id);

    await message.reply("hello");
    ann.remove({ id: message.id, channel: general.id });
    await expect(message.reply("hello?")).rejects.toMatchObject({ code: 50035 });
    discord.workspace.deny("home", "troupe", ["readMessageHistory"], "general");
    await expect(message.reply("hello?")).rejects.toMatchObject({ code: 160002 });

    expect(discord.seen("general")).toMatchObject([{ replyTo: message.id, pinged: ["@ann"] }]);
  });

  it("meets the rights of the channel, a channel that is gone, and messages that are not its own", async () => {
    const { discord, general, ann } = await open();
    const said = ann.say("general", "mine");
    const path = `/channels/${general.id}/messages`;

    expect((await rawCall(discord, "PATCH", `${path}/${said.id}`, { content: "x" })).body).toMatchObject({
      code: 50005,
    });
    expect((await rawCall(discord, "DELETE", `${path}/${said.id}`)).body).toMatchObject({ code: 50013 });
    expect((await rawCall(discord, "GET", `${path}/123456789012345678`)).body).toMatchObject({ code: 10008 });
    discord.workspace.deny("home", "troupe", ["sendMessages"], "general");
    expect(await rawCall(discord, "POST", path, { content: "x" })).toMatchObject({
      status: 403,
      body: { code: 50013 },
    });
    discord.workspace.deny("home", "troupe", ["viewChannel"], "general");
    expect((await rawCall(discord, "GET", path)).body).toMatchObject({ code: 50001 });
    discord.admin.deleteChannel("general");
    expect((await rawCall(discord, "GET", path)).body).toMatchObject({ code: 10003 });
    expect((await rawCall(discord, "GET", "/nothing")).status).toBe(404);
  });
});

describe("history", () => {
  it("comes newest first, after, before and around an id, at most 100", async () => {
    const { discord, general, ann } = await open();
    const ids = Array.from({ length: 7 }, (_, index) => ann.say("general", String(index)).id);
    const texts = async (query: object) =>
      [...(await general.messages.fetch({ limit: 3, ...query })).values()].map((it) => it.content);

    expect(await texts({})).toEqual(["6", "5", "4"]);
    expect(await texts({ after: ids[1] })).toEqual(["4", "3", "2"]);
    expect(await texts({ before: ids[4] })).toEqual(["3", "2", "1"]);
    expect(await texts({ around: ids[3] })).toEqual(["4", "3", "2"]);
    expect((await rawCall(discord, "GET", `/channels/${general.id}/messages?limit=101`)).status).toBe(400);
  });

  it("is empty without the right to read it", async () => {
    const { discord, general, ann } = await open();
    ann.say("general", "hi");
    discord.workspace.deny("home", "troupe", ["readMessageHistory"], "general");

    expect((await rawCall(discord, "GET", `/channels/${general.id}/messages`)).body).toEqual([]);
  });
});

describe("a message of a person", () => {
  it("comes with its kind, its mentions, what it answers, and files that can be fetched", async () => {
    const { discord, client, ann } = await open();
    const heard: unknown[] = [];
    client.on(Events.MessageCreate, (message) => {
      heard.push([
        message.type,
        message.mentions.users.size,
        message.mentions.roles.size,
        message.reference?.messageId,
      ]);
    });
    const bob = discord.person("bob");
    const role = discord.workspace.botRole("home", "troupe");

    const said = ann.say("general", "hello @Bob and @nobody");
    bob.say("general", "yes?", { replyTo: said, files: [{ name: "a.txt", bytes: "text" }] });
    bob.say("general", `<@&${role.id}> hi`, { raw: true });
    ann.openThread("general", "talk");
    await discord.recorder.until(() => heard.length >= 4);

    expect(heard.slice(0, 4)).toEqual([
      [0, 1, 0, undefined],
      [19, 1, 0, said.id],
      [0, 0, 0, undefined],
      [18, 0, 0, undefined],
    ]);
    expect(discord.transcript("general")).toEqual([
      "Ann: hello @Bob and @nobody",
      "Bob: yes?\n[file: a.txt]",
      "Bob: @Troupe hi",
    ]);
  });

  it("of a robot, a foreign webhook or in a direct conversation is told from the others", async () => {
    const { discord, client, ann } = await open();
    const heard: unknown[] = [];
    client.on(Events.MessageCreate, ({ author, webhookId, guildId }) => {
      heard.push([author.username, author.bot, webhookId !== null, guildId !== null]);
    });

    discord.robot("pager").say("general", "disk full");
    discord.foreignWebhook("relay", "general").say("hi", { username: "Somebody" });
    ann.say("@troupe", "psst");
    await discord.recorder.until(() => heard.length === 3);

    expect(heard).toEqual([
      ["pager", true, false, true],
      ["Somebody", true, true, true],
      ["ann", false, false, false],
    ]);
  });
});
