import {
  type Client,
  type ClientOptions,
  Client as DiscordClient,
  GatewayIntentBits,
  Partials,
  TextChannel,
} from "discord.js";
import { onTestFinished } from "vitest";
import type { FakeDiscord } from "../fakes/discord/server.js";

const INTENTS = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.MessageContent,
  GatewayIntentBits.GuildWebhooks,
  GatewayIntentBits.DirectMessages,
];

/** A real client of discord.js on the fake, not logged in; it is destroyed after the test. */
export function discordClient(discord: FakeDiscord, options: Partial<ClientOptions> = {}): Client {
  const client = new DiscordClient({
    intents: INTENTS,
    partials: [Partials.Channel, Partials.Message],
    ...options,
    rest: { api: discord.apiUrl, ...options.rest },
  });
  client.on("error", () => {});
  onTestFinished(() => client.destroy());
  return client;
}

/** The same, logged in and ready. */
export async function readyClient(discord: FakeDiscord, options: Partial<ClientOptions> = {}): Promise<Client<true>> {
  const client = discordClient(discord, options);
  const ready = new Promise<Client<true>>((resolve) => client.once("clientReady", resolve));
  await client.login(discord.token);
  return ready;
}

/** A text channel as the client has it. */
export async function textChannel(client: Client, id: string): Promise<TextChannel> {
  const channel = await client.channels.fetch(id);
  if (!(channel instanceof TextChannel)) throw new Error(`${id} is no text channel`);
  return channel;
}

/** What a bare call was answered. */
export interface RawAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

/** A call with the app's token and without a client's own cleverness. */
export async function rawCall(discord: FakeDiscord, verb: string, path: string, body?: unknown): Promise<RawAnswer> {
  const response = await fetch(`${discord.apiUrl}/v10${path}`, {
    method: verb,
    headers: { authorization: `Bot ${discord.token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type") === "application/json";
  return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
}
