import { describe, expect, it, onTestFinished } from "vitest";
import type { Post } from "../../src/ports/platform.js";
import { createSqliteStore } from "../../src/store/sqlite/sqlite-store.js";
import { startWorker } from "../e2e/campaign/worker.js";
import { allLogs, logProblems } from "../support/log-checks.js";
import { ANN, BOB, ROOM, scripted, startRooms } from "../support/rooms.js";
import { createTempDir } from "../support/temp-dir.js";

describe("missed messages", () => {
  it("case 17: ten queued mentions survive a kill in the middle of a turn, all answered once and oldest first", async () => {
    const folder = createTempDir();
    onTestFinished(folder.remove);
    const posts: Post[] = [];
    const start = (onPost: () => Promise<void>) =>
      startWorker({
        dataDir: folder.path,
        onViolation: (text) => expect.fail(text),
        async onCall({ method, post }) {
          const at = posts.findIndex(({ id }) => id === post.id);
          if (method === "find") return at < 0 ? { status: "absent" } : { status: "found", messageIds: [`m${at}`] };
          await onPost();
          return { status: "posted", messageIds: [`m${posts.push(post) - 1}`] };
        },
      });
    let isQueued = () => {};
    const queued = new Promise<void>((resolve) => {
      isQueued = resolve;
    });
    // The first answer is about to be posted, and the next turn runs.
    const first = start(() => queued.then(() => first.kill()));
    onTestFinished(() => first.kill());
    await first.ready;
    const messages = Array.from({ length: 10 }, (_, i) => ({
      id: `q${i}`,
      session: ROOM,
      from: ANN,
      text: `@alpha tell ${i}`,
      at: i,
    }));
    await Promise.all(messages.map((message) => first.ask({ type: "message", message })));
    isQueued();
    await first.gone;

    const second = start(async () => {});
    onTestFinished(() => second.kill());
    await second.ready;
    await second.ask({ type: "quiet" });
    await second.ask({ type: "stop" });
    await second.gone;

    const store = createSqliteStore({ dataDir: folder.path });
    await store.open();
    const log = (await allLogs(store)).get(ROOM) ?? [];
    await store.close();
    expect(logProblems(ROOM, log)).toEqual([]);
    const answers = log.flatMap(({ entry }) =>
      entry.kind === "message" && entry.sender.kind === "agent" ? [entry] : [],
    );
    expect(answers.map(({ text }) => /\d$/.exec(text)?.[0])).toEqual([
      "0",
      "1",
      "2",
      "3",
      "4",
      "5",
      "6",
      "7",
      "8",
      "9",
    ]);
    expect(posts.map(({ id }) => id)).toEqual(answers.map(({ id }) => id));
  });

  it("case 19: every event that came in, handled or filtered, has an outcome that says why", async () => {
    const rooms = await startRooms({
      personas: [scripted("alpha", "@beta see"), scripted("beta", ["never", ""])],
      room: { personas: ["alpha", "beta"] },
      budget: 1,
    });
    const events: readonly (readonly [string, Parameters<typeof rooms.say>[1], RegExp])[] = [
      ["@alpha hello", {}, /woke Alpha/],
      ["good morning", {}, /mentions no persona/],
      ["@gamma hello", { from: BOB }, /nobody here answers to the name/],
      ["@Troupe room", {}, /it is a command/],
      ["@alpha build failed", { from: { kind: "bot", id: "fake:T:ci", name: "CI", isAdmin: false } }, /a bot/],
    ];

    for (const [text, options] of events) await rooms.say(text, options);
    await rooms.quiet();

    const log = await rooms.log();
    for (const [text, , reason] of events) {
      const seq = log.find(({ entry }) => entry.text === text)?.entry.seq;
      expect((await rooms.command(`agent why ${seq}`)).view.text).toMatch(reason);
    }
    const suppressed = log.find(({ entry }) => entry.text === "@beta see")?.entry.seq;
    expect((await rooms.command(`agent why ${suppressed}`)).view.text).toMatch(/Beta was not woken: the burst budget/);
  });
});
