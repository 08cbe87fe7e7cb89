import { describe, expect, it } from "vitest";
import { startDiscordRooms } from "../../support/discord-rooms.js";
import { scripted } from "../../support/rooms.js";

const MINUTE = 60_000;

describe("Schedules in Discord", () => {
  it("/schedule asks for each word by itself, and what fires is posted under its persona's name", async () => {
    const open = await startDiscordRooms({ personas: [scripted("alpha", "Time for tea.")] });
    const { discord, clock } = open;
    await discord.recorder.until(() => discord.app.commands.has(discord.workspace.guild("home").id));
    const bob = discord.person("bob");

    bob.command(
      "general",
      "/schedule",
      "add id:tea cron:0 10 * * * Europe/London persona:alpha text:Remind them of it",
    );
    await open.shows("general", "Bob made a schedule: tea: Alpha, 0 10 * * * (Europe/London)");
    const refused = discord.person("cleo").command("general", "/schedule", "list");
    await discord.recorder.until(() => refused.original !== undefined && !refused.isThinking);
    await clock.advance(60 * MINUTE);
    await open.shows("general", "Time for tea.");

    expect(refused.original?.content).toContain("/schedule list is for admins");
    expect(discord.transcript("general").at(-1)).toMatch(/^Alpha \[APP\]: Time for tea\.$/);
    expect(discord.transcript("general").join("\n")).not.toContain("Remind them");
  });

  it("completes the persona's name", async () => {
    const open = await startDiscordRooms({ personas: [scripted("alpha", "x"), scripted("beta", "y")] });
    const { discord } = open;
    await discord.recorder.until(() => discord.app.commands.has(discord.workspace.guild("home").id));
    const typing = discord.person("bob").autocomplete("general", "/schedule", "once id:a in:10m persona:be");
    await discord.recorder.until(() => typing.choices !== undefined);

    expect(typing.choices?.map(({ value }) => value)).toEqual(["beta"]);
  });
});
