import type { webApi } from "@slack/bolt";
import * as z from "zod";
import type { Mark, TimedIds } from "../../shared/catch-up/marks.js";
import { placeOf } from "../place.js";
import type { Workspace } from "../workspace.js";

/** Up to where a channel, and each of its threads, is known: times as Slack writes them. */
export interface ChannelMark {
  readonly channel: string;
  readonly since: string;
  /** By the thread's root. */
  readonly threads: ReadonlyMap<string, string>;
}

const MOST_NEW_CHANNELS = 50;
const MOST_PAGES = 10;

/** Times as Slack writes them, which are its ids. */
export const slackIds: TimedIds = {
  isId: (text) => /^\d+\.\d+$/.test(text),
  compare: (a, b) => Number(a) - Number(b),
  at: slackTime,
};

/** The mark of a room as one of its channel; of what is known by its threads alone there is nothing to read from. */
export function channelMark({ room, since, threads }: Mark): ChannelMark | undefined {
  return since === undefined ? undefined : { channel: placeOf(room).channel, since, threads };
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
