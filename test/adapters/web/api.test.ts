import { describe, expect, it } from "vitest";
import { ProtocolError, StoreError } from "../../../src/domain/errors.js";
import type { Inbox } from "../../../src/ports/platform.js";
import { call, json } from "../../support/http-client.js";
import { startWeb, type WebHarness } from "../../support/web-harness.js";

const MAIN = "/api/rooms/web%3Alocal%3Amain";

function get(web: WebHarness, path: string) {
  return call(web.port, path, { key: web.keys.person });
}

function post(web: WebHarness, path: string, body: unknown) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return call(web.port, path, { method: "POST", key: web.keys.person, body: text });
}

function refusal(code: string, message: unknown = expect.any(String)) {
  return { error: { code, message } };
}

describe("reading rooms", () => {
  it("lists the rooms", async () => {
    const web = await startWeb();
    web.rooms.say(web.main, "alpha", "Hello.");

    const answer = await get(web, "/api/rooms");

    expect(answer.headers["content-type"]).toContain("application/json");
    expect(json(answer)).toEqual({ rooms: [{ id: web.main, personas: ["alpha"], attention: false, seq: 1 }] });
  });

  it("shows a room by its own or a session's id, without clearing its attention mark", async () => {
    const web = await startWeb();
    web.rooms.say("slack:T1:C1", "alpha", "Hello.");
    web.rooms.say("slack:T1:C1:17.5", "alpha", "Hello again.");
    web.rooms.markAttention("slack:T1:C1");

    for (const id of ["slack%3AT1%3AC1", "slack%3AT1%3AC1%3A17.5", "slack:T1:C1"]) {
      const state = json(await get(web, `/api/rooms/${id}`));
      expect(state).toMatchObject({
        id: "slack:T1:C1",
        host: "alpha",
        attention: true,
        pairs: [],
        workers: [],
        tasks: [],
      });
    }
    expect(web.rooms.opened).toEqual([]);
  });

  it.each(["web%3Alocal%3Amain", "slack%3AT1%3AC9", "nonsense", "%E0%A4%A", "..%2F..%2Fetc"])(
    "answers 404 for %s, which is no room",
    async (id) => {
      const web = await startWeb();

      for (const path of [`/api/rooms/${id}`, `/api/rooms/${id}/entries`]) {
        const answer = await get(web, path);
        expect([answer.status, json(answer)]).toEqual([404, refusal("not_found")]);
      }
    },
  );

  it("answers 503 while the store cannot be read", async () => {
    const web = await startWeb();
    web.rooms.fail(new StoreError("store_unavailable", "The store is closed."));

    const answer = await get(web, MAIN);

    expect([answer.status, json(answer)]).toEqual([503, refusal("store_unavailable", "The store is closed.")]);
  });
});

describe("reading entries", () => {
  it("shows each with its outcome and nothing of what is private to brains and the store", async () => {
    const web = await startWeb();
    const sender = { kind: "agent", id: "alpha", name: "Alpha" } as const;
    web.rooms.append(web.main, {
      kind: "message",
      id: "m1",
      sender,
      text: "Hello @beta.",
      at: Date.UTC(2026, 0, 5, 9),
      cause: { kind: "agent", entry: "m0", root: "web:local:person" },
      to: "beta",
      history: { brain: "llm", messages: ["private"] },
    });
    web.rooms.decide(web.main, 1, { kind: "parts", parts: [{ persona: "beta", result: "woke" }] });
    const cause = { kind: "person" } as const;
    web.rooms.append(web.main, {
      kind: "ack",
      id: "a1",
      sender,
      text: "",
      at: 0,
      cause,
      entry: "m1",
      persona: "beta",
      attempt: 1,
    });

    expect(json(await get(web, `${MAIN}/entries`))).toEqual({
      entries: [
        {
          seq: 1,
          id: "m1",
          kind: "message",
          sender,
          text: "Hello @beta.",
          at: "2026-01-05T09:00:00.000Z",
          cause: { kind: "agent", entry: "m0" },
          outcome: { kind: "parts", parts: [{ persona: "beta", result: "woke" }] },
          to: "beta",
        },
        {
          seq: 2,
          id: "a1",
          kind: "ack",
          sender,
          text: "",
          at: "1970-01-01T00:00:00.000Z",
          cause: { kind: "person" },
          outcome: null,
          entry: "m1",
          persona: "beta",
          attempt: 1,
        },
      ],
      next: null,
    });
  });

  it("pages from the oldest on, and `next` leads through to the end and no further", async () => {
    const web = await startWeb();
    for (let i = 1; i <= 7; i++) web.rooms.say(web.main, "alpha", `line ${i}`);
    const seqs: number[][] = [];

    let after: number | null = 0;
    while (after !== null) {
      const page = json(await get(web, `${MAIN}/entries?after=${after}&limit=3`)) as {
        entries: { seq: number }[];
        next: number | null;
      };
      seqs.push(page.entries.map(({ seq }) => seq));
      after = page.next;
    }

    expect(seqs).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
    expect(json(await get(web, `${MAIN}/entries?after=4&limit=3`))).toMatchObject({ next: null });
    expect(json(await get(web, `${MAIN}/entries?after=99`))).toEqual({ entries: [], next: null });
  });

  it("gives at most 500", async () => {
    const web = await startWeb();
    for (let i = 1; i <= 501; i++) web.rooms.say(web.main, "alpha", "line");

    const page = json(await get(web, `${MAIN}/entries?limit=9000`)) as { entries: unknown[]; next: number };

    expect([page.entries.length, page.next]).toEqual([500, 500]);
  });

  it.each([
    ["entries?limit=0", "limit"],
    ["entries?limit=ten", "limit"],
    ["entries?after=-1", "after"],
    ["entries?after=1.5", "after"],
    ["entries?before=3", "before"],
    ["entries?after=1&after=2", "after"],
  ])("refuses %s naming %s", async (path, name) => {
    const web = await startWeb();
    web.rooms.say(web.main, "alpha", "Hello.");

    const answer = await get(web, `${MAIN}/${path}`);

    expect([answer.status, json(answer)]).toEqual([400, refusal("invalid_input", expect.stringContaining(name))]);
  });
});

describe("posting a message", () => {
  it("is a person's message, makes the room and answers with its entry", async () => {
    const web = await startWeb();

    const answer = await post(web, `${MAIN}/messages`, { text: "Hello @alpha." });

    expect(answer.status).toBe(202);
    expect(json(answer)).toEqual({
      entry: {
        seq: 1,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        kind: "message",
        sender: { kind: "person", id: "web:local:person", name: "You" },
        text: "Hello @alpha.",
        at: new Date(web.clock.now()).toISOString(),
        cause: { kind: "person" },
        outcome: null,
      },
    });
  });

  it("answers the same id with the same entry and appends nothing", async () => {
    const web = await startWeb();

    const first = await post(web, `${MAIN}/messages`, { text: "Hello.", id: "once-1" });
    web.rooms.say(web.main, "alpha", "Hello yourself.");
    const second = await post(web, `${MAIN}/messages`, { text: "Hello.", id: "once-1" });

    expect(json(second)).toEqual(json(first));
    expect((await web.rooms.reader.entries(web.main, 0, 10)).length).toBe(2);
  });

  it("hands a command to the engine instead, and answers with its answer alone", async () => {
    const web = await startWeb();

    for (const text of ["/agent room", "/task list", "/schedule", "/agent"]) {
      const answer = await post(web, `${MAIN}/messages`, { text });
      expect([answer.status, json(answer)]).toEqual([
        202,
        { entry: null, answer: { ok: true, view: { title: "Room", text: "alpha is here." }, public: false } },
      ]);
    }

    expect(web.rooms.commands.map(({ text }) => text)).toEqual(["agent room", "task list", "schedule", "agent"]);
    expect(web.rooms.commands[0]).toMatchObject({ session: web.main, direct: true, from: { isAdmin: true } });
    expect(await web.rooms.reader.entries(web.main, 0, 10)).toEqual([]);
  });

  it.each(["/agents", " /agent room", "a /task", "//agent"])("takes %j for a message", async (text) => {
    const web = await startWeb();

    await post(web, `${MAIN}/messages`, { text });

    expect((await web.rooms.reader.entries(web.main, 0, 10)).map(({ entry }) => entry.text)).toEqual([text]);
  });

  it("takes 100,000 characters of any kind and refuses more with 413", async () => {
    const web = await startWeb();

    for (const character of ["x", "\u0001", "ü", "語"]) {
      const text = `x${character.repeat(99_999)}`;
      expect((await post(web, `${MAIN}/messages`, { text })).status).toBe(202);
    }
    const answer = await post(web, `${MAIN}/messages`, { text: "x".repeat(100_001) });

    expect([answer.status, json(answer)]).toEqual([
      413,
      refusal("message_too_long", expect.stringContaining("100000")),
    ]);
  });

  it("passes NUL and bidi control characters on for the engine to judge", async () => {
    const web = await startWeb();
    const text = "a\u0000b\u202Ec";

    expect((await post(web, `${MAIN}/messages`, { text })).status).toBe(202);
    expect((await web.rooms.reader.entries(web.main, 0, 1))[0]?.entry.text).toBe(text);
  });

  it.each([
    ["", "JSON"],
    ['{"text": "my secret', "JSON"],
    ["[]", "object"],
    ["null", "object"],
    ["{}", "text"],
    ['{"text": ""}', "text"],
    ['{"text": " \\u0000\\n"}', "blank"],
    ['{"text": 5}', "text"],
    ['{"text": "hi", "id": "a b"}', "id"],
    ['{"text": "hi", "id": ""}', "id"],
    ['{"text": "hi", "room": "x"}', "room"],
  ])("refuses the body %j naming what is wrong with it, and never quoting it", async (body, name) => {
    const web = await startWeb();

    const answer = await post(web, `${MAIN}/messages`, body);

    expect([answer.status, json(answer)]).toEqual([400, refusal("invalid_input", expect.stringContaining(name))]);
    expect(answer.text).not.toContain("secret");
  });

  it("writes to web rooms only, and to those with a valid name", async () => {
    const web = await startWeb();
    web.rooms.say("slack:T1:C1", "alpha", "Hello.");
    const status = async (id: string) =>
      (await post(web, `/api/rooms/${encodeURIComponent(id)}/messages`, { text: "hi" })).status;

    expect(await status("slack:T1:C1")).toBe(403);
    for (const id of [
      "web:local:Main",
      "web:local:-a",
      "web:local:",
      `web:local:${"a".repeat(33)}`,
      "web:local:main:t",
      "web:other:main",
      "x",
    ]) {
      expect([id, await status(id)]).toEqual([id, 400]);
    }
    for (const id of ["web:local:a", "web:local:9-a", `web:local:${"a".repeat(32)}`])
      expect(await status(id)).toBe(202);
  });

  it("shows the engine's refusal", async () => {
    const web = await startWeb();
    const refuse = () => Promise.reject(new ProtocolError("message_too_long", "too long for here"));
    const inbox: Inbox = { ...web.rooms.inbox, message: refuse };
    await web.adapter.start(inbox, new AbortController().signal);

    const answer = await post(web, `${MAIN}/messages`, { text: "hi" });

    expect([answer.status, json(answer)]).toEqual([413, refusal("message_too_long", "too long for here")]);
  });

  it("answers 503 before the adapter is started and after it is stopped, but still reads", async () => {
    const web = await startWeb({ start: false });
    web.rooms.say(web.main, "alpha", "Hello.");
    expect(web.adapter.status()).toMatchObject({ ready: false });
    expect((await post(web, `${MAIN}/messages`, { text: "hi" })).status).toBe(503);

    await web.adapter.start(web.rooms.inbox, new AbortController().signal);
    expect(web.adapter.status()).toEqual({ ready: true });
    expect((await post(web, `${MAIN}/messages`, { text: "hi" })).status).toBe(202);

    await web.adapter.stop(1_000);
    expect((await post(web, `${MAIN}/messages`, { text: "hi" })).status).toBe(503);
    expect((await get(web, MAIN)).status).toBe(200);
  });
});

describe("pressing a button", () => {
  it("hands it to the engine for the session's room, on any platform", async () => {
    const web = await startWeb();
    web.rooms.say("slack:T1:C1:17.5", "alpha", "Hello.");

    const answer = await post(web, "/api/rooms/slack%3AT1%3AC1%3A17.5/actions", {
      action: "troupe:continue",
      value: "n1",
    });

    expect([answer.status, json(answer)]).toEqual([200, { answer: expect.objectContaining({ ok: true }) }]);
    expect(web.rooms.presses).toEqual([
      {
        room: "slack:T1:C1",
        from: expect.objectContaining({ id: "web:local:person" }),
        action: "troupe:continue",
        value: "n1",
      },
    ]);
  });

  it.each([
    [{ action: "troupe:continue" }, "value"],
    [{ action: "continue", value: "" }, "action"],
    [{ action: "troupe:continue", value: "x".repeat(2_001) }, "value"],
    [{ action: "troupe:continue", value: "", by: "me" }, "by"],
  ])("refuses a press that lacks or adds something, naming it", async (body, name) => {
    const web = await startWeb();
    web.rooms.say(web.main, "alpha", "Hello.");

    const answer = await post(web, `${MAIN}/actions`, body);

    expect([answer.status, json(answer)]).toEqual([400, refusal("invalid_input", expect.stringContaining(name))]);
    expect(web.rooms.presses).toEqual([]);
  });

  it("answers 404 in a room that does not exist", async () => {
    const web = await startWeb();

    expect((await post(web, `${MAIN}/actions`, { action: "troupe:continue", value: "" })).status).toBe(404);
  });
});

describe("paths and methods", () => {
  it("names the methods that a path has", async () => {
    const web = await startWeb();
    const allow = async (method: string, path: string) => {
      const answer = await call(web.port, path, { method, key: web.keys.person });
      return [answer.status, answer.headers.allow];
    };

    for (const path of ["/api/rooms", MAIN, `${MAIN}/entries`, "/api/events"]) {
      expect(await allow("POST", path)).toEqual([405, "GET, HEAD"]);
    }
    for (const path of [`${MAIN}/messages`, `${MAIN}/actions`]) expect(await allow("GET", path)).toEqual([405, "POST"]);
    expect(await allow("POST", "/")).toEqual([405, "GET, HEAD"]);
  });

  it("answers 404 as JSON to what it does not have", async () => {
    const web = await startWeb();

    for (const path of ["/api", "/api/", "/api/rooms/", `${MAIN}/pairs/p1`]) {
      const answer = await get(web, path);
      expect([path, answer.status, json(answer)]).toEqual([path, 404, refusal("not_found")]);
    }
  });
});
