import { createScriptBrain } from "../../../src/brain/script/script-brain.js";
import { systemClock } from "../../../src/clock.js";
import { GUARD_DEFAULTS } from "../../../src/domain/guard-settings.js";
import { RECORDS } from "../../../src/engine/records.js";
import { createTroupe } from "../../../src/engine/troupe.js";
import type { Brain } from "../../../src/ports/brain.js";
import type { Clock } from "../../../src/ports/clock.js";
import type { FindResult, Inbox, Platform, PostResult } from "../../../src/ports/platform.js";
import { createLocalWakeQueue } from "../../../src/store/local-wake-queue.js";
import { createSqliteStore } from "../../../src/store/sqlite/sqlite-store.js";
import { quietLogger } from "../../support/rooms.js";
import { BUDGET, PERSONAS } from "../campaign/personas.js";
import type { Answers, ChatAnswer, ChatCall, FromWorker, Request, ToWorker } from "../campaign/protocol.js";

/** The whole engine on a data folder, with a chat platform that lives in the parent process. Made to be killed. */
const dataDir = process.argv[2] ?? "";

/** Waits are a tenth as long: what a second look for a post waits for is the parent, which is near. */
const clock: Clock = { ...systemClock, after: (ms, callback) => systemClock.after(ms < 100 ? ms : ms / 10, callback) };

const send = (message: FromWorker) => void process.send?.(message);

const calls = new Map<number, (answer: ChatAnswer) => void>();
let lastCall = 0;

/** Rejects as a broken connection does. */
function chat(call: ChatCall): Promise<NonNullable<ChatAnswer>> {
  return new Promise((resolve, reject) => {
    const n = ++lastCall;
    calls.set(n, (answer) => {
      calls.delete(n);
      if (answer === undefined) reject(new Error("the connection broke"));
      else resolve(answer);
    });
    send({ kind: "chat", n, call });
  });
}

let inbox: Inbox | undefined;
const platform: Platform = {
  name: "fake",
  capabilities: {
    delivery: "post",
    threads: true,
    edit: true,
    ephemeral: true,
    buttons: true,
    typing: true,
    identity: true,
  },
  async start(given) {
    inbox = given;
  },
  status: () => ({ ready: true }),
  // The parent answers each call with a result of its kind.
  post: (post) => chat({ method: "post", post }) as Promise<PostResult>,
  find: (post) => chat({ method: "find", post }) as Promise<FindResult>,
  edit: (post, messageIds) => chat({ method: "edit", post, messageIds }) as Promise<PostResult>,
  typing: async () => {},
  ephemeral: async () => {},
  stop: async () => {},
};

/** Tells of a second turn in a session that has one. */
function watched(brain: Brain): Brain {
  const running = new Set<string>();
  return {
    ...brain,
    async *run(turn) {
      if (running.has(turn.session)) send({ kind: "violation", text: `two turns at once in ${turn.session}` });
      running.add(turn.session);
      try {
        yield* brain.run(turn);
      } finally {
        running.delete(turn.session);
      }
    },
  };
}

const store = createSqliteStore({ dataDir, clock });
const troupe = createTroupe({
  store,
  settings: store.keyValue("settings"),
  queue: createLocalWakeQueue({ clock, logger: quietLogger }),
  brains: [watched(createScriptBrain({ clock }))],
  team: { name: "acme", personas: PERSONAS },
  config: {
    burstBudget: { value: BUDGET, source: "configuration" },
    fanout: 2,
    guard: { ...GUARD_DEFAULTS, enabled: false },
    resume: "members",
    room: () => ({ personas: "all", wake: "mention", reply: "channel", bots: [] }),
    admins: {},
    limits: { maxConcurrentTurns: 6, turnTimeoutMs: 300_000, stallMs: 60_000, maxSteps: 12, outputTokens: 4_096 },
  },
  clock,
  logger: quietLogger,
});
troupe.addPlatform(platform);

async function untilQuiet(): Promise<true> {
  for (;;) {
    await troupe.idle();
    const pending = await store.due(RECORDS.outbox, Number.MAX_SAFE_INTEGER, 1);
    const dirty = await store.dirty(1);
    if (pending.length + dirty.length === 0) return true;
    await new Promise<void>((resolve) => systemClock.after(5, resolve));
  }
}

function answer(request: Request): Promise<Answers[Request["type"]]> {
  if (!inbox) throw new Error("asked before it was ready");
  switch (request.type) {
    case "message":
      return inbox.message(request.message);
    case "press":
      return inbox.press(request.press);
    case "quiet":
      return untilQuiet();
    case "stop":
      return troupe.stop(1_000).then(() => true as const);
  }
}

// The parent is the only sender, and speaks this protocol.
process.on("message", async (message: ToWorker) => {
  if (message.kind === "chat") {
    calls.get(message.n)?.(message.answer);
    return;
  }
  send({ kind: "answer", n: message.n, answer: await answer(message.request) });
  if (message.request.type === "stop") process.disconnect();
});

await troupe.start();
send({ kind: "ready" });
