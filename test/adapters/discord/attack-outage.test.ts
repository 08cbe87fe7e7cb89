import { describe, expect, it } from "vitest";
import { startDiscordRooms } from "../../support/discord-rooms.js";
import { openDiscordTown } from "../../support/discord-town.js";
import { passUntil } from "../../support/passing.js";
import { createPuppets } from "../../support/puppets.js";

const MINUTE_MS = 60_000;

/** Alpha is in the middle of a turn. */
async function busyRooms(reply: "thread" | "channel") {
  const puppets = createPuppets();
  const rooms = await startDiscordRooms({ personas: [puppets.persona("alpha")], brains: [puppets.brain], reply });
  puppets.plan("alpha", { wait: true }, { say: "here it is" });
  const { discord } = rooms;
  const { id } = discord.workspace.guild("home");
  await discord.recorder.until(() => discord.app.commands.has(id) && discord.app.commands.has("global"));
  const said = discord.person("ann").say("general", "@alpha how far are you?");
  await discord.recorder.until(() => puppets.waiting === 1);
  return { ...rooms, puppets, said };
}

describe("An answer in Discord", () => {
  it("outlasts hours in which Discord cannot be reached", async () => {
    const { discord, clock, puppets, shows, logs } = await busyRooms("channel");
    await discord.down();
    puppets.open();
    for (let minutes = 0; minutes < 180; minutes++) await clock.advance(MINUTE_MS);

    await discord.up();
    let isShown = false;
    const shown = shows("general", "here it is").then(() => {
      isShown = true;
    });
    await passUntil({ clock }, () => isShown, MINUTE_MS);
    await shown;

    expect(discord.transcript("general").filter((line) => line.includes("here it is"))).toHaveLength(1);
    expect(logs.lines.map(({ message }) => message)).not.toContain("a post was given up");
  });

  it("is said in the channel when the message is gone on which its thread would have begun", async () => {
    const { discord, puppets, said, shows } = await busyRooms("thread");

    discord.person("ann").remove(said);
    puppets.open();
    await shows("general", "here it is");

    expect(discord.transcript("general").at(-1)).toMatch(/^Alpha \[APP\]/);
  });
});

describe("The commands in Discord", () => {
  it("are registered as soon as Discord answers again", async () => {
    const puppets = createPuppets();
    const town = await openDiscordTown();
    const { discord, clock } = town;
    const fault = { kind: "status", status: 503 } as const;
    for (const method of ["list_guild_application_commands", "list_application_commands"])
      discord.faults.add({ method, fault, times: 8 });
    const { logs } = await startDiscordRooms({ personas: [puppets.persona("alpha")], town });
    const { id } = discord.workspace.guild("home");
    const isThere = () => discord.app.commands.has(id) && discord.app.commands.has("global");
    await passUntil({ clock }, isThere, MINUTE_MS);

    const words = logs.lines.map(({ message }) => message).filter((message) => message.includes("slash commands"));
    expect(words[0]).toContain("trying again");
    expect(words.at(-1)).toContain("registered");
  });
});
