import type { webApi } from "@slack/bolt";
import * as z from "zod";
import { type Clock, type Reader, threadOf } from "../../src/index.js";
import { roomOfChannel } from "./inbound.js";
import type { Workspace } from "./workspace.js";

/** Up to where a channel, and each of its threads, is known: times as Slack writes them. */
export interface Mark {
  readonly channel: string;
  readonly since: string;
  /** By the thread's root. */
  readonly threads: ReadonlyMap<string, string>;
}

interface MarkOptions {
  readonly workspace: Workspace;
  readonly reader: Reader;
  readonly clock: Clock;
}

/** Threads that are looked into, of those that were talked in within a day. */
export const MOST_THREADS = 20;
const THREAD_LIVES_MS = 24 * 60 * 60_000;
/** Entries that are looked through for the newest message. */
const LOOK_BACK = 500;
const CHUNK = 100;
const MOST_NEW_CHANNELS = 50;
const MOST_PAGES = 10;

/** How far every room is known, from the logs. `since`: nothing is known from that moment on, in milliseconds. */
export async function marksOf(options: MarkOptions, since?: number): Promise<readonly Mark[]> {
  const prefix = roomOfChannel(options.workspace.teamId, "");
  const marks: Mark[] = [];
  for (const { id } of await options.reader.rooms()) {
    if (!id.startsWith(prefix)) continue;
    const mark = await markOf(options, id, since === undefined ? undefined : slackTime(since));
    if (mark) marks.push({ ...mark, channel: id.slice(prefix.length) });
  }
  return marks;
}

async function markOf(
  { reader, clock }: MarkOptions,
  room: string,
  since: string | undefined,
): Promise<Omit<Mark, "channel"> | undefined> {
  const sessions = (await reader.room(room))?.sessions ?? [];
  const lives = Number(slackTime(clock.now() - THREAD_LIVES_MS));
  const threads = new Map<string, string>();
  let newest: string | undefined;
  for (const { id, seq } of sessions.slice(0, MOST_THREADS + 1)) {
    const ts = await newestOf(reader, id, seq);
    const thread = threadOf(id);
    if (ts === undefined) continue;
    if (thread === undefined) newest = ts;
    else if (Number(ts) > lives) threads.set(thread, since ?? ts);
  }
  const known = since ?? newest;
  return known === undefined ? undefined : { since: known, threads };
}

/** The newest message from outside in a session: its id is its time. */
async function newestOf(reader: Reader, session: string, seq: number): Promise<string | undefined> {
  for (let last = seq; last > Math.max(0, seq - LOOK_BACK); last -= CHUNK) {
    const after = Math.max(0, last - CHUNK);
    const entries = await reader.entries(session, after, last - after);
    const times = entries.map(({ entry }) => entry.id).filter((id) => /^\d+\.\d+$/.test(id));
    if (times.length > 0) return times.reduce((a, b) => (Number(a) > Number(b) ? a : b));
  }
  return undefined;
}

const channelsPage = z.object({
  channels: z
    .array(
      z.object({
        id: z.string(),
        is_member: z.boolean().optional().catch(undefined),
        is_im: z.boolean().optional().catch(undefined),
      }),
    )
    .default([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

const TYPES: Readonly<Record<string, string>> = {
  "channels:read": "public_channel",
  "groups:read": "private_channel",
  "im:read": "im",
  "mpim:read": "mpim",
};

/** Channels that the app is in and that nobody has talked to it in yet, as far as it knows: it may have been asked in while it was down. */
export async function newChannels(
  client: webApi.WebClient,
  workspace: Workspace,
  known: ReadonlySet<string>,
): Promise<readonly string[]> {
  const types = Object.entries(TYPES).flatMap(([scope, type]) => (workspace.scopes.has(scope) ? [type] : []));
  const found: string[] = [];
  let cursor: string | undefined = "";
  for (let pages = 0; types.length > 0 && cursor !== undefined && pages < MOST_PAGES; pages++) {
    const asked = { types: types.join(","), exclude_archived: true, limit: 200, ...(cursor === "" ? {} : { cursor }) };
    const { channels, response_metadata: metadata } = channelsPage.parse(await client.conversations.list(asked));
    found.push(...channels.filter(({ is_im, is_member }) => is_im === true || is_member === true).map(({ id }) => id));
    cursor = metadata?.next_cursor || undefined;
  }
  return found.filter((id) => !known.has(id)).slice(0, MOST_NEW_CHANNELS);
}

/** A moment as Slack writes it. */
export function slackTime(ms: number): string {
  return (Math.max(0, ms) / 1_000).toFixed(6);
}
