import type {
  Accepted,
  Answer,
  FindResult,
  InboundMessage,
  Post,
  PostResult,
  Press,
} from "../../../src/ports/platform.js";

/** What the campaign tells its worker. Each is answered once, unless the worker dies first. */
export type Request =
  | { readonly type: "message"; readonly message: InboundMessage }
  | { readonly type: "press"; readonly press: Press }
  /** Answered when nothing is left to do or to post. */
  | { readonly type: "quiet" }
  | { readonly type: "stop" };

/** The answers, by request. */
export interface Answers {
  readonly message: Accepted;
  readonly press: Answer;
  readonly quiet: true;
  readonly stop: true;
}

/** What the worker asks of the chat, which lives with the campaign. `undefined` as answer: the connection broke. */
export type ChatCall =
  | { readonly method: "post"; readonly post: Post }
  | { readonly method: "find"; readonly post: Post }
  | { readonly method: "edit"; readonly post: Post; readonly messageIds: readonly string[] };

export type ChatAnswer = PostResult | FindResult | undefined;

export type ToWorker =
  | { readonly kind: "request"; readonly n: number; readonly request: Request }
  | { readonly kind: "chat"; readonly n: number; readonly answer: ChatAnswer };

export type FromWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "answer"; readonly n: number; readonly answer: Answers[Request["type"]] }
  | { readonly kind: "chat"; readonly n: number; readonly call: ChatCall }
  /** Something that must never happen did. */
  | { readonly kind: "violation"; readonly text: string };
