import type { Chain, Entry } from "../domain/entry.js";
import { roomOf, type SessionId } from "../domain/ids.js";
import type { BudgetNotice } from "../domain/notice.js";
import type { Store } from "../ports/store.js";
import type { ChangeParts } from "./change-parts.js";
import type { EngineContext } from "./context.js";
import { editNotice, newNotice, noticeText, SYSTEM } from "./notices.js";
import { RECORDS } from "./records.js";

export interface RoomBurst {
  readonly used: number;
  readonly budget: number;
}

/** The session's burst as the log stands; the cost is bounded by the budget, not by the log (behaviour 0.8). */
export async function readBurst(store: Store, session: SessionId, budget: number): Promise<RoomBurst> {
  const { used } = await store.burst(session, budget + 1);
  return { used, budget };
}

/**
 * The burst that a message counts in: the room's, or the one of its own schedule's or task's chain, which goes back to where the
 * chain began, or to the last person's word or Continue (behaviour 0.9).
 */
export function readBurstOf(
  store: Store,
  { session, cause }: Pick<Entry, "session" | "cause">,
  budget: number,
): Promise<RoomBurst> {
  return cause.chain === undefined ? readBurst(store, session, budget) : readChain(store, session, cause.chain, budget);
}

const PAGE = 64;
/** A chain that is spread over more entries than these has used its budget up. */
const LOOK_BACK = 2_048;

async function readChain(store: Store, session: SessionId, chain: Chain, budget: number): Promise<RoomBurst> {
  const { start = 0 } = await store.burst(session, 0);
  const from = Math.max(start, chain.after);
  let used = 0;
  let before = Number.MAX_SAFE_INTEGER;
  for (let seen = 0; seen < LOOK_BACK; seen += PAGE) {
    const page = (await store.tail(session, PAGE, before)).filter(({ entry }) => entry.seq > from);
    used += page.filter(({ entry }) => isOf(chain, entry)).length;
    if (used > budget || page.length < PAGE) return { used, budget };
    before = page[0]?.entry.seq ?? 0;
  }
  return { used: budget, budget };
}

function isOf(chain: Chain, { kind, sender, cause }: Entry): boolean {
  return kind === "message" && sender.kind === "agent" && cause.chain?.id === chain.id;
}

/** More than so many do not wait: a burst that is suppressed so often is not waiting for an answer. */
const MAX_WAITING = 100;

interface Suppression {
  readonly session: SessionId;
  readonly burst: RoomBurst;
  readonly persona: string;
  /** The message that the persona did not get. */
  readonly entry: Entry;
}

/**
 * What a suppression adds to its commit: the burst's first makes the notice, later ones add to who is waiting. One
 * notice per burst, since its key is the entry that began the burst.
 */
export async function suppressionNotice(
  context: EngineContext,
  suppression: Suppression,
): Promise<Partial<ChangeParts>> {
  const { session, burst, persona, entry } = suppression;
  const { start = 0 } = await context.store.burst(session, 0);
  const { chain } = entry.cause;
  const id = `budget|${session}|${start}${chain === undefined ? "" : `|${chain.id}`}`;
  const current = await context.store.get<BudgetNotice>(roomOf(session), RECORDS.notice, id);
  const wake = { persona, entry: entry.id };
  if (current)
    return editNotice(
      context,
      current,
      { ...current.value, waiting: [...current.value.waiting, wake].slice(0, MAX_WAITING) },
      entry.seq,
    );

  const at = context.clock.now();
  const notice: BudgetNotice = {
    type: "budget",
    session,
    state: "open",
    at,
    used: burst.used,
    limit: burst.budget,
    waiting: [wake],
  };
  const text = noticeText(context, id, notice);
  const line = { kind: "notice", id, sender: SYSTEM, text, at, cause: entry.cause, notice: id } as const;
  return newNotice(context, { session, id, notice, entry: line, order: entry.seq });
}
