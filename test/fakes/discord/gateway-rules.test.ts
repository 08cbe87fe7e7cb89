import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import WebSocket from "ws";
import { openDiscordTown } from "../../support/discord-town.js";
import type { FakeDiscord } from "./server.js";
import { isRecord, type Json } from "./wire.js";

const GUILDS = 1;

/** A bare socket that says what it is told to, after the hello. */
async function connect(discord: FakeDiscord, query = "?v=10&encoding=json") {
  const socket = new WebSocket(`${discord.wsUrl()}/${query}`);
  onTestFinished(() => socket.terminate());
  const heard: Json[] = [];
  const closed = new Promise<number>((resolve) => socket.on("close", resolve));
  socket.on("message", (data) => {
    const parsed: unknown = JSON.parse(String(data));
    if (isRecord(parsed)) heard.push(parsed);
  });
  await once(socket, "open");
  const say = (op: number, d: unknown) => socket.send(JSON.stringify({ op, d }));
  return { socket, heard, closed, say };
}

const identity = (token: string, intents: unknown = GUILDS) => ({ token, intents, properties: {} });

describe("the gateway's rules", () => {
  it("greet with an interval, answer a beat, and count from one", async () => {
    const { discord } = await openDiscordTown();
    const { heard, say } = await connect(discord);

    say(2, identity(discord.token));
    say(1, null);
    await discord.recorder.until(() => heard.length === 4);

    expect(heard.map(({ op, t, s }) => [op, t, s])).toEqual([
      [10, null, null],
      [0, "READY", 1],
      [0, "GUILD_CREATE", 2],
      [11, null, null],
    ]);
    expect(heard[0]?.d).toMatchObject({ heartbeat_interval: 41_250 });
  });

  it("close what does not keep to them, with the code that tells why", async () => {
    const { discord } = await openDiscordTown();
    const { token } = discord;
    const codes: [string, unknown, number][] = [
      ["an unknown op", { op: 99 }, 4001],
      ["no object", [], 4002],
      ["too much", { op: 1, d: "x".repeat(5_000) }, 4002],
      ["presence before a session", { op: 3, d: {} }, 4003],
      ["a wrong token", { op: 2, d: identity("no") }, 4004],
      ["a wrong token in a resume", { op: 6, d: { token: "no", session_id: "1", seq: 1 } }, 4004],
      ["a shard that is not there", { op: 2, d: { ...identity(token), shard: [1, 1] } }, 4010],
      ["no intents", { op: 2, d: identity(token, null) }, 4013],
      ["intents that there are none of", { op: 2, d: identity(token, 1 << 27) }, 4013],
      ["intents that are not granted", { op: 2, d: identity(token, 1 << 8) }, 4014],
    ];

    const got: [string, number][] = [];
    for (const [what, message] of codes) {
      const { socket, closed } = await connect(discord);
      socket.send(JSON.stringify(message));
      got.push([what, await closed]);
    }

    expect(got).toEqual(codes.map(([what, , code]) => [what, code]));
    expect(await (await connect(discord, "?v=6")).closed).toBe(4012);
  });

  it("allow one IDENTIFY, and a resume only up to what has been sent", async () => {
    const { discord } = await openDiscordTown();
    const first = await connect(discord);
    first.say(2, identity(discord.token));
    await discord.recorder.until(() => discord.gateway.open().length === 1);
    const sessionId = discord.gateway.open()[0]?.sessionId;
    const second = await connect(discord);

    first.say(2, identity(discord.token));
    second.say(6, { token: discord.token, session_id: sessionId, seq: 900 });

    expect(await first.closed).toBe(4005);
    expect(await second.closed).toBe(4007);
  });

  it("can be kept from greeting, and from saying that a client is ready", async () => {
    const { discord } = await openDiscordTown();

    discord.gateway.withhold("hello");
    const first = await connect(discord);
    first.say(1, null);
    await discord.recorder.until(() => first.heard.length === 1);
    discord.gateway.withhold("ready");
    const second = await connect(discord);
    second.say(2, identity(discord.token));
    second.say(1, null);
    await discord.recorder.until(() => second.heard.length === 2);

    expect(first.heard.map(({ op }) => op)).toEqual([11]);
    expect(second.heard.map(({ op }) => op)).toEqual([10, 11]);
  });

  it("send only what the intents ask for", async () => {
    const { discord } = await openDiscordTown();
    const { heard, say } = await connect(discord);
    say(2, identity(discord.token));
    await discord.recorder.until(() => heard.length === 3);

    discord.person("ann").say("general", "not asked for");
    discord.foreignWebhook("relay", "general");
    discord.admin.renameChannel("random", "other");
    await discord.recorder.until(() => heard.length === 4);

    expect(heard[3]?.t).toBe("CHANNEL_UPDATE");
  });
});
