import { Agent, createServer, get } from "node:http";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { ProtocolError } from "../../src/domain/errors.js";
import { createKeys } from "../../src/http/keys.js";
import { createHttpServer } from "../../src/http/server.js";
import { createFakeClock } from "../support/fake-clock.js";
import { call, json } from "../support/http-client.js";
import { startServer } from "../support/http-harness.js";
import { createLogLines } from "../support/log-lines.js";

const REPORTS = { readiness: async () => ({ ready: true, missing: [] }), metrics: async () => "" };

function unlistened(options: { host?: string; port?: number; adminToken?: string }) {
  const { host = "127.0.0.1", port = 0, adminToken } = options;
  return createHttpServer({
    host,
    port,
    keys: createKeys(adminToken),
    clock: createFakeClock(),
    logger: createLogLines(),
    ...REPORTS,
  });
}

describe("the service's own paths", () => {
  it("answers liveness to anybody", async () => {
    const { port } = await startServer();

    const answer = await call(port, "/healthz");

    expect(answer.status).toBe(200);
    expect(json(answer)).toEqual({ ok: true });
  });

  it("answers readiness with 200 when nothing is missing and with 503 and the list when something is", async () => {
    let missing = ["engine: still starting"];
    const { port } = await startServer({ readiness: async () => ({ ready: missing.length === 0, missing }) });

    const before = await call(port, "/readyz");
    missing = [];
    const after = await call(port, "/readyz");

    expect([before.status, json(before)]).toEqual([503, { ready: false, missing: ["engine: still starting"] }]);
    expect([after.status, json(after)]).toEqual([200, { ready: true, missing: [] }]);
  });

  it("gives the metrics as Prometheus text to either key", async () => {
    const { port, keys } = await startServer();

    for (const key of [keys.person, keys.readToken]) {
      const answer = await call(port, "/metrics", { key });
      expect(answer.status).toBe(200);
      expect(answer.headers["content-type"]).toContain("text/plain; version=0.0.4");
      expect(answer.text).toBe("troupe_turns_running 0\n");
    }
  });

  it.each(["/healthz", "/readyz", "/metrics"])("takes only reading methods at %s", async (path) => {
    const { port, keys } = await startServer();

    const answer = await call(port, path, { method: "POST", key: keys.person });

    expect([answer.status, answer.headers.allow]).toEqual([405, "GET, HEAD"]);
  });

  it("answers 404 as JSON below a path and beside all of them", async () => {
    const { port, keys } = await startServer();

    for (const path of ["/healthz/more", "/nothing"]) {
      const answer = await call(port, path, { key: keys.person });
      expect([answer.status, json(answer)]).toEqual([
        404,
        { error: { code: "not_found", message: "There is nothing at this path." } },
      ]);
    }
  });
});

describe("mounted paths", () => {
  it("serve themselves and everything below, the longest first, also when mounted while the server runs", async () => {
    const { port, server } = await startServer();
    const at = (name: string) => () => new Response(name);

    server.mount("/", at("root"), { open: true });
    server.mount("/a", at("a"), { open: true });
    server.mount("/a/b", at("b"), { open: true });

    const texts = await Promise.all(["/", "/a", "/a/x", "/a/b/c"].map(async (path) => (await call(port, path)).text));
    expect(texts).toEqual(["root", "a", "a", "b"]);
    expect((await call(port, "/ab")).status).toBe(401);
  });

  it("refuses a path that does not begin at the root", async () => {
    const { server } = await startServer();

    expect(() => server.mount("slack", () => new Response())).toThrow(TypeError);
  });

  it("hands a handler the whole body, and who is asking", async () => {
    const { port, server, keys } = await startServer();
    server.mount("/echo", async (request, { access }) => Response.json({ access, body: await request.text() }));

    const answer = await call(port, "/echo", { method: "POST", key: keys.person, body: "grüß\u0000 dich" });

    expect(json(answer)).toEqual({ access: "person", body: "grüß\u0000 dich" });
  });

  it("shows an error of ours by its code, and of any other nothing, which only the log has", async () => {
    const { port, server, keys, log } = await startServer();
    server.mount("/ours", () => Promise.reject(new ProtocolError("not_found", "There is no such room.")));
    server.mount("/other", () => {
      throw new Error("the secret inside");
    });

    const ours = await call(port, "/ours", { key: keys.person });
    const other = await call(port, "/other?key=pasted", { key: keys.person });

    expect([ours.status, json(ours)]).toEqual([
      404,
      { error: { code: "not_found", message: "There is no such room." } },
    ]);
    expect([other.status, json(other)]).toEqual([
      500,
      { error: { code: "internal", message: "The service failed at this request. Its log says more." } },
    ]);
    expect(log.lines.filter(({ level }) => level === "error")).toMatchObject([
      { fields: { path: "/other", method: "GET" } },
    ]);
  });
});

describe("bad input", () => {
  it("refuses a body above the limit, said beforehand or found out on the way", async () => {
    const { port, server, keys } = await startServer();
    server.mount("/echo", async (request) => new Response(await request.text()));
    const body = "x".repeat(1_048_577);

    const said = await call(port, "/echo", { method: "POST", key: keys.person, body });
    const streamed = await call(port, "/echo", {
      method: "POST",
      key: keys.person,
      headers: { "transfer-encoding": "chunked" },
      body,
    });

    expect([said.status, streamed.status]).toEqual([413, 413]);
    expect(json(said)).toMatchObject({ error: { code: "too_large" } });
  });

  it("answers 413 to a 5 MB body and goes on serving", async () => {
    const { port, server, keys } = await startServer();
    server.mount("/echo", async (request) => new Response(await request.text()));

    const large = await call(port, "/echo", { method: "POST", key: keys.person, body: "x".repeat(5_000_000) });
    const small = await call(port, "/echo", { method: "POST", key: keys.person, body: "x" });

    expect([large.status, small.status, small.text]).toEqual([413, 200, "x"]);
  });

  it.each([
    ["a request line that is no path", "GET nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"],
    ["a request without a host", "GET /healthz HTTP/1.0\r\n\r\n"],
    ["a host that is no host", "GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n"],
    ["words", "hello\r\n\r\n"],
  ])("answers 400 to %s and goes on serving", async (_, text) => {
    const { port } = await startServer();

    expect(await rawStatus(port, text)).toBe(400);
    expect((await call(port, "/healthz")).status).toBe(200);
  });
});

describe("listening", () => {
  it("says the address that this machine reaches it at", async () => {
    const { url, port } = await startServer();

    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect((await call(port, "/healthz")).status).toBe(200);
  });

  it("keeps a connection longer than the proxies in front of it do", async () => {
    const { port } = await startServer();
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());

    const kept = await new Promise<unknown>((resolve, reject) => {
      get({ host: "127.0.0.1", port, path: "/healthz", agent }, (response) => {
        response.resume();
        resolve(response.headers["keep-alive"]);
      }).on("error", reject);
    });

    expect(kept).toBe("timeout=65");
  });

  it("names the mend when the port is in use", async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, "127.0.0.1", () => resolve((other.address() as { port: number }).port));
    });
    onTestFinished(() => void other.close());

    const listening = unlistened({ port }).listen();

    await expect(listening).rejects.toMatchObject({ code: "port_in_use", message: expect.stringContaining("--port") });
    await expect(listening).rejects.toThrow(`Port ${port} on 127.0.0.1`);
  });

  it.each(["0.0.0.0", "::", "192.0.2.7", "troupe.example"])("refuses %s without an admin token", async (host) => {
    await expect(unlistened({ host }).listen()).rejects.toMatchObject({
      code: "admin_token_required",
      message: expect.stringContaining("TROUPE_ADMIN_TOKEN"),
    });
  });

  it("listens on every address with an admin token, and still names the loopback address", async () => {
    const server = unlistened({ host: "0.0.0.0", adminToken: "chosen by the operator" });
    onTestFinished(() => server.close(0));

    const { url, port } = await server.listen();

    expect(url).toBe(`http://127.0.0.1:${port}`);
  });

  it("names the mend when the address is not this machine's", async () => {
    const server = unlistened({ host: "192.0.2.7", adminToken: "chosen by the operator" });

    await expect(server.listen()).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining("TROUPE_HOST"),
    });
  });
});

describe("closing", () => {
  it("tells handlers, lets answers under way finish and then takes no more", async () => {
    const { port, server, keys } = await startServer();
    server.mount("/slow", (_, { closing }) => {
      return new Promise((resolve) => closing.addEventListener("abort", () => resolve(new Response("finished"))));
    });
    const answer = call(port, "/slow", { key: keys.person });
    await call(port, "/healthz");

    await server.close(60_000);

    expect((await answer).text).toBe("finished");
    await expect(call(port, "/healthz")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  it("waits for no connection that a client keeps for later", { timeout: 3_000 }, async () => {
    const { port, server, keys } = await startServer();
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const begun = new Promise<void>((resolve) => {
      server.mount("/slow", (_, { closing }) => {
        resolve();
        return new Promise((done) => closing.addEventListener("abort", () => done(new Response("finished"))));
      });
    });
    const answer = call(port, "/slow", { key: keys.person, agent });
    await begun;

    await server.close(60_000);

    expect((await answer).text).toBe("finished");
  });

  it("cuts what is left at the deadline", async () => {
    const { port, server, keys, clock } = await startServer();
    const begun = new Promise<void>((resolve) => {
      server.mount("/never", () => {
        resolve();
        return new Promise(() => {});
      });
    });
    const answer = expect(call(port, "/never", { key: keys.person })).rejects.toMatchObject({ code: "ECONNRESET" });
    await begun;

    const closed = server.close(5_000);
    await clock.advance(5_000);

    await closed;
    await answer;
  });

  it("may be asked for twice, and before listening", async () => {
    const server = unlistened({});

    await server.close(0);
    await server.close(0);
  });
});

/** The status that raw bytes are answered with. */
function rawStatus(port: number, text: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.setEncoding("utf8");
    socket.once("data", (head: string) => {
      resolve(Number(head.split(" ")[1]));
      socket.destroy();
    });
    socket.once("error", reject);
  });
}
