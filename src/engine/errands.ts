import type { Cause } from "../domain/entry.js";
import type { SessionId } from "../domain/ids.js";
import type { Usage } from "../ports/brain.js";
import type { RecordPut } from "../ports/store.js";
import type { ChangeParts } from "./change-parts.js";
import type { EngineContext } from "./context.js";
import { keysOf, RECORDS } from "./records.js";

/**
 * A turn that is asked for outside of the log, durably: a persona is given a private prompt. The drain takes it when the session's log
 * has nothing left to decide, and removes it in the commit of what came of it.
 */
export interface Errand {
  /** Unique in its room: what the turn appends derives its ids from it. */
  readonly id: string;
  readonly session: SessionId;
  readonly persona: string;
  readonly prompt: string;
  /** Carried by everything that the turn says. */
  readonly cause: Cause & { readonly kind: ErrandKind };
  /** The turn sees nothing of what was said before. */
  readonly fresh: boolean;
  /** Starts without a result so far. */
  readonly attempt: number;
}

export type ErrandKind = "schedule";

/** How an errand ended. `gone`: its persona is not in the room; `dropped`: whoever sent it does not want it any more. */
export type ErrandEnd =
  | { readonly kind: "done"; readonly usage: readonly Usage[] }
  | { readonly kind: "failed"; readonly reason: string; readonly usage: readonly Usage[] }
  | { readonly kind: "stopped"; readonly by: string }
  | { readonly kind: "gone" }
  | { readonly kind: "dropped" };

/** Who sends errands of one kind. What it gives goes into the commit of the start and of the end. */
export interface ErrandOwner {
  /** `undefined`: the errand is not wanted any more. */
  started(errand: Errand): Promise<Partial<ChangeParts> | undefined>;
  settled(errand: Errand, end: ErrandEnd): Promise<Partial<ChangeParts>>;
}

export type ErrandOwners = { readonly [kind in ErrandKind]: ErrandOwner };

/** An errand's record. Its key sorts by session, then by the time at which it was due. */
export function errandPut(errand: Errand, due: number): RecordPut {
  return { kind: RECORDS.errand, key: `${keysOf(errand.session)}${sortable(due)}|${errand.id}`, value: errand, due };
}

/** A moment as a word that sorts in its order. */
export function sortable(at: number): string {
  return String(Math.max(0, Math.floor(at))).padStart(15, "0");
}

const MOST_SESSIONS = 10_000;

/** Wakes the sessions that have an errand: at the start, and where a wake was lost. */
export async function wakeErrands({ store, queue }: EngineContext): Promise<void> {
  const errands = await store.due<Errand>(RECORDS.errand, Number.MAX_SAFE_INTEGER, MOST_SESSIONS);
  for (const session of new Set(errands.map(({ value }) => value.session))) await queue.wake(session);
}
