import { Events } from "discord.js";
import { describe, expect, it } from "vitest";
import { rawCall, readyClient, textChannel } from "../../support/discord-client.js";
import { openDiscordTown } from "../../support/discord-town.js";

async function open() {
  const { discord, clock } = await openDiscordTown();
  const client = await readyClient(discord);
  const general = await textChannel(client, discord.workspace.channel("general").id);
  return { discord, clock, client, general };
}

describe("a server", () => {
  it("changes while the bot is there: channels come and go, rights change, webhooks move", async () => {
    const { discord, client, general } = await open();
    const told: string[] = [];
    client.on(Events.ChannelCreate, (it) => void told.push(`+${it.name}`));
    client.on(Events.ChannelDelete, () => void told.push("-"));
    client.on(Events.WebhooksUpdate, (it) => void told.push(`webhooks of ${it.name}`));
    const webhook = await general.createWebhook({ name: "troupe" });
    await discord.recorder.until(() => told.length === 1);

    discord.admin.createChannel({ name: "new" });
    discord.admin.moveWebhooks("general", "random");
    discord.admin.removeWebhooks("random");
    discord.admin.deleteChannel("den");
    discord.workspace.deny("home", "troupe", ["manageWebhooks"]);
    discord.admin.tellRights("home");
    await discord.recorder.until(() => general.guild.members.me?.permissions.has("ManageWebhooks") === false);

    expect(told).toEqual([
      "webhooks of general",
      "+new",
      "webhooks of general",
      "webhooks of random",
      "webhooks of random",
      "-",
    ]);
    await expect(webhook.send("x")).rejects.toMatchObject({ code: 10015 });
  });

  it("can be away, and can throw the bot out and ask it in again", async () => {
    const { discord, client } = await open();
    const { id } = discord.workspace.guild("home");
    const has = () => client.guilds.cache.get(id)?.available;

    discord.admin.outage("home", true);
    await discord.recorder.until(() => has() === false);
    discord.person("ann").say("general", "nobody hears this");
    discord.admin.outage("home", false);
    await discord.recorder.until(() => has() === true);
    discord.admin.removeBot("home");
    await discord.recorder.until(() => has() === undefined);
    discord.admin.inviteBot("home");
    await discord.recorder.until(() => has() === true);

    expect(client.channels.cache.some((it) => "name" in it && it.name === "general")).toBe(true);
  });

  it("gives its active threads, and private ones only to those who were brought in", async () => {
    const { discord, client } = await open();
    const ann = discord.person("ann");
    const talk = ann.openThread("general", "talk");
    const quiet = ann.openThread("general", "quiet", { isPrivate: true });
    discord.admin.archive(ann.openThread("general", "old").id);
    const active = () => client.guilds.cache.first()?.channels.fetchActiveThreads();

    const before = await active();
    ann.bring(quiet.id, "troupe");
    const after = await active();

    expect(before?.threads.map((it) => it.id)).toEqual([talk.id]);
    expect(after?.threads.map((it) => it.id)).toEqual([talk.id, quiet.id]);
  });

  it("with a slow mode makes the bot wait, unless it may pass it by", async () => {
    const { discord, clock, general } = await open();
    discord.workspace.channel("general").slowmode = 10;
    const path = `/channels/${general.id}/messages`;
    const post = async () => (await rawCall(discord, "POST", path, { content: "x" })).status;

    expect([await post(), await post()]).toEqual([200, 429]);
    await clock.advance(10_000);
    expect(await post()).toBe(200);
    discord.workspace.allow("home", "troupe", ["bypassSlowmode"]);
    expect(await post()).toBe(200);
  });

  it("shows a link's preview as a change before the one who posts has an answer", async () => {
    const { discord, client, general } = await open();
    const order: string[] = [];
    client.on(
      Events.MessageUpdate,
      (_, { embeds, editedTimestamp }) => void order.push(`${embeds.length} ${editedTimestamp}`),
    );
    discord.board.previewsLinks = true;
    let answer = () => {};
    const until = new Promise<void>((resolve) => {
      answer = resolve;
    });
    discord.faults.add({ method: "create_message", fault: { kind: "accept-then-wait", until } });

    const sent = general.send("see https://example.org/");
    await discord.recorder.until(() => order.length === 1);
    answer();
    await sent;

    expect(order).toEqual(["1 null"]);
  });
});
