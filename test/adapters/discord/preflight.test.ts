import { REST } from "discord.js";
import { describe, expect, it } from "vitest";
import { type DiscordFinding, examineDiscord } from "../../../adapters/discord/setup/examine.js";
import { inviteFor, inviteLink } from "../../../adapters/discord/setup/invite.js";
import { preflight } from "../../../adapters/discord/setup/preflight.js";
import { missingRights, wantedRights } from "../../../adapters/discord/setup/rights.js";
import { FAMILIES } from "../../../src/engine/commands/table.js";
import { ConfigError, PlatformError } from "../../../src/index.js";
import type { FakeDiscord } from "../../fakes/discord/server.js";
import { openDesk } from "../../support/discord-desk.js";
import { openDiscordTown } from "../../support/discord-town.js";

function restOf({ apiUrl, token }: Pick<FakeDiscord, "apiUrl" | "token">): REST {
  return new REST({ api: apiUrl, retries: 0 }).setToken(token);
}

const problemsOf = (findings: readonly DiscordFinding[]) => findings.filter(({ ok }) => !ok).map(({ says }) => says);

describe("The preflight", () => {
  it("knows whose token it is", async () => {
    const { discord } = await openDiscordTown();

    const { self, problems } = await preflight(restOf(discord));

    expect(self).toEqual({ applicationId: discord.applicationId, userId: discord.botUserId, name: "troupe" });
    expect(problems).toEqual([]);
  });

  it("refuses a token that Discord refuses, and names the mend", async () => {
    const { discord } = await openDiscordTown();
    const refused = preflight(restOf({ apiUrl: discord.apiUrl, token: "not.a.token" }));

    await expect(refused).rejects.toThrow(ConfigError);
    await expect(refused).rejects.toThrow(/DISCORD_TOKEN \(401\).*Reset Token/);
  });

  it("refuses to go on while the bot may not read messages, and says which switch to turn", async () => {
    const { discord } = await openDiscordTown();
    discord.app.privileges.clear();

    await expect(preflight(restOf(discord))).rejects.toThrow(
      new RegExp(`Message Content Intent.*/applications/${discord.applicationId}/bot`),
    );
  });

  it.each([
    ["does not answer", { kind: "drop" }, /cannot be reached/],
    ["is down", { kind: "status", status: 503 }, /answers 503/],
    ["answers with something else", { kind: "garbage" }, /cannot be reached/],
  ] as const)("is worth another try when Discord %s", async (_, fault, pattern) => {
    const { discord } = await openDiscordTown();
    discord.faults.add({ method: "get_my_application", fault });
    const failed = preflight(restOf(discord));

    await expect(failed).rejects.toThrow(PlatformError);
    await expect(failed).rejects.toThrow(pattern);
  });
});

describe("Examining Discord", () => {
  const examine = (discord: FakeDiscord, more: { rooms?: readonly string[]; roles?: readonly string[] } = {}) =>
    examineDiscord({ token: discord.token, apiUrl: discord.apiUrl, rooms: [], roles: [], ...more });

  it("finds nothing wrong where nothing is, and changes nothing", async () => {
    const { discord } = await openDiscordTown();
    const room = `discord:${discord.workspace.guild("home").id}:${discord.workspace.channel("general").id}`;

    expect(await examine(discord, { rooms: [room, "slack:T1:C1", "discord:dm:123"] })).toEqual([
      { ok: true, says: `DISCORD_TOKEN is good for troupe (${discord.applicationId})` },
      { ok: true, says: "the bot may read messages" },
      { ok: true, says: "the bot has every permission that it needs in home, and in its 1 known room" },
    ]);
    expect(discord.recorder.requests.map(({ verb }) => verb)).toEqual(discord.recorder.requests.map(() => "GET"));
    expect(discord.gateway.open("troupe")).toEqual([]);
  });

  it("finds a token that is refused, intents that are off, and a bot without a server", async () => {
    const { discord } = await openDiscordTown();
    const { workspace } = discord;
    workspace.guild("home").members.delete(discord.botUserId);
    discord.app.privileges.clear();

    expect(problemsOf(await examine(discord))).toEqual([
      expect.stringContaining("Message Content Intent"),
      expect.stringContaining(inviteLink(discord.applicationId, false)),
    ]);
    discord.app.isRevoked = true;
    expect(problemsOf(await examine(discord))).toEqual([expect.stringContaining("DISCORD_TOKEN (401)")]);
  });

  it("names a permission that a server does not give, what does not work for it, and the mend", async () => {
    const { discord } = await openDiscordTown();
    discord.workspace.deny("home", "troupe", ["manageWebhooks"]);

    const [problem, ...others] = problemsOf(await examine(discord));

    expect(others).toEqual([]);
    expect(problem).toMatch(/^In home the bot lacks Manage Webhooks: it cannot let personas speak/);
    expect(problem).toContain(inviteLink(discord.applicationId, false));
  });

  it("names what a room takes away, a room that it cannot see, and passes over one that is gone", async () => {
    const { discord } = await openDiscordTown();
    const { workspace } = discord;
    const home = workspace.guild("home").id;
    workspace.deny("home", "everyone", ["createPublicThreads"], "random");
    workspace.deny("home", "troupe", ["viewChannel"], "general");
    const rooms = ["general", "random"].map((name) => `discord:${home}:${workspace.channel(name).id}`);

    expect(problemsOf(await examine(discord, { rooms: [...rooms, `discord:${home}:99999999999999999`] }))).toEqual([
      expect.stringMatching(/^The bot does not see #/),
      expect.stringMatching(/^In #random of home the bot lacks Create Public Threads: it cannot begin threads/),
    ]);
  });

  it("finds a room full of other people's webhooks, and is content when one is ours", async () => {
    const { discord } = await openDiscordTown();
    const { workspace } = discord;
    const general = workspace.channel("general").id;
    for (let index = 0; index < 15; index++) discord.foreignWebhook(`relay ${index}`, "general");
    const rooms = [`discord:${workspace.guild("home").id}:${general}`];

    expect(problemsOf(await examine(discord, { rooms }))).toEqual([
      expect.stringMatching(/has 15 webhooks.*none is ours/),
    ]);
    const [first] = [...workspace.webhooks.values()];
    if (first) workspace.webhooks.set(first.id, { ...first, applicationId: discord.applicationId });
    expect(problemsOf(await examine(discord, { rooms }))).toEqual([]);
  });

  it("finds roles that cannot be made, and roles that cannot stand for a persona", async () => {
    const { discord } = await openDiscordTown();
    const { workspace } = discord;
    workspace.addRole("home", { name: "Beta", may: ["manageGuild"], isMentionable: true });
    workspace.addRole("home", { name: "Gamma" });
    workspace.addRole("home", { name: "Delta", isMentionable: true });

    expect(problemsOf(await examine(discord, { roles: ["Alpha", "Beta", "Gamma", "Delta"] }))).toEqual([
      expect.stringMatching(/lacks Manage Roles: it cannot make the roles Alpha\..*310043331648/),
      expect.stringMatching(/^The role Beta of home has permissions/),
      expect.stringMatching(/^The role Gamma of home cannot be mentioned, and stands above the bot's own/),
    ]);
  });

  it("counts an administrator for one who may everything", async () => {
    const { discord } = await openDiscordTown();
    discord.workspace.deny("home", "troupe", ["manageWebhooks", "sendMessages"]);
    discord.workspace.allow("home", "troupe", ["administrator"]);

    expect(problemsOf(await examine(discord))).toEqual([]);
  });
});

describe("The invite link", () => {
  it("asks for the bot and its commands, and for what Troupe needs and nothing else", () => {
    expect(inviteLink("300", false)).toBe(
      "https://discord.com/oauth2/authorize?client_id=300&permissions=309774896192&scope=bot%20applications.commands",
    );
    expect(inviteLink("300", true)).toContain("permissions=310043331648&");
  });

  it("gives everything that the examination demands", () => {
    const given = wantedRights(true).reduce((sum, { bit }) => sum | bit, 0n);

    expect(missingRights(given, true)).toEqual([]);
    expect(missingRights(0n, true).length).toBeGreaterThan(5);
  });

  it("takes the application from the token, else asks Discord", async () => {
    const { discord } = await openDiscordTown();
    const { apiUrl, token } = discord;

    expect(await inviteFor({ token, apiUrl, withRoles: false })).toContain(`client_id=${discord.applicationId}&`);
    expect(discord.recorder.requests).toEqual([]);
    const other = discord.workspace.addApp({ name: "odd", token: "odd.token.here" });
    expect(await inviteFor({ token: other.token, apiUrl, withRoles: false })).toContain(`client_id=${other.id}&`);
    await expect(inviteFor({ token: "no.such.token", apiUrl, withRoles: false })).rejects.toThrow(/Reset Token/);
  });
});

describe("A server that the bot is in", () => {
  it("tells an admin what to mend, once", async () => {
    const town = await openDiscordTown();
    town.discord.workspace.deny("home", "troupe", ["manageWebhooks"]);
    const { hints, desk, client } = await openDesk({ town });
    for (const guild of client.guilds.cache.values()) await desk.server(guild);

    expect(hints).toEqual([expect.stringMatching(/^In home the bot lacks Manage Webhooks/)]);
  });

  it("tells of the rooms that it knows, as far as it can without asking Discord", async () => {
    const town = await openDiscordTown();
    const { workspace } = town.discord;
    const home = workspace.guild("home").id;
    workspace.deny("home", "troupe", ["sendMessages"], "general");
    const room = (id: string) => ({ id, personas: [], attention: false, seq: 1 });
    const rooms = [`discord:${home}:${workspace.channel("general").id}`, `discord:${home}:1`, "discord:dm:1"].map(room);
    const { hints, discord } = await openDesk({ town, reader: { rooms: async () => rooms } });

    expect(hints).toEqual([expect.stringMatching(/^In #general of home the bot lacks Send Messages/)]);
    expect(discord.recorder.of("get_channel")).toEqual([]);
  });

  it("gets a mentionable role without permissions for each persona that wants one, once", async () => {
    const town = await openDiscordTown();
    const { workspace } = town.discord;
    workspace.allow("home", "troupe", ["manageRoles"]);
    const personas = () =>
      ["alpha", "beta"].map((name) => ({ name, displayName: name.toUpperCase(), role: name === "alpha" }));
    const first = await openDesk({ town, personas });
    const second = await openDesk({ town, personas });

    const roles = [...workspace.guild("home").roles.values()].filter(({ name }) => /^[A-Z]+$/.test(name));
    expect(roles).toMatchObject([{ name: "ALPHA", permissions: 0n, isMentionable: true }]);
    expect(roles.map(({ id }) => [first.desk.personaOf(id), second.desk.personaOf(id)])).toEqual([["alpha", "alpha"]]);
    expect(first.desk.personaOf(workspace.botRole("home", "troupe").id)).toBeUndefined();
    expect(second.hints).toEqual([]);
  });

  it("keeps a role that gives something to itself, and takes one made by hand", async () => {
    const town = await openDiscordTown();
    const { workspace } = town.discord;
    workspace.allow("home", "troupe", ["manageRoles"]);
    const mighty = workspace.addRole("home", { name: "Alpha", may: ["manageGuild"], isMentionable: true });
    const plain = workspace.addRole("home", { name: "Beta", isMentionable: true });
    const personas = () =>
      ["Alpha", "Beta"].map((name) => ({ name: name.toLowerCase(), displayName: name, role: true }));
    const { desk, hints } = await openDesk({ town, personas });

    expect([desk.personaOf(mighty.id), desk.personaOf(plain.id)]).toEqual([undefined, "beta"]);
    expect(hints).toEqual([expect.stringMatching(/^The role Alpha of home has permissions/)]);
    expect(town.discord.recorder.of("create_guild_role")).toEqual([]);
  });

  it("without Manage Roles is asked for it, and everything else goes on", async () => {
    const personas = () => [{ name: "alpha", displayName: "Alpha", role: true }];
    const { hints, discord } = await openDesk({ personas });

    expect(hints).toEqual([expect.stringMatching(/lacks Manage Roles: it cannot make the roles Alpha/)]);
    expect(discord.recorder.of("create_guild_role")).toEqual([]);
    expect(discord.app.commands.get(discord.workspace.guild("home").id)).toHaveLength(FAMILIES.length);
  });
});
