import { createHash } from "node:crypto";
import { MessageFlags, RequestMethod } from "discord.js";
import { z } from "zod";
import type { Post } from "../../../src/index.js";
import { keyOf } from "../../shared/posts.js";
import { type Place, standsIn } from "../place.js";
import type { Window } from "./budget.js";
import type { Look } from "./identity.js";
import type { Called, Caller } from "./rest.js";
import { CODE, type Failure } from "./results.js";
import { contentOf } from "./showing.js";
import { buttonRows } from "./view-content.js";
import type { Webhook } from "./webhooks.js";

/** What came of sending one message. `channel`: where it landed. */
export type Sent =
  | { readonly ok: true; readonly id: string; readonly channel: string }
  | { readonly ok: false; readonly failure: Failure };

/** Sends messages: through a webhook as a persona, or as the bot itself. */
export interface Sender {
  asPersona(message: PersonaMessage, signal: AbortSignal): Promise<Sent>;
  /** Twice the same part of a post gives one message, as long as Discord remembers: some minutes. */
  asBot(message: BotMessage, signal: AbortSignal): Promise<Sent>;
}

export interface PersonaMessage {
  readonly post: Post;
  readonly place: Place;
  readonly webhook: Webhook;
  readonly look: Look;
}

export interface BotMessage {
  readonly post: Post;
  readonly place: Place;
  readonly speaker?: string;
}

/** Nobody is called by what we say: explicit in each call, since what Discord does without it differs from call to call. */
export const NO_PINGS = { parse: [] } as const;

/** What a message that was shown and deleted since is known by: no message has this id. */
export const DELETED = "0";

const base32 = "abcdefghijklmnopqrstuvwxyz234567";
const LONGEST_NONCE = 25;

/** `isPaced`: with a budget of our own, below Discord's limits. */
export function createSender(call: Caller, isPaced: boolean): Sender {
  const windows = (...all: readonly Window[]) => (isPaced ? all : []);
  const perChannel = ({ channel }: Place): Window => ({ key: `channel ${channel}`, most: 25, perMs: 60_000 });

  return {
    async asPersona({ post, place, webhook, look }, signal) {
      const { id, token } = webhook;
      const lane = `webhook ${id}`;
      const called = await call(
        {
          method: RequestMethod.Post,
          path: `/webhooks/${id}/${token}`,
          isWebhook: true,
          query: { wait: "true", ...(place.thread === undefined ? {} : { thread_id: place.thread }) },
          body: { ...look, content: contentOf({ post, place }), allowed_mentions: NO_PINGS, flags: QUIET },
          lane: { key: lane, windows: windows({ key: lane, most: 5, perMs: 2_000 }, perChannel(place)) },
        },
        signal,
      );
      return sentOf(called);
    },
    async asBot({ post, place, speaker }, signal) {
      const channel = standsIn(place);
      const { replyTo, ...own } = post;
      // What the bot says for itself answers as people do; a persona's words look the same with and without a webhook.
      const isReply = replyTo !== undefined && post.identity === undefined && replyTo !== place.thread;
      const content = contentOf({ post: isReply ? own : post, place, ...(speaker === undefined ? {} : { speaker }) });
      const components = post.body.kind === "view" ? buttonRows(post.body.view.buttons) : [];
      const called = await call(
        {
          method: RequestMethod.Post,
          path: `/channels/${channel}/messages`,
          body: {
            content,
            allowed_mentions: NO_PINGS,
            flags: QUIET,
            nonce: nonceOf(post),
            enforce_nonce: true,
            ...(isReply ? { message_reference: { message_id: replyTo, fail_if_not_exists: false } } : {}),
            ...(components.length === 0 ? {} : { components }),
          },
          lane: { key: `bot ${channel}`, windows: windows(perChannel(place)) },
        },
        signal,
      );
      // So it answers to a nonce whose message has been deleted: it was shown.
      if (!called.ok && called.failure.kind === "refused" && called.failure.code === CODE.unknownMessage)
        return { ok: true, id: DELETED, channel };
      return sentOf(called);
    },
  };
}

/** Agents quote addresses all the time; previews of them would bury what they say. */
const QUIET = MessageFlags.SuppressEmbeds;

const message = z.object({ id: z.string(), channel_id: z.string() });

function sentOf(called: Called): Sent {
  if (!called.ok) return called;
  const { data } = message.safeParse(called.data);
  if (data) return { ok: true, id: data.id, channel: data.channel_id };
  return { ok: false, failure: { kind: "unclear", reason: "the answer does not say where it was posted" } };
}

/** The same for the same part of the same post, in every run; another for anything else. */
function nonceOf(post: Post): string {
  const digest = createHash("sha256")
    .update(`${keyOf(post)} ${post.body.kind}`)
    .digest();
  let bits = 0n;
  for (const byte of digest) bits = (bits << 8n) | BigInt(byte);
  return Array.from({ length: LONGEST_NONCE }, (_, at) => base32[Number((bits >> BigInt(at * 5)) & 31n)]).join("");
}
