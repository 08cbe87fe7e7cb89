import type { Entry, MessageEntry } from "../../domain/entry.js";
import type { RoomId } from "../../domain/ids.js";
import type { PauseNotice } from "../../domain/notice.js";
import type { Pair, Side, Trip } from "../../domain/pair.js";
import type { Room } from "../../domain/room.js";
import type { StoredRecord } from "../../ports/store.js";
import { type ChangeParts, joinParts } from "../change-parts.js";
import type { EngineContext } from "../context.js";
import { editNotice, newNotice, noticeText, SYSTEM } from "../notices.js";
import { RECORDS, ROOM_KEY } from "../records.js";
import { type PairRecord, sessionsOf } from "./pairs.js";

/** A bot has no name of its own here but the one on its message. */
function shownAs({ agent }: Side, message: MessageEntry | undefined): string {
  return message?.sender.kind === "bot" && message.sender.id === agent ? message.sender.name : agent;
}

/** The key of a pause's notice: one per pause, and a pair's pauses are counted by its generation. */
function pauseNoticeId({ id, generation }: Pair): string {
  return `pause|${id}|${generation}`;
}

interface Pause {
  /** The pair as it will be: paused, with its new generation. */
  readonly pair: Pair;
  readonly room: RoomId;
  readonly trip: Trip;
  /** The message that trips; orders the notice's post behind it. */
  readonly message?: MessageEntry;
  readonly by?: string;
}

/** What a pause adds to its commit: the records in the logs, the notice, and the room's attention mark. */
export async function pauseParts(context: EngineContext, pause: Pause): Promise<ChangeParts> {
  const { pair, trip } = pause;
  const at = context.clock.now();
  const entries = sessionsOf(pair).map((session) => ({
    session,
    entry: {
      kind: "agent_pair_paused",
      id: `paused|${pair.id}|${pair.generation}`,
      sender: SYSTEM,
      text: "",
      at,
      cause: { kind: "agent" },
      pair: pair.id,
      reason: trip.reason,
      count: trip.count,
      limit: trip.limit,
    } as const,
  }));
  const notice = await pauseNotice(context, pause, at);
  return joinParts({ append: entries }, notice, await attention(context, pause.room, true));
}

async function pauseNotice(
  context: EngineContext,
  { pair, trip, message, by }: Pause,
  at: number,
): Promise<Partial<ChangeParts>> {
  const [a, b] = pair.sides;
  const order = message?.seq ?? (await context.store.session(a.session))?.seq ?? 0;
  const id = pauseNoticeId(pair);
  const notice: PauseNotice = {
    type: "pause",
    session: a.session,
    state: "open",
    at,
    ...(by === undefined ? {} : { by }),
    pair: pair.id,
    agents: [shownAs(a, message), shownAs(b, message)],
    trip,
    held: pair.held,
    delivered: 0,
    dropped: 0,
    lastLines: await lastLines(context, pair, message),
  };
  const text = noticeText(context, id, notice);
  const entry = { kind: "notice", id, sender: SYSTEM, text, at, cause: { kind: "agent" }, notice: id } as const;
  return newNotice(context, { session: a.session, id, notice, entry, order });
}

/**
 * Changes the pause's notice in place; nothing where it is gone. All edits stand at the place of the notice's own entry:
 * behind its first post, and one that waits is replaced by the next.
 */
export async function editPause(
  context: EngineContext,
  { room, value }: PairRecord,
  change: (notice: PauseNotice) => Partial<PauseNotice>,
): Promise<Partial<ChangeParts>> {
  const notice = await context.store.get<PauseNotice>(room, RECORDS.notice, pauseNoticeId(value));
  if (notice === undefined) return {};
  const order = (await context.store.find(notice.value.session, notice.key))?.entry.seq ?? 0;
  return editNotice(context, notice, { ...notice.value, ...change(notice.value) }, order);
}

/** Sets or clears the room's attention mark; nothing where it stands so already. */
export async function attention(context: EngineContext, room: RoomId, value: boolean): Promise<Partial<ChangeParts>> {
  const record: StoredRecord<Room> | undefined = await context.rooms.get(room);
  if (record === undefined || record.value.attention === value) return {};
  const { kind, version } = record;
  return {
    put: [{ kind, key: ROOM_KEY, value: { ...record.value, attention: value } }],
    expect: [{ kind, key: ROOM_KEY, version }],
  };
}

const LAST_LINES = 2;
const LINE = 140;

/** The end of a pair's exchange, for the notice: one line each, cut short. `message`: the one that trips. */
async function lastLines({ store }: EngineContext, { counters }: Pair, message?: Entry): Promise<readonly string[]> {
  const sent = await Promise.all(counters.repeats.map(({ entry }) => entry && store.find(entry.session, entry.id)));
  const entries = sent.flatMap((logged) => logged?.entry ?? []).sort(byPlace);
  return [...entries, ...(message === undefined ? [] : [message])].slice(-LAST_LINES).map(lineOf);
}

/** Within a session the log's order counts, whatever the clock said. */
function byPlace(a: Entry, b: Entry): number {
  return a.session === b.session ? a.seq - b.seq : a.at - b.at;
}

function lineOf({ sender, text }: Entry): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= LINE) return `${sender.name}: ${line}`;
  // Half a surrogate pair is no character.
  return `${sender.name}: ${line.slice(0, LINE - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
