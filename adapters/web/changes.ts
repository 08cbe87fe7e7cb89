import type { RoomEvent, SessionId, View } from "../../src/index.js";

/** What has changed since a stream was last served. */
export interface Gathered {
  readonly room: boolean;
  /** Sequence numbers whose outcome is new. */
  readonly outcomes: ReadonlySet<number>;
  /** The newest word on each persona. */
  readonly typing: ReadonlyMap<string, boolean>;
  readonly hints: readonly View[];
  readonly beat: boolean;
}

/**
 * What one stream still has to show. It holds facts and not events: however slowly its reader reads and however much
 * happens, it stays small. What has no end in itself is bounded: too many outcomes end the stream (its reader comes back and
 * resumes), and of many hints the oldest go.
 */
export interface Changes {
  note(event: RoomEvent): void;
  hint(view: View): void;
  beat(): void;
  /** What has gathered, as soon as there is something; `undefined` once closed. One caller at a time. */
  next(): Promise<Gathered | undefined>;
  close(): void;
  readonly closed: boolean;
}

const MAX_OUTCOMES = 1_000;
const MAX_HINTS = 20;

/** The changes of one session's stream, none yet. */
export function createChanges(session: SessionId): Changes {
  let closed = false;
  let isNew = false;
  let gathered = nothing();
  let wake = () => {};

  function mark(): void {
    isNew = true;
    wake();
  }

  function close(): void {
    closed = true;
    wake();
  }

  return {
    note(event) {
      if (event.type !== "room" && event.session !== session) return;
      if (event.type === "typing") gathered.typing.set(event.persona, event.on);
      // The burst and the sessions' lengths, which the room's state holds, change with every entry and outcome.
      else gathered.room = true;
      if (event.type === "outcome") gathered.outcomes.add(event.seq);
      if (gathered.outcomes.size > MAX_OUTCOMES) return close();
      mark();
    },
    hint(view) {
      gathered.hints = [...gathered.hints, view].slice(-MAX_HINTS);
      mark();
    },
    beat() {
      gathered.beat = true;
      mark();
    },
    async next() {
      while (!closed && !isNew) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (closed) return undefined;
      const taken = gathered;
      gathered = nothing();
      isNew = false;
      return taken;
    },
    close,
    get closed() {
      return closed;
    },
  };
}

function nothing() {
  return {
    room: false,
    outcomes: new Set<number>(),
    typing: new Map<string, boolean>(),
    hints: [] as readonly View[],
    beat: false,
  };
}
