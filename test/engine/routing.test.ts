import { describe, expect, it } from "vitest";
import type { Logged } from "../../src/ports/store.js";
import { ANN, BOB, ROOM, scripted, startRooms } from "../support/rooms.js";

const echo = (name: string) => scripted(name, `${name} here.`);

function outcomeOf(log: readonly Logged[], text: string) {
  return log.find(({ entry }) => entry.text === text)?.outcome;
}

describe("routing in a room", () => {
  it("wakes nobody in a mention room when a person mentions nobody", async () => {
    const rooms = await startRooms({ personas: [echo("alpha")] });

    await rooms.say("good morning");

    expect(await rooms.lines()).toEqual(["Ann: good morning"]);
    expect(outcomeOf(await rooms.log(), "good morning")).toEqual({ kind: "ignored", reason: "no_mention" });
  });

  it("answers by the host, else the first attached, in an always room", async () => {
    const rooms = await startRooms({ personas: [echo("alpha"), echo("beta")], room: { wake: "always" } });

    await rooms.say("hello");
    await rooms.command("agent host beta");
    await rooms.say("hello again");

    expect(await rooms.lines()).toEqual(["Ann: hello", "Alpha: alpha here.", "Ann: hello again", "Beta: beta here."]);
  });

  it("lets the app's mention choose who speaks next, against a mention that follows", async () => {
    const rooms = await startRooms({ personas: [echo("alpha"), echo("beta")] });

    await rooms.say("@Troupe beta tell @alpha the news");

    expect(await rooms.lines()).toEqual(["Ann: @Troupe beta tell @alpha the news", "Beta: beta here."]);
  });

  it("keeps other bots' messages as context and wakes nobody with them", async () => {
    const rooms = await startRooms({ personas: [echo("alpha")] });

    await rooms.say("@alpha build failed", { from: { kind: "bot", id: "fake:T:ci", name: "CI", isAdmin: false } });

    expect(await rooms.lines()).toEqual(["CI: @alpha build failed"]);
    expect(outcomeOf(await rooms.log(), "@alpha build failed")).toEqual({ kind: "ignored", reason: "bot" });
  });

  it("counts an allow-listed bot like an agent: no fallback, and the budget holds", async () => {
    const bot = { kind: "bot", id: "fake:T:ci", name: "CI", isAdmin: false } as const;
    const rooms = await startRooms({ personas: [echo("alpha")], budget: 2, room: { wake: "always", bots: [bot.id] } });

    await rooms.say("start");
    await rooms.say("no mention", { from: bot });
    await rooms.say("@alpha look", { from: bot });

    const log = await rooms.log();
    expect(outcomeOf(log, "no mention")).toEqual({ kind: "ignored", reason: "no_mention" });
    expect(outcomeOf(log, "@alpha look")).toEqual({
      kind: "parts",
      parts: [{ persona: "alpha", result: "suppressed" }],
    });
  });

  it("wakes as many mentioned personas as the fan-out allows, one after the other, and tells who was not", async () => {
    const rooms = await startRooms({ personas: [echo("alpha"), echo("beta"), echo("gamma")], fanout: 2 });

    await rooms.say("@gamma @alpha @beta hello");

    expect(await rooms.lines()).toEqual(["Ann: @gamma @alpha @beta hello", "Gamma: gamma here.", "Alpha: alpha here."]);
    expect(rooms.chat.whispers.map((whisper) => whisper.view.text)).toEqual([
      "Not woken: Beta. One message wakes 2 here (/agent fanout).",
    ]);
  });

  it("hints at the nearest name when nobody here answers to a mention, and only to who wrote it", async () => {
    const rooms = await startRooms({ personas: [echo("alpha")] });

    await rooms.say("@alhpa are you there?", { from: BOB });

    expect(rooms.chat.whispers).toEqual([
      { session: ROOM, to: BOB.id, view: { text: 'Nobody here is called "alhpa". Did you mean alpha?', tone: "info" } },
    ]);
  });

  it("says that a persona of the team is not in this room", async () => {
    const rooms = await startRooms({ personas: [echo("alpha"), echo("beta")], room: { personas: ["alpha"] } });

    await rooms.say("@beta hello");

    expect(rooms.chat.whispers[0]?.view.text).toBe("Beta is not in this room. An admin can add it: /agent add beta");
    expect(await rooms.lines()).toEqual(["Ann: @beta hello"]);
  });

  it("answers a reply to a persona's post once, by that persona, and never an agent's reply", async () => {
    const rooms = await startRooms({ personas: [echo("alpha"), echo("beta")] });
    await rooms.say("@beta hello");
    const post = rooms.chat.messages[0];

    await rooms.say("thank you", { replyTo: post?.messageId ?? "" });

    expect((await rooms.lines()).slice(2)).toEqual(["Ann: thank you", "Beta: beta here."]);
  });

  it("goes on with the persona that spoke last in a thread without a new mention", async () => {
    const rooms = await startRooms({ personas: [echo("alpha"), echo("beta")] });
    const thread = `${ROOM}:t1`;
    await rooms.say("@beta hello", { session: thread });

    await rooms.say("and more?", { session: thread });
    await rooms.say("talking to Bob now", { session: thread });
    await rooms.say("just us", { session: thread, from: BOB });

    expect((await rooms.lines(thread)).map((line) => line.split(":")[0])).toEqual([
      "Ann",
      "Beta",
      "Ann",
      "Beta",
      "Ann",
      "Beta",
      "Bob",
      "Beta",
    ]);
  });

  it("never wakes the sender, even when it mentions itself first", async () => {
    const rooms = await startRooms({ personas: [scripted("alpha", "I, @alpha, ask @beta."), scripted("beta", "ok")] });

    await rooms.say("@alpha go");
    await rooms.quiet();

    expect(await rooms.lines()).toEqual(["Ann: @alpha go", "Alpha: I, @alpha, ask @beta.", "Beta: ok"]);
  });

  it("goes on with the persona on whose message a thread is opened, and with nobody on a person's", async () => {
    const rooms = await startRooms({ personas: [echo("alpha"), echo("beta")] });
    await rooms.say("@beta hello", { id: "p1" });
    const [post] = rooms.chat.messages;

    await rooms.say("and more?", { session: `${ROOM}:${post?.messageId}` });
    await rooms.say("and me?", { session: `${ROOM}:p1` });

    expect(await rooms.lines(`${ROOM}:${post?.messageId}`)).toEqual(["Ann: and more?", "Beta: beta here."]);
    expect(await rooms.lines(`${ROOM}:p1`)).toEqual(["Ann: and me?"]);
  });

  it("answers in a thread where the room says so, with the channel before it as context", async () => {
    const seen: string[] = [];
    const rooms = await startRooms({
      personas: [echo("alpha")],
      room: { reply: "thread" },
      brains: () => [
        {
          kind: "script",
          async *run(turn) {
            for (const { entry, context } of await turn.view(10_000))
              seen.push(`${context ? "context " : ""}${entry.text}`);
            yield { type: "end", reason: "done", text: "in the thread" };
          },
          async close() {},
        },
      ],
    });
    await rooms.say("earlier talk", { id: "100" });

    await rooms.say("@alpha help", { id: "101" });
    await rooms.quiet();

    expect(outcomeOf(await rooms.log(), "@alpha help")).toEqual({
      kind: "parts",
      parts: [{ persona: "alpha", result: "woke", ref: `${ROOM}:101` }],
    });
    expect(await rooms.lines(`${ROOM}:101`)).toEqual(["Ann: @alpha help", "Alpha: in the thread"]);
    expect(rooms.chat.messages.map((message) => message.session)).toEqual([`${ROOM}:101`]);
    expect(seen).toEqual(["context earlier talk", "@alpha help"]);
  });

  it("keeps two threads with equal ids in two channels apart", async () => {
    const rooms = await startRooms({ personas: [echo("alpha")] });

    await rooms.say("@alpha one", { session: "fake:T:one:77", id: "a" });
    await rooms.say("@alpha two", { session: "fake:T:two:77", id: "a" });

    expect(await rooms.lines("fake:T:one:77")).toEqual(["Ann: @alpha one", "Alpha: alpha here."]);
    expect(await rooms.lines("fake:T:two:77")).toEqual(["Ann: @alpha two", "Alpha: alpha here."]);
  });

  it("accepts a redelivered message once", async () => {
    const rooms = await startRooms({ personas: [echo("alpha")] });
    const message = { id: "x1", session: ROOM, from: ANN, text: "@alpha hi", at: 1 };

    const first = await rooms.chat.inbox.message(message);
    const second = await rooms.chat.inbox.message({ ...message, text: "@alpha changed" });
    await rooms.quiet();

    expect([first.duplicate, second.duplicate]).toEqual([false, true]);
    expect(second.seq).toBe(first.seq);
    expect(await rooms.lines()).toEqual(["Ann: @alpha hi", "Alpha: alpha here."]);
  });

  it("answers every message that arrives during a turn, in order, one at a time", async () => {
    const rooms = await startRooms({
      personas: [scripted("alpha", { steps: [{ delayMs: 1_000 }, { say: "you said: {{text}}" }] })],
    });

    await rooms.say("@alpha one");
    await rooms.say("@alpha two");
    await rooms.say("@alpha three");
    await rooms.clock.advance(5_000);

    expect((await rooms.lines()).filter((line) => line.startsWith("Alpha"))).toEqual([
      "Alpha: you said: @alpha one",
      "Alpha: you said: @alpha two",
      "Alpha: you said: @alpha three",
    ]);
  });
});
