import { type RoomId, roomOf, type SessionId } from "../domain/ids.js";
import type { Notice } from "../domain/notice.js";
import { noticeView } from "../domain/notice-view.js";
import type { Pair } from "../domain/pair.js";
import { membersOf, type Room } from "../domain/room.js";
import type { NoticeView, PairView, Reader, RoomState, RosterMember } from "../ports/reader.js";
import type { StoredRecord } from "../ports/store.js";
import { readBurst } from "./budget.js";
import type { EngineContext } from "./context.js";
import { isPosted } from "./outbox-post.js";
import { RECORDS, ROOM_KEY } from "./records.js";
import type { Turns } from "./turns.js";

const MAX_ENTRIES = 500;

/** The reading side: rooms, logs and changes, for adapters that show them, HTTP and the command line. */
export function createReader(context: EngineContext, turns: Turns): Reader {
  const { store, rooms } = context;
  return {
    async rooms() {
      const ids = await store.rooms(RECORDS.room);
      return Promise.all(ids.map((id) => summary(context, id)));
    },
    async room(id) {
      const record = await rooms.get(id);
      return record && roomState(context, turns, record.value, id);
    },
    entries: (session, after, limit) =>
      store.read(session, Math.max(0, after), Math.min(Math.max(1, limit), MAX_ENTRIES)),
    async opened(room) {
      const record = await rooms.get(room);
      if (!record?.value.attention) return;
      const value: Room = { ...record.value, attention: false };
      const { kind, version } = record;
      await context.commit({ room, expect: [{ kind, key: ROOM_KEY, version }], put: [{ kind, key: ROOM_KEY, value }] });
    },
    posted: (session, messageId) => isPosted(store, roomOf(session), messageId),
    subscribe: (room, listener) => context.feed.subscribe(room, listener),
  };
}

async function summary(context: EngineContext, id: RoomId) {
  const [record, session] = await Promise.all([context.rooms.get(id), context.store.session(id)]);
  const personas = record ? context.rooms.members(record.value) : [];
  return { id, personas, attention: record?.value.attention ?? false, seq: session?.seq ?? 0 };
}

async function roomState(context: EngineContext, turns: Turns, room: Room, session: SessionId): Promise<RoomState> {
  const settings = await context.rooms.settings(room);
  const guard = await context.rooms.guard(room);
  const [burst, sessions, notices, pairs] = await Promise.all([
    readBurst(context.store, session, settings.budget),
    context.store.sessions(room.id),
    context.store.list<Notice>(room.id, RECORDS.notice),
    context.store.list<Pair>(room.id, RECORDS.pair),
  ]);
  return {
    id: room.id,
    roster: roster(context, turns, room),
    host: room.host ?? null,
    settings,
    guard,
    sessions: sessions.map(({ session, seq }) => ({ id: session, seq })),
    attention: room.attention,
    burst: { ...burst, source: settings.budgetSource },
    notices: listedNotices(notices).map(({ key, value }) => shownNotice(context, key, value)),
    pairs: listedPairs(pairs.map(({ value }) => value)).map(pairView),
    workers: [],
    tasks: [],
  };
}

/** Of what is over, a room's state shows so much: it is sent again with every change. */
const MOST_OVER = 50;

/** All that are open, and the newest of the others. In the order of the store. */
function listedNotices(notices: readonly StoredRecord<Notice>[]): readonly StoredRecord<Notice>[] {
  const done = notices.filter(({ value }) => value.state === "done");
  const newest = new Set(done.sort((a, b) => b.value.at - a.value.at).slice(0, MOST_OVER));
  return notices.filter((notice) => notice.value.state === "open" || newest.has(notice));
}

/** All that are paused or being released, and of the open ones those that spoke last. In the order of the store. */
function listedPairs(pairs: readonly Pair[]): readonly Pair[] {
  const lastSpoke = ({ counters }: Pair) => counters.times.at(-1) ?? 0;
  const open = pairs.filter(({ state }) => state === "open");
  const newest = new Set(open.sort((a, b) => lastSpoke(b) - lastSpoke(a)).slice(0, MOST_OVER));
  return pairs.filter((pair) => pair.state !== "open" || newest.has(pair));
}

/** A pair as rooms, `/agent room` and `troupe pairs` show it. */
function pairView({ id, sides: [a, b], state, trip, held }: Pair): PairView {
  return { id, personas: [a.agent, b.agent], state, reason: state === "open" ? null : (trip?.reason ?? null), held };
}

function shownNotice(context: EngineContext, id: string, notice: Notice): NoticeView {
  const { session, state } = notice;
  return { id, session, state, view: noticeView(id, notice, context.team().displayName) };
}

function roster(context: EngineContext, turns: Turns, room: Room): readonly RosterMember[] {
  const team = context.team();
  const busy = new Set(
    turns
      .running()
      .filter((turn) => roomOf(turn.session) === room.id)
      .map((turn) => turn.persona),
  );
  return membersOf(room, team.handles).map(({ name, missing }) => {
    const persona = team.persona(name);
    return {
      name,
      displayName: team.displayName(name),
      ...(persona?.avatar === undefined ? {} : { avatar: persona.avatar }),
      description: persona?.description ?? "",
      missing,
      host: name === room.host,
      busy: busy.has(name),
    };
  });
}
