import { type Client, Events, Options } from "discord.js";
import { describe, expect, it } from "vitest";
import { discordClient, readyClient } from "../../support/discord-client.js";
import { openDiscordTown } from "../../support/discord-town.js";

async function open() {
  const { discord } = await openDiscordTown();
  const client = await readyClient(discord);
  const [line] = discord.gateway.open();
  if (!line) throw new Error("the client has no line");
  return { discord, client, line, ann: discord.person("ann"), heard: hear(client) };
}

/** What the client hears, as it comes. */
function hear(client: Client): string[] {
  const heard: string[] = [];
  client.on(Events.MessageCreate, (message) => void heard.push(message.content));
  client.on(Events.MessageUpdate, (_, message) => void heard.push(`edited: ${message.content}`));
  client.on(Events.MessageDelete, () => void heard.push("deleted"));
  client.on(Events.MessageBulkDelete, (messages) => void heard.push(`deleted ${messages.size}`));
  return heard;
}

describe("the gateway", () => {
  it("takes a session up again after op 7, a close or a break, and sends what was missed, in order", async () => {
    const { discord, ann, heard } = await open();
    const breaks = ["reconnect", "close", "kill"] as const;

    for (const [index, how] of breaks.entries()) {
      const line = discord.gateway.open().at(-1);
      if (how === "close") line?.close(4000);
      else line?.[how]();
      ann.say("general", `missed ${index} a`);
      ann.say("general", `missed ${index} b`);
      await discord.recorder.until(() => discord.gateway.identifies + discord.gateway.resumes === index + 2);
      await discord.recorder.until(() => heard.length === (index + 1) * 2);
    }

    expect(heard).toEqual(breaks.flatMap((_, index) => [`missed ${index} a`, `missed ${index} b`]));
    expect([discord.gateway.identifies, discord.gateway.resumes]).toEqual([1, 3]);
  });

  it("says op 9 to a session that it does not know, and the client begins a new one", async () => {
    const { discord, ann, line, heard } = await open();

    discord.gateway.forgetSessions();
    line.close(4000);
    await discord.recorder.until(() => discord.gateway.identifies === 2 && discord.gateway.open().length === 1);
    ann.say("general", "still there?");

    await discord.recorder.until(() => heard.includes("still there?"));
    expect(discord.gateway.resumes).toBe(0);
    expect(discord.gateway.connections[1]?.received).toContainEqual(expect.objectContaining({ op: 6 }));
  });

  it("that is silent makes the client leave and take the session up again", async () => {
    const { discord } = await openDiscordTown();
    discord.gateway.heartbeatMs = 50;
    const client = await readyClient(discord);
    const heard = hear(client);

    discord.gateway.open()[0]?.mute();
    discord.person("ann").say("general", "into the void");

    await discord.recorder.until(() => discord.gateway.resumes > 0 && heard.length > 0);
    expect(heard).toEqual(["into the void"]);
    expect(discord.gateway.connections[0]?.closedBy).toBe(4200);
  });

  it("can be down for a while: it refuses connections, and the client comes back by itself", async () => {
    const { discord, ann, heard } = await open();

    await discord.down();
    await expect(fetch(discord.apiUrl)).rejects.toThrow("fetch failed");
    ann.say("general", "while it was down");
    await discord.up();
    await discord.recorder.until(() => discord.gateway.open().length === 1);
    ann.say("general", "up again");

    await discord.recorder.until(() => heard.includes("up again"));
  });

  it("closes the next connections with the code that is set", async () => {
    const { discord } = await openDiscordTown();
    discord.gateway.refuse(4014, 1);

    await expect(discordClient(discord).login(discord.token)).rejects.toThrow("disallowed intents");

    await readyClient(discord);
    expect(discord.gateway.connections[0]?.closedBy).toBe(4014);
  });

  it("loses, doubles, holds back and reorders what it is told to", async () => {
    const { discord } = await openDiscordTown();
    // A cache would drop what comes twice.
    const client = await readyClient(discord, { makeCache: Options.cacheWithLimits({ MessageManager: 0 }) });
    const heard = hear(client);
    const ann = discord.person("ann");

    discord.gateway.fail("lose", "MESSAGE_CREATE");
    discord.gateway.fail("duplicate", "MESSAGE_CREATE");
    for (const text of ["lost", "twice", "once"]) ann.say("general", text);
    await discord.recorder.until(() => heard.length === 3);
    discord.gateway.hold("MESSAGE_CREATE");
    ann.say("general", "first");
    ann.remove(ann.say("general", "second"));
    await discord.recorder.until(() => heard.length === 4);
    discord.gateway.release("backwards");
    await discord.recorder.until(() => heard.length === 6);

    expect(heard).toEqual(["twice", "twice", "once", "deleted", "second", "first"]);
  });

  it("tells of edits, link previews, deletions and deletions of many", async () => {
    const { discord, client, ann, heard } = await open();
    const stamps: unknown[] = [];
    client.on(Events.MessageUpdate, (_, message) => void stamps.push(message.editedTimestamp));

    const said = ["one", "two", "three"].map((text) => ann.say("general", text));
    const [first, second, third] = said;
    if (!first || !second || !third) throw new Error("three were said");
    ann.preview(first, { type: "link", url: "https://example.org/" });
    ann.edit(first, "one!");
    ann.remove(first);
    ann.removeAll([second, third]);
    await discord.recorder.until(() => heard.length === 7);

    expect(heard.slice(3)).toEqual(["edited: one", "edited: one!", "deleted", "deleted 2"]);
    expect(stamps).toEqual([null, expect.any(Number)]);
  });

  it("keeps texts from an app without the content intent, but for those that mention it or are its own affair", async () => {
    const { discord } = await openDiscordTown();
    const client = await readyClient(discord, { intents: ["Guilds", "GuildMessages", "DirectMessages"] });
    const heard = hear(client);
    const ann = discord.person("ann");

    ann.say("general", "secret");
    ann.say("general", "@Troupe open");
    ann.say("@troupe", "between us");
    await discord.recorder.until(() => heard.length === 3);

    expect(heard).toEqual(["", `<@${discord.botUserId}> open`, "between us"]);
  });

  it("says nothing of channels that the app does not see", async () => {
    const { discord, ann, heard } = await open();
    discord.workspace.deny("home", "troupe", ["viewChannel"], "den");

    ann.say("den", "hidden");
    ann.say("general", "open");

    await discord.recorder.until(() => heard.length === 1);
    expect(heard).toEqual(["open"]);
  });
});
