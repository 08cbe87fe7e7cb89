import { StoreError } from "../../src/domain/errors.js";
import type { RoomId } from "../../src/domain/ids.js";
import type { Change, CommitResult, Store } from "../../src/ports/store.js";

/** A commit that the store has accepted, in the order of acceptance. */
export interface Committed {
  readonly change: Change;
  readonly result: CommitResult & { readonly status: "ok" };
}

/** What happens to a commit instead of being made. */
export type Fate = "conflict" | "fails" | "crash";

/** A store that shows every commit and lets a test decide what becomes of it. The data is the inner store's. */
export interface WatchedStore extends Store {
  readonly commits: readonly Committed[];
  /** Asked before each commit; `undefined` lets it happen. May wait. */
  before: (change: Change) => Fate | undefined | Promise<Fate | undefined>;
  /** Told of each accepted commit before anybody else is. */
  after: (committed: Committed) => void | Promise<void>;
  /** The process is gone: from now on nothing reads or writes any more. */
  cut(): void;
}

/** Watches an open store. Several may watch the same one, as processes that follow each other. */
export function watchStore(inner: Store): WatchedStore {
  const commits: Committed[] = [];
  let isCut = false;

  function requireAlive(): void {
    if (isCut) throw new StoreError("store_unavailable", "the process is gone");
  }

  function guarded<A extends unknown[], R>(call: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
    return async (...args) => {
      requireAlive();
      return call(...args);
    };
  }

  const watched: WatchedStore = {
    commits,
    before: () => undefined,
    after: () => {},
    cut: () => {
      isCut = true;
    },
    open: () => inner.open(),
    // Whoever follows opens it again; data stays.
    close: async () => {},
    begin: guarded((session, owner) => inner.begin(session, owner)),
    async commit(change) {
      requireAlive();
      const fate = await watched.before(change);
      requireAlive();
      if (fate === "conflict") return { status: "conflict", kind: "any", key: "any" };
      if (fate === "fails") throw new StoreError("store_unavailable", "the disk is full", { retryable: true });
      if (fate === "crash") {
        isCut = true;
        requireAlive();
      }
      const result = await inner.commit(change);
      if (result.status === "ok") {
        const committed = { change, result };
        commits.push(committed);
        await watched.after(committed);
      }
      return result;
    },
    sync: guarded(() => inner.sync()),
    read: guarded((session, after, limit) => inner.read(session, after, limit)),
    tail: guarded((session, limit, before) => inner.tail(session, limit, before)),
    burst: guarded((session, limit) => inner.burst(session, limit)),
    find: guarded((session, id) => inner.find(session, id)),
    session: guarded((session) => inner.session(session)),
    sessions: guarded((room) => inner.sessions(room)),
    dirty: guarded((limit) => inner.dirty(limit)),
    async get<T>(room: RoomId, kind: string, key: string) {
      requireAlive();
      return inner.get<T>(room, kind, key);
    },
    async list<T>(room: RoomId, kind: string, prefix?: string) {
      requireAlive();
      return inner.list<T>(room, kind, prefix);
    },
    rooms: guarded((kind) => inner.rooms(kind)),
    async due<T>(kind: string, until: number, limit: number) {
      requireAlive();
      return inner.due<T>(kind, until, limit);
    },
  };
  return watched;
}
