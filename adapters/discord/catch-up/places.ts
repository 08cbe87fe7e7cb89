import { type Client, type GuildTextBasedChannel, PermissionFlagsBits } from "discord.js";
import type { RoomId } from "../../../src/index.js";
import { type Mark, MOST_THREADS } from "../../shared/catch-up/marks.js";
import { byId } from "../ids.js";
import { placeOf } from "../place.js";
import { roomOfChannel } from "../whereabouts.js";

/** A channel, a thread or a direct conversation in which something may have been said, and up to where it is known. */
export interface UnreadPlace {
  readonly room: RoomId;
  /** Its thread; absent: the room itself. */
  readonly thread?: string;
  /** The id of the channel, the thread or the direct conversation. */
  readonly channel: string;
  /** `undefined`: a direct conversation. */
  readonly guild: string | undefined;
  readonly since: string;
}

const MOST_DIRECT = 50;
const MOST_NEW = 50;

const NEEDED = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.ReadMessageHistory;

/** The places of the marks that can be read. */
export function markedPlaces(client: Client, marks: readonly Mark[]): readonly UnreadPlace[] {
  const places = marks.flatMap((mark) => placesOf(mark));
  const direct = places.filter(({ guild }) => guild === undefined).slice(0, MOST_DIRECT);
  return [...places.filter(({ guild }) => guild !== undefined), ...direct].filter((place) => mayBeRead(client, place));
}

function placesOf({ room, since, threads }: Mark): readonly UnreadPlace[] {
  const { guild, channel } = placeOf(room);
  const own = since === undefined ? [] : [{ room, channel, guild, since }];
  const inThreads = [...threads].slice(0, MOST_THREADS);
  return [...own, ...inThreads.map(([thread, from]) => ({ room, thread, channel: thread, guild, since: from }))];
}

/** The mark that leads to the place again. */
export function markOf({ room, thread, since }: UnreadPlace): Mark {
  return thread === undefined ? { room, since, threads: new Map() } : { room, threads: new Map([[thread, since]]) };
}

/** What the client does not know may be a thread that sleeps, or a direct conversation. */
function mayBeRead(client: Client, { channel: id, guild }: UnreadPlace): boolean {
  if (guild !== undefined && !client.guilds.cache.has(guild)) return false;
  const channel = client.channels.cache.get(id);
  if (channel === undefined || channel.isDMBased()) return true;
  return channel.isTextBased() && isReadable(channel);
}

/** Whether something has been said since, as far as the client knows. */
export function mayHaveNews(client: Client, { channel: id, since }: UnreadPlace): boolean {
  const channel = client.channels.cache.get(id);
  if (channel === undefined || channel.isDMBased() || !channel.isTextBased()) return true;
  return channel.lastMessageId === null || byId(channel.lastMessageId, since) > 0;
}

/** Where something was said since then, newest first, of what has no mark: it may have come up while nobody listened. */
export function newPlaces(client: Client, marks: readonly Mark[], since: string): readonly UnreadPlace[] {
  const known = new Set(
    marks.flatMap(({ room, since: own, threads }) => [
      ...(own === undefined ? [] : [placeOf(room).channel]),
      ...threads.keys(),
    ]),
  );
  const found: (UnreadPlace & { readonly last: string })[] = [];
  for (const channel of client.channels.cache.values()) {
    if (channel.isDMBased() || !channel.isTextBased() || known.has(channel.id) || !isReadable(channel)) continue;
    const { id, guildId: guild, lastMessageId: last } = channel;
    if (last === null || byId(last, since) <= 0) continue;
    const parent = channel.isThread() ? channel.parentId : null;
    const room = roomOfChannel(guild, parent ?? id);
    found.push({ room, ...(parent === null ? {} : { thread: id }), channel: id, guild, since, last });
  }
  return found.toSorted((a, b) => byId(b.last, a.last)).slice(0, MOST_NEW);
}

/** Whoever asks without being allowed to is counted by Discord, and shut out in the end. */
function isReadable(channel: GuildTextBasedChannel): boolean {
  const { me } = channel.guild.members;
  return me === null || channel.permissionsFor(me).has(NEEDED);
}
