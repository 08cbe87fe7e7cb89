import { describe, expect, it } from "vitest";
import { customIdOf } from "../../../adapters/discord/outbound/view-buttons.js";
import { buttonRows } from "../../../adapters/discord/outbound/view-content.js";
import type { Answer } from "../../../src/ports/platform.js";
import type { FakeDiscord } from "../../fakes/discord/server.js";
import { answer, gate, shown } from "../../support/discord-asks.js";
import { type DiscordDesk, openDesk } from "../../support/discord-desk.js";

const EPHEMERAL = 64;

/** The bot's notice with these buttons, as it stands in a channel. */
function notice({ discord }: DiscordDesk, channel: string, ...values: readonly string[]) {
  const buttons = values.map((value, index) => ({ action: "troupe:continue", value, label: `Continue ${index}` }));
  return discord.workspace.clock && post(discord, channel, buttonRows(buttons));
}

function post(discord: FakeDiscord, channel: string, components: readonly object[]) {
  return discord.board.post(discord.workspace.channel(channel), {
    authorId: discord.botUserId,
    applicationId: discord.applicationId,
    content: "Budget used up",
    components: components.map((row) => ({ ...row })),
    mentions: { allowed: { parse: [] }, byDefault: [], speakerId: discord.botUserId },
  });
}

describe("A command in Discord", () => {
  it("is acknowledged for this person alone before anything else is done, and answered there", async () => {
    const { discord, commands, answerWith } = await openDesk();
    const work = gate<Answer>();
    answerWith(() => work.promise);
    const asked = discord.person("cleo").command("general", "/agent", "room");
    await discord.recorder.until(() => commands.length === 1);

    expect(asked.callback).toMatchObject({ type: 5, data: { flags: EPHEMERAL } });
    expect(asked.isThinking).toBe(true);
    work.open(answer("alpha, beta", { view: { title: "A room", text: "alpha, beta" } }));

    expect(await shown(discord, asked)).toBe("**A room**\nalpha, beta");
    expect(discord.seen("general", "ann")).toEqual([]);
  });

  it("reaches the inbox with its room, its words and who gave it", async () => {
    const { discord, commands } = await openDesk();
    const home = discord.workspace.guild("home").id;
    const general = discord.workspace.channel("general").id;
    discord.person("cleo").command("general", "/agent", "budget number:4");
    discord.person("bob").command("general", "/agent", "guard value:5 setting:repeats");
    discord.person("ann").command("general", "/agent", "host name:Gamma Ray");
    discord.person("ann").command("general", "/agent", 'add names:alpha "Gamma Ray"');
    await discord.recorder.until(() => commands.length === 4);

    const session = `discord:${home}:${general}`;
    const who = (name: string, isAdmin: boolean) => ({
      kind: "person",
      id: discord.person(name).id,
      name: discord.person(name).user.displayName,
      isAdmin,
    });
    expect(commands).toEqual([
      { session, from: who("cleo", false), text: "agent budget 4" },
      { session, from: who("bob", true), text: "agent guard repeats 5" },
      { session, from: who("ann", true), text: 'agent host "Gamma Ray"' },
      { session, from: who("ann", true), text: 'agent add alpha "Gamma Ray"' },
    ]);
  });

  it("in a thread is of that thread's session, also in one that the bot has never heard of", async () => {
    const { discord, commands, client } = await openDesk();
    const known = discord.person("ann").openThread("general", "plans");
    const unknown = discord.person("ann").openThread("general", "secret plans", { isUncached: true });
    discord.person("ann").command("general", "/agent", "room", { thread: known.id });
    discord.person("ann").command("general", "/agent", "room", { thread: unknown.id });
    await discord.recorder.until(() => commands.length === 2);

    const room = `discord:${client.guilds.cache.firstKey()}:${discord.workspace.channel("general").id}`;
    expect(commands.map(({ session }) => session)).toEqual([`${room}:${known.id}`, `${room}:${unknown.id}`]);
  });

  it("in a conversation with the bot is direct, and nobody is an admin there", async () => {
    const { discord, commands } = await openDesk();
    discord.person("ann").command("@troupe", "/agent", "room");
    await discord.recorder.until(() => commands.length === 1);

    const channel = discord.workspace.conversationOf("ann", "troupe").id;
    expect(commands).toMatchObject([{ session: `discord:dm:${channel}`, direct: true, from: { isAdmin: false } }]);
  });

  it("that changes the room is answered by the room, and its promise is taken back", async () => {
    const { discord, answerWith } = await openDesk();
    answerWith(async () => answer("Ann set the burst budget to 4.", { public: true }));
    discord.person("ann").command("general", "/agent", "budget number:4");
    await discord.recorder.until(() => discord.recorder.of("delete_original_webhook_message")[0]?.outcome === "ok");

    expect(discord.recorder.of("update_original_webhook_message")).toEqual([]);
    expect(discord.seen("general", "ann")).toEqual([]);
  });

  it("that fails says so, and the log has why", async () => {
    const { discord, answerWith, logs } = await openDesk();
    answerWith(() => Promise.reject(new Error("the disk is away")));
    const asked = discord.person("ann").command("general", "/agent", "room");

    expect(await shown(discord, asked)).toContain("failed");
    expect(logs.lines).toContainEqual(
      expect.objectContaining({ level: "error", message: "what somebody asked for in Discord failed" }),
    );
  });

  it("with a long answer gets it in several messages, all for this person and pinging nobody", async () => {
    const { discord, answerWith } = await openDesk();
    const lines = Array.from({ length: 100 }, (_, index) => `- line ${index} @everyone ${"x".repeat(40)}`);
    answerWith(async () => answer(lines.join("\n")));
    const asked = discord.person("ann").command("general", "/agent", "list");
    await discord.recorder.until(() => asked.followUps.length === 3);

    const all = [asked.original, ...asked.followUps];
    const text = all.map((message) => message?.content).join("\n");
    expect(lines.every((_, index) => text.includes(`line ${index} `))).toBe(true);
    expect(all.every((message) => message?.onlyFor === discord.person("ann").id)).toBe(true);
    expect(all.some((message) => message?.pinged.everyone)).toBe(false);
  });

  it("with an answer without end gets the beginning, and is told so", async () => {
    const { discord, answerWith } = await openDesk();
    answerWith(async () => answer("word ".repeat(20_000)));
    const asked = discord.person("ann").command("general", "/agent", "list");
    await discord.recorder.until(() => asked.followUps.length === 4);

    expect(asked.followUps.at(-1)?.content).toMatch(/There is more; it is too long to show here\.$/);
  });

  it("that came too late for an answer is not carried out, and is a line in the log", async () => {
    const { discord, commands, logs } = await openDesk();
    const fault = { kind: "error", code: 10_062 } as const;
    discord.faults.add({ method: "create_interaction_response", fault });
    discord.person("ann").command("general", "/agent", "room");
    await discord.recorder.until(() =>
      logs.lines.some(({ message }) => message.includes("could not be answered any more")),
    );

    expect(commands).toEqual([]);
    expect(logs.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  it.each([
    ["the token has run out", { kind: "error", code: 50_027 }],
    ["its webhook is gone", { kind: "error", code: 10_015 }],
    ["the connection breaks", { kind: "drop" }],
  ] as const)("whose answer is refused, since %s, is a line in the log", async (_, fault) => {
    const { discord, commands, logs } = await openDesk();
    discord.faults.add({ method: "update_original_webhook_message", fault });
    discord.person("ann").command("general", "/agent", "room");
    await discord.recorder.until(() => logs.lines.some(({ level }) => level === "warn"));

    expect(commands).toHaveLength(1);
    expect(logs.lines.filter(({ level }) => level === "error")).toEqual([]);
    const again = discord.person("ann").command("general", "/agent", "room");
    expect(await shown(discord, again)).toBe("done");
  });

  it("is answered once when Discord took the acknowledgement and did not say so", async () => {
    const { discord, logs, commands } = await openDesk();
    discord.faults.add({ method: "create_interaction_response", fault: { kind: "accept-then-drop" } });
    discord.person("ann").command("general", "/agent", "room");
    await discord.recorder.until(() => logs.lines.some(({ level }) => level === "warn"));

    expect(discord.recorder.of("create_interaction_response")).toHaveLength(1);
    expect(commands).toEqual([]);
  });
});

describe("A click in Discord", () => {
  it("is acknowledged without a word, and reaches the inbox with its room, action and value", async () => {
    const open = await openDesk();
    const { discord, presses, client, answerWith } = open;
    answerWith(async () => answer("Continued.", { public: true }));
    notice(open, "general", "n|1", "second: one");
    const cleo = discord.person("cleo");
    const first = cleo.press(cleo.sees("general", "Continue 0"));
    const second = cleo.press(cleo.sees("general", "Continue 1"));
    await discord.recorder.until(() => presses.length === 2);

    const room = `discord:${client.guilds.cache.firstKey()}:${discord.workspace.channel("general").id}`;
    const from = { kind: "person", id: cleo.id, name: "Cleo", isAdmin: false };
    expect(presses).toEqual([
      { room, from, action: "troupe:continue", value: "n|1" },
      { room, from, action: "troupe:continue", value: "second: one" },
    ]);
    expect([first.callback?.type, second.callback?.type]).toEqual([6, 6]);
    await open.desk.stop(1_000);
    expect([first.followUps, second.followUps]).toEqual([[], []]);
  });

  it("in a thread is of the channel's room", async () => {
    const open = await openDesk();
    const thread = open.discord.person("ann").openThread("general", "plans");
    notice(open, thread.id, "n");
    open.discord.person("bob").press(open.discord.person("bob").sees(thread.id, "Continue 0"));
    await open.discord.recorder.until(() => open.presses.length === 1);

    const room = `discord:${open.client.guilds.cache.firstKey()}:${open.discord.workspace.channel("general").id}`;
    expect(open.presses).toMatchObject([{ room, from: { name: "Bob", isAdmin: true } }]);
  });

  it("that is refused is answered to whoever pressed, and the notice stays as it is", async () => {
    const open = await openDesk();
    const { discord, answerWith } = open;
    answerWith(async () => answer("Only members may do that.", { ok: false }));
    const standing = notice(open, "general", "n");
    const cleo = discord.person("cleo");
    const pressed = cleo.press(cleo.sees("general", "Continue 0"));
    await discord.recorder.until(() => pressed.followUps.length === 1);

    expect(pressed.followUps[0]).toMatchObject({ content: "Only members may do that.", onlyFor: cleo.id });
    expect(standing.content).toBe("Budget used up");
    expect(discord.seen("general", "ann")).toHaveLength(1);
  });

  it("twice is asked twice, and answered as the engine says", async () => {
    const open = await openDesk();
    const { discord, answerWith } = open;
    notice(open, "general", "n");
    const cleo = discord.person("cleo");
    const button = cleo.sees("general", "Continue 0");
    const answers = [answer("Continued.", { public: true }), answer("Already continued by Cleo.", { ok: false })];
    answerWith(async () => answers.shift() ?? answer("?"));
    const first = cleo.press(button);
    await discord.recorder.until(() => open.presses.length === 1);
    const second = cleo.press(button);
    await discord.recorder.until(() => second.followUps.length === 1);

    expect(second.followUps[0]?.content).toBe("Already continued by Cleo.");
    expect(first.followUps).toEqual([]);
  });

  it("whose value is kept as a digest means what it did when it was drawn", async () => {
    const long = `notice|${"x".repeat(200)}`;
    const view = { text: "", buttons: [{ action: "troupe:resume", value: long, label: "Resume" }] };
    const open = await openDesk({
      // The rest of a room's state does not matter here.
      reader: { room: async () => ({ notices: [{ id: "n", session: "s", state: "open", view }] }) as never },
    });
    post(open.discord, "general", buttonRows(view.buttons));
    open.discord.person("ann").press(open.discord.person("ann").sees("general", "Resume"));
    await open.discord.recorder.until(() => open.presses.length === 1);

    expect(open.presses).toMatchObject([{ action: "troupe:resume", value: long }]);
  });

  it("on a button whose room is gone says so", async () => {
    const open = await openDesk();
    const label = "Resume";
    post(open.discord, "general", buttonRows([{ action: "troupe:resume", value: "x".repeat(200), label }]));
    const pressed = open.discord.person("ann").press(open.discord.person("ann").sees("general", label));
    await open.discord.recorder.until(() => pressed.followUps.length === 1);

    expect(pressed.followUps[0]).toMatchObject({ content: "What this button belonged to is gone.", flags: EPHEMERAL });
    expect(open.presses).toEqual([]);
  });

  it("on a button that is none of ours says so, to whoever pressed alone", async () => {
    const open = await openDesk();
    const row = { type: 1, components: [{ type: 2, style: 1, label: "Vote", custom_id: "poll:1" }] };
    post(open.discord, "general", [row]);
    const ann = open.discord.person("ann");
    const pressed = ann.press(ann.sees("general", "Vote"));
    await open.discord.recorder.until(() => pressed.callback !== undefined);

    expect(pressed.callback).toMatchObject({
      type: 4,
      data: { flags: EPHEMERAL, content: expect.stringContaining("not known") },
    });
    expect(open.presses).toEqual([]);
  });

  it("that came too late is a line in the log", async () => {
    const open = await openDesk();
    notice(open, "general", "n");
    open.discord.faults.add({ method: "create_interaction_response", fault: { kind: "error", code: 40_060 } });
    open.discord.person("ann").press(open.discord.person("ann").sees("general", "Continue 0"));
    await open.discord.recorder.until(() => open.logs.lines.some(({ message }) => message.includes("any more")));

    expect(open.presses).toEqual([]);
  });

  it("writes ids of buttons that mean the same in every run", () => {
    expect(customIdOf({ action: "troupe:resume", value: "n1" })).toBe("troupe:resume|n1");
  });
});
