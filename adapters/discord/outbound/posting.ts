import { RequestMethod } from "discord.js";
import type { Post } from "../../../src/index.js";
import type { Hint } from "../../shared/hints.js";
import { type Place, placeOf, standsIn } from "../place.js";
import type { Identities, Look } from "./identity.js";
import { type Mend, nextMend } from "./mends.js";
import type { Caller } from "./rest.js";
import { CODE, type Failure, type Refused, reasonOf } from "./results.js";
import type { Sender, Sent } from "./sending.js";
import { type Threads, threadName } from "./threads.js";
import type { Webhook, Webhooks } from "./webhooks.js";

export interface PostingDeps {
  readonly call: Caller;
  readonly sender: Sender;
  readonly webhooks: Webhooks;
  readonly threads: Threads;
  readonly identities: Identities;
  readonly hint: Hint;
}

/** Posts one part as one message. */
export type Posting = (post: Post, signal: AbortSignal) => Promise<Sent>;

/** Who says a post: a persona through a webhook, or the bot, which writes the persona's name before its words. */
type Voice = { readonly webhook: Webhook; readonly look: Look } | { readonly speaker?: string };

/** One try: what came of it, and through which webhook, if through one. */
interface Tried {
  readonly sent: Sent;
  readonly webhook?: Webhook;
}

const MOST_TRIES = 8;

/**
 * Posts as the persona, through the channel's webhook; where there can be none, and for everything of the app's own, as the bot.
 * A thread that is not there yet is begun. What Discord refuses and we can mend is sent once more.
 */
export function createPosting(deps: PostingDeps): Posting {
  const { call, sender, webhooks, threads, identities, hint } = deps;

  async function voiceFor({ identity, body }: Post, { guild, channel }: Place): Promise<Voice | Failure> {
    if (identity === undefined || body.kind === "view") return {};
    const asBot = { speaker: identity.displayName };
    const look = identities.lookOf(identity);
    if (guild === undefined || look === undefined) return asBot;
    const found = await webhooks.of(channel);
    if (found.status === "failed") return found.failure;
    return found.status === "none" ? asBot : { webhook: found.webhook, look };
  }

  async function attempt(post: Post, place: Place, signal: AbortSignal): Promise<Tried> {
    const voice = await voiceFor(post, place);
    if ("kind" in voice) return { sent: { ok: false, failure: voice } };
    if (!("webhook" in voice)) return { sent: await sender.asBot({ post, place, ...voice }, signal) };
    const { webhook } = voice;
    const sent = await sender.asPersona({ post, place, ...voice }, signal);
    if (!sent.ok || sent.channel === standsIn(place)) return { sent, webhook };
    await takeBack(webhook, sent.id, signal);
    return { sent: { ok: false, failure: STRAYED }, webhook };
  }

  /** An admin has moved the webhook: what it said in the wrong place is taken back. */
  async function takeBack({ id, token }: Webhook, message: string, signal: AbortSignal): Promise<void> {
    const path = `/webhooks/${id}/${token}/messages/${message}` as const;
    await call({ method: RequestMethod.Delete, path, isWebhook: true }, signal);
  }

  /** Begins the thread; where that may not be, the channel has to do. */
  async function beginThread(
    post: Post,
    place: Place & { readonly thread: string },
    signal: AbortSignal,
  ): Promise<Place | Failure | "unsuited" | "gone"> {
    const { guild, channel, thread } = place;
    const { body, identity } = post;
    // A notice changes, and the thread's name stays.
    const text = body.kind === "text" ? body.text : "";
    const made = await threads.begin(channel, thread, threadName(text, identity?.displayName ?? "Troupe"), signal);
    if (made.status === "failed") return made.failure;
    if (made.status === "unsuited" || made.status === "gone") return made.status;
    return made.status === "none" ? { guild, channel } : place;
  }

  /** The first answer to a message begins the thread on it; a forum's posts have begun with theirs. */
  async function startOf(post: Post, signal: AbortSignal): Promise<Place | Failure> {
    const place = placeOf(post.session);
    if (!isThread(place) || post.replyTo !== place.thread || threads.isKnown(place.thread)) return place;
    const begun = await beginThread(post, place, signal);
    return typeof begun === "string" ? place : begun;
  }

  /** A thread that is not there is begun after all. */
  async function insteadOf(post: Post, place: Place, signal: AbortSignal): Promise<Place | Failure> {
    const { guild, channel } = place;
    const begun = isThread(place) ? await beginThread(post, place, signal) : place;
    // The message has been deleted on which the thread would have begun: what answers it is still said.
    if (begun === "gone") return post.replyTo === place.thread ? { guild, channel } : place;
    return begun === "unsuited" ? { guild, channel } : begun;
  }

  /** Does what the mend says. Answers with where the post goes next. */
  async function mended(post: Post, place: Place, done: Done, signal: AbortSignal): Promise<Place | Failure> {
    switch (done.mend) {
      case "webhook":
        if (done.webhook) webhooks.lost(place.channel, done.webhook.id);
        return place;
      case "moved":
        webhooks.forget(place.channel);
        return place;
      case "thread":
        return insteadOf(post, place, signal);
      case "name":
      case "handle":
      case "picture":
        if (post.identity) identities.learn(done.failure, post.identity);
        return place;
    }
  }

  function concluded(sent: Sent, place: Place): Sent {
    if (sent.ok && place.thread !== undefined) threads.seen(place.thread);
    if (!sent.ok && sent.failure.kind === "refused" && TELLS.has(sent.failure.code))
      hint(
        `post ${sent.failure.code} ${standsIn(place)}`,
        `A post could not be shown in <#${standsIn(place)}>. ${reasonOf(sent.failure)}.`,
      );
    return sent;
  }

  return async (post, signal) => {
    const tried = new Set<Mend>();
    let place = await startOf(post, signal);
    for (let tries = 0; tries < MOST_TRIES && !("kind" in place); tries++) {
      const { sent, webhook } = await attempt(post, place, signal);
      if (sent.ok) return concluded(sent, place);
      const { failure } = sent;
      const how = { isPersona: webhook !== undefined, isInThread: place.thread !== undefined };
      const mend = nextMend({ failure, ...how }, tried);
      if (mend === undefined || failure.kind !== "refused") return concluded(sent, place);
      place = await mended(post, place, { mend, failure, webhook }, signal);
    }
    return { ok: false, failure: "kind" in place ? place : TRIED_OFTEN };
  };
}

interface Done {
  readonly mend: Mend;
  readonly failure: Refused;
  readonly webhook: Webhook | undefined;
}

/** What only an admin can mend. */
const TELLS = new Set<number>([
  CODE.missingAccess,
  CODE.missingPermissions,
  CODE.threadArchived,
  CODE.threadLocked,
  CODE.blockedByAutoMod,
]);

/** It was posted where the webhook is now, and taken back. */
const STRAYED: Refused = { kind: "refused", code: CODE.unknownChannel, status: 404, fields: [] };
const TRIED_OFTEN: Failure = { kind: "limited", retryAfterMs: 5_000 };

function isThread(place: Place): place is Place & { readonly thread: string } {
  return place.thread !== undefined;
}
