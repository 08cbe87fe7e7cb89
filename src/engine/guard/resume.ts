import type { Draft } from "../../domain/entry.js";
import type { RoomId, SessionId } from "../../domain/ids.js";
import { type Pair, restarted } from "../../domain/pair.js";
import { type ChangeParts, joinParts } from "../change-parts.js";
import type { EngineContext } from "../context.js";
import { SYSTEM } from "../notices.js";
import { changePair, type PairRecord, pairsOf, sessionsOf, unchanged, workOf } from "./pairs.js";
import { attention, editPause } from "./pause.js";

/** Who lets a pair go on: a person, or the guard being switched off (absent). */
export interface Resumer {
  readonly id: string;
  readonly name: string;
}

/** A pair that goes on talking is held message by message, and each of them is a conflict. */
const MAX_CONFLICTS = 20;

/**
 * Begins to release paused pairs, all of them in one commit, and gives their ids. Pairs that are open or releasing
 * already are left alone, so a second resume is harmless. The caller has checked the person's right and then starts the
 * releases.
 */
export async function resumePairs(
  context: EngineContext,
  room: RoomId,
  choose: () => Promise<readonly PairRecord[]>,
  by?: Resumer,
): Promise<readonly string[]> {
  for (let i = 0; i < MAX_CONFLICTS; i++) {
    const paused = (await choose()).filter(({ value }) => value.state === "paused");
    if (paused.length === 0) return [];
    const result = await context.commit({ room, ...(await resumeParts(context, paused, by)), durable: true });
    if (result.status === "ok") return paused.map(({ value }) => value.id);
  }
  return [];
}

/** What resuming adds to a commit: the pairs, the records in the logs, the notices, and the room's attention mark. */
async function resumeParts(context: EngineContext, paused: readonly PairRecord[], by?: Resumer): Promise<ChangeParts> {
  const at = context.clock.now();
  const parts: Partial<ChangeParts>[] = [];
  for (const record of paused) {
    const { value } = record;
    const pair: Pair = { ...value, state: "releasing", delivered: 0, ...(by === undefined ? {} : { by: by.name }) };
    const entry = resumedEntry(value, at, by);
    const entries = sessionsOf(value).map((session) => ({ session, entry }));
    const notice = await editPause(context, record, () => ({ state: "done", by: by?.name ?? "Troupe" }));
    parts.push({ append: entries }, changePair(record, pair), notice);
  }
  const [first] = paused;
  return joinParts(...parts, first === undefined ? {} : await attention(context, first.room, false));
}

function resumedEntry({ id, generation }: Pair, at: number, by: Resumer | undefined): Draft {
  const base = { kind: "agent_pair_resumed", id: `resumed|${id}|${generation}`, text: "", at, pair: id } as const;
  if (by === undefined) return { ...base, sender: SYSTEM, cause: { kind: "agent" } };
  return { ...base, sender: { kind: "person", id: by.id, name: by.name }, cause: { kind: "button", root: by.id } };
}

/**
 * What a person's prompt to a persona does to its pairs, in the commit that accepts the prompt: all counters start over, and
 * what is paused goes on if the author may resume (behaviour 0.13). Gives the pairs that then have to be released.
 */
export async function promptParts(
  context: EngineContext,
  session: SessionId,
  persona: string,
  by: Resumer | undefined,
) {
  const pairs = await pairsOf(context.store, session, persona);
  const paused = by === undefined ? [] : pairs.filter(({ value }) => value.state === "paused");
  const others = pairs.filter((record) => !paused.includes(record));
  const restarts = await Promise.all(others.map((record) => restartParts(context, record)));
  const parts = joinParts(...restarts, paused.length === 0 ? {} : await resumeParts(context, paused, by));
  return { parts, releasing: paused.map(({ value }) => value.id) };
}

async function restartParts(context: EngineContext, record: PairRecord): Promise<Partial<ChangeParts>> {
  const { counters } = record.value;
  const [a, b] = await workOf(context.store, record.room, record.value);
  const [workOfA, workOfB] = counters.workAtRestart;
  const isFresh = counters.run === 0 && counters.times.length === 0 && workOfA === a.n && workOfB === b.n;
  // Unchanged, it still has to be what it was when the prompt is accepted: it may be pausing just now.
  return isFresh ? unchanged(record) : changePair(record, { ...record.value, counters: restarted([a.n, b.n]) });
}
