import type { Clock, KeyValue, Logger, Reader } from "../../../src/index.js";
import { marksOf, type TimedIds } from "./marks.js";
import { afterCrash, createUnreadNote, earliest, isNothing, NOTHING_UNREAD, type Unread } from "./unread.js";

/**
 * Catching up that a crash does not cut short: what is still unread is noted before anything newer is taken, which would pass for
 * the newest that is known, and the note goes when all of it has been read.
 */
export interface NotedCatchUp {
  /** What is unread, and noted from now on. `since`: nothing is known from that moment on, in milliseconds. */
  marks(since?: number): Promise<Unread>;
  /** Reads it, and what could not be read before; absent: only that. Answers whether something is left for another time. */
  read(unread: Unread | undefined, isWide: boolean, signal: AbortSignal): Promise<boolean>;
}

interface NotedOptions {
  /** The platform's name, as people write it. */
  readonly platform: string;
  /** What the ids of the platform's rooms begin with. */
  readonly prefix: string;
  readonly ids: TimedIds;
  readonly reader: Reader;
  /** Where it is noted; absent: nowhere. */
  readonly notes: KeyValue | undefined;
  /** What was said longer ago is not answered any more, and not looked for in rooms that nobody has heard of. */
  readonly windowMs: number;
  /** Reads what was said since. `isWide`: looks for rooms without a mark too. Answers with what may be read another time. Never rejects. */
  readonly catchUp: (unread: Unread, isWide: boolean, signal: AbortSignal) => Promise<Unread>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createNotedCatchUp(options: NotedOptions): NotedCatchUp {
  const { platform, prefix, ids, windowMs, catchUp, clock, logger } = options;
  const note = createUnreadNote({ ...options, key: `${prefix}unread` });
  /** What is to be read yet. */
  const waiting = new Set<Unread>();
  /** What could not be read. */
  let left = NOTHING_UNREAD;

  function write(): Promise<void> {
    return note.write(earliest([...waiting, left], ids));
  }

  async function atStart(): Promise<Unread> {
    const [marks, before] = await Promise.all([marksOf(options), note.read()]);
    const since = ids.at(clock.now() - windowMs);
    return earliest([{ since, marks: [] }, afterCrash(marks, before, ids)], ids);
  }

  async function sinceThen(ms: number): Promise<Unread> {
    return { since: ids.at(ms), marks: await marksOf(options, ms) };
  }

  return {
    async marks(since) {
      const unread = since === undefined ? await atStart() : await sinceThen(since);
      waiting.add(unread);
      await write();
      return unread;
    },
    async read(unread = NOTHING_UNREAD, isWide, signal) {
      const what = earliest([unread, left], ids);
      const stillLeft = await catchUp(what, isWide || left.since !== undefined, signal);
      if (signal.aborted) return false;
      waiting.delete(unread);
      left = stillLeft;
      await write();
      const counts = { rooms: what.marks.length, left: left.marks.length };
      logger.debug(counts, `what was said in ${platform} meanwhile has been read`);
      return !isNothing(left);
    },
  };
}
