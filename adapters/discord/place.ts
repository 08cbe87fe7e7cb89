import { roomOf, type SessionId, threadOf } from "../../src/index.js";

/** Where a session is in Discord. */
export interface Place {
  /** `undefined`: a direct conversation. */
  readonly guild: string | undefined;
  /** The channel, or a thread's parent. */
  readonly channel: string;
  /** Absent: the channel itself. */
  readonly thread?: string;
}

/** Reads a session id, `discord:GUILD:CHANNEL[:THREAD]` or `discord:dm:CHANNEL`. */
export function placeOf(session: SessionId): Place {
  const [, guild = "", channel = ""] = roomOf(session).split(":");
  const thread = threadOf(session);
  return { guild: guild === "dm" ? undefined : guild, channel, ...(thread === undefined ? {} : { thread }) };
}

/** The id under which Discord has the messages of a place. */
export function standsIn({ channel, thread }: Place): string {
  return thread ?? channel;
}

/** The address of a message. */
export function linkOf(place: Pick<Place, "guild">, channel: string, message: string): string {
  return `https://discord.com/channels/${place.guild ?? "@me"}/${channel}/${message}`;
}
