import type { Entry } from "../domain/entry.js";
import { roomOf, type SessionId } from "../domain/ids.js";
import type { ViewEntry } from "../ports/brain.js";
import type { Logged, Store } from "../ports/store.js";
import { threadRoot } from "./thread-root.js";

const PAGE = 64;
/** How much of the channel a thread's first turns see (product section 4). */
const CHANNEL_CONTEXT = 20;

/** What a view is made of. */
export interface ViewOptions {
  readonly store: Store;
  readonly session: SessionId;
  readonly persona: string;
  readonly waking: Entry;
  /** Position of the entry that the drain is handling: what people said after it waits for turns of its own. */
  readonly upTo: number;
  readonly maxBytes: number;
}

/**
 * The session as one persona sees it: what belongs in a model's context, oldest first, the waking entry last. People's
 * messages that came after the waking one are left out, since they get turns of their own; agents' are shown. The
 * oldest are cut, whole entries at a time, until the rest fits `maxBytes`; the waking entry always stays.
 */
export async function buildView(options: ViewOptions): Promise<readonly ViewEntry[]> {
  const { store, session, persona, waking, upTo, maxBytes } = options;
  const own = (entry: Entry) => entry.sender.kind === "agent" && entry.sender.id === persona;
  const last: ViewEntry = { entry: waking, own: own(waking), waking: true };
  const view: ViewEntry[] = [];
  let bytes = sizeOf(waking);
  const replaced = new Set<string>();
  for await (const logged of newestFirst(store, session)) {
    const { entry } = logged;
    if (replaced.has(entry.id) || !isVisible(logged, waking, upTo)) continue;
    if (entry.kind === "message" && entry.edits) replaced.add(entry.edits.entry);
    bytes += sizeOf(entry);
    if (bytes > maxBytes) return [...view.reverse(), last];
    view.push({ entry, own: own(entry) });
    if (entry.kind === "summary") return [...view.reverse(), last];
  }
  const before = await channelContext(options, maxBytes - bytes);
  return [...before, ...view.reverse(), last];
}

async function* newestFirst(store: Store, session: SessionId): AsyncGenerator<Logged> {
  let before: number | undefined;
  for (;;) {
    const page = await store.tail(session, PAGE, before);
    yield* [...page].reverse();
    const oldest = page[0];
    if (oldest === undefined || oldest.entry.seq === 1) return;
    before = oldest.entry.seq;
  }
}

function isVisible({ entry, outcome }: Logged, waking: Entry, upTo: number): boolean {
  if (entry.id === waking.id || (entry.kind !== "message" && entry.kind !== "directive" && entry.kind !== "summary"))
    return false;
  if (outcome?.kind === "superseded" || (outcome?.kind === "ignored" && outcome.reason === "command")) return false;
  return entry.seq <= upTo || entry.sender.kind === "agent";
}

/** What was said in the channel before the message that a thread answers; that too, where the thread does not begin with it. */
async function channelContext(
  { store, session, persona, waking }: ViewOptions,
  maxBytes: number,
): Promise<readonly ViewEntry[]> {
  const room = roomOf(session);
  if (room === session) return [];
  const [first] = await store.read(session, 0, 1);
  const copied = first?.entry.cause.entry === undefined ? undefined : await store.find(room, first.entry.cause.entry);
  const root = copied?.entry ?? (await threadRoot(store, session));
  if (!root) return [];
  const view: ViewEntry[] = [];
  let bytes = 0;
  const before = await store.tail(room, CHANNEL_CONTEXT, copied ? root.seq : root.seq + 1);
  for (const logged of [...before].reverse()) {
    const { entry } = logged;
    bytes += sizeOf(entry);
    if (bytes > maxBytes) break;
    if (isVisible(logged, copied?.entry ?? waking, root.seq)) {
      view.push({ entry, own: entry.sender.kind === "agent" && entry.sender.id === persona, context: true });
    }
  }
  return view.reverse();
}

function sizeOf(entry: Entry): number {
  const history = entry.kind === "message" && entry.history ? JSON.stringify(entry.history).length : 0;
  return Buffer.byteLength(entry.text) + history;
}
