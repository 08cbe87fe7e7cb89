import { type Clock, type Reader, type RoomId, threadOf } from "../../../src/index.js";

/** Up to where a room, and each of its threads, is known: message ids of the platform. */
export interface Mark {
  readonly room: RoomId;
  /** Absent: the room is known by its threads alone. */
  readonly since?: string;
  /** By the thread's part of the session id. */
  readonly threads: ReadonlyMap<string, string>;
}

/** Message ids of a platform, which hold the moment of the message. */
export interface TimedIds {
  /** Whether something that a log calls its id is one of the platform's. */
  isId(text: string): boolean;
  compare(a: string, b: string): number;
  /** What an id of that moment would be, in milliseconds. */
  at(ms: number): string;
}

interface MarkOptions {
  readonly reader: Reader;
  readonly clock: Clock;
  /** What the ids of the platform's rooms begin with. */
  readonly prefix: string;
  readonly ids: TimedIds;
}

/** Threads that are looked into, of those that were talked in within a day. */
export const MOST_THREADS = 20;
const THREAD_LIVES_MS = 24 * 60 * 60_000;
/** Entries that are looked through for the newest message. */
const LOOK_BACK = 500;
const CHUNK = 100;

/** How far every room is known, from the logs. `since`: nothing is known from that moment on, in milliseconds. */
export async function marksOf(options: MarkOptions, since?: number): Promise<readonly Mark[]> {
  const { reader, prefix, ids } = options;
  const marks: Mark[] = [];
  for (const { id } of await reader.rooms()) {
    if (!id.startsWith(prefix)) continue;
    const mark = await markOf(options, id, since === undefined ? undefined : ids.at(since));
    if (mark) marks.push({ ...mark, room: id });
  }
  return marks;
}

async function markOf(
  { reader, clock, ids }: MarkOptions,
  room: RoomId,
  since: string | undefined,
): Promise<Omit<Mark, "room"> | undefined> {
  const sessions = (await reader.room(room))?.sessions ?? [];
  const lives = ids.at(clock.now() - THREAD_LIVES_MS);
  const threads = new Map<string, string>();
  let newest: string | undefined;
  for (const { id, seq } of sessions.slice(0, MOST_THREADS + 1)) {
    const message = await newestOf({ reader, ids }, id, seq);
    const thread = threadOf(id);
    if (message === undefined) continue;
    if (thread === undefined) newest = message;
    else if (ids.compare(message, lives) > 0) threads.set(thread, since ?? message);
  }
  const known = since ?? newest;
  if (known === undefined) return threads.size === 0 ? undefined : { threads };
  return { since: known, threads };
}

/** The newest message from outside in a session: its id is its time. */
async function newestOf(
  { reader, ids }: Pick<MarkOptions, "reader" | "ids">,
  session: string,
  seq: number,
): Promise<string | undefined> {
  for (let last = seq; last > Math.max(0, seq - LOOK_BACK); last -= CHUNK) {
    const after = Math.max(0, last - CHUNK);
    const entries = await reader.entries(session, after, last - after);
    const found = entries.map(({ entry }) => entry.id).filter((id) => ids.isId(id));
    if (found.length > 0) return found.reduce((a, b) => (ids.compare(a, b) > 0 ? a : b));
  }
  return undefined;
}
