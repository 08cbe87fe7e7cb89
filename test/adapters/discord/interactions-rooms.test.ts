import { describe, expect, it } from "vitest";
import type { Button } from "../../fakes/discord/buttons.js";
import type { Interaction } from "../../fakes/discord/interactions.js";
import { type DiscordRooms, startDiscordRooms } from "../../support/discord-rooms.js";
import { openDiscordTown } from "../../support/discord-town.js";
import { scripted } from "../../support/rooms.js";

const TEAM = [scripted("alpha", "@beta your turn."), scripted("beta", "@alpha yours.")];

/** The registered command is there once the server is ready. */
async function rooms(options: Partial<Parameters<typeof startDiscordRooms>[0]> = {}): Promise<DiscordRooms> {
  const started = await startDiscordRooms({ personas: TEAM, ...options });
  const { discord } = started;
  await discord.recorder.until(() => discord.app.commands.has(discord.workspace.guild("home").id));
  await discord.recorder.until(() => discord.app.commands.has("global"));
  return started;
}

async function answerTo({ discord }: DiscordRooms, asked: Interaction): Promise<string> {
  await discord.recorder.until(() => asked.original !== undefined && !asked.isThinking);
  return asked.original?.content ?? "";
}

/** The button, as soon as this person sees it. */
function button({ discord }: DiscordRooms, who: string, label: string): Promise<Button> {
  return discord.recorder.until(() => {
    try {
      return discord.person(who).sees("general", label);
    } catch {
      return undefined;
    }
  });
}

function words({ discord }: DiscordRooms): string {
  return discord
    .seen("general")
    .map(({ text }) => text)
    .join("\n");
}

/** What stands under the button's message now. */
function componentsOf({ discord }: DiscordRooms, { channel, message }: Button) {
  return discord.board.find(channel, message.id).components;
}

describe("A room in Discord", () => {
  it("is shown and changed by /agent, by who may", async () => {
    const open = await rooms();
    const { discord } = open;
    const cleo = discord.person("cleo");

    expect(await answerTo(open, cleo.command("general", "/agent", "room"))).toMatch(/\*\*Alpha\*\*.*\n.*\*\*Beta\*\*/);
    expect(await answerTo(open, cleo.command("general", "/agent", "budget number:2"))).toContain("for admins");
    expect(words(open)).toBe("");
    discord.person("bob").command("general", "/agent", "budget number:2");
    await open.shows("general", "Bob set the burst budget to 2.");
    expect(await answerTo(open, cleo.command("general", "/agent", "room"))).toMatch(/Burst:?\*\*:? 0\/2/);
  });

  it("goes on by a click on Continue, whose notice is edited, once", async () => {
    const open = await rooms();
    const { discord } = open;
    discord.person("bob").command("general", "/agent", "budget number:2");
    await open.shows("general", "Bob set the burst budget");
    discord.person("ann").say("general", "@alpha begin");
    const stale = await button(open, "cleo", "Continue");
    const pressed = discord.person("cleo").press(stale);
    await open.shows("general", "Cleo continued");
    const again = discord.person("bob").press(stale);
    await discord.recorder.until(() => again.followUps.length === 1);

    expect(again.followUps[0]).toMatchObject({
      content: "Already continued by Cleo.",
      onlyFor: discord.person("bob").id,
    });
    expect(pressed.followUps).toEqual([]);
    expect(componentsOf(open, stale)).toEqual([]);
  });

  it("pauses a pair and resumes it by a click, and drops nothing", async () => {
    const open = await rooms();
    const { discord } = open;
    discord.person("ann").command("general", "/agent", "pause a:alpha b:beta");
    const resume = await button(open, "cleo", "Resume");
    discord.person("cleo").press(resume);
    await open.shows("general", "Cleo resumed");

    expect(componentsOf(open, resume)).toEqual([]);
    expect(discord.seen("general").filter(({ text }) => text.includes("paused"))).toHaveLength(0);
  });

  it("answers a button of another deployment, whose room is not there any more", async () => {
    const before = await rooms();
    const { discord } = before;
    discord.person("ann").command("general", "/agent", "pause a:alpha b:beta");
    const resume = await button(before, "cleo", "Resume");
    await before.stop();
    const after = await rooms({ town: before });
    const pressed = discord.person("cleo").press(resume);
    await discord.recorder.until(() => pressed.followUps.length === 1);

    expect(pressed.followUps[0]?.content).toBe("What this button belonged to is gone.");
    expect(after.logs.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("takes a command of an older version for what it says", async () => {
    const open = await rooms();
    const { discord } = open;
    const home = discord.workspace.guild("home").id;
    const [now] = discord.app.commands.get(home) ?? [];
    const old = { type: 1, name: "rooom", description: "As it was called" };
    discord.app.commands.set(home, [{ ...now, options: [old] }]);

    const answer = await answerTo(open, discord.person("ann").command("general", "/agent", "rooom"));
    expect(answer).toMatch(/There is no command "rooom"\. Did you mean \/agent room\?/);
  });

  it("takes the words after a mention of the app, and answers with a reply that pings nobody", async () => {
    const open = await rooms();
    const { discord } = open;
    const said = discord.person("ann").say("general", "@Troupe room");
    await open.shows("general", "Host");

    const [reply] = discord.workspace
      .channel("general")
      .messages.filter(({ authorId }) => authorId === discord.botUserId);
    expect(reply).toMatchObject({ replyTo: said.id, pinged: { users: [], roles: [], everyone: false } });
  });

  it("wakes a persona by the role that is made for it", async () => {
    const town = await openDiscordTown();
    town.discord.workspace.allow("home", "troupe", ["manageRoles"]);
    const open = await rooms({
      personas: [scripted("alpha", "Here."), scripted("beta", "No.")],
      roles: ["alpha"],
      town,
    });
    const { discord } = open;
    await discord.recorder.until(() => discord.workspace.findRole(discord.workspace.guild("home"), "alpha"));
    const said = discord.person("ann").say("general", "@alpha are you there?");
    await open.shows("general", "Here.");

    const message = discord.board.find(discord.workspace.channel("general"), said.id);
    expect(message.content).toMatch(/^<@&\d+> are you there\?$/);
  });
});
