import { RequestMethod } from "discord.js";
import type { Post, PostResult } from "../../../src/index.js";
import { type Place, placeOf, standsIn } from "../place.js";
import type { Called, Caller } from "./rest.js";
import { CODE, type Failure, type Refused, resultOf } from "./results.js";
import { DELETED, NO_PINGS } from "./sending.js";
import { contentOf, splitBody } from "./showing.js";
import { buttonRows } from "./view-content.js";
import type { Webhook, Webhooks } from "./webhooks.js";
import { readMessage } from "./wire.js";

export interface EditingDeps {
  readonly call: Caller;
  readonly webhooks: Webhooks;
}

/** Replaces an earlier post in place. */
export type Editing = (post: Post, messageIds: readonly string[], signal: AbortSignal) => Promise<PostResult>;

/** A message that stands, and what may change it: its webhook, else the bot. */
interface Standing {
  readonly id: string;
  readonly channel: string;
  /** The same, if it is a thread. */
  readonly thread?: string | undefined;
  readonly webhook?: Webhook;
}

/** What one message is to show; absent: nothing any more. */
interface Change {
  readonly post: Post;
  readonly isLeft: boolean;
}

/**
 * Part by part; what has become shorter loses its last messages, what has become longer ends with its last part. Notices are the
 * bot's own. A persona's message can be changed only through the webhook that made it: which that was, the message says itself, so
 * that nobody has to keep it.
 */
export function createEditing({ call, webhooks }: EditingDeps): Editing {
  async function change(id: string, place: Place, { post, isLeft }: Change, signal: AbortSignal) {
    const channel = standsIn(place);
    const body = isLeft ? bodyOf(post, place) : undefined;
    const done = await write({ id, channel }, body, signal);
    if (done.ok || !isAnothers(done.failure)) return done;
    const standing = await lookAt(id, place, signal);
    return "kind" in standing ? ({ ok: false, failure: standing } as const) : write(standing, body, signal);
  }

  function write(
    { id, channel, thread, webhook }: Standing,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<Called> {
    const method = body === undefined ? RequestMethod.Delete : RequestMethod.Patch;
    const lane = { key: `edit ${channel}`, windows: [] };
    const content = body === undefined ? {} : { body };
    if (webhook === undefined)
      return call({ method, path: `/channels/${channel}/messages/${id}`, lane, ...content }, signal);
    const path = `/webhooks/${webhook.id}/${webhook.token}/messages/${id}` as const;
    // A message in a thread is not found without it.
    const query = thread === undefined ? {} : { query: { thread_id: thread } };
    return call({ method, path, isWebhook: true, lane, ...content, ...query }, signal);
  }

  async function lookAt(id: string, place: Place, signal: AbortSignal): Promise<Standing | Failure> {
    const channel = standsIn(place);
    const called = await call({ method: RequestMethod.Get, path: `/channels/${channel}/messages/${id}` }, signal);
    if (!called.ok) return called.failure;
    const webhookId = readMessage(called.data)?.webhookId;
    const webhook = webhookId === undefined ? undefined : await webhooks.byId(place.channel, webhookId);
    return webhook === undefined ? NOT_OURS : { id, channel, thread: place.thread, webhook };
  }

  /** In its thread; where there was none, in the channel. */
  async function changeAnywhere(id: string, change_: Change, signal: AbortSignal): Promise<Failure | undefined> {
    const place = placeOf(change_.post.session);
    const done = await inOpenThread(place, () => change(id, place, change_, signal), signal);
    if (done.ok) return undefined;
    if (place.thread === undefined || !isMissing(done.failure)) return done.failure;
    const { guild, channel } = place;
    const again = await change(id, { guild, channel }, change_, signal);
    return again.ok ? undefined : again.failure;
  }

  /** Only posts open an archived thread by themselves. */
  async function inOpenThread(place: Place, make: () => Promise<Called>, signal: AbortSignal): Promise<Called> {
    const done = await make();
    const isArchived = !done.ok && done.failure.kind === "refused" && done.failure.code === CODE.threadArchived;
    if (!isArchived || place.thread === undefined) return done;
    const path = `/channels/${place.thread}` as const;
    const opened = await call({ method: RequestMethod.Patch, path, body: { archived: false } }, signal);
    return opened.ok ? make() : done;
  }

  return async (post, messageIds, signal) => {
    const bodies = splitBody(post.body);
    for (const [index, id] of messageIds.entries()) {
      if (id === DELETED) continue;
      const isLast = index === messageIds.length - 1;
      const body = isLast ? bodies.slice(index).at(-1) : bodies[index];
      const part: Post = { ...post, part: index, body: body ?? post.body };
      const failure = await changeAnywhere(id, { post: part, isLeft: body !== undefined }, signal);
      if (failure && !(body === undefined && isMissing(failure))) return resultOf(failure);
    }
    return { status: "posted", messageIds };
  };
}

function bodyOf(post: Post, place: Place): object {
  const components = post.body.kind === "view" ? buttonRows(post.body.view.buttons) : [];
  return { content: contentOf({ post, place }), allowed_mentions: NO_PINGS, components };
}

const NOT_OURS: Refused = { kind: "refused", code: CODE.unknownWebhook, status: 404, fields: [] };

function isMissing(failure: Failure): boolean {
  return failure.kind === "refused" && (failure.code === CODE.unknownMessage || failure.code === CODE.unknownChannel);
}

/** A webhook wrote it, not the bot. */
function isAnothers(failure: Failure): boolean {
  return failure.kind === "refused" && (failure.code === CODE.notOwn || failure.code === CODE.missingPermissions);
}
