import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createWebApiFetch } from "../../../adapters/slack/web-api-fetch.js";

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((done) => (server ? server.close(done) : done(undefined)));
  server = undefined;
});

async function serving(listener: RequestListener): Promise<string> {
  const started = createServer(listener);
  server = started;
  await new Promise<void>((done) => started.listen(0, "127.0.0.1", done));
  // Cast: a server that listens on a port has an address of this form.
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}/`;
}

const ask = (url: string, timeoutMs = 10_000) =>
  createWebApiFetch(timeoutMs)(url, { method: "POST", headers: { "X-Mark": "1" }, body: "a=ü" });

describe("The fetch for posting", () => {
  it("sends what it is given and answers as fetch does", async () => {
    const url = await serving(async (request, response) => {
      const body = (await request.toArray()).join("");
      response.setHeader("Retry-After", "7").writeHead(429, "Slow down");
      response.end(JSON.stringify({ method: request.method, mark: request.headers["x-mark"], body }));
    });

    const answer = await ask(url);

    expect(answer).toMatchObject({ ok: false, status: 429, statusText: "Slow down", url });
    expect(answer.headers.get("Retry-After")).toBe("7");
    expect(answer.headers.get("x-absent")).toBeNull();
    expect(new Map(answer.headers.entries()).get("retry-after")).toBe("7");
    expect(await answer.json()).toEqual({ method: "POST", mark: "1", body: "a=ü" });
    expect(Buffer.from(await answer.arrayBuffer()).toString()).toBe(await answer.text());
  });

  it("uses one connection for calls that follow each other", async () => {
    const ports: (number | undefined)[] = [];
    const url = await serving((request, response) => {
      ports.push(request.socket.remotePort);
      response.end("{}");
    });
    await ask(url);
    await ask(url);

    expect(new Set(ports).size).toBe(1);
  });

  it("does not follow a redirect", async () => {
    let calls = 0;
    const url = await serving((_, response) => {
      calls++;
      response.writeHead(302, { location: "/elsewhere" }).end();
    });

    expect((await ask(url)).status).toBe(302);
    expect(calls).toBe(1);
  });

  it("rejects with the system's error when nobody listens", async () => {
    const url = await serving(() => {});
    await new Promise((done) => server?.close(done));
    server = undefined;

    await expect(ask(url)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  it("rejects when the answer breaks off, before it or in it", async () => {
    const none = await serving((request) => request.socket.destroy());
    await expect(ask(none)).rejects.toMatchObject({ code: "ECONNRESET" });
    server?.close();
    const half = await serving((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("{", () => response.destroy());
    });
    await expect(ask(half)).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it("rejects with a TimeoutError when the answer does not come, or does not end", async () => {
    const none = await serving(() => {});
    await expect(ask(none, 20)).rejects.toMatchObject({ name: "TimeoutError" });
    server?.closeAllConnections();
    server?.close();
    const half = await serving((_, response) => void response.write("{"));
    await expect(ask(half, 20)).rejects.toMatchObject({ name: "TimeoutError" });
  });
});
