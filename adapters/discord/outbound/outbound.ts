import { setMaxListeners } from "node:events";
import {
  type Clock,
  type Logger,
  type Platform,
  PlatformError,
  type Post,
  type PostResult,
  type Reader,
  type SessionId,
  type View,
} from "../../../src/index.js";
import { createHints } from "../../shared/hints.js";
import { keyOf } from "../../shared/posts.js";
import type { Self } from "../self.js";
import type { Breaker } from "./breaker.js";
import { createBudget } from "./budget.js";
import { createDeliveries, type Echo } from "./deliveries.js";
import { createEditing } from "./editing.js";
import { createDownload } from "./files.js";
import { createIdentities } from "./identity.js";
import { createLookup } from "./lookup.js";
import { createPosting } from "./posting.js";
import { createCaller } from "./rest.js";
import { resultOf } from "./results.js";
import { createSender } from "./sending.js";
import { splitBody } from "./showing.js";
import { createThreads } from "./threads.js";
import { createTwins } from "./twins.js";
import { createTyping } from "./typing.js";
import { createWebhooks } from "./webhooks.js";

export interface OutboundOptions {
  readonly self: Self;
  readonly token: string;
  /** Base of the REST API; `https://discord.com/api` by default. */
  readonly apiUrl?: string | undefined;
  /** `false`: no budget of our own for posts, only what Discord asks for. */
  readonly pace?: boolean;
  readonly reader: Pick<Reader, "posted">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Shared with the client's own REST, so that one pause holds for all. */
  readonly breaker: Breaker;
  /** Gets, once each, what an admin should mend. */
  readonly onAdminHint?: (text: string) => void;
  /** Whether the bot may read what was said in this channel or thread; `undefined`: not known. */
  readonly mayReadHistory?: (channel: string) => boolean | undefined;
  /** By how much our clock is ahead of Discord's, in milliseconds; 0 by default. */
  readonly aheadMs?: () => number;
  /** A post that was sent may still land for so long; 20 seconds by default. */
  readonly landingMs?: number;
}

/** The adapter's way out: everything that shows something in Discord, or fetches it from there. */
export interface Outbound {
  post: Platform["post"];
  find: Platform["find"];
  edit: Platform["edit"];
  typing: Platform["typing"];
  /** A reply to `about`, or where Discord takes none, a message by itself. */
  ephemeral(session: SessionId, to: string, view: View, about?: string): Promise<void>;
  download: NonNullable<Platform["download"]>;
  /** The gateway has shown a message of our own bot or webhooks: it stands. */
  echo(message: Echo): void;
  /** Whether posts of this webhook are ours: one that we have used, or found to be ours, in this run. */
  isOwnWebhook(id: string): boolean;
  /** Somebody has changed something about the webhooks of this channel. */
  webhooksChanged(channel: string): void;
  /** A thread is known to exist (a message came from there, or Discord told of it). */
  threadSeen(thread: string): void;
  /** What keeps all posts from going out, and its mend; `undefined`: nothing. */
  problem(): string | undefined;
  /** Waits end, and nothing is begun any more. */
  stop(): void;
}

/** A call's time limit, and some seconds more. */
const LANDING_MS = 20_000;

/** Posts, looks up, edits and fetches, with one REST for all of it. */
export function createOutbound(options: OutboundOptions): Outbound {
  const { self, clock, logger, breaker, pace = true } = options;
  const stopping = new AbortController();
  const { signal: stopped } = stopping;
  // As many listen as there are calls under way.
  setMaxListeners(0, stopped);
  const hint = createHints(logger, options.onAdminHint);
  const caller = createCaller({ ...options, budget: createBudget(clock), isPaced: pace });
  const { call } = caller;
  const webhooks = createWebhooks({ call, applicationId: self.applicationId, clock, hint, signal: stopped });
  const threads = createThreads(call, hint);
  const identities = createIdentities(hint);
  const deliveries = createDeliveries(options.reader);
  const twins = createTwins({ deliveries, clock, hint });
  const sender = createSender(call, pace);
  const posting = createPosting({ call, sender, webhooks, threads, identities, hint });
  const edit = createEditing({ call, webhooks });
  const typing = createTyping({ call, clock, signal: stopped });
  const lookup = createLookup({
    ...{ call, self, deliveries, identities, clock, hint },
    isOwnWebhook: webhooks.isOwn,
    isKnownThread: threads.isKnown,
    mayReadHistory: options.mayReadHistory,
    aheadMs: options.aheadMs ?? (() => 0),
    landingMs: options.landingMs ?? LANDING_MS,
  });
  const orStop = (signal: AbortSignal) => AbortSignal.any([signal, stopped]);

  async function post(one: Post, signal: AbortSignal): Promise<PostResult> {
    // Nobody types any more whose words stand there.
    if (one.identity) typing.set(one.session, one.identity, false);
    const sent = await posting(one, orStop(signal));
    if (sent.ok) {
      deliveries.claim(sent.id, keyOf(one));
      return { status: "posted", messageIds: [sent.id] };
    }
    const id = sent.failure.kind === "unclear" ? await lookup.echoOf(one).catch(() => undefined) : undefined;
    return id === undefined ? resultOf(sent.failure) : { status: "posted", messageIds: [id] };
  }

  let whispers = 0;

  return {
    post,
    find: (one, signal) => lookup.find(one, orStop(signal)),
    edit: (one, messageIds, signal) => edit(one, messageIds, orStop(signal)),
    async typing(session, identity, on) {
      typing.set(session, identity, on);
    },
    async ephemeral(session, to, view, about) {
      const id = `for ${to} ${clock.now()} ${whispers++}`;
      for (const [part, body] of splitBody({ kind: "view", view }).entries()) {
        const plain = { id, session, body, part };
        const isReply = about !== undefined && part === 0;
        const reply = isReply ? await post({ ...plain, replyTo: about }, stopped) : undefined;
        const result = reply === undefined || reply.status === "rejected" ? await post(plain, stopped) : reply;
        if (result.status !== "posted") throw new PlatformError("platform_failed", notShown(result));
      }
    },
    download: createDownload({ call, apiUrl: options.apiUrl, clock, logger }),
    echo(message) {
      deliveries.echo(message);
      twins.saw(message.id);
    },
    isOwnWebhook: webhooks.isOwn,
    webhooksChanged: webhooks.forget,
    threadSeen: threads.seen,
    problem: breaker.problem,
    stop() {
      typing.stop();
      stopping.abort(new DOMException("The adapter stops", "AbortError"));
      caller.stop();
    },
  };
}

function notShown(result: Exclude<PostResult, { status: "posted" }>): string {
  const why = result.status === "rate-limited" ? "Discord asks to wait" : result.reason;
  return `A message for one person could not be shown: ${why}`;
}
