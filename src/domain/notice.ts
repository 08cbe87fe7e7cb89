import type { SessionId } from "./ids.js";
import type { Trip } from "./pair.js";

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
  readonly waiting: readonly { readonly persona: string; readonly entry: string }[];
}

/** A turn failed or was stopped by its deadline. */
export interface FailedNotice extends NoticeBase {
  readonly type: "failed";
  readonly persona: string;
  readonly entry: string;
  readonly reason: string;
}

/** A pair is paused: one notice per pause, edited as messages are held and when a person resumes. */
export interface PauseNotice extends NoticeBase {
  readonly type: "pause";
  readonly pair: string;
  /** Handles, or the names of allow-listed bots. */
  readonly agents: readonly [string, string];
  readonly trip: Trip;
  readonly held: number;
  readonly delivered: number;
  readonly dropped: number;
  /** The end of the exchange, as `name: text`, cut short. */
  readonly lastLines: readonly string[];
}

export type Notice = BudgetNotice | FailedNotice | PauseNotice;
