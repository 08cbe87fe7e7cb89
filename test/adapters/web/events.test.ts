import { connect } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { call, type EventClient, openEvents } from "../../support/http-client.js";
import { startWeb, type WebHarness } from "../../support/web-harness.js";

/** Opens a stream with the person's key and hangs up after the test. */
async function watch(
  web: WebHarness,
  options: { room?: string; key?: string; after?: number } = {},
): Promise<EventClient> {
  const client = await openEvents(web.port, { room: web.main, key: web.keys.person, ...options });
  onTestFinished(() => client.drop());
  return client;
}

/** A stream that has shown its first state and waits for changes. */
async function watchLive(web: WebHarness, options: { room?: string; key?: string } = {}): Promise<EventClient> {
  const client = await watch(web, options);
  await client.nextOf("room");
  return client;
}

async function seqsUpTo(client: EventClient, last: number): Promise<number[]> {
  const seqs: number[] = [];
  while (seqs.at(-1) !== last) {
    const { id } = await client.nextOf("entry");
    seqs.push(id ?? 0);
  }
  return seqs;
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe("what a stream shows", () => {
  it("is the room's whole state first, and then each entry as it is committed, with its seq as id", async () => {
    const web = await startWeb();
    web.rooms.say(web.main, "alpha", "before");
    const client = await watch(web);

    const first = await client.next();
    web.rooms.say(web.main, "alpha", "after\n\nid: 9");
    const entry = await client.next();

    expect(first).toMatchObject({ event: "room", data: { id: web.main, sessions: [{ id: web.main, seq: 1 }] } });
    expect(entry).toMatchObject({ event: "entry", id: 2, data: { seq: 2, text: "after\n\nid: 9", outcome: null } });
  });

  it("has outcomes that are decided later, the changed room, and who is typing", async () => {
    const web = await startWeb();
    const { id } = web.rooms.say(web.main, "alpha", "Hello.");
    const client = await watchLive(web);
    const outcome = { kind: "ignored", reason: "no_mention" } as const;

    web.rooms.decide(web.main, 1, outcome);
    expect(await client.next()).toEqual({ event: "outcome", data: { seq: 1, id, outcome } });
    web.rooms.markAttention(web.main);
    web.rooms.publish(web.main, { type: "room" });
    expect(await client.next()).toMatchObject({ event: "room", data: { attention: true } });
    web.rooms.publish(web.main, { type: "typing", session: web.main, persona: "alpha", on: true });
    expect(await client.next()).toEqual({ event: "typing", data: { persona: "alpha", on: true } });
  });

  it("follows a new entry with the room's new state, and does not repeat a state that is the same", async () => {
    const web = await startWeb();
    web.rooms.say(web.main, "alpha", "one");
    const client = await watchLive(web);

    web.rooms.publish(web.main, { type: "room" });
    web.rooms.say(web.main, "alpha", "two");

    expect((await client.next())?.event).toBe("entry");
    expect(await client.next()).toMatchObject({ event: "room", data: { sessions: [{ seq: 2 }] } });
  });

  it("begins with null for a web room that nobody has written to, and shows it once it is made", async () => {
    const web = await startWeb();
    const client = await watch(web);

    expect(await client.next()).toEqual({ event: "room", data: null });
    web.rooms.say(web.main, "alpha", "first");
    expect(await client.next()).toMatchObject({ event: "entry", id: 1 });
    expect(await client.next()).toMatchObject({ event: "room", data: { id: web.main } });
  });

  it("is one session's: what happens in another of the room stays out", async () => {
    const web = await startWeb();
    web.rooms.say("slack:T1:C1", "alpha", "channel");
    web.rooms.say("slack:T1:C1:7.5", "alpha", "thread");
    const client = await watchLive(web, { room: "slack:T1:C1:7.5" });

    web.rooms.say("slack:T1:C1", "alpha", "channel");
    web.rooms.publish("slack:T1:C1", { type: "typing", session: "slack:T1:C1", persona: "alpha", on: true });
    web.rooms.say("slack:T1:C1:7.5", "alpha", "thread again");

    expect(await client.next()).toMatchObject({ event: "entry", id: 2, data: { text: "thread again" } });
  });

  it("has hints for the person, and for nobody else", async () => {
    const web = await startWeb();
    const person = await watchLive(web);
    const reader = await watchLive(web, { key: web.keys.readToken });

    await web.adapter.ephemeral(web.main, "somebody:else", { text: "not for you" });
    await web.adapter.ephemeral(web.main, "web:local:person", { text: "Did you mean @alpha?" });
    expect(await person.nextOf("hint")).toEqual({ event: "hint", data: { view: { text: "Did you mean @alpha?" } } });

    // A round shows hints after entries, so that the next round's entry is behind every hint of this one.
    const shown: string[] = [];
    for (const seq of [1, 2]) {
      web.rooms.say(web.main, "alpha", "x");
      for (let event = await reader.next(); event?.id !== seq; event = await reader.next())
        shown.push(event?.event ?? "end");
    }
    expect(shown).not.toContain("hint");
  });

  it("clears the room's attention mark when the person's key opens it, and not for the read-only token", async () => {
    const web = await startWeb();
    web.rooms.say("slack:T1:C1", "alpha", "Hello.");
    web.rooms.markAttention("slack:T1:C1");

    const reader = await watch(web, { room: "slack:T1:C1", key: web.keys.readToken });
    expect(await reader.next()).toMatchObject({ data: { attention: true } });
    expect(web.rooms.opened).toEqual([]);
    const person = await watch(web, { room: "slack:T1:C1" });
    expect(await person.next()).toMatchObject({ data: { attention: false } });
    expect(web.rooms.opened).toEqual(["slack:T1:C1"]);
  });

  it("has a comment every 15 seconds while nothing happens", async () => {
    const web = await startWeb();
    const client = await watchLive(web);

    await web.clock.advance(45_000);
    web.rooms.say(web.main, "alpha", "Hello.");
    await client.nextOf("entry");

    expect(client.comments).toEqual([": keep-alive", ": keep-alive", ": keep-alive"]);
  });

  it("shows an entry whose event was lost with the next heartbeat", async () => {
    const web = await startWeb();
    const client = await watchLive(web);

    web.rooms.sayUnheard(web.main, "alpha", "nobody was told");
    await web.clock.advance(15_000);

    expect(await client.nextOf("entry")).toMatchObject({ id: 1, data: { text: "nobody was told" } });
  });
});

describe("resuming", () => {
  it("goes on after the last event seen, without a loss or a repetition, however often the stream drops", async () => {
    const web = await startWeb();
    for (let i = 1; i <= 5; i++) web.rooms.say(web.main, "alpha", `line ${i}`);
    const seen: number[] = [];

    for (const upTo of [10, 15, 20, 25]) {
      const client = await watch(web, { after: seen.at(-1) ?? 0 });
      for (let i = upTo - 4; i <= upTo; i++) web.rooms.say(web.main, "alpha", `line ${i}`);
      seen.push(...(await seqsUpTo(client, upTo - 2)));
      client.drop();
    }
    const client = await watch(web, { after: seen.at(-1) ?? 0 });
    seen.push(...(await seqsUpTo(client, 25)));

    expect(seen).toEqual(range(1, 25));
  });

  it("repeats the outcomes of entries seen before, since they may have been decided in between", async () => {
    const web = await startWeb();
    const { id } = web.rooms.say(web.main, "alpha", "Hello.");
    web.rooms.say(web.main, "alpha", "Undecided.");
    web.rooms.decide(web.main, 1, { kind: "superseded" });

    const client = await watch(web, { after: 2 });

    await client.nextOf("room");
    expect(await client.next()).toEqual({ event: "outcome", data: { seq: 1, id, outcome: { kind: "superseded" } } });
    web.rooms.say(web.main, "alpha", "Next.");
    expect(await client.next()).toMatchObject({ event: "entry", id: 3 });
  });

  it("sends the whole log to a reader that has seen more than there is", async () => {
    const web = await startWeb();
    web.rooms.say(web.main, "alpha", "A new log.");

    const client = await watch(web, { after: 700 });

    expect(await client.nextOf("entry")).toMatchObject({ id: 1 });
  });

  it("ends the stream when the store fails, and a new one goes on", async () => {
    const web = await startWeb();
    const client = await watchLive(web);

    web.rooms.fail(new Error("disk on fire"));
    web.rooms.say(web.main, "alpha", "Hello.");
    expect(await client.next()).toBeUndefined();
    web.rooms.fail(undefined);

    expect(await (await watch(web, { after: 0 })).nextOf("entry")).toMatchObject({ id: 1 });
    expect(web.log.lines.filter(({ level }) => level === "warn").length).toBe(1);
  });
});

describe("what a stream costs", () => {
  it("is nothing once its reader has gone", async () => {
    const web = await startWeb();
    const client = await watchLive(web);
    expect([web.rooms.listeners, web.clock.pending]).toEqual([1, 1]);

    client.drop();

    await vi.waitFor(() => expect([web.rooms.listeners, web.clock.pending]).toEqual([0, 0]));
    expect(web.log.lines.filter(({ level }) => level !== "debug")).toEqual([]);
  });

  it("is nothing for a HEAD, which opens no room either", async () => {
    const web = await startWeb();
    web.rooms.say(web.main, "alpha", "Hello.");

    const path = `/api/events?room=${web.main}`;
    const { status, headers, text } = await call(web.port, path, { method: "HEAD", key: web.keys.person });

    expect([status, headers["content-type"], text]).toEqual([200, "text/event-stream", ""]);
    expect([web.rooms.listeners, web.rooms.opened]).toEqual([0, []]);
  });

  it("is bounded for a reader that stops reading: it is cut off, and resumes where it was", async () => {
    const web = await startWeb({ idleTimeoutMs: 300 });
    const stalled = connect(web.port, "127.0.0.1");
    onTestFinished(() => void stalled.destroy());
    const head = ["GET /api/events?room=web:local:main HTTP/1.1", `Host: 127.0.0.1:${web.port}`];
    stalled.write([...head, `Authorization: Bearer ${web.keys.person}`, "Last-Event-ID: 0", "", ""].join("\r\n"));
    await new Promise((resolve) => stalled.once("data", resolve));
    stalled.pause();

    for (let i = 1; i <= 2_000; i++) web.rooms.say(web.main, "alpha", "x".repeat(20_000));
    for (let seq = 1; seq <= 500; seq++) web.rooms.decide(web.main, seq, { kind: "superseded" });
    await vi.waitFor(() => expect(web.rooms.listeners).toBe(0), { timeout: 10_000 });

    expect(web.rooms.entriesRead).toBeLessThan(1_500);
    const client = await watch(web, { after: 1_000 });
    expect(await seqsUpTo(client, 2_000)).toEqual(range(1_001, 2_000));
  });

  it("ends with the adapter, and with the server before its deadline", async () => {
    const web = await startWeb();
    const one = await watchLive(web);
    await web.adapter.stop(1_000);
    expect(await one.next()).toBeUndefined();

    const two = await watchLive(web);
    await web.server.close(60_000);
    expect(await two.next()).toBeUndefined();
  });

  it("is refused beyond 256 at once", async () => {
    const web = await startWeb();
    for (let i = 0; i < 256; i++) await watchLive(web);

    expect((await watch(web)).status).toBe(429);
  });

  it("is refused to the read-only key beyond 32, which never count against the person's", async () => {
    const web = await startWeb();
    const key = web.keys.readToken;
    for (let i = 0; i < 32; i++) await watchLive(web, { key });

    expect((await watch(web, { key })).status).toBe(429);
    for (let i = 0; i < 256; i++) expect((await watchLive(web)).status).toBe(200);
  });
});

describe("bad input", () => {
  it.each([
    ["/api/events", "room"],
    ["/api/events?room=", "room"],
    ["/api/events?room=web:local:main&since=4", "since"],
  ])("refuses %s naming %s", async (path, name) => {
    const web = await startWeb();

    const { status, text } = await call(web.port, path, { key: web.keys.person });

    expect(status).toBe(400);
    expect(text).toContain(name);
  });

  it.each(["web:local:MAIN", "slack:T1:C9", "nonsense"])(
    "answers 404 for %s, which is no room and becomes none",
    async (room) => {
      const web = await startWeb();

      expect((await call(web.port, `/api/events?room=${room}`, { key: web.keys.person })).status).toBe(404);
    },
  );

  it.each(["x", "-1", "1.5", "1, 2"])("refuses the last event id %j", async (id) => {
    const web = await startWeb();

    const path = "/api/events?room=web:local:main";
    expect((await call(web.port, path, { key: web.keys.person, headers: { "last-event-id": id } })).status).toBe(400);
  });
});
