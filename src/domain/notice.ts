import type { SessionId } from "./ids.js";

export type NoticeState = "open" | "done";

/** What both kinds share: one record per notice, edited in place, pressed at most once. */
interface NoticeBase {
  readonly session: SessionId;
  readonly state: NoticeState;
  /** Who pressed, as shown. */
  readonly by?: string;
  readonly at: number;
}

/** The burst budget is used up: who was waiting, with which message. */
export interface BudgetNotice extends NoticeBase {
  readonly type: "budget";
  readonly used: number;
  readonly limit: number;
  /** The entry id that began this burst: one notice per burst. */
  readonly since: string;
  readonly waiting: readonly { readonly persona: string; readonly entry: string }[];
}

/** A turn failed or was stopped by its deadline. */
export interface FailedNotice extends NoticeBase {
  readonly type: "failed";
  readonly persona: string;
  readonly entry: string;
  readonly reason: string;
}

export type Notice = BudgetNotice | FailedNotice;
