import { type Client, Routes } from "discord.js";
import { byId } from "../ids.js";
import { type DiscordMessage, discordMessage } from "../inbound/wire.js";
import type { UnreadPlace } from "./places.js";

const PAGE = 100;

/** A page of history, oldest first. */
export interface Page {
  readonly messages: readonly DiscordMessage[];
  readonly oldest: string | undefined;
  readonly newest: string | undefined;
  readonly isLast: boolean;
}

/** Discord gives the newest of a page first, whichever way it is asked. */
export async function readPage(
  client: Client,
  { channel, guild }: Pick<UnreadPlace, "channel" | "guild">,
  from: { readonly after: string } | { readonly before: string },
  signal: AbortSignal,
): Promise<Page> {
  const query = new URLSearchParams({ ...from, limit: String(PAGE) });
  const answer = await client.rest.get(Routes.channelMessages(channel), { query, signal });
  const list: readonly unknown[] = Array.isArray(answer) ? answer : [];
  const messages = list
    .flatMap((message) => discordMessage.safeParse(message).data ?? [])
    // History does not say of which server it is.
    .map((message) => ({ ...message, guild_id: guild }))
    .toSorted((a, b) => byId(a.id, b.id));
  return { messages, oldest: messages[0]?.id, newest: messages.at(-1)?.id, isLast: list.length < PAGE };
}
