import {
  type Clock,
  type Logger,
  type Reader,
  type RoomId,
  roomOf,
  type SessionId,
  type View,
} from "../../src/index.js";
import { type Changes, createChanges, type Gathered } from "./changes.js";
import { entryJson } from "./entry-json.js";

/** Which stream to open. `after`: the last sequence number that its reader has; absent: only what comes from now on. */
export interface StreamRequest {
  readonly session: SessionId;
  readonly after?: number;
  /** The person's key opened it: it clears the room's attention mark and is shown hints. */
  readonly person: boolean;
  /** Ends the stream. */
  readonly closing: AbortSignal;
}

/** The open event streams of all rooms. */
export interface Streams {
  /** A body of server-sent events. Nothing happens before it is first read. `undefined`: too many are open. */
  open(request: StreamRequest): ReadableStream<Uint8Array> | undefined;
  /** Shows something to the person, wherever the room is open. */
  hint(room: RoomId, view: View): void;
  closeAll(): void;
}

export interface StreamsOptions {
  readonly reader: Reader;
  readonly clock: Clock;
  readonly logger: Logger;
}

const MAX_STREAMS = 256;
/** Streams that the read-only key may hold: a share of its own, so that they never lock the person out. */
const MAX_READING_STREAMS = 32;
const HEARTBEAT_MS = 15_000;
/** How many entries are held at once for a stream. */
const BATCH = 20;
/** Of how many entries before the last one seen a resumed stream repeats the outcomes: they may be newer than the entries. */
const OUTCOMES_REPEATED = 100;

export function createStreams({ reader, clock, logger }: StreamsOptions): Streams {
  const streams = new Set<{ readonly room: RoomId; readonly person: boolean; readonly changes: Changes }>();

  async function* run(request: StreamRequest, changes: Changes): AsyncGenerator<string> {
    const room = roomOf(request.session);
    const stream = { room, person: request.person, changes };
    const close = () => changes.close();
    const unsubscribe = reader.subscribe(room, changes.note);
    const stopBeating = every(clock, HEARTBEAT_MS, changes.beat);
    request.closing.addEventListener("abort", close);
    if (request.closing.aborted) close();
    streams.add(stream);
    try {
      yield* frames(reader, request, changes);
    } finally {
      streams.delete(stream);
      request.closing.removeEventListener("abort", close);
      stopBeating();
      unsubscribe();
    }
  }

  return {
    open(request) {
      const open = [...streams].filter(({ person }) => person === request.person).length;
      if (open >= (request.person ? MAX_STREAMS : MAX_READING_STREAMS)) return undefined;
      const changes = createChanges(request.session);
      const text = run(request, changes);
      return byteStream(text, changes, (error) =>
        logger.warn({ session: request.session, error }, "an event stream ended early"),
      );
    },
    hint(room, view) {
      for (const stream of streams) if (stream.person && stream.room === room) stream.changes.hint(view);
    },
    closeAll() {
      for (const stream of streams) stream.changes.close();
    },
  };
}

/**
 * Frames as bytes, made only as fast as they are read. A failure ends the stream like any other end: its reader
 * comes back and resumes.
 */
function byteStream(
  text: AsyncGenerator<string>,
  changes: Changes,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isCancelled = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await text.next().catch(onError);
        if (isCancelled) return;
        if (!next || next.done) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      },
      async cancel() {
        isCancelled = true;
        changes.close();
        await text.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The room's state, what a resumed reader may have missed, and then whatever changes. */
async function* frames(reader: Reader, request: StreamRequest, changes: Changes): AsyncGenerator<string> {
  const { session, after } = request;
  if (request.person && (await reader.room(session))) await reader.opened(roomOf(session));
  const state = await reader.room(session);
  const room = frame("room", state ?? null);
  yield room;
  const newest = state?.sessions.find(({ id }) => id === session)?.seq ?? 0;
  const sent = startAfter(after, newest);
  if (after !== undefined) yield* outcomes(reader, session, Math.max(0, sent - OUTCOMES_REPEATED), sent);
  yield* live(reader, session, changes, { sent, room });
}

/** Every round reads the log, so that a lost event costs one heartbeat. */
async function* live(
  reader: Reader,
  session: SessionId,
  changes: Changes,
  shown: { sent: number; room: string },
): AsyncGenerator<string> {
  let { sent, room } = shown;
  sent = yield* entries(reader, session, changes, sent);
  for (let gathered = await changes.next(); gathered; gathered = await changes.next()) {
    const known = sent;
    sent = yield* entries(reader, session, changes, known);
    // What is newer than `known` has just been sent with its outcome.
    for (const seq of gathered.outcomes) if (seq <= known) yield* outcomes(reader, session, seq - 1, seq);
    if (gathered.room) {
      const now = frame("room", (await reader.room(session)) ?? null);
      if (now !== room) yield now;
      room = now;
    }
    yield* passing(gathered);
  }
}

/** Where to begin. A reader that has seen more than there is has seen another log: it gets this one from the start. */
function startAfter(after: number | undefined, newest: number): number {
  if (after === undefined) return newest;
  return after > newest ? 0 : after;
}

/** Every entry after `sent`; returns the last one's sequence number. */
async function* entries(
  reader: Reader,
  session: SessionId,
  changes: Changes,
  sent: number,
): AsyncGenerator<string, number> {
  let last = sent;
  while (!changes.closed) {
    const batch = await reader.entries(session, last, BATCH);
    for (const logged of batch) {
      yield frame("entry", entryJson(logged), logged.entry.seq);
      last = logged.entry.seq;
    }
    if (batch.length < BATCH) break;
  }
  return last;
}

/** The outcomes of the entries after `after` up to `upTo`, where they are decided. */
async function* outcomes(reader: Reader, session: SessionId, after: number, upTo: number): AsyncGenerator<string> {
  if (after === upTo) return;
  for (const { entry, outcome } of await reader.entries(session, after, upTo - after)) {
    if (outcome) yield frame("outcome", { seq: entry.seq, id: entry.id, outcome });
  }
}

/** What is shown and forgotten. */
function* passing({ typing, hints, beat }: Gathered): Generator<string> {
  for (const [persona, on] of typing) yield frame("typing", { persona, on });
  for (const view of hints) yield frame("hint", { view });
  if (beat) yield ": keep-alive\n\n";
}

function frame(event: string, data: unknown, id?: number): string {
  const idLine = id === undefined ? "" : `id: ${id}\n`;
  return `${idLine}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Calls back every `ms` until the returned function is called. */
function every(clock: Clock, ms: number, callback: () => void): () => void {
  let cancel = () => {};
  const next = () => {
    cancel = clock.after(ms, () => {
      next();
      callback();
    });
  };
  next();
  return () => cancel();
}
