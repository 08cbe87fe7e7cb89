import type { Api } from "../net/api.js";
import { roomEvent } from "../net/events.js";
import { keepStream } from "../net/stream.js";
import type { RoomState, StreamEvent, View, WireEntry } from "../wire.js";
import type { RoomAction } from "./actions.js";
import { hasOlder, newestSeq } from "./model.js";
import { newId } from "./new-id.js";
import type { Store } from "./store.js";

const FIRST_PAGE = 200;
const OLDER_PAGE = 200;
const LONGEST_PAGE = 500;

type WithoutRoom<A> = A extends RoomAction ? Omit<A, "room"> : never;

/** What happens in a room, before it is said in which. */
export type RoomChange = WithoutRoom<RoomAction>;

/** One stay in a room: its log is read and followed until `leave`. */
export interface Visit {
  readonly room: string;
  change(change: RoomChange): void;
  card(view: View, asked?: string): void;
  loadOlder(): Promise<void>;
  /** Whether the reader is at the end of the log; only then are old entries let go. */
  setFollowing(following: boolean): void;
  leave(): void;
}

export interface VisitOptions {
  readonly store: Store;
  readonly api: Api;
  readonly room: string;
  /** Whether the error ends everything, as a wrong key does; it has then been seen to. */
  endsAll(error: unknown): boolean;
}

/** Calls back when waiting longer makes no sense: back online, or looked at again. */
function wakeUps(callback: () => void): () => void {
  const visible = (): void => {
    if (document.visibilityState === "visible") callback();
  };
  addEventListener("online", callback);
  document.addEventListener("visibilitychange", visible);
  return () => {
    removeEventListener("online", callback);
    document.removeEventListener("visibilitychange", visible);
  };
}

function seqOf(state: RoomState | null, session: string): number {
  return state?.sessions.find(({ id }) => id === session)?.seq ?? 0;
}

/** Opens a room and follows it, coming back after every break without losing or doubling an entry. */
export function createVisit({ store, api, room, endsAll }: VisitOptions): Visit {
  const stay = new AbortController();
  let following = true;

  // Cast: a change with its room is an action; the compiler cannot see through the mapped union.
  const change = (what: RoomChange): void => store.dispatch({ ...what, room } as RoomAction);
  const here = () => store.get().room;
  const card: Visit["card"] = (view, asked) =>
    change({ type: "card", id: newId(), at: Date.now(), view, ...(asked === undefined ? {} : { asked }) });

  /** Reads the end of the log, in place of what is shown. */
  async function loadNewest(): Promise<void> {
    const state = await api.room(room);
    change({ type: "room", state });
    const seq = seqOf(state, room);
    const entries = seq === 0 ? [] : await api.entries(room, Math.max(0, seq - FIRST_PAGE), LONGEST_PAGE);
    change({ type: "replaced", entries });
  }

  function inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => endsAll(error));
  }

  function arrived(entry: WireEntry): void {
    // When something before it is missing here, the end of the log is read anew instead of guessed.
    if (entry.seq > newestSeq(here()) + 1) inBackground(loadNewest());
    else change({ type: "entries", entries: [entry], follow: following });
  }

  /** A log that is shorter than what is shown is another log: the service has come back with other data. */
  function heardRoom(state: RoomState | null): void {
    change({ type: "room", state });
    if (seqOf(state, room) < newestSeq(here())) inBackground(loadNewest());
  }

  function heard(event: StreamEvent): void {
    if (event.type === "entry") arrived(event.entry);
    else if (event.type === "hint") card(event.view);
    else if (event.type === "room") heardRoom(event.state);
    else change(event);
  }

  let isLoaded = false;
  async function connect(signal: AbortSignal): Promise<Response> {
    if (!isLoaded) await loadNewest();
    isLoaded = true;
    return api.events(room, newestSeq(here()), signal);
  }

  inBackground(
    keepStream({
      open: connect,
      onEvent: (raw) => {
        const event = stay.signal.aborted ? undefined : roomEvent(raw);
        if (event !== undefined) heard(event);
      },
      onConnection: (connection) => change({ type: "connection", connection }),
      isFinal: endsAll,
      signal: stay.signal,
      retryNow: wakeUps,
    }),
  );

  return {
    room,
    change,
    card,
    async loadOlder() {
      const first = here().entries[0]?.seq;
      if (first === undefined || !hasOlder(here()) || here().loadingOlder) return;
      following = false;
      change({ type: "loading-older", on: true });
      try {
        const after = Math.max(0, first - 1 - OLDER_PAGE);
        change({ type: "entries", entries: await api.entries(room, after, first - 1 - after), follow: false });
      } catch (error) {
        if (!endsAll(error)) card({ text: "Older messages could not be read. Try again in a moment.", tone: "error" });
      }
      change({ type: "loading-older", on: false });
    },
    setFollowing(on) {
      following = on;
    },
    leave: () => stay.abort(),
  };
}
