import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { Logger } from "../../../src/index.js";
import { MOST_THREADS } from "../../shared/catch-up/marks.js";
import { type SlackMessage, slackMessage } from "../inbound/wire.js";
import { slackError } from "../tokens.js";
import { type ChannelMark, slackTime } from "./marks.js";

export interface ReadOptions {
  /** Waits for rate limits by itself, so nothing else may go through it. */
  readonly history: webApi.WebClient;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** A stretch that was read whole: what stood there and did not come is gone. Times as Slack writes them; `after` is outside. */
export interface Stretch {
  /** The thread's root; absent: the channel itself. */
  readonly thread?: string;
  readonly after: string;
  readonly until: string;
}

/** What a channel holds around its mark, threads included. */
export interface Reading {
  /** Said since the mark, oldest first. */
  readonly fresh: readonly SlackMessage[];
  /** Said before it, and perhaps changed since. */
  readonly known: readonly SlackMessage[];
  readonly stretches: readonly Stretch[];
}

/** Works for every class of apps. */
const PAGE = 15;
const MOST_PAGES = 20;
/** How far before its mark a thread is read for changes. Who waits for a turn waits minutes. */
const THREAD_BACK_MS = 15 * 60_000;

/** Reads everything since the mark, and a page of what stood before it. Rejects when Slack does not let us. */
export async function readAround(options: ReadOptions, { channel, since, threads }: ChannelMark): Promise<Reading> {
  const { history } = options;
  const { messages: roots } = await allPages(options, channel, (cursor) =>
    history.conversations.history({ channel, oldest: since, limit: PAGE, ...cursor }),
  );
  const earlier = pageOf(await history.conversations.history({ channel, latest: since, inclusive: true, limit: PAGE }));
  const after = earlier.next === undefined ? "0" : oldestOf(earlier.messages, since);
  const fresh = [...roots];
  const known = [...earlier.messages];
  const stretches: Stretch[] = [{ after, until: since }];
  for (const [thread, mark] of [...talkedIn([...roots, ...known], threads, since)].slice(0, MOST_THREADS)) {
    const replies = await readThread(options, channel, thread, mark);
    fresh.push(...replies.fresh);
    known.push(...replies.known);
    stretches.push(...replies.stretches);
  }
  return { fresh: byTime(fresh), known: byTime(known), stretches };
}

/** Threads with something new in them, and those that were talked in lately. */
function talkedIn(
  roots: readonly SlackMessage[],
  threads: ChannelMark["threads"],
  since: string,
): ReadonlyMap<string, string> {
  const talked = new Map(threads);
  for (const { ts, latest_reply: latest } of roots)
    if (latest !== undefined && !talked.has(ts) && Number(latest) > Number(since)) talked.set(ts, since);
  return talked;
}

async function readThread(options: ReadOptions, channel: string, ts: string, mark: string): Promise<Reading> {
  const oldest = slackTime(Number(mark) * 1_000 - THREAD_BACK_MS);
  try {
    const { messages, isWhole } = await allPages(options, channel, (cursor) =>
      options.history.conversations.replies({ channel, ts, oldest, limit: PAGE, ...cursor }),
    );
    // Slack puts the root before them, whatever was asked for.
    const replies = messages.filter((message) => message.ts !== ts && Number(message.ts) > Number(oldest));
    const isFresh = (message: SlackMessage) => Number(message.ts) > Number(mark);
    return {
      fresh: replies.filter(isFresh),
      known: replies.filter((message) => !isFresh(message)),
      stretches: isWhole ? [{ thread: ts, after: oldest, until: mark }] : [],
    };
  } catch (error) {
    // Its root has been deleted; the others are still to be read.
    if (slackError(error) === "thread_not_found") return { fresh: [], known: [], stretches: [] };
    throw error;
  }
}

function oldestOf(messages: readonly SlackMessage[], otherwise: string): string {
  return messages.reduce((oldest, { ts }) => (Number(ts) < Number(oldest) ? ts : oldest), otherwise);
}

function byTime(messages: readonly SlackMessage[]): readonly SlackMessage[] {
  const once = new Map(messages.map((message) => [message.ts, message]));
  return [...once.values()].sort((a, b) => Number(a.ts) - Number(b.ts));
}

const messagesPage = z.object({
  messages: z.array(z.unknown()).default([]),
  has_more: z.boolean().optional().catch(undefined),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

function pageOf(answer: unknown): { readonly messages: readonly SlackMessage[]; readonly next: string | undefined } {
  const { messages, has_more: hasMore, response_metadata: metadata } = messagesPage.parse(answer);
  return {
    messages: messages.flatMap((message) => slackMessage.safeParse(message).data ?? []),
    next: metadata?.next_cursor || (hasMore === true ? "" : undefined),
  };
}

/** In which direction pages go, Slack decides by what is asked for: all of them are read, up to a bound. */
async function allPages(
  { logger, signal }: ReadOptions,
  channel: string,
  read: (cursor: { cursor?: string }) => Promise<unknown>,
): Promise<{ readonly messages: readonly SlackMessage[]; readonly isWhole: boolean }> {
  const found: SlackMessage[] = [];
  let cursor = "";
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    signal.throwIfAborted();
    const { messages, next } = pageOf(await read(cursor === "" ? {} : { cursor }));
    found.push(...messages);
    if (!next) return { messages: found, isWhole: next === undefined };
    cursor = next;
  }
  logger.warn({ channel, read: found.length }, "more was said in Slack meanwhile than is read; the rest is left out");
  return { messages: found, isWhole: false };
}
