import { describe, expect, it } from "vitest";
import { discordClient, readyClient, textChannel } from "../../support/discord-client.js";
import { openDiscordTown } from "../../support/discord-town.js";

describe("logging in", () => {
  it("gives a client its server, channels, roles and rights", async () => {
    const { discord } = await openDiscordTown();

    const client = await readyClient(discord);

    const guild = client.guilds.cache.get(discord.workspace.guild("home").id);
    expect(guild?.channels.cache.map((it) => it.name)).toEqual(["general", "random", "news", "ideas", "den"]);
    expect(guild?.roles.botRoleFor(client.user)?.name).toBe("Troupe");
    expect(guild?.members.me?.permissions.has(["ManageWebhooks", "SendMessagesInThreads"])).toBe(true);
    expect(guild?.members.me?.permissions.has("ManageMessages")).toBe(false);
    expect(discord.gateway.open("troupe")).toHaveLength(1);
  });

  it("is refused with a token that is not one, with intents that the portal does not grant, and with none that there are", async () => {
    const { discord } = await openDiscordTown();

    await expect(discordClient(discord).login("not.a.token")).rejects.toThrow("An invalid token was provided");
    discord.app.privileges.clear();
    await expect(discordClient(discord).login(discord.token)).rejects.toThrow("Used disallowed intents");
    await expect(discordClient(discord, { intents: 1 << 27 }).login(discord.token)).rejects.toThrow();
  });

  it("shows what people say, and what a webhook says, which people see under its name", async () => {
    const { discord } = await openDiscordTown();
    const client = await readyClient(discord);
    const heard: string[] = [];
    client.on("messageCreate", (message) => void heard.push(`${message.author.username}: ${message.content}`));

    const said = discord.person("ann").say("general", "hello @Troupe");
    const channel = await textChannel(client, said.channel);
    const webhook = await channel.createWebhook({ name: "troupe" });
    await webhook.send({ content: "hi there", username: "Alpha", allowedMentions: { parse: [] } });
    await discord.recorder.until(() => heard.length === 2);

    expect(heard).toEqual([`ann: hello <@${discord.botUserId}>`, "Alpha: hi there"]);
    expect(discord.transcript("general")).toEqual(["Ann: hello @Troupe", "Alpha [APP]: hi there"]);
    expect(discord.recorder.of("execute_webhook")[0]).toMatchObject({
      token: "none",
      query: { wait: "true" },
      outcome: "ok",
    });
  });
});
