import { cleanInbound } from "../domain/clean-text.js";
import type { Draft } from "../domain/entry.js";
import { StoreError } from "../domain/errors.js";
import type { SessionId } from "../domain/ids.js";
import type { InboundMessage } from "../ports/platform.js";
import type { Change } from "../ports/store.js";
import { joinParts } from "./change-parts.js";
import type { EngineContext } from "./context.js";
import { linePost, systemLine } from "./notices.js";
import { readMessage } from "./receive.js";

const MAX_CONFLICTS = 5;

/** How many messages a summary names; the rest is a number. */
const NAMED = 10;

/**
 * Keeps what was said while nobody listened, and is too old to answer, as context that wakes nobody. One line says which
 * messages were meant for us; once, however often it is told.
 */
export async function receiveMissed(
  context: EngineContext,
  session: SessionId,
  messages: readonly InboundMessage[],
): Promise<void> {
  for (let i = 0; i < MAX_CONFLICTS; i++) {
    const fresh = await unknownOf(context, session, messages);
    if (fresh.length === 0) return;
    const { status } = await context.commit(await missedChange(context, session, fresh));
    if (status === "ok") return;
  }
  throw new StoreError("store_unavailable", `${session}: the room kept changing; tell of what was missed again`, {
    retryable: true,
  });
}

async function missedChange(
  context: EngineContext,
  session: SessionId,
  fresh: readonly InboundMessage[],
): Promise<Change> {
  const last = fresh.at(-1);
  const { room, kind, key, value, version } = await context.rooms.getOrNew(session, last?.direct ?? false);
  const read = await Promise.all(fresh.map((message) => readMessage(context, message, cleanInbound(message.text))));
  const drafts = read.map(({ draft }) => draft);
  const { parse } = context.team();
  const isMeant = (draft: Draft) => value.direct || parse(draft.text).length > 0;
  const entries = drafts.map((entry) => {
    const reason = isMeant(entry) ? ("expired" as const) : ("no_mention" as const);
    return { session, entry, outcome: { kind: "ignored", reason } as const };
  });
  const told = drafts.some(isMeant) ? await missedLine(context, session, drafts.filter(isMeant)) : {};
  const isNew = version === 0;
  const made = isNew ? { expect: [{ kind, key, version }], put: [{ kind, key, value }] } : {};
  return { room, ...joinParts({ append: entries }, told, made), durable: true };
}

async function missedLine(context: EngineContext, session: SessionId, missed: readonly Draft[]) {
  const line = systemLine(`missed|${missed.at(-1)?.id}`, summary(missed), context.clock.now());
  const order = (await context.store.session(session))?.seq ?? 0;
  return { append: [{ session, entry: line }], put: linePost(context, session, line.id, order) };
}

async function unknownOf(context: EngineContext, session: SessionId, messages: readonly InboundMessage[]) {
  const known = await Promise.all(messages.map((message) => context.store.find(session, message.id)));
  return messages.filter((_, i) => known[i] === undefined);
}

function summary(missed: readonly Draft[]): string {
  const named = missed
    .slice(0, NAMED)
    .map(({ sender, text }) => `${sender.name}: ${text.replace(/\s+/g, " ").slice(0, 80)}`);
  const more = missed.length > NAMED ? [`and ${missed.length - NAMED} more`] : [];
  const head = missed.length === 1 ? "One message came" : `${missed.length} messages came`;
  return [
    `${head} while Troupe was away, too long ago to answer by itself. Mention a persona again if it still matters.`,
    ...named,
    ...more,
  ].join("\n> ");
}
