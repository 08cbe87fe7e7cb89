import { cleanInbound } from "../domain/clean-text.js";
import { type MessageEntry, needsOutcome } from "../domain/entry.js";
import { isSessionId, roomOf } from "../domain/ids.js";
import type { Outcome } from "../domain/outcome.js";
import type { InboundRevision } from "../ports/platform.js";
import type { Logged } from "../ports/store.js";
import { MAX_MESSAGE_LENGTH } from "./config.js";
import type { EngineContext } from "./context.js";
import { RECORDS, type Revision, revisionKey } from "./records.js";

/**
 * A person has edited or deleted a message. While it waits for its turn, the turn will see the new words, or there will be no
 * turn. After that an edit changes nothing, but for the first that adds a mention to a message that woke nobody: it wakes
 * once, restarting neither burst nor pairs. Deletes of answered messages change nothing. Idempotent.
 */
export async function revise(context: EngineContext, revision: InboundRevision): Promise<void> {
  const { session, id, from } = revision;
  const logged = await context.store.find(session, id);
  if (logged?.entry.kind !== "message" || logged.entry.sender.kind !== "person" || logged.entry.sender.id !== from)
    return;
  const text = revision.text === undefined ? undefined : cleanInbound(revision.text).slice(0, MAX_MESSAGE_LENGTH);
  if (logged.outcome === undefined) return reviseWaiting(context, logged.entry, text);
  for (const place of goesOnAs(logged.entry, logged.outcome)) await revise(context, { ...revision, ...place });
  if (text !== undefined && revision.isLate !== true) await wakeLate(context, logged, logged.entry, text);
}

/** Where a message that has been decided may still wait: in the thread on it, as what replaced it, as the edit that woke late. */
export function goesOnAs(
  { id, session, seq, edits }: MessageEntry,
  outcome: Outcome,
): readonly Partial<Pick<MessageEntry, "session" | "id">>[] {
  switch (outcome.kind) {
    case "parts":
      return [...new Set(outcome.parts.map(({ ref }) => ref))]
        .filter((ref) => ref !== undefined && ref !== session && isSessionId(ref) && roomOf(ref) === roomOf(session))
        .map((ref) => ({ session: ref ?? session }));
    case "superseded":
      return [{ id: `${edits?.entry ?? id}~${seq}` }];
    case "ignored":
      return [{ id: `${id}~late` }];
  }
}

async function reviseWaiting(
  context: EngineContext,
  { session, id, text: waiting }: MessageEntry,
  text: string | undefined,
): Promise<void> {
  const value: Revision = text === undefined ? {} : { text };
  // What was read back may be known already.
  if (text === waiting && !(await context.store.get(roomOf(session), RECORDS.revision, revisionKey(session, id))))
    return;
  const put = [{ kind: RECORDS.revision, key: revisionKey(session, id), value }];
  await context.commit({ room: roomOf(session), put, durable: true });
  await context.queue.wake(session);
}

async function wakeLate(context: EngineContext, { outcome }: Logged, entry: MessageEntry, text: string): Promise<void> {
  const { parse } = context.team();
  const wokeNobody =
    outcome?.kind === "ignored" && (outcome.reason === "no_mention" || outcome.reason === "unknown_mention");
  if (!wokeNobody || parse(entry.text).some(isKnown) || !parse(text).some(isKnown)) return;
  const { seq: _, v: __, session, mayResume: ___, ...draft } = entry;
  // One id for every edit of this message: only the first is appended.
  const edited = { ...draft, id: `${entry.id}~late`, text, edits: { entry: entry.id, late: true } };
  const result = await context.commit({ room: roomOf(session), append: [{ session, entry: edited }], durable: true });
  if (result.status === "ok") await context.queue.wake(session);
}

function isKnown(mention: { readonly kind: string }): boolean {
  return mention.kind === "persona" || mention.kind === "app";
}

/** The waiting message as its author wants it now: the edited one behind it, or nothing; the first is superseded either way. */
export function supersede(entry: MessageEntry, revision: Revision, version: number) {
  const { seq, v: _, session, ...draft } = entry;
  const { text } = revision;
  const key = revisionKey(session, entry.id);
  const original = entry.edits?.entry ?? entry.id;
  return {
    outcomes: [{ session, seq, outcome: { kind: "superseded" } as const }],
    append:
      text === undefined
        ? []
        : [
            {
              session,
              entry: {
                ...draft,
                id: `${original}~${seq}`,
                text,
                edits: { entry: original, late: entry.edits?.late ?? false },
              },
            },
          ],
    expect: [{ kind: RECORDS.revision, key, version }],
    delete: [{ kind: RECORDS.revision, key }],
  };
}

/** What the commit that decides a person's message rests on: nobody has revised it meanwhile. */
export function unrevised({ entry }: Logged) {
  if (!needsOutcome(entry) || entry.kind !== "message" || entry.sender.kind !== "person") return [];
  return [{ kind: RECORDS.revision, key: revisionKey(entry.session, entry.id), version: 0 }];
}
