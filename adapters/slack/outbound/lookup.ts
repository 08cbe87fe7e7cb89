import { z } from "zod";
import type { Clock, FindResult, Post } from "../../../src/index.js";
import type { Hint } from "../../shared/hints.js";
import { hintNotSearched, searchUntilAnswered } from "../../shared/searching.js";
import type { SlackClients } from "../clients.js";
import { placeOf } from "../place.js";
import type { Workspace } from "../workspace.js";
import type { Called, Caller } from "./call.js";
import { type Failure, isTokenRefusal, reasonOf } from "./results.js";

/** The mark by which a post is known again (product section 6). */
export const EVENT_TYPE = "troupe_entry";

/** What the mark says: which post, which part of it, and which piece of that, if the part could not be shown as one. */
export interface Mark {
  readonly id: string;
  readonly n: number;
  readonly piece?: number;
  readonly of?: number;
}

export interface LookupDeps {
  readonly call: Caller;
  readonly clients: SlackClients;
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly hint: Hint;
}

/** Pieces of one part that stand in the channel, by number. */
export type Standing = ReadonlyMap<number, string>;

/** What a look into the channel has found. */
export type Sighting = FindResult | { readonly status: "partly"; readonly standing: Standing };

/** The clocks of two machines differ. */
const BEFORE_MS = 60_000;
/** A post takes a while. Whatever came later is not looked through. */
const AFTER_MS = 10 * 60_000;
/** Apps of the slow class get no more than this. */
const PAGE = 15;
const MOST_PAGES = 20;

/**
 * Looks for a post by its mark, in its thread or channel, among what came since the attempt. Waits while Slack cannot be asked for
 * the moment. `unknown`: it may not be asked, or there is too much to look through.
 */
export function createLookup(deps: LookupDeps): (post: Post, signal: AbortSignal) => Promise<Sighting> {
  return (post, signal) => searchUntilAnswered<Sighting>(() => searchPages(deps, post, signal), deps.clock, signal);
}

async function searchPages(deps: LookupDeps, post: Post, signal: AbortSignal): Promise<Sighting | Failure> {
  const seen: Found[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const called = await askPage(deps, post, cursor, signal);
    if (!called.ok) return refusalIn(deps, post, called.failure);
    const { messages, next } = readPage(called.data);
    seen.push(...messages.flatMap((message) => matchOf(message, post, deps.workspace)));
    if (seen.length > 0 && seen.some(({ mark }) => mark.of === undefined)) break;
    if (next === undefined) return sightingOf(seen);
    cursor = next;
  }
  return seen.length > 0 ? sightingOf(seen) : { status: "unknown" };
}

function askPage(
  { call, clients, clock }: LookupDeps,
  post: Post,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Called> {
  const place = placeOf(post.session);
  const attemptedAt = post.attemptedAt ?? clock.now() - AFTER_MS;
  const args = {
    channel: place.channel,
    ...(place.thread === undefined ? {} : { ts: place.thread }),
    oldest: timeOf(attemptedAt - BEFORE_MS),
    latest: timeOf(attemptedAt + AFTER_MS),
    limit: PAGE,
    include_all_metadata: true,
    ...(cursor === undefined ? {} : { cursor }),
  };
  const method = place.thread === undefined ? "conversations.history" : "conversations.replies";
  // Not the client for reading: it would wait by itself, and everything else with it.
  return call({ client: clients.posts(), method, channel: place.channel, args }, signal);
}

function timeOf(ms: number): string {
  return (ms / 1000).toFixed(6);
}

/** What cannot be asked now is asked again; what may not be asked is not known. */
function refusalIn({ hint }: LookupDeps, post: Post, failure: Failure): Sighting | Failure {
  if (failure.kind !== "refused" || isTokenRefusal(failure)) return failure;
  if (failure.code === "thread_not_found") return { status: "absent" };
  const { channel } = placeOf(post.session);
  hintNotSearched(hint, channel, reasonOf(failure));
  return { status: "unknown" };
}

interface Found {
  readonly ts: string;
  readonly mark: Mark;
}

const page = z.object({
  messages: z.array(z.unknown()).catch([]),
  has_more: z.boolean().catch(false),
  response_metadata: z.object({ next_cursor: z.string() }).optional().catch(undefined),
});

const marked = z.object({
  ts: z.string(),
  user: z.string().optional().catch(undefined),
  bot_id: z.string().optional().catch(undefined),
  app_id: z.string().optional().catch(undefined),
  metadata: z.object({
    event_type: z.literal(EVENT_TYPE),
    event_payload: z.object({ id: z.string(), n: z.number(), piece: z.number().optional(), of: z.number().optional() }),
  }),
});

function readPage(data: unknown): { readonly messages: readonly unknown[]; readonly next: string | undefined } {
  const parsed = page.safeParse(data).data;
  const cursor = parsed?.has_more ? parsed.response_metadata?.next_cursor : undefined;
  return { messages: parsed?.messages ?? [], next: cursor === "" ? undefined : cursor };
}

function matchOf(message: unknown, post: Post, workspace: Workspace): readonly Found[] {
  const { data } = marked.safeParse(message);
  if (!data) return [];
  const { id, n, piece, of } = data.metadata.event_payload;
  const isOwn = workspace.isOwn({ user: data.user, botId: data.bot_id, appId: data.app_id });
  if (!isOwn || id !== post.id || n !== post.part) return [];
  return [{ ts: data.ts, mark: { id, n, ...(piece === undefined || of === undefined ? {} : { piece, of }) } }];
}

function sightingOf(found: readonly Found[]): Sighting {
  const whole = found.filter(({ mark }) => mark.of === undefined);
  if (whole.length > 0) return { status: "found", messageIds: whole.map(({ ts }) => ts).toSorted(byTime) };
  const standing = new Map(found.map(({ ts, mark }) => [mark.piece ?? 0, ts]));
  if (standing.size === 0) return { status: "absent" };
  if (standing.size < (found[0]?.mark.of ?? 0)) return { status: "partly", standing };
  return { status: "found", messageIds: [...standing.values()].toSorted(byTime) };
}

function byTime(a: string, b: string): number {
  return Number(a) - Number(b);
}
