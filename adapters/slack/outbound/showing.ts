import type { webApi } from "@slack/bolt";
import type { Logger, Post } from "../../../src/index.js";
import { inThread, type Place } from "../place.js";
import { type Drawn, draw } from "./blocks.js";
import type { Called, Caller } from "./call.js";
import type { Look } from "./identity.js";
import { EVENT_TYPE, type Mark, type Standing } from "./lookup.js";
import type { Failure } from "./results.js";

/** What came of showing a post. */
export type Shown =
  | { readonly ok: true; readonly ids: readonly string[] }
  | { readonly ok: false; readonly failure: Failure };

export interface ShowingDeps {
  readonly call: Caller;
  readonly logger: Logger;
}

/** Who speaks, through which client, looking how. */
export interface Voice {
  readonly client: webApi.WebClient;
  readonly look: Look;
  /** Written before the text, where the look does not show it. */
  readonly speaker?: string;
}

/** The blocks are not to Slack's liking; the same in plainer form may be. */
const DEGRADES = new Set(["invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long", "no_text"]);

/** One part, where it goes, and who speaks. */
export interface Showing {
  readonly post: Post;
  readonly place: Place;
  readonly voice: Voice;
  readonly standing: Standing | undefined;
}

/**
 * Shows one part: as it was drawn, or in plainer pieces where Slack does not take that. An answer to a thread that is gone is not
 * left in the channel.
 */
export async function show(deps: ShowingDeps, showing: Showing, signal: AbortSignal): Promise<Shown> {
  const { post, voice, standing } = showing;
  const drawing = draw(post.body, voice.speaker);
  if (drawing.whole && standing === undefined) {
    const shown = await send(deps, showing, { drawn: drawing.whole, mark: { id: post.id, n: post.part } }, signal);
    if (shown.ok || shown.failure.kind !== "refused" || !DEGRADES.has(shown.failure.code)) return shown;
    const pieces = drawing.pieces();
    if (pieces.length === 0) return shown;
    const { code } = shown.failure;
    deps.logger.info({ session: post.session, code }, "Slack refused the blocks of a post; it goes as text");
    return showPieces(deps, showing, pieces, signal);
  }
  return showPieces(deps, showing, drawing.pieces(), signal);
}

/** One after the other, each marked. What breaks off between two of them is unclear: then the pieces that stand are looked for. */
async function showPieces(
  deps: ShowingDeps,
  showing: Showing,
  pieces: readonly Drawn[],
  signal: AbortSignal,
): Promise<Shown> {
  const { post, standing } = showing;
  const ids: string[] = [];
  for (const [index, drawn] of pieces.entries()) {
    const stands = standing?.get(index);
    if (stands !== undefined) {
      ids.push(stands);
      continue;
    }
    const mark = { id: post.id, n: post.part, ...(pieces.length === 1 ? {} : { piece: index, of: pieces.length }) };
    const shown = await send(deps, showing, { drawn, mark }, signal);
    if (shown.ok) ids.push(...shown.ids);
    else
      return ids.length === 0
        ? shown
        : { ok: false, failure: { kind: "unclear", reason: "only a part of it was posted" } };
  }
  return { ok: true, ids };
}

interface Sending {
  readonly drawn: Drawn;
  readonly mark: Mark;
}

async function send(
  { call }: ShowingDeps,
  { place, voice }: Showing,
  { drawn, mark }: Sending,
  signal: AbortSignal,
): Promise<Shown> {
  const { client, look } = voice;
  const { channel } = place;
  const args = { channel, ...inThread(place), ...drawn, ...look, metadata: metadataOf(mark), ...QUIET };
  const called = await call({ client, method: "chat.postMessage", channel, args }, signal);
  if (!called.ok) return called;
  const ts = tsOf(called);
  if (ts === undefined)
    return { ok: false, failure: { kind: "unclear", reason: "the answer does not say where it was posted" } };
  if (place.thread !== undefined && hasStrayed(called.data) && (await isThreadGone(call, client, place, signal))) {
    await call({ client, method: "chat.delete", channel, args: { channel, ts } }, signal);
    return { ok: false, failure: { kind: "refused", code: "thread_not_found", needed: undefined, messages: [] } };
  }
  return { ok: true, ids: [ts] };
}

/** The metadata by which the post is found again. */
export function metadataOf(mark: Mark): object {
  return { event_type: EVENT_TYPE, event_payload: mark };
}

/** Agents quote addresses all the time; previews of them would bury what they say. */
const QUIET = { unfurl_links: false, unfurl_media: false };

function tsOf(called: Called): string | undefined {
  if (!called.ok || !("ts" in called.data)) return undefined;
  return typeof called.data.ts === "string" ? called.data.ts : undefined;
}

/** The message came back without a thread. Some servers leave that out, so that it alone proves nothing. */
function hasStrayed(data: object): boolean {
  const message = "message" in data ? data.message : undefined;
  return typeof message === "object" && message !== null && !("thread_ts" in message);
}

/** Slack puts answers to a message that has been deleted into the channel, where nobody knows what they answer. */
async function isThreadGone(
  call: Caller,
  client: webApi.WebClient,
  { channel, thread }: Place,
  signal: AbortSignal,
): Promise<boolean> {
  const args = { channel, ts: thread, limit: 1 };
  const asked = await call({ client, method: "conversations.replies", channel, args }, signal);
  return !asked.ok && asked.failure.kind === "refused" && asked.failure.code === "thread_not_found";
}
