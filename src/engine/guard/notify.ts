import type { RoomId } from "../../domain/ids.js";
import type { Pair } from "../../domain/pair.js";
import type { EngineContext } from "../context.js";
import { RECORDS } from "../records.js";
import { changePair } from "./pairs.js";

/** What the operator's command is told of a pause: no message text. */
export interface PauseReport {
  readonly room: RoomId;
  readonly session: string;
  readonly pair: readonly [string, string];
  readonly reason: string;
  readonly count: number;
  readonly limit: number;
  readonly held: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Tells the operator of pauses. Rejects when that fails; it is logged and not tried again. */
export type NotifyPause = (report: PauseReport) => Promise<void>;

/**
 * Tells of a pause once: the mark that it has still to be told goes first, in a commit of its own, so that neither a
 * crash nor a second process tells twice.
 */
export async function notifyPause(
  context: EngineContext,
  room: RoomId,
  id: string,
  notify: NotifyPause,
): Promise<void> {
  const record = await context.store.get<Pair>(room, RECORDS.pair, id);
  if (record?.value.notify === undefined) return;
  const { notify: trip, ...pair } = record.value;
  const result = await context.commit({ room, ...changePair(record, pair) });
  if (result.status === "conflict") return notifyPause(context, room, id, notify);
  const [a, b] = pair.sides;
  try {
    await notify({
      room,
      session: a.session,
      pair: [a.agent, b.agent],
      ...trip,
      held: pair.held,
      at: context.clock.now(),
    });
  } catch (error) {
    context.logger.warn({ room, pair: id, error }, "the notify command of the pair guard failed");
  }
}
