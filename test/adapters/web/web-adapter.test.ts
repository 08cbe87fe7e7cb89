import { describe, expect, it } from "vitest";
import type { Post } from "../../../src/ports/platform.js";
import { call } from "../../support/http-client.js";
import { PAGE, startWeb } from "../../support/web-harness.js";

describe("the page", () => {
  it("is served anew each time, its hashed assets for good, each with its type", async () => {
    const { port } = await startWeb();
    const head = async (path: string) => {
      const { status, headers } = await call(port, path);
      return [status, headers["content-type"], headers["cache-control"]];
    };

    expect((await call(port, "/")).text).toBe(PAGE);
    expect(await head("/")).toEqual([200, "text/html; charset=utf-8", "no-store"]);
    expect(await head("/assets/main-1a2b.js")).toEqual([
      200,
      "text/javascript; charset=utf-8",
      "public, max-age=31536000, immutable",
    ]);
    expect(await head("/icon.svg")).toEqual([200, "image/svg+xml", "no-cache"]);
  });

  it.each(["/assets/", "/assets/none.js", "/assets/..%2Findex.html", "/assets/../../package.json", "/index.html/x"])(
    "has nothing at %s",
    async (path) => {
      const { port, keys } = await startWeb();

      expect((await call(port, path, { key: keys.person })).status).toBe(404);
    },
  );

  it("says how to build it when it is not built", async () => {
    const { port } = await startWeb({ page: false });

    const { status, text, headers } = await call(port, "/");

    expect([status, headers["content-type"]]).toEqual([503, "text/html; charset=utf-8"]);
    expect(text).toContain("npm run build");
  });
});

describe("the web room as a platform", () => {
  it("shows the log itself, and says so to whoever would post", async () => {
    const { adapter, main } = await startWeb();
    const post: Post = { id: "p1", session: main, part: 0, body: { kind: "text", text: "Hello." } };
    const { signal } = new AbortController();

    expect([adapter.name, adapter.capabilities.delivery, adapter.capabilities.threads]).toEqual(["web", "log", false]);
    expect(await adapter.post(post, signal)).toEqual({
      status: "rejected",
      reason: expect.stringContaining("log"),
      retry: false,
    });
    expect(await adapter.edit(post, [], signal)).toMatchObject({ status: "rejected", retry: false });
    expect(await adapter.find(post, signal)).toEqual({ status: "unknown" });
    await adapter.typing(main, { name: "alpha", displayName: "Alpha" }, true);
  });

  it("stops accepting when its start is aborted, and does not start on an aborted signal", async () => {
    const { adapter, rooms } = await startWeb({ start: false });
    const control = new AbortController();

    await adapter.start(rooms.inbox, control.signal);
    expect(adapter.status().ready).toBe(true);
    control.abort();
    expect(adapter.status()).toMatchObject({ ready: false, problem: expect.any(String) });
    await expect(adapter.start(rooms.inbox, control.signal)).rejects.toThrow();
  });
});
