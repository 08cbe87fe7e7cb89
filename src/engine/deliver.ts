import { roomOf, type SessionId } from "../domain/ids.js";
import { delay } from "../ports/clock.js";
import type { FindResult, Platform, Post, PostResult } from "../ports/platform.js";
import type { Change, StoredRecord } from "../ports/store.js";
import { type EngineContext, platformFor } from "./context.js";
import { postedKeys, postOf } from "./outbox-post.js";
import { keysOf, type OutboxPut, type OutboxRow, type Posted, RECORDS } from "./records.js";

/** Posts what the outbox holds: in order per session, one at a time, each once (design 6). */
export interface Deliver {
  /** Begins: what an earlier run left as `sending` is looked up before anything is posted. */
  start(): Promise<void>;
  /** There may be something new for this session: these rows, which have just been put. */
  kick(session: SessionId, put?: readonly OutboxPut[]): void;
  /** Nothing of this session is being posted or waits for it. */
  isFree(session: SessionId): boolean;
  /** Looks for sessions whose delivery has ended before its time, because the store failed. */
  sweep(): Promise<void>;
  /** Takes no more rows and resolves when the posts in flight have ended. */
  stop(): Promise<void>;
}

type Row = StoredRecord<OutboxRow>;

/** Keys of rows that stand as `sending` since they were made, and for which no call has been made yet. */
type Untried = Set<string>;

const POST_TIMEOUT_MS = 30_000;
const MAX_ATTEMPTS = 8;
/** Nothing was posted so often: then once a minute is enough, for about a day, which outlasts an outage or a token that nobody resets at night. */
const RATE_LIMITED_AT_EASE = 100;
const MAX_RATE_LIMITED = 1_500;
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;
const MAX_PENDING = 10_000;
/** A fresh post may take a moment to be found: look again before posting a second time. */
const FIND_AGAIN_MS = 2_000;

export function createDeliver(context: EngineContext): Deliver {
  const working = new Map<SessionId, Work>();
  const again = new Set<SessionId>();
  const untried: Untried = new Set();
  let state: "new" | "running" | "stopped" = "new";

  function kick(session: SessionId, put: readonly OutboxPut[] = []): void {
    if (state !== "running") return;
    for (const { key, value } of put) if (value.state === "sending" && value.attempts === 0) untried.add(key);
    if (working.has(session)) {
      again.add(session);
      return;
    }
    const stop = new AbortController();
    const done = deliverSession(context, session, untried, stop.signal)
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        context.logger.error({ session, error }, "delivery stopped; it goes on at the next post or sweep");
      })
      .finally(() => {
        working.delete(session);
        if (again.delete(session)) kick(session);
      });
    working.set(session, { done, stop });
  }

  async function sweep(): Promise<void> {
    const rows = await context.store.due<OutboxRow>(RECORDS.outbox, Number.MAX_SAFE_INTEGER, MAX_PENDING);
    for (const session of new Set(rows.map((row) => row.value.session))) kick(session);
  }

  return {
    kick,
    isFree: (session) => state === "running" && !working.has(session),
    sweep,
    start() {
      state = "running";
      return sweep();
    },
    async stop() {
      state = "stopped";
      const left = [...working.values()];
      for (const { stop } of left) stop.abort(new DOMException("Delivery stops", "AbortError"));
      await Promise.allSettled(left.map(({ done }) => done));
    },
  };
}

/** A session whose rows are being posted. Each has a signal of its own: one for all would collect a listener per session. */
interface Work {
  readonly done: Promise<void>;
  readonly stop: AbortController;
}

/** Posts a session's rows until none is left. */
async function deliverSession(
  context: EngineContext,
  session: SessionId,
  untried: Untried,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const row = await firstRow(context, session);
    const platform = platformFor(context, session);
    if (row === undefined || platform === undefined) return;
    const wait = (row.due ?? 0) - context.clock.now();
    if (wait > 0) await delay(context.clock, Math.min(wait, MAX_BACKOFF_MS), signal);
    else await deliverRow(context, { platform, row, isUntried: untried.delete(row.key) }, signal);
  }
}

async function firstRow(context: EngineContext, session: SessionId): Promise<Row | undefined> {
  const rows = await context.store.list<OutboxRow>(roomOf(session), RECORDS.outbox, keysOf(session));
  return rows.find(({ due }) => due !== undefined);
}

interface Sending {
  readonly platform: Platform;
  readonly row: Row;
  /** It may be called for without a look-up and without a mark. */
  readonly isUntried: boolean;
}

async function deliverRow(
  context: EngineContext,
  { platform, row, isUntried }: Sending,
  signal: AbortSignal,
): Promise<void> {
  const post = await postOf(context, row);
  const edited =
    row.value.subject.type === "edit" ? await postedIds(context, row, row.value.subject.notice) : undefined;
  if (post === undefined || edited?.length === 0) {
    await settle(context, row, { delete: [rowKey(row)] });
    return;
  }
  const bodies = (edited === undefined ? platform.split?.(post.body) : undefined) ?? [post.body];
  const isLast = post.part + 1 >= bodies.length;
  // An edit can be made again; a post that may have been made is looked up first.
  const mayStand = row.value.state === "sending" && !isUntried && edited === undefined;
  const before = mayStand ? await lookUp(context, platform, post, signal) : ABSENT;
  if (before.status === "found") return posted(context, row, before.messageIds, isLast);
  if (before.status === "unknown")
    return giveUp(context, row, "unknown", "it may have been posted, and the platform cannot be asked");

  const attempt = isUntried ? marked(context, row) : await mark(context, row);
  if (attempt === undefined) return;
  const part: Post = { ...post, body: bodies[post.part] ?? post.body, attemptedAt: context.clock.now() };
  const result = await call(context, part, signal, (one, either) =>
    edited === undefined ? platform.post(one, either) : platform.edit(one, edited, either),
  );
  context.meter.posted(result.status);
  if (result.status === "posted") return posted(context, attempt, result.messageIds, isLast);
  return conclude(context, attempt, result);
}

/** The platform's ids of a notice that has been posted; none if it never was. */
async function postedIds(context: EngineContext, { room }: Row, notice: string): Promise<readonly string[]> {
  return (await context.store.get<Posted>(room, RECORDS.posted, notice))?.value.messageIds ?? [];
}

/** Marks the row as being sent, so that a crash from here on leads to a look-up instead of a second post. */
async function mark(context: EngineContext, row: Row): Promise<Row | undefined> {
  const { value } = marked(context, row);
  const due = row.due ?? context.clock.now();
  const isMarked = await settle(context, row, { put: [{ ...rowKey(row), value, due }] });
  return isMarked ? { ...row, value, version: row.version + 1 } : undefined;
}

/** The row with one more attempt. */
function marked(context: EngineContext, row: Row): Row {
  const attempts = row.value.attempts + 1;
  return { ...row, value: { ...row.value, state: "sending", attempts, attemptedAt: context.clock.now() } };
}

type PlatformCall = (post: Post, signal: AbortSignal) => Promise<PostResult>;

/** Makes the call with a deadline. A call that fails without an answer may have worked. */
async function call(context: EngineContext, post: Post, signal: AbortSignal, make: PlatformCall): Promise<PostResult> {
  const calling = new AbortController();
  const onStop = () => calling.abort(signal.reason);
  if (signal.aborted) onStop();
  signal.addEventListener("abort", onStop, { once: true });
  const cancel = context.clock.after(POST_TIMEOUT_MS, () =>
    calling.abort(new DOMException("The post timed out", "AbortError")),
  );
  try {
    return await make(post, calling.signal);
  } catch (error) {
    context.logger.warn({ session: post.session, error }, "a post failed without an answer");
    return { status: "ambiguous", reason: "the call failed without an answer" };
  } finally {
    cancel();
    signal.removeEventListener("abort", onStop);
  }
}

const ABSENT: FindResult = { status: "absent" };

/** Looks for a post that may have arrived; twice, since a platform's search may lag behind. */
async function lookUp(
  context: EngineContext,
  platform: Platform,
  post: Post,
  signal: AbortSignal,
): Promise<FindResult> {
  const first = await platform.find(post, signal).catch((): FindResult => ({ status: "unknown" }));
  if (first.status !== "absent") return first;
  await delay(context.clock, FIND_AGAIN_MS, signal);
  return platform.find(post, signal).catch((): FindResult => ({ status: "unknown" }));
}

async function conclude(
  context: EngineContext,
  row: Row,
  result: Exclude<PostResult, { status: "posted" }>,
): Promise<void> {
  const { attempts } = row.value;
  switch (result.status) {
    case "rate-limited":
      if (attempts >= MAX_RATE_LIMITED) return giveUp(context, row, "failed", "it was rate-limited too often");
      return later(context, row, "pending", pauseOf(result.retryAfterMs, attempts));
    case "rejected":
      if (!result.retry || attempts >= MAX_ATTEMPTS) return giveUp(context, row, "failed", result.reason);
      return later(context, row, "pending", backoff(attempts));
    case "ambiguous":
      if (attempts >= MAX_ATTEMPTS) return giveUp(context, row, "unknown", result.reason);
      return later(context, row, "sending", backoff(attempts));
  }
}

function pauseOf(askedMs: number, attempts: number): number {
  return attempts < RATE_LIMITED_AT_EASE ? askedMs : Math.max(askedMs, MAX_BACKOFF_MS);
}

function backoff(attempts: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - 1), MAX_BACKOFF_MS);
}

async function later(context: EngineContext, row: Row, state: OutboxRow["state"], ms: number): Promise<void> {
  await settle(context, row, {
    put: [{ ...rowKey(row), value: { ...row.value, state }, due: context.clock.now() + ms }],
  });
}

/** One part stands on the platform. The row goes with the last one; until then it remembers what stands. */
async function posted(context: EngineContext, row: Row, ids: readonly string[], isLast: boolean): Promise<void> {
  const messageIds = [...(row.value.messageIds ?? []), ...ids];
  if (isLast) {
    // Nothing waits for it: a row that is still there after a crash is looked up.
    await settle(context, row, { soon: true, delete: [rowKey(row)], put: postedKeys(row.value, messageIds) });
    return;
  }
  const value: OutboxRow = { ...row.value, state: "pending", attempts: 0, messageIds };
  await settle(context, row, { put: [{ ...rowKey(row), value, due: context.clock.now() }] });
}

/** The row stays, without a due time, for an admin to see; the session goes on. */
async function giveUp(context: EngineContext, row: Row, state: "failed" | "unknown", reason: string): Promise<void> {
  context.logger.warn({ session: row.value.session, subject: row.value.subject, reason }, "a post was given up");
  await settle(context, row, { put: [{ ...rowKey(row), value: { ...row.value, state, reason } }] });
}

async function settle(
  context: EngineContext,
  row: Row,
  change: Pick<Change, "put" | "delete" | "soon">,
): Promise<boolean> {
  const result = await context.commit({
    room: row.room,
    expect: [{ ...rowKey(row), version: row.version }],
    ...change,
  });
  return result.status === "ok";
}

function rowKey(row: Row): { kind: string; key: string } {
  return { kind: RECORDS.outbox, key: row.key };
}
