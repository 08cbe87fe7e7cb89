import { DefaultRestOptions } from "discord.js";
import { expect, it, onTestFinished } from "vitest";
import { MOST_KEPT } from "../../../adapters/discord/gateway/client.js";
import { createGateway } from "../../../adapters/discord/gateway/gateway.js";
import { createKnownMessages } from "../../../adapters/discord/inbound/known.js";
import { discordMessage } from "../../../adapters/discord/inbound/wire.js";
import { openDiscordTown } from "../../support/discord-town.js";
import { createLogLines } from "../../support/log-lines.js";

it("the client keeps next to nothing of 5,000 authors and of what they say in 500 threads", async () => {
  const { discord, clock } = await openDiscordTown();
  const { token, apiUrl, workspace } = discord;
  const { makeRequest } = DefaultRestOptions;
  const gateway = createGateway({ token, apiUrl, makeRequest, clock, logger: createLogLines() });
  onTestFinished(() => gateway.close());
  let heard = 0;
  const onDispatch = (event: string) => {
    if (event === "MESSAGE_CREATE") heard++;
  };
  await gateway.open({ onDispatch, onGuild() {}, onGap() {} }, new AbortController().signal);
  const threads = Array.from({ length: 500 }, (_, i) => discord.person("ann").openThread("general", `thread ${i}`));
  heard = 0;

  const { id: home } = workspace.guild("home");
  for (let i = 0; i < 5_000; i++) {
    discord.feed.tellApp(discord.app, "MESSAGE_CREATE", {
      id: workspace.mintId(),
      channel_id: threads[i % 500]?.id,
      channel_type: 11,
      guild_id: home,
      author: { id: workspace.mintId(), username: `visitor${i}`, discriminator: "0", avatar: null },
      member: { roles: [], joined_at: "2026-01-01T00:00:00+00:00", flags: 0 },
      content: `hello from ${i}`,
      timestamp: "2026-01-05T09:00:00+00:00",
      ...{ type: 0, mentions: [], mention_roles: [], attachments: [], embeds: [] },
    });
  }
  await discord.recorder.until(() => heard >= 5_000);

  const { client } = gateway;
  const guild = client.guilds.cache.get(home);
  expect(client.users.cache.size).toBeLessThanOrEqual(MOST_KEPT + 1);
  expect(guild?.members.cache.size).toBeLessThanOrEqual(MOST_KEPT + 1);
  expect(guild?.members.me?.id).toBe(discord.botUserId);
  const channels = [...client.channels.cache.values()];
  expect(channels.filter((channel) => channel.isThread())).toHaveLength(500);
  for (const channel of channels) {
    if (channel.isTextBased()) expect(channel.messages.cache.size).toBe(0);
    if (channel.isThread()) expect(channel.members.cache.size).toBe(0);
  }
});

it("what is remembered of messages is bounded", () => {
  const known = createKnownMessages({ room: async () => undefined, entries: async () => [] });

  for (let i = 0; i < 5_000; i++)
    known.note(discordMessage.parse({ id: `${10_000_000_000_000_000 + i}`, channel_id: "1", author: { id: "2" } }));

  expect(known.size).toBe(2_000);
});
