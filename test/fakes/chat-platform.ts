import { platformOf } from "../../src/domain/ids.js";
import type { Identity } from "../../src/domain/persona.js";
import type { View } from "../../src/domain/view.js";
import type { Capabilities, FindResult, Inbox, Platform, Post, PostResult } from "../../src/ports/platform.js";

/** What stands in the fake channel. An edit replaces `post` and counts up. */
export interface ChannelMessage {
  readonly messageId: string;
  readonly session: string;
  post: Post;
  edits: number;
}

/** What the platform does with the next call: the switches of a real one's bad days. */
export type Fault =
  | { readonly kind: "reject"; readonly reason: string; readonly retry?: boolean }
  | { readonly kind: "rate-limit"; readonly retryAfterMs: number }
  /** Takes the post and then breaks the connection. */
  | { readonly kind: "accept-then-drop" }
  /** Breaks the connection before taking it. */
  | { readonly kind: "drop" }
  /** Takes the post and never answers. */
  | { readonly kind: "accept-then-hang" };

export interface FakeChat extends Platform {
  /** Everything visible in the channels, in order. */
  readonly messages: readonly ChannelMessage[];
  readonly whispers: readonly { session: string; to: string; view: View }[];
  readonly typings: readonly { session: string; persona: string; on: boolean }[];
  readonly calls: { post: number; find: number; edit: number };
  readonly inbox: Inbox;
  /** Applied to the next posts and edits, one each. */
  fail(...faults: Fault[]): void;
  /** From now on the platform cannot be asked what it has. */
  blind(isBlind: boolean): void;
  failStarts(times: number): void;
}

const ALL: Capabilities = {
  delivery: "post",
  threads: true,
  edit: true,
  ephemeral: true,
  buttons: true,
  typing: true,
  identity: true,
};

/** What fits one message of the fake. */
const LONGEST = 2_000;

function cut(text: string): readonly string[] {
  const parts = text.match(new RegExp(`[^]{1,${LONGEST}}`, "gu"));
  return parts ?? [text];
}

/** A chat platform in memory that keeps the port's promises and fails on demand. */
export function createFakeChat(name = "fake", capabilities: Partial<Capabilities> = {}): FakeChat {
  const messages: ChannelMessage[] = [];
  const whispers: { session: string; to: string; view: View }[] = [];
  const typings: { session: string; persona: string; on: boolean }[] = [];
  const faults: Fault[] = [];
  const calls = { post: 0, find: 0, edit: 0 };
  let inbox: Inbox | undefined;
  let isBlind = false;
  let failedStarts = 0;
  let isConnected = false;

  function take(post: Post): PostResult {
    const messageId = `m${messages.length + 1}`;
    messages.push({ messageId, session: post.session, post, edits: 0 });
    return { status: "posted", messageIds: [messageId] };
  }

  function answer(post: Post, signal: AbortSignal, take: () => PostResult): Promise<PostResult> {
    const fault = faults.shift();
    if (platformOf(post.session) !== name) {
      return Promise.resolve({ status: "rejected", reason: "there is no such channel", retry: false });
    }
    switch (fault?.kind) {
      case "reject":
        return Promise.resolve({ status: "rejected", reason: fault.reason, retry: fault.retry ?? false });
      case "rate-limit":
        return Promise.resolve({ status: "rate-limited", retryAfterMs: fault.retryAfterMs });
      case "drop":
        return Promise.resolve({ status: "ambiguous", reason: "connection reset" });
      case "accept-then-drop":
        take();
        return Promise.resolve({ status: "ambiguous", reason: "connection reset" });
      case "accept-then-hang":
        take();
        return new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
        );
      default:
        return Promise.resolve(take());
    }
  }

  const disconnect = () => {
    isConnected = false;
  };

  return {
    name,
    capabilities: { ...ALL, ...capabilities },
    messages,
    whispers,
    typings,
    calls,
    get inbox() {
      if (!inbox) throw new Error("the fake chat has not been started");
      return inbox;
    },
    fail: (...more) => void faults.push(...more),
    blind: (value) => {
      isBlind = value;
    },
    failStarts: (times) => {
      failedStarts = times;
    },
    async start(given, signal) {
      signal.throwIfAborted();
      if (failedStarts > 0) {
        failedStarts--;
        throw new Error("the fake chat refuses the connection");
      }
      inbox = given;
      isConnected = true;
      signal.addEventListener("abort", disconnect, { once: true });
    },
    status: () => (isConnected ? { ready: true } : { ready: false, problem: "not connected" }),
    split: (body) => (body.kind === "view" ? [body] : cut(body.text).map((text) => ({ kind: "text", text }))),
    post(post, signal) {
      calls.post++;
      return answer(post, signal, () => take(post));
    },
    async find(post): Promise<FindResult> {
      calls.find++;
      if (isBlind) return { status: "unknown" };
      const found = messages.filter((message) => message.post.id === post.id && message.post.part === post.part);
      return found.length > 0
        ? { status: "found", messageIds: found.map((message) => message.messageId) }
        : { status: "absent" };
    },
    edit(post, messageIds, signal) {
      calls.edit++;
      return answer(post, signal, () => {
        const target = messages.find((message) => message.messageId === messageIds[0]);
        if (!target) return { status: "rejected", reason: "unknown message", retry: false };
        target.post = post;
        target.edits++;
        return { status: "posted", messageIds };
      });
    },
    async typing(session: string, identity: Identity, on: boolean) {
      typings.push({ session, persona: identity.name, on });
    },
    async ephemeral(session, to, view) {
      whispers.push({ session, to, view });
    },
    async stop() {
      disconnect();
    },
  };
}
