import { describe, expect, it, vi } from "vitest";
import { createMemoryStore } from "../../../src/store/memory/memory-store.js";
import { startDiscordRooms } from "../../support/discord-rooms.js";
import { openDiscordTown } from "../../support/discord-town.js";
import { settle } from "../../support/fake-clock.js";
import { scripted } from "../../support/rooms.js";

const alpha = scripted("alpha", "Alpha here: {{text}}");
const beta = scripted("beta", "Beta here.");

const DISCORD_EPOCH = Date.UTC(2015, 0, 1);

describe("a message in Discord", () => {
  it("that mentions a persona is answered in its channel", async () => {
    const { discord, shows, logged } = await startDiscordRooms({ personas: [alpha] });

    const said = discord.person("ann").say("general", "@alpha are you there?");

    await shows("general", "Alpha here: @alpha are you there?");
    const [trigger] = await logged("general", (entries) => entries[0]?.outcome !== undefined);
    expect(trigger?.entry).toMatchObject({
      id: said.id,
      at: Number(BigInt(said.id) >> 22n) + DISCORD_EPOCH,
      text: "@alpha are you there?",
      sender: { kind: "person", id: discord.person("ann").id, name: "Ann" },
    });
    expect(trigger?.outcome).toMatchObject({ kind: "parts", parts: [{ persona: "alpha", result: "woke" }] });
  });

  it("is answered in a thread on it where the room wants that, and the talk goes on there", async () => {
    const { discord, shows, session, logged } = await startDiscordRooms({ personas: [alpha], reply: "thread" });

    const said = discord.person("ann").say("general", "@alpha hello");
    await shows(said.id, "Alpha here: @alpha hello");
    discord.person("ann").say("general", "and more", { thread: said });

    await shows(said.id, "Alpha here: and more");
    const entries = await logged("general", (all) => all.length > 1, said.id);
    expect(entries.map(({ entry }) => entry.session)).toContain(session("general", said.id));
  });

  it("that is dispatched twice is handled once", async () => {
    const { discord, log, shows } = await startDiscordRooms({ personas: [alpha] });
    discord.gateway.fail("duplicate", "MESSAGE_CREATE");

    discord.person("ann").say("general", "@alpha one");
    discord.person("ann").say("general", "@alpha two");
    await shows("general", "Alpha here: @alpha two");

    const people = (await log("general")).filter(({ entry }) => entry.sender.kind === "person");
    expect(people.map(({ entry }) => entry.text)).toEqual(["@alpha one", "@alpha two"]);
    expect(discord.transcript("general").filter((line) => line.includes("Alpha here"))).toHaveLength(2);
  });

  it("that comes again after a restart is still handled once", async () => {
    const town = await openDiscordTown();
    const store = createMemoryStore();
    const first = await startDiscordRooms({ personas: [alpha], town, store });
    town.discord.person("ann").say("general", "@alpha hello");
    await first.shows("general", "Alpha here:");
    await first.stop();

    const second = await startDiscordRooms({ personas: [alpha], town, store });
    town.discord.person("ann").say("general", "@alpha again");
    await second.shows("general", "Alpha here: @alpha again");

    const said = (await second.log("general")).filter(({ entry }) => entry.sender.kind === "person");
    expect(said.map(({ entry }) => entry.text)).toEqual(["@alpha hello", "@alpha again"]);
    expect(town.discord.transcript("general").filter((line) => line.includes("Alpha here"))).toHaveLength(2);
  });

  it("keeps its order within a channel, however long each takes to read", async () => {
    const { discord, logged } = await startDiscordRooms({ personas: [] });
    const texts = Array.from({ length: 50 }, (_, i) => `number ${i}`);

    for (const text of texts) discord.person("ann").say("general", text);

    const entries = await logged("general", (all) => all.length === 50);
    expect(entries.map(({ entry }) => entry.text)).toEqual(texts);
  });

  it("in a thread that nobody has told of belongs to the thread's session, whether or not its kind is said", async () => {
    const { discord, logged, shows } = await startDiscordRooms({ personas: [alpha] });
    for (const hasType of [true, false]) {
      discord.feed.hasChannelType = hasType;
      const thread = discord.person("ann").openThread("general", `hidden ${hasType}`, { isUncached: true });

      discord.person("ann").say("general", "@alpha hello", { thread: thread.id });

      await shows(thread.id, "Alpha here: @alpha hello");
      expect((await logged("general", (all) => all.length > 0, thread.id))[0]?.entry.text).toBe("@alpha hello");
    }
  });

  it("that opens a forum post belongs to the post", async () => {
    const { discord, shows, log } = await startDiscordRooms({ personas: [alpha] });

    const post = discord.person("ann").openPost("ideas", "A better boat", "@alpha what do you think?");

    await shows(post.channel, "Alpha here: @alpha what do you think?");
    expect((await log("ideas", post.channel))[0]?.entry.text).toBe("@alpha what do you think?");
    expect(await log("ideas")).toEqual([]);
  });

  it("in a direct conversation needs no mention", async () => {
    const { discord, shows, log } = await startDiscordRooms({ personas: [alpha] });

    const said = discord.person("cleo").say("@troupe", "hello there");

    await shows(said.channel, "Alpha here: hello there");
    expect((await log("@cleo"))[0]?.entry).toMatchObject({ text: "hello there", sender: { name: "Cleo" } });
  });

  it("that answers a persona's post goes to that persona, without a mention", async () => {
    const { discord, shows, session, troupe } = await startDiscordRooms({ personas: [alpha, beta] });
    discord.person("ann").say("general", "@beta hello");
    await shows("general", "Beta here.");
    const post = discord.seen("general").find(({ text }) => text.includes("Beta here."));
    // It is seen a moment before we know whose it is.
    await vi.waitUntil(() => troupe.reader.posted(session("general"), post?.id ?? ""));

    discord.person("bob").say("general", "really?", { replyTo: { id: post?.id ?? "" } });

    await discord.recorder.until(
      () => discord.transcript("general").filter((line) => line.includes("Beta here.")).length === 2,
    );
    expect(discord.transcript("general").some((line) => line.includes("Alpha here"))).toBe(false);
  });

  it.each([6, 7, 18, 21, 46])("of type %d is no speech", async (type) => {
    const { discord, logged } = await startDiscordRooms({ personas: [alpha] });

    discord.person("ann").say("general", "@alpha hello", { type });
    discord.person("ann").say("general", "a marker");

    const entries = await logged("general", (all) => all.length > 0);
    expect(entries.map(({ entry }) => entry.text)).toEqual(["a marker"]);
  });

  it("of another bot or webhook is kept and wakes nobody, unless the room listens to it", async () => {
    const town = await openDiscordTown();
    const { discord } = town;
    const relay = discord.foreignWebhook("relay", "general");
    const { logged, shows } = await startDiscordRooms({ personas: [alpha], town, bots: [relay.webhook.id] });

    discord.robot("pager").say("general", "@alpha the disk is full");
    relay.say("@alpha a relayed word", { username: "Somebody" });

    await shows("general", "Alpha here: @alpha a relayed word");
    const entries = await logged("general", (all) => all.length >= 2 && all[0]?.outcome !== undefined);
    expect(entries.slice(0, 2).map(({ entry, outcome }) => [entry.sender, outcome?.kind])).toEqual([
      [{ kind: "bot", id: discord.robot("pager").id, name: "pager" }, "ignored"],
      [{ kind: "bot", id: relay.webhook.id, name: "Somebody" }, "parts"],
    ]);
  });

  it("of our own is never heard, by whichever trace it has", async () => {
    const { discord, shows, log } = await startDiscordRooms({ personas: [alpha] });
    discord.person("ann").say("general", "@alpha hello");
    await shows("general", "Alpha here:");
    discord.person("ann").say("general", "a marker");

    await discord.recorder.until(() => discord.transcript("general").some((line) => line.includes("a marker")));
    await settle();

    const messages = (await log("general")).filter(({ entry }) => entry.kind === "message");
    const senders = messages.map(({ entry }) => entry.sender.kind);
    expect(senders).toEqual(["person", "agent", "person"]);
  });

  it("brings its files along, by which they can be fetched", async () => {
    const { discord, logged } = await startDiscordRooms({ personas: [] });

    const said = discord.person("ann").say("general", "", {
      files: [{ name: "notes.txt", contentType: "text/plain", bytes: "remember the milk" }],
    });

    const [kept] = await logged("general", (all) => all.length > 0);
    const ref = expect.stringMatching(new RegExp(`^${said.channel}/${said.id}/\\d+$`));
    expect(kept?.entry).toMatchObject({ files: [{ name: "notes.txt", type: "text/plain", size: 17, ref }] });
  });
});

describe("who speaks in Discord", () => {
  it.each([
    ["ann", "who owns the server", true],
    ["bob", "who may manage it", true],
    ["cleo", "who has no such right", false],
  ])("is an admin or not: %s, %s: %s", async (name, _, isAdmin) => {
    const { discord, shows } = await startDiscordRooms({ personas: [alpha] });

    discord.person(name).say("general", "@Troupe budget 3");

    await shows("general", isAdmin ? "3" : "admin");
  });
});
