import type { Draft } from "../../domain/entry.js";
import type { RoomId } from "../../domain/ids.js";
import { type Pair, restarted, type Trip } from "../../domain/pair.js";
import { delay } from "../../ports/clock.js";
import type { StoredRecord } from "../../ports/store.js";
import { type ChangeParts, joinParts } from "../change-parts.js";
import type { EngineContext } from "../context.js";
import { SYSTEM } from "../notices.js";
import { RECORDS } from "../records.js";
import { changePair, type Held, heldOf, type PairRecord, sessionsOf, workOf } from "./pairs.js";
import { editPause, pauseParts } from "./pause.js";

/** Delivers held messages of pairs that a person has let go on. */
export interface Releases {
  /**
   * Releases a pair until it is open or paused again; gives how many messages it has delivered. One at a time per pair.
   * Never rejects: a pair that the store would not let go on stays `releasing`.
   */
  run(room: RoomId, pair: string): Promise<number>;
  stop(): Promise<void>;
}

const RETRIES = 5;
const FIRST_PAUSE_MS = 500;
/** The second failed delivery of a message drops it (behaviour 2.1.20). */
const MAX_FAILURES = 2;
const RELEASE_FAILED: Trip = { reason: "release_failed", count: 1, limit: 1 };

export function createReleases(context: EngineContext): Releases {
  const running = new Map<string, Promise<number>>();
  const stopping = new AbortController();

  function run(room: RoomId, pair: string): Promise<number> {
    const key = `${room}|${pair}`;
    const current = running.get(key);
    if (current !== undefined) return current;
    const release = releasePair(context, room, pair, stopping.signal).finally(() => running.delete(key));
    running.set(key, release);
    return release;
  }

  return {
    run,
    async stop() {
      stopping.abort(new DOMException("Releasing stops", "AbortError"));
      await Promise.allSettled(running.values());
    },
  };
}

/** One commit per message, oldest first: the entry that wakes its receiver, and the hold gone (behaviour 2.1.19). */
async function releasePair(context: EngineContext, room: RoomId, id: string, signal: AbortSignal): Promise<number> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      const done = await releaseNext(context, room, id);
      if (done !== undefined) return done;
      failures = 0;
    } catch (error) {
      // The pair is still `releasing` in the store: it goes on at its next message, or at the next start.
      context.logger.error({ room, pair: id, error }, "a held message could not be released");
      if (++failures > RETRIES) break;
      await delay(context.clock, FIRST_PAUSE_MS * 2 ** failures, signal).catch(() => undefined);
    }
  }
  return 0;
}

/** Takes one step. Gives the number delivered when the pair is not releasing any more. */
async function releaseNext(context: EngineContext, room: RoomId, id: string): Promise<number | undefined> {
  const record = await context.store.get<Pair>(room, RECORDS.pair, id);
  if (record?.value.state !== "releasing") return record?.value.delivered ?? 0;
  const [next] = await heldOf(context.store, room, id);
  if (next === undefined) return finishRelease(context, record);
  const parts = (await isHere(context, room, next.value.to))
    ? await deliverParts(context, record, next)
    : await failedParts(context, record, next);
  const result = await context.commit({ room, ...parts, durable: true });
  if (result.status === "ok") await context.queue.wake(next.value.session);
  // The entry stands in the log already: the delivery was made, only the hold is left to clear.
  if (result.status === "duplicate") await context.commit({ room, ...joinParts(parts), append: [] });
  return undefined;
}

async function isHere({ rooms }: EngineContext, room: RoomId, persona: string): Promise<boolean> {
  const record = await rooms.get(room);
  return record !== undefined && rooms.members(record.value).includes(persona);
}

async function deliverParts(
  context: EngineContext,
  record: PairRecord,
  held: StoredRecord<Held>,
): Promise<ChangeParts> {
  const { value } = record;
  const pair: Pair = { ...value, held: value.held - 1, delivered: value.delivered + 1 };
  const entry = await releasedEntry(context, held.value);
  return joinParts(changePair(record, pair), {
    append: [{ session: held.value.session, entry }],
    delete: [heldRef(held)],
  });
}

async function releasedEntry(context: EngineContext, { pair, order, session, entry, to }: Held): Promise<Draft> {
  const message = await context.store.find(session, entry);
  const root = message?.entry.cause.root;
  return {
    kind: "agent_pair_released",
    id: `released|${pair}|${order}`,
    sender: SYSTEM,
    text: "",
    at: context.clock.now(),
    cause: { kind: message?.entry.cause.kind ?? "agent", entry, ...(root === undefined ? {} : { root }) },
    pair,
    order,
    entry,
    to,
  };
}

/**
 * The receiver is not in the room: the pair pauses again, and the second time the message is dropped (behaviour 2.1.20);
 * at once where the guard is off, since nothing stays paused there.
 */
async function failedParts(context: EngineContext, record: PairRecord, held: StoredRecord<Held>): Promise<ChangeParts> {
  const { value } = record;
  const attempts = held.value.attempts + 1;
  if (attempts >= MAX_FAILURES || (await isOff(context, record.room))) {
    return dropParts(context, record, [held]);
  }
  const { by: _, ...rest } = value;
  const pair: Pair = {
    ...rest,
    state: "paused",
    generation: value.generation + 1,
    trip: RELEASE_FAILED,
    notify: RELEASE_FAILED,
  };
  const paused = await pauseParts(context, { pair, room: record.room, trip: RELEASE_FAILED });
  const tried = { kind: RECORDS.held, key: held.key, value: { ...held.value, attempts } };
  const notice = await editPause(context, record, () => ({ delivered: value.delivered }));
  return joinParts(changePair(record, pair), { put: [tried] }, notice, paused);
}

async function isOff({ rooms }: EngineContext, room: RoomId): Promise<boolean> {
  const record = await rooms.get(room);
  return record !== undefined && !(await rooms.guard(record.value)).enabled;
}

/** Messages that will not be delivered: said in the logs of both sides and in the notice, and their holds gone. */
export async function dropParts(
  context: EngineContext,
  record: PairRecord,
  held: readonly StoredRecord<Held>[],
): Promise<ChangeParts> {
  const { value } = record;
  const pair: Pair = { ...value, held: value.held - held.length };
  const notice = await editPause(context, record, ({ dropped }) => ({
    held: pair.held,
    dropped: dropped + held.length,
  }));
  return joinParts(changePair(record, pair), droppedEntries(context, pair, held), notice);
}

function droppedEntries(context: EngineContext, pair: Pair, held: readonly StoredRecord<Held>[]): Partial<ChangeParts> {
  const at = context.clock.now();
  const append = held.flatMap(({ value: { order, entry } }) =>
    sessionsOf(pair).map((session) => ({
      session,
      entry: {
        kind: "agent_pair_dropped",
        id: `dropped|${pair.id}|${order}`,
        sender: SYSTEM,
        text: "",
        at,
        cause: { kind: "agent", entry },
        pair: pair.id,
        order,
        entry,
      } as const,
    })),
  );
  return { append, delete: held.map(heldRef) };
}

/** Nothing is held any more: the pair is open and its counters start over (behaviour 2.1.21). */
async function finishRelease(context: EngineContext, record: PairRecord): Promise<number | undefined> {
  const { value, room } = record;
  const { trip: _, ...rest } = value;
  const [a, b] = await workOf(context.store, room, value);
  const pair: Pair = { ...rest, state: "open", counters: restarted([a.n, b.n]) };
  const notice = await editPause(context, record, () => ({ held: 0, delivered: value.delivered }));
  const result = await context.commit({ room, ...joinParts(changePair(record, pair), notice) });
  return result.status === "ok" ? value.delivered : undefined;
}

function heldRef({ key }: StoredRecord<Held>) {
  return { kind: RECORDS.held, key };
}
