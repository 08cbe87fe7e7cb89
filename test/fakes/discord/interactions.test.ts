import {
  ApplicationCommandOptionType,
  type ChatInputApplicationCommandData,
  type Client,
  Events,
  type Interaction as Incoming,
  MessageFlags,
} from "discord.js";
import { describe, expect, it } from "vitest";
import { rawCall, readyClient, textChannel } from "../../support/discord-client.js";
import { openDiscordTown } from "../../support/discord-town.js";

const { String: Text, Integer, Subcommand, User } = ApplicationCommandOptionType;

const AGENT: ChatInputApplicationCommandData = {
  name: "agent",
  description: "The agents here",
  defaultMemberPermissions: "32",
  contexts: [0],
  integrationTypes: [0],
  options: [
    {
      type: Subcommand,
      name: "budget",
      description: "How far",
      options: [{ type: Integer, name: "n", description: "Turns", required: true, minValue: 1 }],
    },
    {
      type: Subcommand,
      name: "talk",
      description: "To whom",
      options: [{ type: Text, name: "persona", description: "Who", autocomplete: true }],
    },
    {
      type: Subcommand,
      name: "trust",
      description: "Whom",
      options: [{ type: User, name: "who", description: "Who" }],
    },
  ],
};

async function open() {
  const { discord, clock } = await openDiscordTown();
  const client = await readyClient(discord);
  const guild = discord.workspace.guild("home");
  await client.application.commands.set([AGENT], guild.id);
  return { discord, clock, client, bob: discord.person("bob"), take: takerOf(client) };
}

/** The next interaction, as discord.js has it. */
function takerOf(client: Client): () => Promise<Incoming> {
  const came: Incoming[] = [];
  const waiting: ((it: Incoming) => void)[] = [];
  client.on(Events.InteractionCreate, (it) => {
    const next = waiting.shift();
    if (next) next(it);
    else came.push(it);
  });
  return () => {
    const first = came.shift();
    return first ? Promise.resolve(first) : new Promise((resolve) => waiting.push(resolve));
  };
}

async function command(take: () => Promise<Incoming>) {
  const came = await take();
  if (!came.isChatInputCommand()) throw new Error("no command");
  return came;
}

async function button(take: () => Promise<Incoming>) {
  const came = await take();
  if (!came.isButton()) throw new Error("no button");
  return came;
}

describe("a command", () => {
  it("comes with its subcommand, its options and the rights of the one who gave it", async () => {
    const { discord, bob, take } = await open();

    bob.command("general", "agent", "budget n:4");
    const came = await command(take);
    bob.command("general", "/agent", "trust who:@cleo");
    const trust = await command(take);

    expect(came.options.getSubcommand()).toBe("budget");
    expect(came.options.getInteger("n")).toBe(4);
    expect(came.memberPermissions?.has("ManageGuild")).toBe(true);
    expect(came.inGuild()).toBe(true);
    expect(trust.options.getUser("who")?.username).toBe("cleo");
    expect(discord.app.commandPuts).toBe(1);
  });

  it("is offered only to those who have the right, and by its definition, unless it is forced", async () => {
    const { discord, bob, take } = await open();
    const cleo = discord.person("cleo");

    expect(() => cleo.command("general", "agent", "budget n:4")).toThrow("is not offered /agent");
    expect(() => bob.command("general", "agent", "budget n:0")).toThrow("cannot be 0");
    expect(() => bob.command("general", "agent", "budget")).toThrow("needs n");
    expect(() => bob.command("general", "agent", "fly")).toThrow('has no "fly"');
    expect(() => bob.command("general", "other")).toThrow("no app has registered /other");
    cleo.command("general", "agent", "budget n:4", { isForced: true });

    expect((await command(take)).memberPermissions?.has("ManageGuild")).toBe(false);
  });

  it("can be put off, answered where only one sees it, and followed up", async () => {
    const { discord, bob, take } = await open();

    const asked = bob.command("general", "agent", "budget n:4");
    const came = await command(take);
    await came.deferReply({ flags: MessageFlags.Ephemeral });
    expect(asked.isThinking).toBe(true);
    await came.editReply("four turns");
    const more = await came.followUp("for all to see");
    await came.editReply("four turns left");
    await more.edit("for everyone to see");

    expect(asked.isThinking).toBe(false);
    expect(asked.callback?.type).toBe(5);
    expect(discord.transcript("general")).toEqual(["Troupe [APP]: for everyone to see (edited)"]);
    expect(discord.transcript("general", "bob")).toEqual([
      "Troupe [APP]: four turns left (edited) (only visible to you)",
      "Troupe [APP]: for everyone to see (edited)",
    ]);
    expect(discord.transcript("general", "ann")).toHaveLength(1);
    await came.deleteReply();
    expect(discord.transcript("general", "bob")).toHaveLength(1);
  });

  it("is answered only once, within three seconds, and edited within fifteen minutes", async () => {
    const { discord, clock, bob, take } = await open();

    bob.command("general", "agent", "budget n:1");
    const twice = await command(take);
    await twice.reply("yes");
    const again = await rawCall(discord, "POST", `/interactions/${twice.id}/${twice.token}/callback`, {
      type: 4,
      data: { content: "x" },
    });
    bob.command("general", "agent", "budget n:2");
    const late = await command(take);
    await clock.advance(3_001);
    await expect(late.reply("too late")).rejects.toMatchObject({ code: 10062 });
    const lapsed = bob.command("general", "agent", "budget n:3");
    lapsed.lapse();
    await expect((await command(take)).deferReply()).rejects.toMatchObject({ code: 10062 });
    await clock.advance(15 * 60_000);

    expect(again).toMatchObject({ status: 400, body: { code: 40060 } });
    await expect(twice.editReply("later")).rejects.toMatchObject({ code: 50027 });
  });

  it("offers choices while it is typed", async () => {
    const { bob, take } = await open();

    const typing = bob.autocomplete("general", "agent", "talk persona:al");
    const came = await take();
    if (!came.isAutocomplete()) throw new Error("no typing");
    expect(came.options.getFocused(true)).toMatchObject({ name: "persona", value: "al" });
    await came.respond([{ name: "Alpha", value: "alpha" }]);

    expect(typing.choices).toEqual([{ name: "Alpha", value: "alpha" }]);
    bob.autocomplete("general", "agent", "talk persona:");
    const many = await take();
    if (!many.isAutocomplete()) throw new Error("no typing");
    const choices = Array.from({ length: 26 }, (_, index) => ({ name: String(index), value: String(index) }));
    await expect(many.respond(choices)).rejects.toMatchObject({ code: 50035 });
  });

  it("is not registered when its definition is wrong", async () => {
    const { client, discord } = await open();
    const guildId = discord.workspace.guild("home").id;
    const set = (over: object) => client.application?.commands.set([{ ...AGENT, ...over }], guildId);

    await expect(set({ name: "Agent" })).rejects.toMatchObject({ code: 50035 });
    await expect(set({ description: "x".repeat(101) })).rejects.toMatchObject({ code: 50035 });
    expect(discord.app.commands.get(guildId)).toMatchObject([{ name: "agent", default_member_permissions: "32" }]);
  });
});

describe("a button", () => {
  async function shown() {
    const town = await open();
    const general = await textChannel(town.client, town.discord.workspace.channel("general").id);
    const row = { type: 1, components: [{ type: 2, style: 1, label: "Resume", custom_id: "troupe:resume:1" }] };
    const sent = await general.send({ content: "paused", components: [row], allowedMentions: { parse: [] } });
    return { ...town, sent };
  }

  it("is pressed by anyone who sees it, and its message changes in place", async () => {
    const { discord, take, sent } = await shown();
    const cleo = discord.person("cleo");

    const pressed = cleo.press(cleo.sees("general", "Resume"));
    const came = await button(take);
    await came.update({ content: "resumed", components: [] });

    expect(came.customId).toBe("troupe:resume:1");
    expect(came.message.id).toBe(sent.id);
    expect(came.user.id).toBe(cleo.id);
    expect(pressed.callback?.type).toBe(7);
    expect(discord.transcript("general")).toEqual(["Troupe [APP]: resumed (edited)"]);
    expect(() => cleo.sees("general", "Resume")).toThrow("sees no button");
  });

  it("can be pressed when it is gone, and twice", async () => {
    const { discord, bob, take } = await shown();
    const seen = bob.sees("general", "Resume");

    bob.press(seen);
    const first = await button(take);
    await first.deferUpdate();
    await first.editReply({ content: "resumed", components: [] });
    bob.press(seen);
    await (await button(take)).reply({ content: "It runs already.", flags: MessageFlags.Ephemeral });

    expect(discord.transcript("general", "bob")).toEqual([
      "Troupe [APP]: resumed (edited)",
      "Troupe [APP]: It runs already. (only visible to you)",
    ]);
  });

  it("in a thread that is closed and locked cannot be answered", async () => {
    const { discord, client, bob, take } = await open();
    const thread = discord.person("ann").openThread("general", "talk");
    const shownIn = await client.channels.fetch(thread.id);
    if (!shownIn?.isThread()) throw new Error("no thread");
    const row = { type: 1, components: [{ type: 2, style: 1, label: "Stop", custom_id: "troupe:stop" }] };
    await shownIn.send({ content: "talking", components: [row] });
    discord.admin.archive(thread.id);
    discord.admin.lock(thread.id);

    bob.press(bob.sees(thread.id, "Stop"));

    await expect((await button(take)).deferUpdate()).rejects.toMatchObject({ code: 50083 });
  });
});
