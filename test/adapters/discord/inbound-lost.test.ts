import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../../src/store/memory/memory-store.js";
import { startDiscordRooms } from "../../support/discord-rooms.js";
import { scripted } from "../../support/rooms.js";
import { watchStore } from "../../support/watched-store.js";

const alpha = scripted("alpha", "Alpha here: {{text}}");

/** A room whose store refuses every commit while `isBroken`. */
async function brokenRoom() {
  const store = watchStore(createMemoryStore());
  const disk = { isBroken: false };
  store.before = () => (disk.isBroken ? "fails" : undefined);
  const rooms = await startDiscordRooms({ personas: [alpha], store });
  return { ...rooms, disk };
}

describe("a message from Discord that cannot be kept", () => {
  it("is tried again, before everything that was said after it", async () => {
    const { discord, clock, disk, logs, shows, log } = await brokenRoom();
    disk.isBroken = true;
    discord.person("ann").say("general", "@alpha one");
    discord.person("ann").say("general", "@alpha two");
    await discord.recorder.until(() => logs.lines.some(({ message }) => message.includes("trying again")));

    disk.isBroken = false;
    await clock.advance(1_000);

    await shows("general", "Alpha here: @alpha two");
    const said = (await log("general")).filter(({ entry }) => entry.sender.kind === "person");
    expect(said.map(({ entry }) => entry.text)).toEqual(["@alpha one", "@alpha two"]);
  });

  it("for good is read again a minute later, and answered once", async () => {
    const { discord, clock, disk, logs, shows } = await brokenRoom();
    disk.isBroken = true;
    discord.person("ann").say("general", "@alpha one");
    await discord.recorder.until(() => logs.lines.some(({ message }) => message.includes("trying again")));
    await clock.advance(60_000);
    await discord.recorder.until(() => logs.lines.some(({ message }) => message.includes("read again later")));

    disk.isBroken = false;
    await clock.advance(61_000);

    await shows("general", "Alpha here: @alpha one");
    discord.person("ann").say("general", "@alpha a marker");
    await shows("general", "Alpha here: @alpha a marker");
    expect(discord.transcript("general").filter((line) => line.includes("Alpha here: @alpha one"))).toHaveLength(1);
  });
});

describe("a link to a message in Discord", () => {
  it("names its session and its id, in channels, threads and direct conversations", async () => {
    const { discord, adapter, session, shows } = await startDiscordRooms({ personas: [alpha] });
    const { id: home } = discord.workspace.guild("home");
    const thread = discord.person("ann").openThread("general", "a thread");
    const said = discord.person("ann").say("general", "@alpha hello", { thread: thread.id });
    await shows(thread.id, "Alpha here:");
    const general = discord.workspace.channel("general").id;
    const link = (...parts: readonly string[]) => adapter.locate?.(`https://discord.com/channels/${parts.join("/")}`);

    expect(link(home, thread.id, said.id)).toEqual({ session: session("general", thread.id), id: said.id });
    expect(link(home, general, said.id)).toEqual({ session: session("general"), id: said.id });
    expect(link("@me", general, said.id)).toEqual({ session: `discord:dm:${general}`, id: said.id });
    expect(link(home, general)).toBeUndefined();
    expect(adapter.locate?.(`https://example.org/channels/${home}/${general}/${said.id}`)).toBeUndefined();
    expect(adapter.locate?.("no link")).toBeUndefined();
  });
});
