import { type Client, PermissionFlagsBits } from "discord.js";
import { type SessionId, threadSession } from "../../src/index.js";

/** Where messages of a channel, or of a thread, belong. */
export interface Whereabouts {
  readonly session: SessionId;
  /** A conversation with the bot alone. */
  readonly isDirect: boolean;
}

/** Finds the session of a channel or thread; without a guild it is a direct conversation. Rejects when Discord does not say. */
export type Finder = (channelId: string, guildId: string | undefined) => Promise<Whereabouts>;

/** The room of a channel; without a guild, of a direct conversation. */
export function roomOfChannel(guildId: string | undefined, channelId: string): SessionId {
  return `discord:${guildId ?? "dm"}:${channelId}`;
}

/** From what the client knows; a thread that it does not know, it asks for. */
export function createFinder(client: Client): Finder {
  return async (channelId, guildId) => {
    if (guildId === undefined) return { session: roomOfChannel(undefined, channelId), isDirect: true };
    const known = parentKnown(client, channelId);
    const parent = known === undefined ? await parentAsked(client, channelId) : known;
    const room = roomOfChannel(guildId, parent ?? channelId);
    return { session: parent === null ? room : threadSession(room, channelId), isDirect: false };
  };
}

/** The channel of a thread; `null`: it is no thread; `undefined`: not known. */
export function parentKnown(client: Client, channelId: string): string | null | undefined {
  const channel = client.channels.cache.get(channelId);
  if (channel === undefined) return undefined;
  // Of a thread that it hears from for the first time, the library keeps no more than that there is one.
  return channel.isThread() ? (channel.parentId ?? undefined) : null;
}

async function parentAsked(client: Client, channelId: string): Promise<string | null> {
  const channel = await client.channels.fetch(channelId, { force: true });
  return channel?.isThread() ? channel.parentId : null;
}

/** Whether the bot may read what was said in this channel or thread; `undefined`: the client does not know it. */
export function mayReadHistory(client: Client, id: string): boolean | undefined {
  const channel = client.channels.cache.get(id);
  if (channel === undefined) return undefined;
  if (channel.isDMBased()) return true;
  const { me } = channel.guild.members;
  return me === null ? undefined : channel.permissionsFor(me).has(PermissionFlagsBits.ReadMessageHistory);
}
