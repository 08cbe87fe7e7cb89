import { Routes } from "discord.js";
import { describe, expect, it } from "vitest";
import { definitionHash, slashCommand } from "../../../adapters/discord/interactions/commands.js";
import { createRegistrar } from "../../../adapters/discord/setup/register-commands.js";
import { COMMANDS, FAMILIES } from "../../../src/engine/commands/table.js";
import { checkCommands } from "../../fakes/discord/command-rules.js";
import { openDesk } from "../../support/discord-desk.js";
import { openDiscordTown } from "../../support/discord-town.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { createLogLines } from "../../support/log-lines.js";

const SCOPES = ["guild", "direct"] as const;
const ROWS = FAMILIES.flatMap(({ commands }) => commands);
const AGENT = { name: "agent", about: "See and change this room", commands: COMMANDS };

describe("The definition of a slash command", () => {
  it.each(SCOPES)("has a subcommand for every command there is, and nothing that Discord refuses (%s)", (scope) => {
    const definitions = FAMILIES.map((family) => slashCommand(family, scope));

    expect(definitions.map(({ name, options }) => [name, options.map((option) => option.name)])).toEqual(
      FAMILIES.map(({ name, commands }) => [name, commands.map((command) => command.name)]),
    );
    expect(() => checkCommands(definitions.map((definition) => ({ ...definition })))).not.toThrow();
  });

  it("is offered to whoever may write in a server, and besides only in conversations with the bot", () => {
    expect(slashCommand(AGENT, "guild")).toMatchObject({ default_member_permissions: "2048" });
    expect(slashCommand(AGENT, "direct")).toMatchObject({ contexts: [1] });
  });

  it.each(ROWS)("asks for what the words of $name do: $usage", ({ name, usage, inputs }) => {
    const isOptional = usage === "" || usage.startsWith("[");
    const needs = inputs.filter(({ required }) => required).length;

    expect(needs > 0).toBe(!isOptional);
    expect(inputs.length > 0).toBe(usage !== "");
    expect(name).toMatch(/^[a-z]+$/);
  });

  it("offers the words of a choice, and the names of commands for help", () => {
    const { options } = slashCommand(AGENT, "guild");
    const choices = (name: string) =>
      options.find((one) => one.name === name)?.options?.[0]?.choices?.map(({ value }) => value);

    expect(choices("wake")).toEqual(["mention", "always"]);
    expect(choices("reply")).toEqual(["thread", "channel"]);
    expect(choices("guard")).toEqual(expect.arrayContaining(["on", "off", "alternations", "held_max"]));
    expect(choices("help")).toEqual(COMMANDS.map(({ name }) => name));
  });

  it("has the same hash when it comes back from Discord, and another one for any change", () => {
    const wanted = slashCommand(AGENT, "guild");
    const back = { id: "1", version: "2", application_id: "3", nsfw: false, dm_permission: true, ...wanted };
    const changed = slashCommand({ ...AGENT, commands: COMMANDS.slice(1) }, "guild");

    expect(definitionHash([back])).toBe(definitionHash([wanted]));
    expect(definitionHash([changed])).not.toBe(definitionHash([wanted]));
    expect(definitionHash([wanted, wanted])).not.toBe(definitionHash([wanted]));
    expect(definitionHash([{ ...wanted, default_member_permissions: "32" }])).not.toBe(definitionHash([wanted]));
  });
});

describe("Registering the slash commands", () => {
  it("is done for the server, and for direct conversations of the application", async () => {
    const { discord } = await openDesk();
    const home = discord.workspace.guild("home").id;

    expect(discord.app.commands.get(home)).toMatchObject([
      { name: "agent", default_member_permissions: "2048" },
      { name: "schedule", default_member_permissions: "2048" },
    ]);
    expect(discord.app.commands.get("global")).toMatchObject([
      { name: "agent", contexts: [1] },
      { name: "schedule", contexts: [1] },
    ]);
  });

  it("is not done again while nothing has changed", async () => {
    const town = await openDiscordTown();
    await openDesk({ town });
    await openDesk({ town });

    expect(town.discord.app.commandPuts).toBe(3);
    expect(town.discord.recorder.of("bulk_set_guild_application_commands")).toHaveLength(1);
    expect(town.discord.recorder.of("create_application_command")).toHaveLength(2);
  });

  it("is done anew when the bot has been put out and brought in again", async () => {
    const { discord, desk, client } = await openDesk();
    const [guild] = [...client.guilds.cache.values()];
    if (!guild) throw new Error("there is no server");
    discord.app.commands.delete(guild.id);
    await desk.server(guild);
    expect(discord.app.commands.has(guild.id)).toBe(false);
    guild.joinedTimestamp += 1;
    await desk.server(guild);

    expect(discord.app.commands.get(guild.id)).toHaveLength(2);
  });

  it("puts the new definition in the place of an older version's, and leaves the application's other commands", async () => {
    const town = await openDiscordTown();
    const home = town.discord.workspace.guild("home").id;
    const old = { type: 1, name: "agent", description: "As it was", id: "1" };
    const stale = { type: 1, name: "agents", description: "Gone since", id: "2" };
    const other = { type: 1, name: "ping", description: "Of the owner's own", id: "3" };
    town.discord.app.commands.set(home, [old, stale]);
    town.discord.app.commands.set("global", [other, old]);
    await openDesk({ town });

    const names = (scope: string) => town.discord.app.commands.get(scope)?.map(({ name }) => name);
    expect(names(home)).toEqual(["agent", "schedule"]);
    expect(names("global")).toEqual(["ping", "agent", "schedule"]);
    expect(town.discord.app.commands.get(home)?.[0]).not.toMatchObject({ description: "As it was" });
  });

  it("that is refused is a line in the log with the mend, and nothing else", async () => {
    const town = await openDiscordTown();
    const fault = { kind: "error", code: 50_001 } as const;
    town.discord.faults.add({ method: "list_guild_application_commands", fault });
    const { logs } = await openDesk({ town });

    expect(logs.lines).toContainEqual(
      expect.objectContaining({ level: "warn", message: expect.stringContaining("troupe invite discord") }),
    );
    expect(town.discord.app.commands.get("global")).toHaveLength(2);
  });

  it("has a bound on the servers that wait, and leaves out what waits when it stops", async () => {
    const asked: string[] = [];
    let go: () => void = () => {};
    const open = new Promise<void>((resolve) => {
      go = resolve;
    });
    const registrar = createRegistrar({
      rest: {
        get: async (route: string) => {
          asked.push(route);
          await open;
          return [];
        },
        put: async () => [],
        post: async () => ({}),
      },
      applicationId: "1",
      guildCommands: FAMILIES.map((family) => slashCommand(family, "guild")),
      directCommands: FAMILIES.map((family) => slashCommand(family, "direct")),
      clock: createFakeClock(),
      logger: createLogLines(),
    });
    const all = Array.from({ length: 1_000 }, (_, index) => registrar.guild(String(index)));
    await Promise.resolve();
    registrar.stop();
    go();
    await Promise.all(all);

    expect(asked).toEqual([Routes.applicationGuildCommands("1", "0")]);
  });
});
