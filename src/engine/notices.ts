import type { Draft } from "../domain/entry.js";
import type { SessionId } from "../domain/ids.js";
import type { Notice } from "../domain/notice.js";
import { noticeView } from "../domain/notice-view.js";
import { viewText } from "../domain/view.js";
import type { RecordPut, StoredRecord } from "../ports/store.js";
import type { ChangeParts } from "./change-parts.js";
import { type EngineContext, posts } from "./context.js";
import { type OutboxRow, outboxKey, RECORDS } from "./records.js";

interface NewNotice {
  readonly session: SessionId;
  readonly id: string;
  readonly notice: Notice;
  /** The log entry that shows the notice; for a failed turn its error entry. */
  readonly entry: Draft;
  /** Orders the post behind what the session has already. */
  readonly order: number;
}

/** A notice's first appearance: its entry, its record and, where the platform posts, its outbox row. */
export function newNotice(
  context: EngineContext,
  { session, id, notice, entry, order }: NewNotice,
): Partial<ChangeParts> {
  return {
    append: [{ session, entry }],
    expect: [{ kind: RECORDS.notice, key: id, version: 0 }],
    put: [
      { kind: RECORDS.notice, key: id, value: notice },
      ...post(context, session, order, { type: "notice", notice: id }),
    ],
  };
}

/** A notice's change in place: its record and an edit of the post. Refused as a conflict if it has changed meanwhile. */
export function editNotice(
  context: EngineContext,
  current: StoredRecord<Notice>,
  notice: Notice,
  order: number,
): Partial<ChangeParts> {
  const { key, version } = current;
  return {
    expect: [{ kind: RECORDS.notice, key, version }],
    put: [
      { kind: RECORDS.notice, key, value: notice },
      ...post(context, notice.session, order, { type: "edit", notice: key }),
    ],
  };
}

/** A line of the system in a room's log, without a record: public command answers and the like. */
export function systemLine(id: string, text: string, at: number): Draft {
  return { kind: "notice", id, sender: SYSTEM, text, at, cause: { kind: "button" } };
}

/** The log's text of a notice, for readers without buttons. */
export function noticeText(context: EngineContext, id: string, notice: Notice): string {
  return viewText(noticeView(id, notice, context.team().displayName));
}

export const SYSTEM = { kind: "system", id: "system", name: "Troupe" } as const;

/** The outbox row of a system line, where the platform posts. `order`: the session's newest seq. */
export function linePost(
  context: EngineContext,
  session: SessionId,
  entry: string,
  order: number,
): readonly RecordPut[] {
  return post(context, session, order, { type: "entry", entry });
}

function post(
  context: EngineContext,
  session: SessionId,
  order: number,
  subject: OutboxRow["subject"],
): readonly RecordPut[] {
  if (!posts(context, session)) return [];
  const key = outboxKey(session, order, `${subject.type}-${"notice" in subject ? subject.notice : subject.entry}`);
  const row: OutboxRow = { session, subject, state: "pending", attempts: 0 };
  return [{ kind: RECORDS.outbox, key, value: row, due: context.clock.now() }];
}
