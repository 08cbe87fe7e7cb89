import type { Draft, Entry } from "../../src/domain/entry.js";
import { GUARD_DEFAULTS } from "../../src/domain/guard-settings.js";
import { type RoomId, roomOf, type SessionId } from "../../src/domain/ids.js";
import type { Outcome } from "../../src/domain/outcome.js";
import type { Answer, InboundCommand, InboundMessage, Inbox, Press, ResumeRequest } from "../../src/ports/platform.js";
import type { Reader, RoomEvent, RoomState } from "../../src/ports/reader.js";
import type { Logged } from "../../src/ports/store.js";

/** Rooms in memory that answer like the engine's: enough of a `Reader` and an `Inbox` to build an adapter against. */
export interface FakeRooms {
  readonly reader: Reader;
  readonly inbox: Inbox;
  /** Appends as the engine does: commit first, event after. Makes the room if need be. */
  append(session: SessionId, entry: Draft): Entry;
  /** A persona's message. */
  say(session: SessionId, persona: string, text: string): Entry;
  /** A persona's message whose event is lost. */
  sayUnheard(session: SessionId, persona: string, text: string): Entry;
  decide(session: SessionId, seq: number, outcome: Outcome): void;
  publish(room: RoomId, event: RoomEvent): void;
  markAttention(room: RoomId): void;
  readonly opened: readonly RoomId[];
  readonly commands: readonly InboundCommand[];
  readonly presses: readonly Press[];
  readonly resumes: readonly ResumeRequest[];
  /** Entries handed out so far. */
  readonly entriesRead: number;
  /** Listeners that have not unsubscribed. */
  readonly listeners: number;
  /** Makes every later read reject with this error, until it is cleared with `undefined`. */
  fail(error: Error | undefined): void;
}

/** The pair that is paused, with three messages held; and the one that only others may resume. */
export const PAUSED_PAIR = "alpha@17.5~beta@17.5";
export const FORBIDDEN_PAIR = "alpha~gamma";

const ANSWER: Answer = { ok: true, view: { title: "Room", text: "alpha is here." }, public: false };

export function createFakeRooms(): FakeRooms {
  const logs = new Map<SessionId, Logged[]>();
  const attention = new Set<RoomId>();
  const listeners = new Map<(event: RoomEvent) => void, RoomId>();
  const opened: RoomId[] = [];
  const commands: InboundCommand[] = [];
  const presses: Press[] = [];
  const resumes: ResumeRequest[] = [];
  let failure: Error | undefined;
  let entriesRead = 0;

  function publish(room: RoomId, event: RoomEvent): void {
    for (const [listener, watched] of listeners) if (watched === room) listener(event);
  }

  function commit(session: SessionId, draft: Draft): Entry {
    const log = logs.get(session) ?? [];
    logs.set(session, log);
    // Cast: a draft with its place is an entry, which the spread of a union does not show.
    const entry = { ...draft, v: 1, session, seq: log.length + 1 } as Entry;
    log.push({ entry });
    return entry;
  }

  function append(session: SessionId, draft: Draft): Entry {
    const entry = commit(session, draft);
    publish(roomOf(session), { type: "log", session, seq: entry.seq });
    return entry;
  }

  function words(session: SessionId, persona: string, text: string): Draft {
    return {
      kind: "message",
      id: `said-${(logs.get(session)?.length ?? 0) + 1}`,
      sender: { kind: "agent", id: persona, name: persona },
      text,
      at: Date.UTC(2026, 0, 5),
      cause: { kind: "agent" },
    };
  }

  const reader: Reader = {
    async rooms() {
      const rooms = [...new Set([...logs.keys()].map(roomOf))];
      return rooms.map((id) => ({
        id,
        personas: ["alpha"],
        attention: attention.has(id),
        seq: logs.get(id)?.length ?? 0,
      }));
    },
    async room(id) {
      if (failure) throw failure;
      const room = roomOf(id);
      const sessions = [...logs].filter(([session]) => roomOf(session) === room);
      if (sessions.length === 0) return undefined;
      return stateOf(
        room,
        sessions.map(([session, log]) => ({ id: session, seq: log.length })),
        attention.has(room),
      );
    },
    async entries(session, after, limit) {
      if (failure) throw failure;
      const entries = (logs.get(session) ?? []).slice(after, after + limit);
      entriesRead += entries.length;
      return entries;
    },
    posted: async () => false,
    async opened(room) {
      opened.push(room);
      attention.delete(room);
    },
    subscribe(room, listener) {
      listeners.set(listener, room);
      return () => listeners.delete(listener);
    },
  };

  const inbox: Inbox = {
    async message({ id, session, from, text, at }: InboundMessage) {
      const known = logs.get(session)?.find(({ entry }) => entry.id === id);
      if (known) return { entry: id, seq: known.entry.seq, duplicate: true };
      const sender = { kind: from.kind, id: from.id, name: from.name };
      const { seq } = append(session, {
        kind: "message",
        id,
        sender,
        text,
        at,
        cause: { kind: "person", root: from.id },
      });
      return { entry: id, seq, duplicate: false };
    },
    async command(command) {
      commands.push(command);
      return ANSWER;
    },
    async press(press) {
      presses.push(press);
      return ANSWER;
    },
    async revise() {},
    async missed() {},
    async resume(request) {
      resumes.push(request);
      const { session, pair } = request;
      if (pair === FORBIDDEN_PAIR) return { ok: false, view: { text: "Only admins may resume here." }, public: false };
      const isPaused = pair === PAUSED_PAIR;
      const data = { session, resumed: isPaused ? 1 : 0, delivered: isPaused ? 3 : 0 };
      return { ok: true, view: { text: "Done." }, public: false, data };
    },
  };

  return {
    reader,
    inbox,
    append,
    say: (session, persona, text) => append(session, words(session, persona, text)),
    sayUnheard: (session, persona, text) => commit(session, words(session, persona, text)),
    decide(session, seq, outcome) {
      const log = logs.get(session) ?? [];
      const logged = log[seq - 1];
      if (logged) log[seq - 1] = { ...logged, outcome };
      publish(roomOf(session), { type: "outcome", session, seq });
    },
    publish,
    markAttention: (room) => attention.add(room),
    opened,
    commands,
    presses,
    resumes,
    get entriesRead() {
      return entriesRead;
    },
    get listeners() {
      return listeners.size;
    },
    fail(error) {
      failure = error;
    },
  };
}

function stateOf(id: RoomId, sessions: RoomState["sessions"], attention: boolean): RoomState {
  const alpha = { name: "alpha", displayName: "Alpha", description: "Plans.", missing: false, host: true, busy: false };
  return {
    id,
    roster: [alpha],
    host: "alpha",
    settings: { budget: 6, fanout: 1, wake: "always", reply: "channel", budgetSource: "default" },
    guard: GUARD_DEFAULTS,
    sessions,
    attention,
    burst: { used: 0, budget: 6, source: "default" },
    notices: [],
    pairs: [],
    workers: [],
    tasks: [],
  };
}
