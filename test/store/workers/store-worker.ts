import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { StoreError } from "../../../src/domain/errors.js";
import type { Change, Store } from "../../../src/ports/store.js";
import { createSqliteStore } from "../../../src/store/sqlite/sqlite-store.js";
import { ROOM, THREAD } from "../../contract/store/harness.js";
import { noticeDraft, personDraft } from "../../support/drafts.js";

const [task, dataDir = ""] = process.argv.slice(2);
const store = createSqliteStore({ dataDir });
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

// Written at once: a line that has been read is a line that had been said when the process was killed.
const say = (line: unknown) => writeSync(1, `${typeof line === "string" ? line : JSON.stringify(line)}\n`);

async function failureOf(work: Promise<unknown>): Promise<object> {
  try {
    await work;
    return { code: "none" };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { code: error.code, retryable: error.retryable, message: error.message };
  }
}

/** The n-th commit of a history of which every part tells how many commits there have been. */
function nth(n: number, fence: number): Change {
  const cursor = (seq: number) => ({ seq, part: 0, attempt: 0 });
  return {
    room: ROOM,
    turn: { session: ROOM, fence, from: cursor(Math.max(0, n - 2)), to: cursor(n - 1) },
    expect: [{ kind: "count", key: "k", version: n - 1 }],
    append: [
      { session: ROOM, entry: personDraft(`m${n}`) },
      { session: THREAD, entry: noticeDraft(`t${n}`, "x".repeat(n % 7000)) },
    ],
    outcomes: n > 1 ? [{ session: ROOM, seq: n - 1, outcome: { kind: "ignored", reason: "bot" } }] : [],
    put: [{ kind: "count", key: "k", value: n }],
    durable: n % 5 === 0,
  };
}

async function commitOn(): Promise<void> {
  const { fence, seq } = await store.begin(ROOM, "worker");
  for (let n = seq + 1; ; n++) {
    const { status } = await store.commit(nth(n, fence));
    if (status !== "ok") throw new Error(`commit ${n} was answered ${status}`);
    say(String(n));
  }
}

async function append(to: Store, n: number): Promise<unknown> {
  return to.commit({
    room: ROOM,
    append: [{ session: ROOM, entry: personDraft(`m${n}`, { text: "x".repeat(10_000) }) }],
  });
}

/** Commits until the disk is full, tries on, and once more when it is told that there is space. */
async function fill(): Promise<void> {
  let accepted = 0;
  const untilFull = async () => {
    for (; accepted < 10_000; accepted++) await append(store, accepted + 1);
  };
  say({ first: await failureOf(untilFull()), accepted });
  say({ again: await failureOf(append(store, accepted + 1)), readable: (await store.read(ROOM, 0, 10_000)).length });
  await input.next();
  say({ later: await failureOf(append(store, accepted + 1)) });
  await store.close();
  process.exit(0);
}

say("opening");
const opened = await failureOf(store.open());
say(opened);
if (task === "commit") await commitOn();
else if (task === "fill") await fill();
else if (task === "hold") await input.next();
process.exit(0);
