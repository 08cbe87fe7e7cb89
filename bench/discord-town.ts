import { setTimeout as sleep } from "node:timers/promises";
import type { DiscordMessage } from "../test/fakes/discord/model.js";
import { type FakeDiscord, startFakeDiscord } from "../test/fakes/discord/server.js";
import type { Access } from "./systems.js";

/** A fake Discord with one person in it who mentions the bot. */
export interface Town {
  readonly discord: FakeDiscord;
  readonly access: Access;
  readonly channels: readonly string[];
  /**
   * Mentions the bot in this channel or thread. Resolves when its webhook's answer stands, with the milliseconds between. So
   * often one after the other as Discord allows.
   */
  mention(place: string): Promise<number>;
  close(): Promise<void>;
}

/** Discord takes fifty calls in a second from one bot. */
const EVERY_MS = 25;
const LONGEST_MS = 30_000;

/** Everybody may see all of so many channels. */
export async function openTown(channelCount: number): Promise<Town> {
  const waiting = new Map<string, () => void>();
  const onPost = ({ webhook, content }: DiscordMessage) => {
    if (webhook) waiting.get(/#\d+#/.exec(content)?.[0] ?? "")?.();
  };
  const discord = await startFakeDiscord({ onPost });
  const { workspace } = discord;
  workspace.addUser({ name: "ann", displayName: "Ann" });
  workspace.addGuild({ name: "home", owner: "ann", members: ["troupe"] });
  const channels = Array.from({ length: channelCount }, (_, i) => `room-${i}`);
  for (const name of channels) workspace.addChannel({ name });
  const ann = discord.person("ann");
  let said = 0;
  let nextAt = 0;
  return {
    discord,
    access: { DISCORD_API_URL: discord.apiUrl, DISCORD_TOKEN: discord.token },
    channels,
    async mention(place) {
      await sleep(Math.max(0, nextAt - performance.now()));
      const begun = performance.now();
      nextAt = begun + EVERY_MS;
      const key = `#${++said}#`;
      return new Promise<number>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`mention ${key} was not answered`)), LONGEST_MS);
        waiting.set(key, () => {
          waiting.delete(key);
          clearTimeout(late);
          resolve(performance.now() - begun);
        });
        ann.say(place, `@Troupe alpha ${key}`);
      });
    },
    close: () => discord.close(),
  };
}
