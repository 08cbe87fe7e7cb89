import { RequestMethod } from "discord.js";
import { z } from "zod";
import { type Clock, delay, type FindResult, type Post, type PostBody } from "../../../src/index.js";
import type { Hint } from "../../shared/hints.js";
import { keyOf } from "../../shared/posts.js";
import { hintNotSearched, searchUntilAnswered } from "../../shared/searching.js";
import { idAt } from "../ids.js";
import { placeOf } from "../place.js";
import type { Self } from "../self.js";
import { byId, type Deliveries, type Echo } from "./deliveries.js";
import type { Identities } from "./identity.js";
import type { Called, Caller } from "./rest.js";
import { CODE, type Failure, reasonOf } from "./results.js";
import { essenceOf, splitBody, wordsOf } from "./showing.js";
import { customIdOf } from "./view-buttons.js";
import { readMessage } from "./wire.js";

export interface LookupDeps {
  readonly call: Caller;
  readonly self: Self;
  readonly deliveries: Deliveries;
  readonly identities: Identities;
  readonly isOwnWebhook: (id: string) => boolean;
  readonly isKnownThread: (id: string) => boolean;
  readonly mayReadHistory: ((channel: string) => boolean | undefined) | undefined;
  readonly clock: Clock;
  /** By how much it is ahead of Discord's, in milliseconds. */
  readonly aheadMs: () => number;
  readonly hint: Hint;
  /** A post that was sent may still land for so long. */
  readonly landingMs: number;
}

/** Looks for posts that may have arrived. */
export interface Lookup {
  /** In the history, for as long as it may still land. */
  find(post: Post, signal: AbortSignal): Promise<FindResult>;
  /** Among what the gateway has shown. */
  echoOf(post: Post): Promise<string | undefined>;
}

/** The clocks of two machines differ. */
const BEFORE_MS = 5_000;
/** A post takes a while. Whatever came later is not looked through. */
const AFTER_MS = 10 * 60_000;
const PAGE = 100;
const MOST_PAGES = 20;

type Seen = { readonly status: "seen"; readonly messages: readonly Echo[] } | { readonly status: "unknown" } | Failure;

/**
 * A webhook's posts have no mark of their own, so that a post is known again by who says what where, and by no other post having
 * claimed the message: in this run by the deliveries, from earlier ones by the engine's records.
 */
export function createLookup(deps: LookupDeps): Lookup {
  const { deliveries, clock } = deps;

  /** The first of these that may be the post becomes it. */
  async function claimed(post: Post, messages: readonly Echo[]): Promise<string | undefined> {
    const key = keyOf(post);
    for (const message of messages.toSorted(byId)) {
      if (!isAlike(deps, post, message) || !(await deliveries.isFree(post.session, message.id, key))) continue;
      deliveries.claim(message.id, key);
      return message.id;
    }
    return undefined;
  }

  /** Where it may stand, nearest first: a thread's posts are in its channel while the thread cannot be begun. */
  function channelsOf({ session }: Post): readonly string[] {
    const { channel, thread } = placeOf(session);
    if (thread === undefined) return [channel];
    return deps.isKnownThread(thread) ? [thread] : [thread, channel];
  }

  function echoOf(post: Post): Promise<string | undefined> {
    const since = idAt(sinceOf(post, deps));
    const messages = channelsOf(post).flatMap((channel) => deliveries.echoesIn(channel));
    return claimed(
      post,
      messages.filter((message) => byId({ id: since }, message) <= 0),
    );
  }

  async function lookOnce(post: Post, signal: AbortSignal): Promise<FindResult | Failure> {
    const shown = await echoOf(post);
    if (shown !== undefined) return { status: "found", messageIds: [shown] };
    for (const channel of channelsOf(post)) {
      const found = await lookIn(post, channel, signal);
      // A thread that is there: then nothing of it was said in the channel.
      if (!("kind" in found) || found.kind !== "refused" || found.code !== CODE.unknownChannel) return found;
    }
    return { status: "absent" };
  }

  async function lookIn(post: Post, channel: string, signal: AbortSignal): Promise<FindResult | Failure> {
    const seen = await readSince(deps, post, channel, signal);
    if ("kind" in seen) return refusalIn(deps, channel, seen);
    if (seen.status === "unknown") return seen;
    const id = await claimed(post, seen.messages);
    if (id !== undefined) return { status: "found", messageIds: [id] };
    return seen.messages.some((message) => isBlank(deps, post, message)) ? hidden(deps, channel) : { status: "absent" };
  }

  return {
    echoOf,
    async find(post, signal) {
      const part = partOf(post);
      const landsUntil = post.attemptedAt === undefined ? 0 : post.attemptedAt + deps.landingMs;
      for (;;) {
        // Also what is shown while the history is read.
        const heard = new AbortController();
        const end = deliveries.onEcho(() => heard.abort());
        try {
          const found = await searchUntilAnswered<FindResult>(() => lookOnce(part, signal), clock, signal);
          const leftMs = Math.min(landsUntil - clock.now(), deps.landingMs);
          if (found.status !== "absent" || leftMs <= 0) return found;
          await delay(clock, leftMs, AbortSignal.any([signal, heard.signal])).catch(() => signal.throwIfAborted());
        } finally {
          end();
        }
      }
    },
  };
}

/** The part that is sought: the engine hands in the whole. */
function partOf(post: Post): Post {
  const body: PostBody = splitBody(post.body)[post.part] ?? post.body;
  return { ...post, body };
}

/** In Discord's time. An attempt in the future was noted before our clock was set back: then nobody knows when it was. */
function sinceOf({ attemptedAt }: Post, { clock, aheadMs }: LookupDeps): number {
  const now = clock.now();
  const at = attemptedAt === undefined || attemptedAt > now ? now - AFTER_MS : attemptedAt;
  return at - aheadMs() - BEFORE_MS;
}

async function readSince(deps: LookupDeps, post: Post, channel: string, signal: AbortSignal): Promise<Seen> {
  if (deps.mayReadHistory?.(channel) === false) return hidden(deps, channel);
  const since = sinceOf(post, deps);
  const last = { id: idAt(since + BEFORE_MS + AFTER_MS) };
  const messages: Echo[] = [];
  let after = idAt(since);
  for (let page = 0; page < MOST_PAGES; page++) {
    const called: Called = await deps.call(
      {
        method: RequestMethod.Get,
        path: `/channels/${channel}/messages`,
        query: { limit: String(PAGE), after },
      },
      signal,
    );
    if (!called.ok) return called.failure;
    const raw = z.array(z.unknown()).safeParse(called.data).data ?? [];
    const read = raw.flatMap((one) => readMessage(one) ?? []).toSorted(byId);
    messages.push(...read);
    const newest = read.at(-1);
    if (newest === undefined || raw.length < PAGE || byId(newest, last) > 0) return { status: "seen", messages };
    after = newest.id;
  }
  return { status: "unknown" };
}

/** What cannot be asked now is asked again; what may not be asked is not known. */
function refusalIn(deps: LookupDeps, channel: string, failure: Failure): FindResult | Failure {
  if (failure.kind !== "refused" || failure.code === CODE.unknownChannel) return failure;
  hintNotSearched(deps.hint, channel, reasonOf(failure), `<#${channel}>`);
  return { status: "unknown" };
}

const HIDDEN = "Allow the bot's role Read Message History there, and switch on the Message Content intent";

function hidden(deps: LookupDeps, channel: string): { readonly status: "unknown" } {
  hintNotSearched(deps.hint, channel, HIDDEN, `<#${channel}>`);
  return { status: "unknown" };
}

/** Whether it is ours and, by who says it, may be the post. */
function isOfSpeaker({ self, identities, isOwnWebhook }: LookupDeps, { identity }: Post, message: Echo): boolean {
  if (message.webhookId === undefined) return message.authorId === self.userId;
  const isOurs = message.applicationId === self.applicationId || isOwnWebhook(message.webhookId);
  return isOurs && identity !== undefined && identities.namesOf(identity).includes(message.username);
}

function isAlike(deps: LookupDeps, post: Post, message: Echo): boolean {
  if (!isOfSpeaker(deps, post, message)) return false;
  const { body, identity } = post;
  const ids = body.kind === "view" ? (body.view.buttons ?? []).map(customIdOf) : [];
  const seen = message.customIds ?? [];
  // A notice may have changed its words since it was posted; its buttons say which it is.
  if (ids.length > 0 && seen.length > 0) return ids.some((id) => seen.includes(id));
  const speaker = message.webhookId === undefined ? identity?.displayName : undefined;
  return essenceOf(message.content, speaker) === essenceOf(wordsOf(body));
}

/** Ours, but without its words: they are kept from us. */
function isBlank(deps: LookupDeps, post: Post, message: Echo): boolean {
  return isOfSpeaker(deps, post, message) && message.content === "" && (message.customIds ?? []).length === 0;
}
