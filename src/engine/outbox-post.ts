import { roomOf } from "../domain/ids.js";
import type { Notice } from "../domain/notice.js";
import { noticeView } from "../domain/notice-view.js";
import { identityOf } from "../domain/persona.js";
import type { Post } from "../ports/platform.js";
import type { RecordPut, StoredRecord } from "../ports/store.js";
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
  const cause = await context.store.find(session, entry);
  return cause?.entry.kind === "message" && cause.entry.sender.kind !== "agent" ? entry : undefined;
}

/** Records where something has been posted: by our id, for edits, and by each of the platform's, for replies to it. */
export function postedKeys({ subject, identity }: OutboxRow, messageIds: readonly string[]): readonly RecordPut[] {
  const id = subject.type === "entry" ? subject.entry : subject.notice;
  const own: Posted = { messageIds };
  const byMessage =
    identity === undefined
      ? []
      : messageIds.map((messageId) => ({
          kind: RECORDS.posted,
          key: `message|${messageId}`,
          value: { messageIds: [messageId], persona: identity.name, entry: id },
        }));
  return [{ kind: RECORDS.posted, key: id, value: own }, ...byMessage];
}
