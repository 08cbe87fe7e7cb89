import type { Client } from "discord.js";
import type { Clock, InboundMessage, Inbox, Logger, Reader } from "../../../src/index.js";
import { handOver } from "../../shared/catch-up/handover.js";
import type { Mark } from "../../shared/catch-up/marks.js";
import type { Unread } from "../../shared/catch-up/unread.js";
import type { Accept } from "../../shared/inbound.js";
import { byId, idAt } from "../ids.js";
import type { InboundReader } from "../inbound/inbound.js";
import type { DiscordMessage } from "../inbound/wire.js";
import { discordCode } from "../tokens.js";
import { takeChanges } from "./changes.js";
import { readPage } from "./page.js";
import { markedPlaces, markOf, mayHaveNews, newPlaces, type UnreadPlace } from "./places.js";

export interface CatchUpOptions {
  readonly client: Client;
  readonly inbound: InboundReader;
  readonly accept: Accept;
  readonly inbox: Inbox;
  readonly reader: Pick<Reader, "room" | "entries">;
  /** What is older is kept, but not answered any more. */
  readonly windowMs: number;
  /** A message could not be kept, said at this moment in milliseconds. */
  readonly onLost: (at: number) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Of what may still be answered, and of what is too old for that. */
const MOST_PAGES = 10;
const MOST_OLD_PAGES = 3;

/**
 * Hands what was changed of what stood before the marks to the inbox, and what was said since, oldest first in each place; what is known
 * already changes nothing. `isWide`: looks for places without a mark too. Never rejects: a place that cannot be read is passed over with a line in the log.
 * Answers with what may be read another time.
 */
export async function catchUp(
  options: CatchUpOptions,
  { marks, since }: Unread,
  isWide: boolean,
  signal: AbortSignal,
): Promise<Unread> {
  const { client } = options;
  const marked = markedPlaces(client, marks);
  const work = [
    ...marked.map((place) => [place, () => takeChanges(options, place, signal)] as const),
    ...[
      ...marked.filter((place) => mayHaveNews(client, place)),
      ...(isWide && since !== undefined ? newPlaces(client, marks, since) : []),
    ].map((place) => [place, () => readPlace(options, place, signal)] as const),
  ];
  const left: Mark[] = [];
  for (const [place, run] of work) {
    if (signal.aborted) break;
    await run().catch((error: unknown) => {
      const { channel } = place;
      const code = discordCode(error);
      // What Discord does not let us read it does not let us read later.
      if (code === undefined) left.push(markOf(place));
      if (!signal.aborted)
        options.logger.warn({ channel, code, error }, "could not read what was said in Discord meanwhile");
    });
  }
  return { marks: left };
}

async function readPlace(options: CatchUpOptions, place: UnreadPlace, signal: AbortSignal): Promise<void> {
  const { inbound, accept, onLost } = options;
  const messages: InboundMessage[] = [];
  for (const message of await readSince(options, place, signal)) {
    const read = await inbound.message(message, place.guild);
    if (read.kind === "message") messages.push(read.message);
  }
  const take = async (message: InboundMessage) => {
    signal.throwIfAborted();
    await accept({ kind: "message", message }).catch((error: unknown) => {
      onLost(message.at);
      throw error;
    });
  };
  await handOver({ ...options, take }, messages);
}

/** Everything said since the mark, oldest first: what may still be answered, and what came right before that. */
async function readSince(
  options: CatchUpOptions,
  place: UnreadPlace,
  signal: AbortSignal,
): Promise<readonly DiscordMessage[]> {
  const window = idAt(options.clock.now() - options.windowMs);
  const isOlder = byId(window, place.since) > 0;
  const fresh = await readFrom(options, isOlder ? { ...place, since: window } : place, signal);
  const old = isOlder ? await readBefore(options, place, window, signal) : [];
  const all = new Map([...old, ...fresh].map((message) => [message.id, message]));
  return [...all.values()].toSorted((a, b) => byId(a.id, b.id));
}

/** Page by page from the mark on. */
async function readFrom(options: CatchUpOptions, place: UnreadPlace, signal: AbortSignal): Promise<DiscordMessage[]> {
  const found: DiscordMessage[] = [];
  let after = place.since;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await readPage(options.client, place, { after }, signal);
    found.push(...page.messages);
    if (page.isLast) return found;
    after = page.newest ?? after;
  }
  const { channel } = place;
  options.logger.warn({ channel }, "more was said in Discord meanwhile than is read; the rest is left out");
  return found;
}

/** Page by page back to the mark, or as far as is worth it. */
async function readBefore(
  options: CatchUpOptions,
  place: UnreadPlace,
  window: string,
  signal: AbortSignal,
): Promise<DiscordMessage[]> {
  const found: DiscordMessage[] = [];
  let before = window;
  for (let pages = 0; pages < MOST_OLD_PAGES && byId(before, place.since) > 0; pages++) {
    const page = await readPage(options.client, place, { before }, signal);
    found.push(...page.messages.filter(({ id }) => byId(id, place.since) > 0));
    if (page.isLast) break;
    before = page.oldest ?? place.since;
  }
  return found;
}
