import { describe, expect, it } from "vitest";
import type { PauseReport } from "../../src/engine/guard/notify.js";
import { createMemoryKeyValue } from "../../src/store/memory/memory-key-value.js";
import { createMemoryStore } from "../../src/store/memory/memory-store.js";
import { createFakeChat, type FakeChat } from "../fakes/chat-platform.js";
import { alphaAndBeta, openPause, pausesIn } from "../support/guarded-rooms.js";
import { createPuppets } from "../support/puppets.js";
import { quarrelsome } from "../support/quarrel.js";
import { ANN, BOB, ROOM, startRooms } from "../support/rooms.js";
import { type Committed, watchStore } from "../support/watched-store.js";

const quarrel = () => [quarrelsome("alpha", "beta"), quarrelsome("beta", "alpha", 12)];

/** What stands in the channel of pauses: one line per message, as it is drawn now. */
function pausePosts(chat: FakeChat) {
  return chat.messages.flatMap(({ post, edits, session }) => {
    if (post.body.kind !== "view" || !post.id.startsWith("pause|")) return [];
    const { title, fields, buttons } = post.body.view;
    return [{ session, title, edits, held: fields?.[0]?.value, buttons: buttons?.map(({ label }) => label) ?? [] }];
  });
}

describe("The notice of a pause, where messages are posted", () => {
  it("is one message, edited in place as the count grows and when a person resumes, and then without buttons", async () => {
    const puppets = createPuppets();
    const rooms = await startRooms({
      personas: [puppets.persona("alpha"), puppets.persona("beta")],
      brains: () => [puppets.brain],
      budget: 100,
      guard: { repeats: 2 },
    });
    puppets.plan(
      "alpha",
      { send: "parked", to: "beta" },
      { send: "parked", to: "beta" },
      { wait: true },
      { send: "more", to: "beta" },
      { send: "much", to: "beta" },
    );
    await rooms.say("@alpha go");
    await rooms.quiet();
    expect(pausePosts(rooms.chat)).toMatchObject([
      { title: "Pair paused", held: "1", buttons: ["Resume", "Drop held"] },
    ]);

    puppets.open();
    await rooms.quiet();
    expect(pausePosts(rooms.chat)).toMatchObject([
      { title: "Pair paused", held: "3", buttons: ["Resume", "Drop held"] },
    ]);

    await rooms.press("troupe:resume", await openPause(rooms.store), BOB);
    await rooms.quiet();
    const posts = pausePosts(rooms.chat);
    expect(posts).toMatchObject([{ title: "Pair resumed", buttons: [] }]);
    expect(posts[0]?.edits).toBeGreaterThanOrEqual(2);
    const view = rooms.chat.messages.find(({ post }) => post.id.startsWith("pause|"))?.post.body;
    expect(view).toMatchObject({ view: { text: "Bob resumed Alpha and Beta. 3 held messages delivered." } });
  });

  it("appears at once when a person pauses by hand, and goes at once with a resume that has nothing to deliver", async () => {
    const rooms = await startRooms({ personas: quarrel(), budget: 100 });
    await rooms.say("hello");

    await rooms.command("agent pause alpha beta", BOB);
    await rooms.quiet();
    expect(pausePosts(rooms.chat)).toMatchObject([{ title: "Pair paused", held: "0", buttons: ["Resume"] }]);

    await rooms.command("agent resume", BOB);
    await rooms.quiet();
    expect(pausePosts(rooms.chat)).toMatchObject([{ title: "Pair resumed", buttons: [] }]);
  });

  it("in a thread stands and is edited there, also when what is held is dropped and nobody speaks any more", async () => {
    const thread = `${ROOM}:t1`;
    const rooms = await startRooms({ personas: quarrel(), budget: 100 });
    await rooms.say("@alpha argue", { session: thread });
    await rooms.quiet();
    expect(pausePosts(rooms.chat)).toMatchObject([{ session: thread, held: "1" }]);

    await rooms.press("troupe:drop", await openPause(rooms.store), BOB);
    await rooms.quiet();
    expect(pausePosts(rooms.chat)).toMatchObject([{ session: thread, held: "0", buttons: ["Resume"] }]);

    await rooms.press("troupe:resume", await openPause(rooms.store), BOB);
    await rooms.quiet();
    expect(pausePosts(rooms.chat)).toMatchObject([{ session: thread, title: "Pair resumed", buttons: [] }]);
  });

  it("is edited when the guard is switched off, when a prompt resumes, and one follows for every pause", async () => {
    const rooms = await startRooms({ personas: quarrel(), budget: 40 });
    await rooms.say("@alpha argue");
    await rooms.quiet();
    await rooms.say("@beta once more", { from: BOB });
    await rooms.quiet();
    expect(pausePosts(rooms.chat).map(({ title }) => title)).toEqual(["Pair resumed", "Pair paused"]);

    await rooms.command("agent guard off");
    await rooms.quiet();
    expect(pausePosts(rooms.chat).map(({ title, buttons }) => [title, buttons])).toEqual([
      ["Pair resumed", []],
      ["Pair resumed", []],
    ]);
  });

  it("that could not be posted is neither edited nor posted later, and the pair can still be resumed", async () => {
    const chat = createFakeChat();
    const rooms = await startRooms({ personas: quarrel(), budget: 100, chat });
    await rooms.say("hello");
    chat.fail({ kind: "reject", reason: "no rights" });
    await rooms.command("agent pause alpha beta");
    await rooms.quiet();
    expect(pausePosts(chat)).toEqual([]);

    expect((await rooms.command("agent resume", BOB)).data).toMatchObject({ resumed: 1, delivered: 0 });
    await rooms.quiet();

    expect(pausePosts(chat)).toEqual([]);
    expect(chat.calls.edit).toBe(0);
    expect(await rooms.store.due("outbox", Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
  });

  it("pressed while it is behind its own edits is answered once", async () => {
    const rooms = await startRooms({ personas: quarrel(), budget: 12 });
    await rooms.say("@alpha argue");
    await rooms.quiet();
    const key = await openPause(rooms.store);

    const answers = await Promise.all([ANN, BOB].map((from) => rooms.press("troupe:resume", key, from)));
    await rooms.quiet();

    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.find(({ ok }) => !ok)?.view.text).toMatch(/^(Already resumed by|This pair is not paused)/);
    expect((await pausesIn(rooms.store))[0]).toMatchObject({ state: "done", delivered: 1 });
  });

  it("shows the last two lines on one line each, cut short between characters, whoever pauses", async () => {
    const puppets = createPuppets();
    const rooms = await startRooms({
      personas: [puppets.persona("alpha"), puppets.persona("beta")],
      brains: () => [puppets.brain],
      guard: { alternations: 2 },
    });
    puppets.plan("alpha", { say: `@beta first\n\n${"long ".repeat(40)}` });
    puppets.plan("beta", { say: `@alpha ${"\u{1F600}".repeat(100)}` });
    await rooms.say("@alpha go");
    await rooms.quiet();

    const [first, second] = (await pausesIn(rooms.store))[0]?.lastLines ?? [];
    expect(first).toMatch(/^Alpha: @beta first long .*…$/);
    expect(second).toMatch(/^Beta: @alpha (\u{1F600})+…$/u);
    expect(first?.length).toBeLessThanOrEqual(160);

    await rooms.command("agent resume");
    await rooms.quiet();
    puppets.plan("alpha", { say: "@beta only this" });
    await rooms.say("@alpha again");
    await rooms.quiet();
    await rooms.command("agent pause alpha beta");
    expect((await pausesIn(rooms.store)).at(-1)?.lastLines).toEqual(["Alpha: @beta only this"]);
  });
});

describe("The operator's command", () => {
  /** Processes that follow each other on one store, with a command that writes down what it is told. */
  function noisy(notify: (report: PauseReport) => Promise<void> = async () => {}) {
    const reports: PauseReport[] = [];
    const inner = createMemoryStore();
    const settings = createMemoryKeyValue("settings");
    const start = (budget: number, store = watchStore(inner)) =>
      startRooms({
        personas: quarrel(),
        budget,
        store,
        settings,
        chat: createFakeChat(),
        notifyPause: async (report) => {
          reports.push(report);
          await notify(report);
        },
      });
    return { reports, inner, start };
  }

  it("is told once of each pause, with its figures and without anything that was said", async () => {
    const { reports, start } = noisy();
    const rooms = await start(12);
    await rooms.say("@alpha argue about the password");
    await rooms.quiet();

    expect(reports).toEqual([
      {
        room: ROOM,
        session: ROOM,
        pair: ["alpha", "beta"],
        reason: "alternation",
        count: 10,
        limit: 10,
        held: 1,
        at: rooms.clock.now(),
      },
    ]);

    await rooms.command("agent resume");
    await rooms.quiet();
    expect(reports).toHaveLength(2);
  });

  it("is not told of a pause by hand", async () => {
    const { reports, start } = noisy();
    const rooms = await start(12);
    await rooms.say("hello");
    await rooms.command("agent pause alpha beta");
    await rooms.quiet();

    expect(reports).toEqual([]);
  });

  it("is told of a pause that a failed release has made", async () => {
    const { reports, start } = noisy();
    const rooms = await start(100);
    await rooms.say("@alpha argue");
    await rooms.quiet();
    await rooms.command("agent remove alpha");
    await rooms.command("agent resume");
    await rooms.quiet();

    expect(reports.map(({ reason, held }) => [reason, held])).toEqual([
      ["alternation", 1],
      ["release_failed", 1],
    ]);
  });

  it("that fails is not called again, and changes nothing for the room", async () => {
    const { reports, start } = noisy(() => Promise.reject(new Error("no such program")));
    const rooms = await start(12);
    await rooms.say("@alpha argue");
    await rooms.quiet();
    await start(12);

    expect(reports).toHaveLength(1);
    expect(await alphaAndBeta(rooms.store)).toMatchObject({ state: "paused" });
  });

  it("that hangs holds up neither the room nor the next start", async () => {
    const { reports, inner, start } = noisy(() => new Promise(() => {}));
    const rooms = await start(12);
    await rooms.say("@alpha argue");
    await rooms.quiet();
    expect((await rooms.command("agent resume")).data).toMatchObject({ resumed: 1, delivered: 1 });
    await rooms.quiet();

    const next = await start(100);
    await next.quiet();
    expect(reports).toHaveLength(2);
    expect((await alphaAndBeta(inner))?.notify).toBeUndefined();
  });

  it("is told at the next start when the process died with the pause, and not twice", async () => {
    const { reports, inner, start } = noisy();
    const paused = ({ change }: Committed) =>
      change.append?.some(({ entry }) => entry.kind === "agent_pair_paused") ?? false;
    const store = watchStore(inner);
    store.after = (committed) => {
      if (paused(committed)) store.cut();
    };
    const first = await start(12, store);
    await first.say("@alpha argue");
    await first.quiet();
    expect(reports).toEqual([]);

    for (let starts = 0; starts < 2; starts++) {
      await start(12);
      expect(reports).toMatchObject([{ reason: "alternation", held: 1 }]);
    }
  });

  it("that nobody has set leaves no mark for a later start to tell of", async () => {
    const store = createMemoryStore();
    const settings = createMemoryKeyValue("settings");
    const first = await startRooms({ personas: quarrel(), budget: 12, store, settings });
    await first.say("@alpha argue");
    await first.quiet();

    const reports: PauseReport[] = [];
    await startRooms({
      personas: quarrel(),
      store,
      settings,
      chat: createFakeChat(),
      notifyPause: async (report) => void reports.push(report),
    });
    expect(reports).toEqual([]);
  });
});
