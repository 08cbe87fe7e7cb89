import { describe, expect, it } from "vitest";
import { startDiscordRooms } from "../../support/discord-rooms.js";
import { openDiscordTown } from "../../support/discord-town.js";
import { settle } from "../../support/fake-clock.js";
import { passUntil } from "../../support/passing.js";
import { scripted } from "../../support/rooms.js";

const alpha = scripted("alpha", "Alpha here: {{text}}");

/** A room that is connected, and what a break of its connection does to it. */
async function connected() {
  const rooms = await startDiscordRooms({ personas: [alpha] });
  const { discord, adapter } = rooms;
  const isReady = () => adapter.status().ready;
  return {
    ...rooms,
    isReady,
    /** The client is back after this, and hears. */
    async hearsAfter(how: () => void) {
      const { resumes, identifies } = discord.gateway;
      how();
      await discord.recorder.until(
        () => discord.gateway.resumes + discord.gateway.identifies > resumes + identifies && isReady(),
      );
      discord.person("ann").say("general", "@alpha still there?");
      await rooms.shows("general", "Alpha here: @alpha still there?");
    },
  };
}

describe("the connection to Discord's gateway", () => {
  it.each([
    ["Discord asks for it", "reconnect"],
    ["it breaks", "break"],
    ["it is closed with 4000", "close"],
  ] as const)("is taken up again where %s, and nothing is lost or doubled", async (_, how) => {
    const { discord, hearsAfter, log } = await connected();
    const [line] = discord.gateway.open();

    await hearsAfter(() => {
      if (how === "reconnect") line?.reconnect();
      if (how === "break") line?.kill();
      if (how === "close") line?.close(4000);
      discord.person("ann").say("general", "said meanwhile");
    });

    expect(discord.gateway.resumes).toBe(1);
    const said = (await log("general")).filter(({ entry }) => entry.sender.kind === "person");
    expect(said.map(({ entry }) => entry.text)).toEqual(["said meanwhile", "@alpha still there?"]);
  });

  it("begins a new session where the old one is gone, and reads what it was not told", async () => {
    const { discord, clock, logged, isReady } = await connected();
    discord.gateway.forgetSessions();

    for (const line of discord.gateway.open()) line.kill();
    discord.person("ann").say("general", "said meanwhile");
    await discord.recorder.until(() => discord.gateway.connections.length === 3);
    await passUntil({ clock }, () => discord.gateway.identifies >= 2, 1_000);
    await discord.recorder.until(isReady);

    const entries = await logged("general", (all) => all.length > 0);
    expect(entries.map(({ entry }) => entry.text)).toEqual(["said meanwhile"]);
  });

  it.each([
    [4004, /DISCORD_TOKEN/],
    [4014, /Message Content Intent/],
  ])("stays closed after %i, with the mend as the status", async (code, mend) => {
    const { discord, adapter } = await connected();

    discord.gateway.open()[0]?.close(code);

    await discord.recorder.until(() => mend.test(adapter.status().problem ?? ""));
    expect(adapter.status().ready).toBe(false);
  });

  it("is not ready when heartbeats stay unanswered, or nothing at all is heard for long", async () => {
    const { clock, adapter } = await connected();

    await clock.advance(120_000);

    expect(adapter.status()).toEqual({ ready: false, problem: expect.stringContaining("heartbeat") });
  });

  it("survives what it cannot read", async () => {
    const { discord, hearsAfter, logs } = await connected();

    discord.feed.tellApp(discord.app, "MESSAGE_CREATE", { id: 7 });
    discord.feed.tellApp(discord.app, "GUILD_MEMBER_ADD", {});
    discord.feed.tellApp(discord.app, "INTERACTION_CREATE", { type: 2 });
    discord.feed.tellApp(discord.app, "WHATEVER", {});
    await hearsAfter(() => discord.gateway.open()[0]?.reconnect());

    expect(logs.lines.some(({ message }) => message.includes("has not the form of one"))).toBe(true);
  });
});

describe("the start of the adapter", () => {
  it.each([
    ["a token that is refused", /DISCORD_TOKEN/, "token"],
    ["an intent that is switched off", /Message Content Intent/, "intent"],
    ["a gateway that lets nobody in with it", /Message Content Intent/, "gateway"],
  ] as const)("is refused for good with %s, and says the mend", async (_, mend, what) => {
    const town = await openDiscordTown();
    const { discord } = town;
    if (what === "intent") discord.app.privileges.clear();
    if (what === "gateway") discord.gateway.refuse(4014, 1);
    const over = what === "token" ? { token: "not.a.token" } : {};

    const { logs, adapter } = await startDiscordRooms({ personas: [alpha], town, adapter: over, connects: false });

    const isSaid = ({ fields }: (typeof logs.lines)[number]) =>
      "error" in fields && fields.error instanceof Error && mend.test(fields.error.message);
    await discord.recorder.until(() => logs.lines.some(isSaid));
    expect(adapter.status().ready).toBe(false);
  });

  it("goes through as soon as Discord is there", async () => {
    const town = await openDiscordTown();
    const { discord, clock } = town;
    await discord.down();
    const rooms = await startDiscordRooms({ personas: [alpha], town, connects: false });
    await discord.up();

    for (let i = 0; i < 100 && !rooms.adapter.status().ready; i++) await clock.advance(5_000);

    expect(rooms.adapter.status()).toEqual({ ready: true });
  });
});

describe("the end of the adapter", () => {
  it.each([0, 1, 2, 3, 4, 5])("in the middle of an outage is an end for good: moment %i", async (moment) => {
    const { discord, adapter } = await connected();
    const { connections } = discord.gateway;
    const before = connections.length;
    await discord.down();
    // From right after the break to in between two attempts to connect.
    await discord.recorder.until(() => discord.gateway.open().length === 0);
    for (let i = 0; i < moment * 40; i++) await settle(1);

    await adapter.stop(5_000);
    await discord.up();

    // The library waits half a second before it tries again, by the machine's own time.
    const later = performance.now() + 700;
    await discord.recorder.until(() => performance.now() > later);
    expect(discord.gateway.connections.length).toBe(before);
  });

  it("keeps what was taken, hangs up, and does not come back", async () => {
    const { discord, logged, adapter } = await startDiscordRooms({ personas: [] });
    for (let i = 0; i < 20; i++) discord.person("ann").say("general", `number ${i}`);
    await logged("general", (all) => all.length > 0);

    await adapter.stop(5_000);
    discord.person("ann").say("general", "too late");

    await discord.recorder.until(() => discord.gateway.connections.every(({ isOpen }) => !isOpen));
    expect(adapter.status().ready).toBe(false);
    const entries = await logged("general", () => true);
    expect(entries.map(({ entry }) => entry.text)).toEqual(entries.map((_, i) => `number ${i}`));
  });
});

describe("a connection that hears nothing", () => {
  it("is replaced when heartbeats stay unanswered, and what was said meanwhile comes", async () => {
    const town = await openDiscordTown();
    const { discord } = town;
    discord.gateway.heartbeatMs = 200;
    const { shows } = await startDiscordRooms({ personas: [alpha], town });

    discord.gateway.open()[0]?.mute();
    discord.person("ann").say("general", "@alpha are you there?");

    await shows("general", "Alpha here: @alpha are you there?");
    expect(discord.gateway.resumes).toBe(1);
  });

  it("is taken up again when nothing at all has come for half an hour", async () => {
    const { discord, clock, isReady } = await connected();

    await clock.advance(31 * 60_000);
    await discord.recorder.until(() => discord.gateway.resumes === 1 && isReady());

    expect(discord.gateway.identifies).toBe(1);
  });
});
