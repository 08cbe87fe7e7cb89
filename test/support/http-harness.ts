import { onTestFinished } from "vitest";
import { createKeys, type Keys } from "../../src/http/keys.js";
import { createHttpServer, type HttpServer, type HttpServerOptions } from "../../src/http/server.js";
import { createFakeClock, type FakeClock } from "./fake-clock.js";
import { createLogLines, type LogLines } from "./log-lines.js";

/** A real server on a free port of this machine. */
export interface Harness {
  readonly server: HttpServer;
  readonly port: number;
  readonly url: string;
  readonly keys: Keys;
  readonly clock: FakeClock;
  readonly log: LogLines;
}

/** Starts a server and closes it after the test; `prepare` mounts before it listens. */
export async function startServer(
  options: Partial<HttpServerOptions> = {},
  prepare: (server: HttpServer, harness: { clock: FakeClock; log: LogLines }) => void = () => {},
): Promise<Harness> {
  const clock = createFakeClock();
  const log = createLogLines();
  const keys = options.keys ?? createKeys();
  const server = createHttpServer({
    host: "127.0.0.1",
    port: 0,
    readiness: async () => ({ ready: true, missing: [] }),
    metrics: async () => "troupe_turns_running 0\n",
    clock,
    logger: log,
    ...options,
    keys,
  });
  prepare(server, { clock, log });
  const { port, url } = await server.listen();
  onTestFinished(async () => {
    const closed = server.close(1_000);
    await clock.advance(1_000);
    await closed;
  });
  return { server, port, url, keys, clock, log };
}
