import { type RoomId, roomOf } from "../domain/ids.js";
import type { Notice } from "../domain/notice.js";
import { noticeView } from "../domain/notice-view.js";
import { identityOf } from "../domain/persona.js";
import type { Post } from "../ports/platform.js";
import type { RecordPut, Store, StoredRecord } from "../ports/store.js";
import type { EngineContext } from "./context.js";
import { type OutboxRow, type Posted, RECORDS } from "./records.js";

/** What an outbox row shows now, read from its entry or notice; `undefined` when that is gone. */
export async function postOf(context: EngineContext, row: StoredRecord<OutboxRow>): Promise<Post | undefined> {
  const { value } = row;
  const { subject, session, identity } = value;
  const base = {
    session,
    part: value.messageIds?.length ?? 0,
    ...(value.attemptedAt === undefined ? {} : { attemptedAt: value.attemptedAt }),
  };
  if (subject.type !== "entry") {
    const notice = await context.store.get<Notice>(row.room, RECORDS.notice, subject.notice);
    if (!notice) return undefined;
    const view = noticeView(subject.notice, notice.value, context.team().displayName);
    return { ...base, ...inTheNameOf(context, notice.value), id: subject.notice, body: { kind: "view", view } };
  }
  const logged = await context.store.find(session, subject.entry);
  if (!logged) return undefined;
  const replyTo = await answeredId(context, session, logged.entry.cause.entry);
  return {
    ...base,
    id: subject.entry,
    ...(identity === undefined ? {} : { identity }),
    body: { kind: "text", text: logged.entry.text },
    ...(replyTo === undefined ? {} : { replyTo }),
  };
}

/** A failed turn is told in its persona's name; everything else the app says as itself. */
function inTheNameOf(context: EngineContext, notice: Notice): Pick<Post, "identity"> {
  const persona = notice.type === "failed" ? context.team().persona(notice.persona) : undefined;
  return persona === undefined ? {} : { identity: identityOf(persona) };
}

/** The platform's id of the message that a post answers: a person's has it as entry id, ours has been recorded. */
async function answeredId(
  context: EngineContext,
  session: string,
  entry: string | undefined,
): Promise<string | undefined> {
  if (entry === undefined) return undefined;
  const posted = await context.store.get<Posted>(roomOf(session), RECORDS.posted, entry);
  if (posted) return posted.value.messageIds[0];
  const answered = (await context.store.find(session, entry))?.entry;
  if (answered?.kind !== "message" || answered.sender.kind === "agent") return undefined;
  // An edit is an entry of its own, and on the platform still the message that it changed.
  return answered.edits?.entry ?? entry;
}

/** Records where something has been posted: by our id, for edits, and by each of the platform's, for replies to it and so that it is taken for no other post. */
export function postedKeys({ subject, identity }: OutboxRow, messageIds: readonly string[]): readonly RecordPut[] {
  const id = subject.type === "entry" ? subject.entry : subject.notice;
  const own: Posted = { messageIds };
  const speaker = identity === undefined ? {} : { persona: identity.name, entry: id };
  const byMessage = messageIds.map((messageId) => ({
    kind: RECORDS.posted,
    key: messageKey(messageId),
    value: { messageIds: [messageId], ...speaker },
  }));
  return [{ kind: RECORDS.posted, key: id, value: own }, ...byMessage];
}

/** Whether one of the platform's messages is a post of this room: of what has been settled, or of a row that is on its way. */
export async function isPosted(store: Store, room: RoomId, messageId: string): Promise<boolean> {
  if (await store.get<Posted>(room, RECORDS.posted, messageKey(messageId))) return true;
  const rows = await store.list<OutboxRow>(room, RECORDS.outbox);
  return rows.some(({ value }) => value.messageIds?.includes(messageId) ?? false);
}

function messageKey(messageId: string): string {
  return `message|${messageId}`;
}
