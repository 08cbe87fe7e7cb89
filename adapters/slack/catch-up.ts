import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { Clock, InboundMessage, Inbox, Logger } from "../../src/index.js";
import { type Mark, MOST_THREADS, newChannels, slackTime } from "./catch-up-marks.js";
import type { InboundReader } from "./inbound.js";
import type { EventTaker } from "./inbound-events.js";
import { type SlackMessage, slackMessage } from "./inbound-wire.js";
import { slackError } from "./tokens.js";
import type { Workspace } from "./workspace.js";

export interface CatchUpOptions {
  readonly workspace: Workspace;
  /** Waits for rate limits by itself, so nothing else may go through it. */
  readonly history: webApi.WebClient;
  readonly inbound: InboundReader;
  readonly taker: EventTaker;
  readonly inbox: Inbox;
  /** What is older is kept, but not answered any more. */
  readonly windowMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Works for every class of apps. */
const PAGE = 15;
const MOST_PAGES = 20;

/**
 * Hands what was said since the marks to the inbox, oldest first in each channel; what is known already changes nothing.
 * `isStart`: looks for channels without a mark too. Never rejects: a channel that cannot be read is passed over with a line in the log.
 */
export async function catchUp(options: CatchUpOptions, marks: readonly Mark[], isStart: boolean): Promise<void> {
  for (const mark of marks) await passOver(options, mark.channel, () => catchUpChannel(options, mark));
  if (!isStart) return;
  const known = new Set(marks.map(({ channel }) => channel));
  await passOver(options, "all", async () => {
    const since = slackTime(options.clock.now() - options.windowMs);
    for (const channel of await newChannels(options.history, options.workspace, known))
      await passOver(options, channel, () => catchUpChannel(options, { channel, since, threads: new Map() }));
  });
}

async function passOver({ signal, logger }: CatchUpOptions, channel: string, work: () => Promise<void>): Promise<void> {
  if (signal.aborted) return;
  try {
    await work();
  } catch (error) {
    if (signal.aborted) return;
    logger.warn({ channel, code: slackError(error), error }, "could not read what was said in Slack meanwhile");
  }
}

async function catchUpChannel(options: CatchUpOptions, mark: Mark): Promise<void> {
  const { clock, inbound, inbox, taker, windowMs } = options;
  const missed = new Map<string, InboundMessage[]>();
  const fresh: InboundMessage[] = [];
  for (const message of await readSince(options, mark)) {
    const read = await inbound.message(message, mark.channel);
    if (read.kind !== "message") continue;
    const { session, at } = read.message;
    if (clock.now() - at <= windowMs) fresh.push(read.message);
    else missed.set(session, [...(missed.get(session) ?? []), read.message]);
  }
  for (const [session, messages] of missed) await inbox.missed(session, messages);
  for (const message of fresh) await taker.accept({ kind: "message", message });
}

/** Everything said since the mark, in the channel and its threads, oldest first. */
async function readSince(options: CatchUpOptions, { channel, since, threads }: Mark): Promise<readonly SlackMessage[]> {
  const { history } = options;
  const roots = await allPages(options, channel, (cursor) =>
    history.conversations.history({ channel, oldest: since, limit: PAGE, ...cursor }),
  );
  const talked = new Map(threads);
  for (const { ts, latest_reply: latest } of roots)
    if (latest !== undefined && !talked.has(ts) && Number(latest) > Number(since)) talked.set(ts, since);
  const replies: SlackMessage[] = [];
  for (const [ts, oldest] of [...talked].slice(0, MOST_THREADS)) {
    const thread = await allPages(options, channel, (cursor) =>
      history.conversations.replies({ channel, ts, oldest, limit: PAGE, ...cursor }),
    );
    // Slack puts the root before them, whatever was asked for.
    replies.push(...thread.filter((message) => message.ts !== ts && Number(message.ts) > Number(oldest)));
  }
  const byTime = new Map([...roots, ...replies].map((message) => [message.ts, message]));
  return [...byTime.values()].sort((a, b) => Number(a.ts) - Number(b.ts));
}

const messagesPage = z.object({
  messages: z.array(z.unknown()).default([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/** In which direction pages go, Slack decides by what is asked for: all of them are read, up to a bound. */
async function allPages(
  { logger, signal }: CatchUpOptions,
  channel: string,
  read: (cursor: { cursor?: string }) => Promise<unknown>,
): Promise<readonly SlackMessage[]> {
  const found: SlackMessage[] = [];
  let cursor: string | undefined = "";
  for (let pages = 0; cursor !== undefined && !signal.aborted; pages++) {
    if (pages === MOST_PAGES) {
      logger.warn(
        { channel, read: found.length },
        "more was said in Slack meanwhile than is read; the rest is left out",
      );
      break;
    }
    const { messages, response_metadata: metadata } = messagesPage.parse(await read(cursor === "" ? {} : { cursor }));
    found.push(...messages.flatMap((message) => slackMessage.safeParse(message).data ?? []));
    cursor = metadata?.next_cursor || undefined;
  }
  return found;
}
