import type { Entry, MessageEntry } from "../../domain/entry.js";
import { roomOf } from "../../domain/ids.js";
import {
  checkExchange,
  type GuardSettings,
  holding,
  type Pair,
  type Side,
  type SideIndex,
  sideOf,
  type Trip,
  tripped,
} from "../../domain/pair.js";
import { hasProgress } from "../../domain/progress.js";
import { type ChangeParts, joinParts } from "../change-parts.js";
import type { EngineContext } from "../context.js";
import { SYSTEM } from "../notices.js";
import { RECORDS } from "../records.js";
import { changePair, type Held, heldKey, loadPair, type PairRecord, unchanged, workOf } from "./pairs.js";
import { editPause, pauseParts } from "./pause.js";

/** A message that the accept point asks the guard about. Its receiver's session is the one it stands in. */
export interface GuardedMessage {
  readonly message: MessageEntry;
  /** The sending side. */
  readonly from: Side;
  readonly to: Side;
  readonly settings: GuardSettings;
}

/** What the guard says; `parts` belong into the commit that accepts or records the message. */
export type GuardResult =
  | { readonly result: "accepted"; readonly parts: Partial<ChangeParts> }
  | { readonly result: "held"; readonly ref: string; readonly pair: Pair; readonly parts: ChangeParts }
  | { readonly result: "refused"; readonly pair: Pair; readonly parts: Partial<ChangeParts> };

/** Checks one agent→agent message: counts it, holds it, or refuses it when the pause keeps its most already. */
export async function guardMessage(context: EngineContext, guarded: GuardedMessage): Promise<GuardResult> {
  const { message, from, to, settings } = guarded;
  if (!settings.enabled) return { result: "accepted", parts: {} };
  const room = roomOf(message.session);
  const record = await loadPair(context.store, room, from, to);
  if (record.value.state !== "open") return hold(context, guarded, record);

  const side = sideOf(record.value, from) ?? 0;
  const work = await workOf(context.store, room, record.value);
  const previous = await previousOf(context, record.value, side);
  const verdict = checkExchange(
    record.value,
    exchangeOf(context, guarded, record.value, { side, work, previous }),
    settings,
  );
  if ("counters" in verdict) {
    return { result: "accepted", parts: changePair(record, { ...record.value, counters: verdict.counters }) };
  }
  return trip(context, guarded, record, verdict.trip);
}

interface Seen {
  readonly side: SideIndex;
  readonly work: Awaited<ReturnType<typeof workOf>>;
  readonly previous: Entry | undefined;
}

function exchangeOf(
  context: EngineContext,
  { message }: GuardedMessage,
  { counters }: Pair,
  { side, work, previous }: Seen,
) {
  const [a, b] = work;
  return {
    from: side,
    entry: { session: message.session, id: message.id },
    text: message.text,
    ...(previous === undefined ? {} : { previous: previous.text }),
    progress: hasProgress(work, counters.workAtExchange, counters.workAtRestart),
    work: [a.n, b.n] as const,
    now: context.clock.now(),
  };
}

async function previousOf(context: EngineContext, pair: Pair, side: SideIndex): Promise<Entry | undefined> {
  const { entry } = pair.counters.repeats[side];
  return entry === undefined ? undefined : (await context.store.find(entry.session, entry.id))?.entry;
}

/** The tripping message: the pair is paused, and this message is the first that is held. */
async function trip(
  context: EngineContext,
  guarded: GuardedMessage,
  record: PairRecord,
  broken: Trip,
): Promise<GuardResult> {
  const { message } = guarded;
  const { value } = record;
  const order = value.nextOrder;
  const pair = tripped(value, broken);
  context.logger.info({ room: record.room, pair: pair.id, ...broken }, "a pair is paused");
  const paused = await pauseParts(context, { pair, room: record.room, trip: broken, message });
  const held = heldParts(context, guarded, pair.id, order);
  return { result: "held", ref: held.ref, pair, parts: joinParts(changePair(record, pair), paused, held.parts) };
}

/** A later message of a pair that is paused or still releasing: it goes behind what is held. */
async function hold(context: EngineContext, guarded: GuardedMessage, record: PairRecord): Promise<GuardResult> {
  const { value } = record;
  if (value.held >= guarded.settings.heldMax) return { result: "refused", pair: value, parts: unchanged(record) };
  const order = value.nextOrder;
  const pair = holding(value);
  const held = heldParts(context, guarded, pair.id, order);
  const notice = await editPause(context, record, () => ({ held: pair.held }));
  return { result: "held", ref: held.ref, pair, parts: joinParts(changePair(record, pair), held.parts, notice) };
}

function heldParts(context: EngineContext, { message, to }: GuardedMessage, pair: string, order: number) {
  const { session } = message;
  const ref = `held|${pair}|${order}`;
  const entry = {
    kind: "agent_pair_held",
    id: ref,
    sender: SYSTEM,
    text: message.text,
    at: context.clock.now(),
    cause: { ...message.cause, entry: message.id },
    pair,
    order,
    entry: message.id,
    to: to.agent,
  } as const;
  const held: Held = { pair, order, session, entry: message.id, to: to.agent, attempts: 0 };
  const parts = { append: [{ session, entry }], put: [{ kind: RECORDS.held, key: heldKey(pair, order), value: held }] };
  return { ref, parts };
}
