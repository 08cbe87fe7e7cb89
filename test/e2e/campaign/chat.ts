import type { Post } from "../../../src/ports/platform.js";
import type { ChatAnswer, ChatCall } from "./protocol.js";
import type { Random } from "./random.js";

/** What stands in a channel of the campaign's chat. */
export interface Posted {
  readonly messageId: string;
  /** As it was last edited. */
  post: Post;
}

/** A chat service that outlives the processes that post to it, and has bad days. */
export interface CampaignChat {
  readonly posted: readonly Posted[];
  /** Takes a call. `undefined`: the connection breaks, before or after the post was taken. */
  take(call: ChatCall): ChatAnswer;
  /** Resolves when the channels show this. */
  until(isIt: (posted: readonly Posted[]) => boolean): Promise<void>;
}

/** `onView` is called with every notice, as posted and as edited. */
export function createCampaignChat(random: Random, onView: (post: Post) => void): CampaignChat {
  const posted: Posted[] = [];
  const looking = new Set<() => void>();

  function changed(post: Post): void {
    if (post.body.kind === "view") onView(post);
    for (const look of looking) look();
  }

  function post(post: Post): ChatAnswer {
    const fault = random.below(16);
    if (fault === 0) return undefined;
    if (fault === 1) return { status: "rate-limited", retryAfterMs: 50 };
    const messageId = `m${posted.length + 1}`;
    posted.push({ messageId, post });
    changed(post);
    return fault === 2 ? undefined : { status: "posted", messageIds: [messageId] };
  }

  function find({ id, session }: Post): ChatAnswer {
    const found = posted.filter((one) => one.post.id === id && one.post.session === session);
    if (found.length === 0) return { status: "absent" };
    return { status: "found", messageIds: found.map(({ messageId }) => messageId) };
  }

  return {
    posted,
    take(call) {
      if (call.method === "post") return post(call.post);
      if (call.method === "find") return find(call.post);
      const target = posted.find(({ messageId }) => messageId === call.messageIds[0]);
      if (!target) return { status: "rejected", reason: "no such message", retry: false };
      target.post = call.post;
      changed(call.post);
      return { status: "posted", messageIds: call.messageIds };
    },
    until(isIt) {
      return new Promise((resolve) => {
        const look = () => {
          if (!isIt(posted)) return;
          looking.delete(look);
          resolve();
        };
        looking.add(look);
        look();
      });
    },
  };
}
