import { roomOf, type SessionId, threadOf } from "../../src/index.js";

/** Where a session is in Slack. */
export interface Place {
  readonly team: string;
  readonly channel: string;
  /** The root of its thread; absent: the channel itself. */
  readonly thread?: string;
}

/** Reads a session id, `slack:TEAM:CHANNEL[:THREAD]`. */
export function placeOf(session: SessionId): Place {
  const [, team = "", channel = ""] = roomOf(session).split(":");
  const thread = threadOf(session);
  return { team, channel, ...(thread === undefined ? {} : { thread }) };
}

/** The argument that keeps a post in its thread. */
export function inThread({ thread }: Place): { readonly thread_ts?: string } {
  return thread === undefined ? {} : { thread_ts: thread };
}
