// A bare discord.js bot that answers each mention through a webhook it knows. It keeps nothing but what the library keeps by default.
// Started by the Discord benches, which tell it where Discord is.
import { Client, Events, GatewayIntentBits } from "discord.js";

const { DISCORD_API_URL: api = "", DISCORD_TOKEN: token = "" } = process.env;
const client = new Client({
  intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.MessageContent],
  rest: { api },
});

/** @type {Map<string, Promise<import("discord.js").Webhook>>} By channel. */
const webhooks = new Map();

/** @param {import("discord.js").TextChannel} channel */
const webhookOf = (channel) => {
  const found = webhooks.get(channel.id) ?? channel.createWebhook({ name: "Echo" });
  webhooks.set(channel.id, found);
  return found;
};

/** @param {import("discord.js").Message} message */
const answer = async ({ author, mentions, channel, content }) => {
  if (author.bot || !client.user || !mentions.has(client.user)) return;
  const place = channel.isThread() ? channel.parent : channel;
  if (place?.type !== 0) return;
  const webhook = await webhookOf(place);
  await webhook.send({ content, username: "alpha", ...(channel.isThread() ? { threadId: channel.id } : {}) });
};

client.on(Events.MessageCreate, (message) => void answer(message));
client.once(Events.ClientReady, () => process.stdout.write("ready\n"));
await client.login(token);
