import { describe, expect, it } from "vitest";
import { createKeys } from "../../src/http/keys.js";
import { bearer, call, json } from "../support/http-client.js";
import { startServer } from "../support/http-harness.js";
import { startWeb } from "../support/web-harness.js";

const OPEN = ["/", "/icon.svg", "/assets/main-1a2b.js", "/healthz", "/readyz"];
const CLOSED_GETS = [
  "/metrics",
  "/api/rooms",
  "/api/rooms/web%3Alocal%3Amain",
  "/api/rooms/web%3Alocal%3Amain/entries",
  "/api/nothing",
  "/slack/events",
  "/assets2",
  "//api/rooms",
  "/API/rooms",
];
const CLOSED_POSTS = ["/api/rooms/web%3Alocal%3Amain/messages", "/api/rooms/web%3Alocal%3Amain/actions"];

describe("who may ask", () => {
  it.each(OPEN)("opens %s to everybody", async (path) => {
    const { port } = await startWeb();

    expect((await call(port, path)).status).toBe(200);
    expect((await call(port, path, { key: "wrong" })).status).toBe(200);
  });

  it.each(CLOSED_GETS)("keeps %s shut without a key that fits", async (path) => {
    const { port, rooms, main } = await startWeb();
    rooms.say(main, "alpha", "Hello.");

    expect((await call(port, path)).status).toBe(401);
    expect((await call(port, path, { key: "wrong" })).status).toBe(401);
    expect((await call(port, path, { headers: { authorization: "Basic d3Jvbmc=" } })).status).toBe(401);
  });

  it.each(["/metrics", "/api/rooms", "/api/rooms/web%3Alocal%3Amain", "/api/rooms/web%3Alocal%3Amain/entries"])(
    "opens %s to the read-only token and to the person's key",
    async (path) => {
      const { port, keys, rooms, main } = await startWeb();
      rooms.say(main, "alpha", "Hello.");

      expect((await call(port, path, { key: keys.readToken })).status).toBe(200);
      expect((await call(port, path, { key: keys.person })).status).toBe(200);
    },
  );

  it.each(CLOSED_POSTS)("lets only the person's key act at %s", async (path) => {
    const { port, keys, rooms, main } = await startWeb();
    rooms.say(main, "alpha", "Hello.");
    const body = path.endsWith("messages") ? '{"text":"hi"}' : '{"action":"troupe:continue","value":"1"}';
    const status = async (key?: string) =>
      (await call(port, path, { method: "POST", body, ...(key ? { key } : {}) })).status;

    expect(await status()).toBe(401);
    expect(await status("wrong")).toBe(401);
    expect(await status(keys.readToken)).toBe(403);
    expect(rooms.presses).toEqual([]);
    expect((await rooms.reader.entries(main, 0, 10)).length).toBe(1);
    expect(await status(keys.person)).toBeLessThan(300);
  });

  it("takes no key from the address", async () => {
    const { port, keys } = await startWeb();

    expect((await call(port, `/api/rooms?key=${keys.person}`)).status).toBe(401);
    expect((await call(port, `/api/rooms?access_token=${keys.person}`)).status).toBe(401);
  });

  it("slows guessing down for an address, but never locks the right key out", async () => {
    const { port, keys, clock, log } = await startServer();
    const guess = () => call(port, "/metrics", { key: "guess" });

    for (let i = 0; i < 20; i++) expect((await guess()).status).toBe(401);
    const refused = await guess();

    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "60"]);
    expect((await guess()).status).toBe(429);
    expect((await call(port, "/metrics")).status).toBe(401);
    expect((await call(port, "/metrics", { key: keys.person })).status).toBe(200);
    expect(log.lines.filter(({ level }) => level === "warn").length).toBe(1);
    await clock.advance(60_000);
    expect((await guess()).status).toBe(401);
  });

  it("shows no key in any answer, page, header or log line", async () => {
    const { port, keys, log } = await startWeb();
    const secrets = [keys.person, keys.readToken];

    for (const path of [...OPEN, ...CLOSED_GETS, ...CLOSED_POSTS]) {
      for (const key of [...secrets, "wrong"]) {
        const answer = await call(port, `${path}?key=${keys.person}`, {
          key,
          method: CLOSED_POSTS.includes(path) ? "POST" : "GET",
        });
        const shown = JSON.stringify(answer);
        for (const secret of secrets) expect(shown).not.toContain(secret);
      }
    }
    for (const secret of secrets) expect(JSON.stringify(log.lines)).not.toContain(secret);
  });
});

describe("where a request comes from", () => {
  const hostStatus = async (port: number, host: string) => (await call(port, "/healthz", { headers: { host } })).status;

  it("answers to loopback names with its port and to nothing else", async () => {
    const { port } = await startServer();
    const ours = [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`];
    const others = [
      "evil.example",
      `evil.example:${port}`,
      "127.0.0.1",
      "localhost",
      `127.0.0.1:${port + 1}`,
      `localhost.evil.example:${port}`,
      `127.0.0.1.:${port}`,
      `0.0.0.0:${port}`,
    ];

    for (const host of ours) expect([host, await hostStatus(port, host)]).toEqual([host, 200]);
    for (const host of others) expect([host, await hostStatus(port, host)]).toEqual([host, 403]);
  });

  it("checks the host on open paths, with the right key, and in a whole address on the request line", async () => {
    const { port, keys } = await startServer();
    const host = "evil.example";

    expect((await call(port, "/metrics", { key: keys.person, headers: { host } })).status).toBe(403);
    expect((await call(port, "http://evil.example/healthz")).status).toBe(403);
    expect((await call(port, `http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  });

  it("answers to the public address too", async () => {
    const { port } = await startServer({ publicUrl: "https://troupe.example/" });
    const from = async (origin: string) =>
      (await call(port, "/healthz", { headers: { host: "troupe.example", origin } })).status;

    expect(await hostStatus(port, "troupe.example")).toBe(200);
    expect(await from("https://troupe.example")).toBe(200);
    expect(await from("http://other.example")).toBe(403);
  });

  it("answers to the address that a connection reached when it listens on all of them", async () => {
    const { port } = await startServer({ host: "0.0.0.0", keys: createKeys("chosen by the operator") });

    expect(await hostStatus(port, `127.0.0.1:${port}`)).toBe(200);
    expect(await hostStatus(port, `evil.example:${port}`)).toBe(403);
    expect(await hostStatus(port, `192.0.2.7:${port}`)).toBe(403);
  });

  it("takes an origin that is ours and refuses every other, the right key or not", async () => {
    const { port, keys } = await startServer();
    const from = async (origin: string) =>
      (await call(port, "/metrics", { key: keys.person, headers: { origin } })).status;

    expect(await from(`http://127.0.0.1:${port}`)).toBe(200);
    expect(await from(`http://localhost:${port}`)).toBe(200);
    for (const origin of [
      "null",
      "https://evil.example",
      `https://127.0.0.1:${port}`,
      "http://127.0.0.1",
      "",
      "file://",
      `ws:////127.0.0.1:${port}`,
    ]) {
      expect([origin, await from(origin)]).toEqual([origin, 403]);
    }
  });

  it.each(["OPTIONS", "PUT", "DELETE", "PATCH", "TRACE"])("refuses %s everywhere", async (method) => {
    const { port, keys } = await startServer();

    for (const path of ["/", "/healthz", "/metrics", "/nothing"]) {
      const answer = await call(port, path, { method, headers: bearer(keys.person) });
      expect([answer.status, answer.headers["access-control-allow-origin"]]).toEqual([405, undefined]);
    }
  });
});

describe("what every answer carries", () => {
  it("has the strict policy on pages, the interface and errors", async () => {
    const { port, keys } = await startWeb();
    const policy =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    for (const path of ["/", "/healthz", "/api/rooms", "/nothing"]) {
      const { headers } = await call(port, path, { key: keys.person });
      expect(headers).toMatchObject({
        "content-security-policy": policy,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": "no-store",
      });
    }
  });

  it("has errors as JSON with a code and a message, and never a stack", async () => {
    const { port, keys } = await startWeb();
    const answers = [
      await call(port, "/api/rooms"),
      await call(port, "/nothing", { key: keys.person }),
      await call(port, "/healthz", { headers: { host: "evil.example" } }),
      await call(port, "/healthz", { method: "PUT" }),
    ];

    for (const answer of answers) {
      expect(json(answer)).toEqual({ error: { code: expect.any(String), message: expect.any(String) } });
      expect(answer.text).not.toMatch(/ at .*[.]ts/);
    }
  });
});
