import type { FileRef } from "../domain/entry.js";
import type { RoomId, SessionId } from "../domain/ids.js";
import type { Identity } from "../domain/persona.js";
import type { View } from "../domain/view.js";

/** What an adapter can do. The engine asks for abilities, never for names. */
export interface Capabilities {
  /**
   * `post`: replies are posted through the outbox. `log`: the platform shows the session logs themselves, so
   * nothing is posted and no outbox row is written.
   */
  readonly delivery: "post" | "log";
  readonly threads: boolean;
  readonly edit: boolean;
  readonly ephemeral: boolean;
  readonly buttons: boolean;
  readonly typing: boolean;
  /** Posts can carry a persona's own name and picture. */
  readonly identity: boolean;
}

/** Who is speaking, as the adapter has verified it from platform ids. `agent`: a post of our own persona that came back. */
export interface InboundSender {
  readonly kind: "person" | "bot";
  readonly id: string;
  readonly name: string;
  /** The platform's own word: workspace owner, Manage Server, the local person. */
  readonly isAdmin: boolean;
  /** From another workspace or server: a stranger in a shared channel, without rights beyond speaking. */
  readonly isGuest?: boolean;
}

/**
 * A message from outside. `id` is the platform's message id, the key against redelivery. Mentions stand in `text` as
 * `@name`, written so by the adapter wherever the platform's own token was live; `@troupe` is the app itself.
 */
export interface InboundMessage {
  readonly id: string;
  readonly session: SessionId;
  readonly from: InboundSender;
  readonly text: string;
  readonly at: number;
  /** A DM or another place where every message is meant for us. */
  readonly direct?: boolean;
  readonly files?: readonly FileRef[];
  /** The message answered by the platform's reply gesture, as the platform's message id. */
  readonly replyTo?: string;
}

/** A person has changed a message of theirs. `text` absent: deleted. */
export interface InboundRevision {
  readonly session: SessionId;
  /** The platform's id of the message. */
  readonly id: string;
  /** Who wrote it, as in `InboundSender.id`. */
  readonly from: string;
  readonly text?: string;
  /** Learnt of too late to wake anybody: only a message that still waits follows it. */
  readonly isLate?: true;
}

/** A command given outside the message stream (a slash command). */
export interface InboundCommand {
  readonly session: SessionId;
  readonly from: InboundSender;
  /** Everything after the slash: `agent room`, `agent budget 4`. */
  readonly text: string;
  readonly direct?: boolean;
}

/** A pressed button. `value` is what the button carried, opaque to adapters. */
export interface Press {
  readonly room: RoomId;
  readonly from: InboundSender;
  readonly action: string;
  readonly value: string;
}

/** What a message became. `entry` is its id in the log; `duplicate` when it had been accepted before. */
export interface Accepted {
  readonly entry: string;
  readonly seq: number;
  readonly duplicate: boolean;
}

/** A command's or button's answer. `public`: it changed the room and stands in its log; else only for who asked. */
export interface Answer {
  readonly ok: boolean;
  readonly view: View;
  readonly public: boolean;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A person's wish to let one paused pair go on, outside of its notice's button. */
export interface ResumeRequest {
  /** Only a pair of this session is meant; from the channel itself, one of the room. */
  readonly session: SessionId;
  readonly from: InboundSender;
  readonly pair: string;
}

/** What the engine gives an adapter. Each promise settles after the commit: only then may the adapter acknowledge. */
export interface Inbox {
  message(message: InboundMessage): Promise<Accepted>;
  /** An edit or a delete. Settles after its commit; unknown messages and other people's are left alone. */
  revise(revision: InboundRevision): Promise<void>;
  /** What was said while nobody listened and is too old to answer: kept as context, listed in one notice. */
  missed(session: SessionId, messages: readonly InboundMessage[]): Promise<void>;
  command(command: InboundCommand): Promise<Answer>;
  press(press: Press): Promise<Answer>;
  /** Answers with `data: { session, resumed, delivered }`, counts only; an open or unknown pair resumes nothing. */
  resume(request: ResumeRequest): Promise<Answer>;
}

/** What is shown: a persona's Markdown, or what the system says. */
export type PostBody =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "view"; readonly view: View };

/** A thing to show in a session, from its outbox row. */
export interface Post {
  /** Stable over retries and restarts: the key by which an ambiguous post is looked up. */
  readonly id: string;
  readonly session: SessionId;
  /** In whose name it is said; absent: the app's own. A view is always posted by the app itself, since it may have buttons. */
  readonly identity?: Identity;
  readonly body: PostBody;
  /** Which part of a long text this is, from 0; together with `id` the key of the look-up. */
  readonly part: number;
  /** The platform's id of the message this one answers, where known. */
  readonly replyTo?: string;
  readonly attemptedAt?: number;
}

/**
 * `rejected`: the platform said no; it was not posted, and asking again is useless unless `retry`. `rate-limited`: not
 * posted, wait. `ambiguous`: it may have been posted (time-out, reset, 5xx): look before posting again.
 */
export type PostResult =
  | { readonly status: "posted"; readonly messageIds: readonly string[] }
  | { readonly status: "rejected"; readonly reason: string; readonly retry: boolean }
  | { readonly status: "rate-limited"; readonly retryAfterMs: number }
  | { readonly status: "ambiguous"; readonly reason: string };

/** `unknown`: the platform cannot be asked; prefer not posting twice. */
export type FindResult =
  | { readonly status: "found"; readonly messageIds: readonly string[] }
  | { readonly status: "absent" }
  | { readonly status: "unknown" };

/** A message by where it stands: the session whose log would have it, and the platform's id. */
export interface MessagePlace {
  readonly session: SessionId;
  readonly id: string;
}

export interface PlatformStatus {
  readonly ready: boolean;
  /** What is missing and how to mend it; absent when ready. */
  readonly problem?: string;
}

/** A chat platform. Implementations differ by capability only; `test/contract/platform.ts` is what all promise. */
export interface Platform {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** Connects and begins to accept. Rejects when it cannot; the supervisor tries again with backoff. Aborting stops it. */
  start(inbox: Inbox, signal: AbortSignal): Promise<void>;
  status(): PlatformStatus;
  /** Cuts a body into what fits one message each, always in the same way: nothing is lost, at least one part. Absent: it all fits. */
  split?(body: PostBody): readonly PostBody[];
  /** Posts one part, as one message. */
  post(post: Post, signal: AbortSignal): Promise<PostResult>;
  find(post: Post, signal: AbortSignal): Promise<FindResult>;
  /** Replaces an earlier post in place. Idempotent. */
  edit(post: Post, messageIds: readonly string[], signal: AbortSignal): Promise<PostResult>;
  /** The bytes of a file that came with a message; `undefined` when it is gone or larger than `maxBytes`. Absent: no files. */
  download?(file: FileRef, maxBytes: number, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** The message that an address of this platform names; `undefined`: not one of ours. Absent: messages have no address. */
  locate?(link: string): MessagePlace | undefined;
  /** Shows or ends "is thinking". Best effort. */
  typing(session: SessionId, identity: Identity, on: boolean): Promise<void>;
  /**
   * Shows something to one person only, or as a reply that pings nobody where the platform has no ephemerals. `about`: the platform's
   * id of the message that it answers, where there is one.
   */
  ephemeral(session: SessionId, to: string, view: View, about?: string): Promise<void>;
  stop(deadlineMs: number): Promise<void>;
}
