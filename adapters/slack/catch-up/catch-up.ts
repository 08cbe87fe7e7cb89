import {
  type Clock,
  type InboundMessage,
  type Inbox,
  type Logger,
  type Reader,
  threadSession,
} from "../../../src/index.js";
import { goneFrom } from "../../shared/catch-up/gone.js";
import { handOver } from "../../shared/catch-up/handover.js";
import type { Mark } from "../../shared/catch-up/marks.js";
import type { Unread } from "../../shared/catch-up/unread.js";
import type { EventTaker } from "../inbound/events.js";
import { type InboundReader, roomOfChannel } from "../inbound/inbound.js";
import type { SlackMessage } from "../inbound/wire.js";
import { slackError } from "../tokens.js";
import type { Workspace } from "../workspace.js";
import { type ChannelMark, channelMark, newChannels, slackIds } from "./marks.js";
import { type Reading, type ReadOptions, readAround } from "./read.js";

export interface CatchUpOptions extends ReadOptions {
  readonly workspace: Workspace;
  readonly reader: Reader;
  readonly inbound: InboundReader;
  readonly taker: EventTaker;
  readonly inbox: Inbox;
  /** What is older is kept, but not answered any more. */
  readonly windowMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Hands what was said since the marks to the inbox, oldest first in each channel, and what was changed since of what was said just
 * before them; what is known already changes nothing. `isWide`: looks for channels without a mark too. Never rejects: a channel
 * that cannot be read is passed over with a line in the log. Answers with what may be read another time.
 */
export async function catchUp(options: CatchUpOptions, unread: Unread, isWide: boolean): Promise<Unread> {
  const { workspace, history } = options;
  const left: Mark[] = [];
  const pass = async (mark: Mark) => {
    const from = channelMark(mark);
    if (from && (await passOver(options, from.channel, () => catchUpChannel(options, from)))) left.push(mark);
  };
  for (const mark of unread.marks) await pass(mark);
  const { since } = unread;
  if (since === undefined || !isWide) return { marks: left };
  const known = new Set(unread.marks.flatMap((mark) => channelMark(mark)?.channel ?? []));
  const isLeft = await passOver(options, "all", async () => {
    for (const channel of await newChannels(history, workspace, known))
      await pass({ room: roomOfChannel(workspace.teamId, channel), since, threads: new Map() });
  });
  return { ...(isLeft ? { since } : {}), marks: left };
}

/** In these nothing can be read, now or later. */
const NOT_OURS: ReadonlySet<string | undefined> = new Set(["not_in_channel", "channel_not_found"]);

/** Whether it is worth another time. */
async function passOver(
  { signal, logger }: CatchUpOptions,
  channel: string,
  work: () => Promise<void>,
): Promise<boolean> {
  if (signal.aborted) return true;
  try {
    await work();
    return false;
  } catch (error) {
    if (signal.aborted) return true;
    const code = slackError(error);
    logger.warn({ channel, code, error }, "could not read what was said in Slack meanwhile");
    return !NOT_OURS.has(code);
  }
}

async function catchUpChannel(options: CatchUpOptions, mark: ChannelMark): Promise<void> {
  const { inbound, taker } = options;
  const { channel } = mark;
  const reading = await readAround(options, mark);
  await takeDeletes(options, reading, channel);
  for (const message of reading.known) await takeEdit(options, message, channel);
  const messages: InboundMessage[] = [];
  for (const message of reading.fresh) {
    const read = await inbound.message(message, channel);
    if (read.kind === "message") messages.push(read.message);
  }
  await handOver({ ...options, take: (message) => taker.accept({ kind: "message", message }) }, messages);
  for (const message of reading.fresh) await takeEdit(options, message, channel);
}

async function takeDeletes(options: CatchUpOptions, reading: Reading, channel: string): Promise<void> {
  const { taker, workspace } = options;
  const { fresh, known, stretches } = reading;
  const room = roomOfChannel(workspace.teamId, channel);
  const there = new Set([...fresh, ...known].filter(({ subtype }) => subtype !== "tombstone").map(({ ts }) => ts));
  for (const { thread, after, until } of stretches) {
    const session = thread === undefined ? room : threadSession(room, thread);
    const gone = await goneFrom({ ...options, ids: slackIds }, { session, after, until }, there);
    for (const revision of gone) await taker.accept({ kind: "revision", revision });
  }
}

/** A message that is known, perhaps with other words. */
async function takeEdit(options: CatchUpOptions, message: SlackMessage, channel: string): Promise<void> {
  if (message.edited?.ts === undefined) return;
  const read = await options.inbound.edit(message, channel);
  if (read.kind !== "revision") return;
  const late = isRecent(options, message.edited.ts) ? {} : ({ isLate: true } as const);
  await options.taker.accept({ kind: "revision", revision: { ...read.revision, ...late } });
}

function isRecent({ clock, windowMs }: CatchUpOptions, ts: string): boolean {
  return clock.now() - Math.round(Number(ts) * 1_000) <= windowMs;
}
