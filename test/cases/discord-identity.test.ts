import { describe, expect, it } from "vitest";
import type { Persona } from "../../src/domain/persona.js";
import { startDiscordRooms } from "../support/discord-rooms.js";
import { openDiscordTown } from "../support/discord-town.js";
import { passUntil } from "../support/passing.js";
import { scripted } from "../support/rooms.js";
import { longStory } from "./texts.js";

function withPicture(persona: Persona): Persona {
  return { ...persona, avatar: `https://pictures.example/${persona.name}.png` };
}

const alpha = withPicture(scripted("alpha", ["long", longStory(6_000)], ["beta", "@beta your turn"], "A short reply."));
const beta = withPicture(scripted("beta", "Beta takes over."));
const broken = withPicture(scripted("broken", { steps: [{ fail: "temporary" }] }));

describe("personas under one Discord app", () => {
  it("case 21: replies, later parts, a reply to another persona and one after long work bear the persona's name and picture", async () => {
    const town = await openDiscordTown();
    const slow = withPicture(scripted("slow", { steps: [{ delayMs: 30_000 }, { say: "At last." }] }));
    const { discord, shows } = await startDiscordRooms({ personas: [alpha, beta, slow], town });
    const ann = discord.person("ann");
    ann.say("general", "@alpha tell the long story");
    await shows("general", "END");
    ann.say("general", "@alpha ask beta");
    await shows("general", "Beta takes over.");
    ann.say("general", "@slow and you?");
    await passUntil(town, () => discord.transcript("general").some((line) => line.includes("At last.")), 1_000);

    const posts = discord.seen("general").filter(({ isApp }) => isApp);
    const looks = posts.map(({ name, avatar }) => `${name} ${avatar}`);
    const look = ({ name, displayName }: Persona) => `${displayName} https://pictures.example/${name}.png`;
    expect(looks.length).toBeGreaterThan(5);
    expect(looks.slice(-3)).toEqual([alpha, beta, slow].map(look));
    expect(new Set(looks.slice(0, -3))).toEqual(new Set([look(alpha)]));
    expect(posts.every(({ isWebhook }) => isWebhook)).toBe(true);
  });

  it("case 21: a notice with a button is the bot's own message, and names the persona", async () => {
    const { discord, shows } = await startDiscordRooms({ personas: [broken] });
    discord.person("ann").say("general", "@broken hello");
    await shows("general", "Broken could not answer");

    const [notice] = discord.seen("general").filter(({ isApp }) => isApp);
    expect(notice).toMatchObject({ name: "Troupe", isWebhook: false, text: expect.stringContaining("Broken") });
    expect(discord.person("ann").sees("general", "Retry").label).toBe("Retry");
    expect(discord.recorder.of("execute_webhook")).toEqual([]);
  });

  it("case 24: our own webhook's message that comes back is ignored; a foreign webhook's goes by the room's policy", async () => {
    const town = await openDiscordTown();
    const { discord } = town;
    const trusted = discord.foreignWebhook("build", "general");
    const other = discord.foreignWebhook("relay", "general");
    const { shows, log, troupe } = await startDiscordRooms({ personas: [alpha], town, bots: [trusted.webhook.id] });
    discord.person("ann").say("general", "@alpha hello");
    await shows("general", "A short reply.");
    other.say("@alpha not from here");
    trusted.say("@alpha the build is green");
    await discord.recorder.until(() => discord.recorder.of("execute_webhook").length === 2);
    await troupe.idle();

    const kept = (await log("general"))
      .filter(({ entry }) => entry.kind === "message")
      .map(({ entry, outcome }) => `${entry.sender.kind} ${outcome?.kind}`);
    expect(kept).toEqual(["person parts", "agent ignored", "bot ignored", "bot parts", "agent ignored"]);
  });

  it("case 25: twenty personas in a channel speak through one webhook", async () => {
    const personas = Array.from({ length: 20 }, (_, i) => scripted(`p${i}x`, `Persona ${i} here.`));
    const { discord, shows } = await startDiscordRooms({ personas });
    for (const [i, { name }] of personas.entries()) {
      discord.person("ann").say("general", `@${name} hello`);
      await shows("general", `Persona ${i} here.`);
    }

    expect([...discord.workspace.webhooks.values()]).toHaveLength(1);
    const names = discord.seen("general").flatMap(({ name, isWebhook }) => (isWebhook ? [name] : []));
    expect(names).toEqual(personas.map(({ displayName }) => displayName));
  });

  it("case 25: where a channel is full of others' webhooks, replies are the bot's with the name before them, and an admin is told once", async () => {
    const town = await openDiscordTown();
    const { discord } = town;
    for (let number = 0; number < 15; number++) discord.foreignWebhook(`relay ${number}`, "general");
    const { shows, logs } = await startDiscordRooms({ personas: [alpha, beta], town });
    discord.person("ann").say("general", "@alpha hello");
    await shows("general", "**Alpha:** A short reply.");
    discord.person("ann").say("general", "@beta hello");
    await shows("general", "**Beta:** Beta takes over.");

    expect(logs.lines.filter(({ level, message }) => level === "warn" && message.includes("15 webhooks"))).toHaveLength(
      1,
    );
    expect(discord.workspace.webhooks.size).toBe(15);
  });

  it("case 26: a persona's answer leads to what it answers, unless it stands in the thread on it", async () => {
    const inChannel = await startDiscordRooms({ personas: [alpha] });
    const { discord } = inChannel;
    const said = discord.person("ann").say("general", "@alpha hello");
    await inChannel.shows("general", "A short reply.");

    const { workspace } = discord;
    const link = `https://discord.com/channels/${workspace.guild("home").id}/${said.channel}/${said.id}`;
    expect(discord.seen("general").at(-1)?.text).toBe(`-# ↪ [jump](${link})\nA short reply.`);

    const inThread = await startDiscordRooms({ personas: [alpha], reply: "thread" });
    inThread.discord.person("ann").say("general", "@alpha hello");
    await inThread.shows("general", "A short reply.");
    expect(inThread.discord.seen("general")[0]?.thread.map(({ text }) => text)).toEqual(["A short reply."]);
  });
});
