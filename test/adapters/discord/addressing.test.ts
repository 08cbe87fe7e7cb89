import { describe, expect, it } from "vitest";
import { startDiscordRooms } from "../../support/discord-rooms.js";
import { openDiscordTown } from "../../support/discord-town.js";
import { settle } from "../../support/fake-clock.js";
import { scripted } from "../../support/rooms.js";

const alpha = scripted("alpha", "Alpha here: {{text}}");
const beta = scripted("beta", "Beta here: {{text}}");

/** What the two personas answer to a message, written as it is on the wire. */
async function answersTo(write: (ids: Ids) => string): Promise<readonly string[]> {
  const town = await openDiscordTown();
  const { discord } = town;
  discord.workspace.addUser({ name: "beta", displayName: "beta" });
  discord.workspace.addMember("home", "beta");
  discord.workspace.addRole("home", { name: beta.displayName, isMentionable: true });
  const rooms = await startDiscordRooms({ personas: [alpha, beta], town, roles: ["beta"] });
  const guild = discord.workspace.guild("home");
  const roleCalled = (name: string) => [...guild.roles.values()].find((role) => role.name === name)?.id ?? "";
  // Which role is whose it finds out when it has registered its command.
  await discord.recorder.until(() => discord.app.commands.has(guild.id));
  await settle();
  const ids = {
    bot: discord.botUserId,
    botRole: roleCalled("Troupe"),
    betaRole: roleCalled(beta.displayName),
    betaMember: discord.workspace.user("beta").id,
  };
  discord.person("ann").say("general", write(ids), { raw: true });
  discord.person("ann").say("general", "@alpha a marker");
  await rooms.shows("general", "Alpha here: @alpha a marker");
  return discord
    .transcript("general")
    .flatMap((line) => /(?:Alpha|Beta) here: .*/.exec(line) ?? [])
    .filter((line) => !line.includes("a marker"));
}

interface Ids {
  readonly bot: string;
  readonly botRole: string;
  readonly betaRole: string;
  readonly betaMember: string;
}

describe("a message in a Discord channel is for", () => {
  it.each([
    ["the persona behind the bot's mention", ({ bot }: Ids) => `<@${bot}> beta hello`, "Beta here: @Troupe beta hello"],
    [
      "the same with the bot's own role",
      ({ botRole }: Ids) => `<@&${botRole}> beta hello`,
      "Beta here: @Troupe beta hello",
    ],
    ["the persona named in the text", (_: Ids) => "hello @beta", "Beta here: hello @beta"],
    [
      "the room's first persona where the bot alone is mentioned",
      ({ bot }: Ids) => `<@${bot}> hello`,
      "Alpha here: @Troupe hello",
    ],
    ["the persona whose role is mentioned", ({ betaRole }: Ids) => `<@&${betaRole}> hello`, "Beta here: @beta hello"],
  ])("%s", async (_, write, answer) => {
    expect(await answersTo(write)).toEqual([answer]);
  });

  it.each([
    ["everyone is called", (_: Ids) => "@everyone @here hello"],
    ["a member is mentioned who is called as a persona", ({ betaMember }: Ids) => `<@${betaMember}> hello`],
    ["a persona is named in code or in a quote", (_: Ids) => "`@beta` and\n>>> @beta\n@beta"],
  ])("nobody where %s", async (_, write) => {
    expect(await answersTo(write)).toEqual([]);
  });
});
