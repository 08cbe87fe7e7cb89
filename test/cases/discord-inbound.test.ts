import { describe, expect, it, vi } from "vitest";
import { createMemoryStore } from "../../src/store/memory/memory-store.js";
import { startDiscordRooms } from "../support/discord-rooms.js";
import { openDiscordTown } from "../support/discord-town.js";
import { scripted } from "../support/rooms.js";

const alpha = scripted("alpha", ["ask beta", "@beta what do you say?"], "Alpha here: {{text}}");
const beta = scripted("beta", ["what do you say", "I say nothing of alpha."], "Beta here: {{text}}");

describe("messages from Discord", () => {
  it("case 4: a persona's post that answers another's wakes nobody; a person's answer to a persona's post wakes it once", async () => {
    const { discord, shows, log, session, troupe } = await startDiscordRooms({ personas: [alpha, beta] });
    discord.person("ann").say("general", "@alpha ask beta");
    await shows("general", "I say nothing of alpha.");
    await troupe.idle();
    const posts = discord.seen("general").filter(({ isWebhook }) => isWebhook);

    await vi.waitUntil(() => troupe.reader.posted(session("general"), posts[1]?.id ?? ""));

    // Beta's post leads to alpha's, and mentions nobody.
    expect(posts.map(({ name }) => name)).toEqual(["Alpha", "Beta"]);
    expect(posts[1]?.text).toContain(`/${posts[0]?.id})`);
    const last = (await log("general")).at(-1);
    expect(last?.outcome).toEqual({ kind: "ignored", reason: "no_mention" });

    discord.person("bob").say("general", "are you sure?", { replyTo: { id: posts[1]?.id ?? "" } });
    await shows("general", "Beta here: are you sure?");
    await troupe.idle();
    expect(discord.seen("general").filter(({ isWebhook }) => isWebhook)).toHaveLength(3);
  });

  it("case 18: a mention made while we were down is answered once if it is young, else named in a line", async () => {
    const town = await openDiscordTown();
    const { discord, clock } = town;
    const store = createMemoryStore();
    const first = await startDiscordRooms({ personas: [alpha], town, store });
    discord.person("bob").say("general", "good morning");
    await first.logged("general", (all) => all.length === 1);
    await first.stop();
    const ann = discord.person("ann");
    ann.say("general", "@alpha much too old");
    await clock.advance(2 * 60 * 60_000);
    ann.say("general", "@alpha young enough");

    const second = await startDiscordRooms({ personas: [alpha], town, store });
    await second.shows("general", "Alpha here: @alpha young enough");
    await discord.recorder.until(() => apps().length === 2);
    await second.troupe.idle();

    function apps() {
      return discord.seen("general").filter(({ isApp }) => isApp);
    }
    expect(apps().filter(({ text }) => text.includes("Alpha here:"))).toHaveLength(1);
    expect(apps().filter(({ text, isWebhook }) => !isWebhook && text.includes("much too old"))).toHaveLength(1);
  });

  it("case 18: what is said in the gap of a broken connection, whose session is gone, is answered once", async () => {
    const { discord, clock, shows, troupe } = await startDiscordRooms({ personas: [alpha] });
    discord.person("ann").say("general", "@alpha one");
    await shows("general", "Alpha here: @alpha one");

    discord.gateway.forgetSessions();
    discord.gateway.cut();
    discord.person("ann").say("general", "@alpha two");
    await discord.recorder.until(() => discord.gateway.connections.length === 3);
    // In steps that leave the network its time: the message must not grow too old on the way.
    const isBack = async () => {
      await clock.advance(500);
      return discord.gateway.identifies >= 2;
    };
    await vi.waitUntil(isBack, { interval: 20, timeout: 30_000 });
    await shows("general", "Alpha here: @alpha two");
    await troupe.idle();

    expect(discord.seen("general").filter(({ isWebhook }) => isWebhook)).toHaveLength(2);
  });
});
