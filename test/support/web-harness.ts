import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWebAdapter } from "../../adapters/web/index.js";
import type { HttpServerOptions } from "../../src/http/server.js";
import type { Platform } from "../../src/ports/platform.js";
import { createFakeRooms, type FakeRooms } from "./fake-rooms.js";
import { type Harness, startServer } from "./http-harness.js";

/** The web room's server side on a real server, over rooms in memory. */
export interface WebHarness extends Harness {
  readonly rooms: FakeRooms;
  readonly adapter: Platform;
  readonly main: "web:local:main";
}

export const PAGE = "<!doctype html><title>Troupe</title>";

/** Starts it all; `page: false` leaves the page unbuilt, `start: false` the adapter unstarted. */
export async function startWeb({
  page = true,
  start = true,
  ...options
}: { page?: boolean; start?: boolean } & Partial<HttpServerOptions> = {}): Promise<WebHarness> {
  const rooms = createFakeRooms();
  const folder = mkdtempSync(join(tmpdir(), "troupe-page-"));
  if (page) writePage(folder);
  let adapter: Platform | undefined;
  const harness = await startServer(options, (server, { clock, log }) => {
    adapter = createWebAdapter({ mount: server, reader: rooms.reader, pageDir: folder, clock, logger: log });
  });
  rmSync(folder, { recursive: true });
  if (!adapter) throw new Error("the adapter was not made");
  if (start) await adapter.start(rooms.inbox, new AbortController().signal);
  return { ...harness, rooms, adapter, main: "web:local:main" };
}

function writePage(folder: string): void {
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), PAGE);
  writeFileSync(join(folder, "icon.svg"), "<svg/>");
  writeFileSync(join(folder, "assets", "main-1a2b.js"), "export {};");
}
