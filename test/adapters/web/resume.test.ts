import { describe, expect, it } from "vitest";
import { FORBIDDEN_PAIR, PAUSED_PAIR } from "../../support/fake-rooms.js";
import { call, json } from "../../support/http-client.js";
import { startWeb, type WebHarness } from "../../support/web-harness.js";

const CHANNEL = "slack:T1:C1";
const THREAD = "slack:T1:C1:17.5";

const pathOf = (id: string, pair: string) =>
  `/api/rooms/${encodeURIComponent(id)}/pairs/${encodeURIComponent(pair)}/resume`;

interface Options {
  readonly method?: string;
  readonly body?: string;
}

function resume(web: WebHarness, path: string, options: Options = {}) {
  return call(web.port, path, { method: "POST", key: web.keys.person, ...options });
}

async function startRoom(): Promise<WebHarness> {
  const web = await startWeb();
  web.rooms.say(THREAD, "alpha", "Hello.");
  return web;
}

describe("resuming a pair over HTTP", () => {
  it("answers with the session that was named and counts, and with nothing else", async () => {
    const web = await startRoom();

    for (const id of [CHANNEL, THREAD]) {
      const answer = await resume(web, pathOf(id, PAUSED_PAIR));
      expect([answer.status, json(answer)]).toEqual([200, { session: id, resumed: 1, delivered: 3 }]);
    }
    expect(web.rooms.resumes).toEqual(
      [CHANNEL, THREAD].map((session) => ({
        session,
        pair: PAUSED_PAIR,
        from: expect.objectContaining({ kind: "person", id: "web:local:person" }),
      })),
    );
  });

  it("resumes nothing where the pair is open, unknown or of another room", async () => {
    const web = await startRoom();

    for (const pair of ["alpha~beta", "nobody", "../../etc", "%"]) {
      const answer = await resume(web, pathOf(CHANNEL, pair));
      expect([answer.status, json(answer)]).toEqual([200, { session: CHANNEL, resumed: 0, delivered: 0 }]);
    }
  });

  it("takes no body, or an empty object", async () => {
    const web = await startRoom();

    for (const body of ["", "{}", "{}\n"])
      expect((await resume(web, pathOf(CHANNEL, PAUSED_PAIR), { body })).status).toBe(200);
    for (const body of ['{"by": "me"}', "[]", "null", "x"]) {
      const answer = await resume(web, pathOf(CHANNEL, PAUSED_PAIR), { body });
      expect([answer.status, json(answer)]).toMatchObject([400, { error: { code: "invalid_input" } }]);
    }
    expect((await resume(web, `${pathOf(CHANNEL, PAUSED_PAIR)}?force=1`)).status).toBe(400);
    expect(web.rooms.resumes).toHaveLength(3);
  });

  it("is refused without the person's key: 401 with none or a wrong one, 403 with the read-only token", async () => {
    const web = await startRoom();
    const path = pathOf(CHANNEL, PAUSED_PAIR);

    const none = await call(web.port, path, { method: "POST" });
    const wrong = await call(web.port, path, { method: "POST", key: "x".repeat(43) });
    const reading = await call(web.port, path, { method: "POST", key: web.keys.readToken });

    expect([none.status, json(none)]).toMatchObject([401, { error: { code: "unauthorized" } }]);
    expect([wrong.status, json(wrong)]).toMatchObject([401, { error: { code: "unauthorized" } }]);
    expect([reading.status, json(reading)]).toMatchObject([403, { error: { code: "forbidden" } }]);
    expect(web.rooms.resumes).toEqual([]);
  });

  it("is refused with the reason where the engine says that this person may not", async () => {
    const web = await startRoom();

    const answer = await resume(web, pathOf(CHANNEL, FORBIDDEN_PAIR));

    expect([answer.status, json(answer)]).toEqual([
      403,
      { error: { code: "forbidden", message: "Only admins may resume here." } },
    ]);
  });

  it("answers 404 in a room that does not exist, 405 to another method, and 503 before the start", async () => {
    const web = await startRoom();
    const unstarted = await startWeb({ start: false });
    unstarted.rooms.say(CHANNEL, "alpha", "Hello.");

    const nowhere = await resume(web, pathOf("slack:T1:C9", PAUSED_PAIR));
    const looked = await resume(web, pathOf(CHANNEL, PAUSED_PAIR), { method: "GET" });
    const early = await resume(unstarted, pathOf(CHANNEL, PAUSED_PAIR));

    expect(nowhere.status).toBe(404);
    expect([looked.status, looked.headers.allow]).toEqual([405, "POST"]);
    expect(early.status).toBe(503);
    expect(web.rooms.resumes).toEqual([]);
  });
});
