import * as z from "zod";
import type { KeyValue, Logger } from "../../../src/index.js";
import type { Mark, TimedIds } from "./marks.js";

/** What may be unread: of each room, and of its threads, behind its mark; of rooms without one, behind `since`. */
export interface Unread {
  readonly since?: string;
  readonly marks: readonly Mark[];
}

export const NOTHING_UNREAD: Unread = { marks: [] };

/** A note of what is unread, which outlives the process. */
export interface UnreadNote {
  /** Of the last run. Rejects when the store cannot be read: then nobody knows what is missing. */
  read(): Promise<Unread>;
  /** Never rejects: without the note only a crash in the next moments would lose something. */
  write(unread: Unread): Promise<void>;
}

interface NoteOptions {
  /** The platform's name, as people write it. */
  readonly platform: string;
  readonly key: string;
  /** Where it is noted; absent: nowhere. */
  readonly notes: KeyValue | undefined;
  readonly logger: Logger;
}

const stored = z.object({
  since: z.string().optional(),
  rooms: z.array(
    z.object({ room: z.string(), since: z.string().optional(), threads: z.array(z.tuple([z.string(), z.string()])) }),
  ),
});

export function createUnreadNote({ platform, key, notes, logger }: NoteOptions): UnreadNote {
  return {
    async read() {
      const value = await notes?.get(key);
      if (value === undefined) return NOTHING_UNREAD;
      const { data } = stored.safeParse(value);
      if (data === undefined)
        logger.warn({ key }, `the note of what is unread in ${platform} cannot be read; it is left out`);
      const marks = (data?.rooms ?? []).map(({ room, since, threads }) => markOf(room, since, new Map(threads)));
      return unreadOf(data?.since, marks);
    },
    async write(unread) {
      try {
        if (isNothing(unread)) await notes?.delete(key);
        else await notes?.set(key, { ...sinceIn(unread.since), rooms: unread.marks.map(storedMark) });
      } catch (error) {
        logger.warn({ error }, `could not note what is unread in ${platform}`);
      }
    },
  };
}

function storedMark({ room, since, threads }: Mark) {
  return { room, ...sinceIn(since), threads: [...threads] };
}

export function isNothing({ since, marks }: Unread): boolean {
  return since === undefined && marks.length === 0;
}

/** All of it together: of each room and of each thread the earliest moment counts. */
export function earliest(all: readonly Unread[], ids: TimedIds): Unread {
  const marks = new Map<string, Mark>();
  for (const mark of all.flatMap((unread) => unread.marks)) {
    const other = marks.get(mark.room);
    marks.set(mark.room, other === undefined ? mark : earlierMark(mark, other, ids));
  }
  const since = all.map((unread) => unread.since).reduce((one, other) => earlier(one, other, ids), undefined);
  return unreadOf(since, [...marks.values()]);
}

/** What the logs know, and what the last run had not read yet. A room that it had no mark of was new to it. */
export function afterCrash(marks: readonly Mark[], left: Unread, ids: TimedIds): Unread {
  const noted = new Set(left.marks.map(({ room }) => room));
  const asNew = marks.map((mark) =>
    noted.has(mark.room) ? mark : markOf(mark.room, earlier(mark.since, left.since, ids), mark.threads),
  );
  return earliest([{ marks: asNew }, left], ids);
}

function earlierMark(one: Mark, other: Mark, ids: TimedIds): Mark {
  const threads = new Map(one.threads);
  for (const [thread, since] of other.threads) threads.set(thread, earlier(threads.get(thread), since, ids) ?? since);
  return markOf(one.room, earlier(one.since, other.since, ids), threads);
}

function earlier(one: string | undefined, other: string | undefined, ids: TimedIds): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return ids.compare(one, other) < 0 ? one : other;
}

function markOf(room: string, since: string | undefined, threads: Mark["threads"]): Mark {
  return { room, ...sinceIn(since), threads };
}

function unreadOf(since: string | undefined, marks: readonly Mark[]): Unread {
  return { ...sinceIn(since), marks };
}

function sinceIn(since: string | undefined): { readonly since?: string } {
  return since === undefined ? {} : { since };
}
