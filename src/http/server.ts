import { setMaxListeners } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import { ConfigError } from "../domain/errors.js";
import type { Clock } from "../ports/clock.js";
import { errorResponse, type HttpMount } from "../ports/http-mount.js";
import type { Logger } from "../ports/logger.js";
import { MAX_BODY_BYTES, readBounded } from "./body.js";
import { thrownResponse } from "./errors.js";
import { type Asked, createGuard, type Peers } from "./guard.js";
import { withSecurityHeaders } from "./headers.js";
import { isLoopback, isWildcard, urlHost } from "./hosts.js";
import type { Keys } from "./keys.js";
import { createMounts } from "./mounts.js";
import { mountService, type ServiceReports } from "./service-paths.js";

export interface HttpServerOptions extends ServiceReports {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The address that a proxy in front serves this one at. */
  readonly publicUrl?: string;
  readonly keys: Keys;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A connection over which nothing moves for so long is cut: what bounds a reader that has stopped reading. */
  readonly idleTimeoutMs?: number;
}

/** Where the server listens. `url` is for this machine. */
export interface Listening {
  readonly port: number;
  readonly url: string;
}

/** The service's one HTTP server. */
export interface HttpServer extends HttpMount {
  /**
   * Rejects with a `ConfigError` when the port is in use, when the address is not ours to bind, and when others can reach
   * the address without the operator having set TROUPE_ADMIN_TOKEN.
   */
  listen(): Promise<Listening>;
  /** Takes no more connections, ends streams, lets answers under way finish, and cuts what is left at the deadline. */
  close(deadlineMs: number): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const IDLE_TIMEOUT_MS = 60_000;
/**
 * Longer than proxies keep a connection that nobody uses, most of them for 60 seconds: who closes first must be they, or a request
 * that they are just sending is lost.
 */
const KEEP_ALIVE_MS = 65_000;
const MAX_CONNECTIONS = 1_000;

/** Builds the server; nothing listens until `listen`. Serves `/healthz`, `/readyz`, `/metrics` and what is mounted. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { host, keys, clock, logger } = options;
  const mounts = createMounts();
  mountService(mounts, options);
  const guard = createGuard(keys, clock, logger);
  const publicUrl = options.publicUrl === undefined ? {} : { publicUrl: new URL(options.publicUrl) };
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // One for each open stream, whose number its adapter bounds.
  let port = options.port;

  async function answer({ request, url }: Asked, peers: Peers): Promise<Response> {
    const refusal = guard.refuse({ request, url }, { host, port, ...publicUrl }, peers);
    if (refusal) return refusal;
    const mounted = mounts.find(url.pathname);
    const access = mounted?.open ? undefined : guard.admit(request, peers);
    if (access instanceof Response) return access;
    if (!mounted) return errorResponse(404, "not_found", "There is nothing at this path.");
    const bounded = await readBounded(request);
    if (!bounded) return errorResponse(413, "too_large", `The body is longer than ${MAX_BODY_BYTES} bytes.`);
    return mounted.handler(bounded, { ...(access === undefined ? {} : { access }), closing: closing.signal });
  }

  async function serve(request: Request, { incoming }: { incoming: IncomingMessage }): Promise<Response> {
    const { localAddress: local, remoteAddress: remote } = incoming.socket;
    const asked = { request, url: new URL(request.url) };
    const response = await answer(asked, { local, remote }).catch((error: unknown) => failed(asked, error));
    const { method } = request;
    // Never with its query: people paste keys into addresses.
    logger.debug({ method, path: asked.url.pathname, status: response.status }, "answered a request");
    return withSecurityHeaders(response);
  }

  function failed({ request, url }: Asked, error: unknown): Response {
    const response = thrownResponse(error);
    if (response.status >= 500) logger.error({ method: request.method, path: url.pathname, error }, "a request failed");
    return response;
  }

  function unreadable(error: unknown): Response {
    if (!(error instanceof RequestError)) logger.error({ error }, "a request failed");
    return withSecurityHeaders(errorResponse(400, "invalid_input", "This is no request that we can read."));
  }

  const listener = getRequestListener(
    // Cast: this server speaks HTTP/1 only, so the request is never the adapter's HTTP/2 kind.
    (request, env) => serve(request, env as { incoming: IncomingMessage }),
    { overrideGlobalObjects: false, errorHandler: unreadable },
  );
  const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS });
  server.maxConnections = MAX_CONNECTIONS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.setTimeout(options.idleTimeoutMs ?? IDLE_TIMEOUT_MS);
  server.on("request", (incoming, outgoing) => {
    // A connection that falls idle while the server closes would hold it open until its keep-alive ends.
    outgoing.once("close", () => setImmediate(() => closing.signal.aborted && server.closeIdleConnections()));
    void listener(incoming, outgoing);
  });

  return {
    mount: mounts.mount,
    async listen() {
      if (!isLoopback(host) && !keys.adminTokenSet) throw adminTokenRequired(host);
      await new Promise<void>((resolve, reject) => {
        server.once("error", (error) => reject(listenError(error, options)));
        server.listen({ host, port }, resolve);
      });
      server.removeAllListeners("error").on("error", (error) => logger.error({ error }, "the HTTP server failed"));
      // Cast: a server that listens on a port has an address of this form.
      port = (server.address() as AddressInfo).port;
      return { port, url: `http://${isWildcard(host) ? "127.0.0.1" : urlHost(host)}:${port}` };
    },
    async close(deadlineMs) {
      closing.abort();
      if (!server.listening) return;
      const cancel = clock.after(deadlineMs, () => server.closeAllConnections());
      await new Promise<void>((resolve) => server.close(() => resolve()));
      cancel();
    },
  };
}

function adminTokenRequired(host: string): ConfigError {
  return new ConfigError(
    "admin_token_required",
    `Others can reach ${host}: set TROUPE_ADMIN_TOKEN to a long random text, or listen on 127.0.0.1 (TROUPE_HOST, web.host).`,
  );
}

function listenError(error: NodeJS.ErrnoException, { host, port }: HttpServerOptions): Error {
  const cause = { cause: error };
  switch (error.code) {
    case "EADDRINUSE":
      return new ConfigError(
        "port_in_use",
        `Port ${port} on ${host} is in use: stop what uses it, or choose another with --port (TROUPE_PORT, web.port).`,
        cause,
      );
    case "EACCES":
      return new ConfigError(
        "config_invalid",
        `Port ${port} needs rights that this user lacks: choose one from 1024 on with --port.`,
        cause,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new ConfigError(
        "config_invalid",
        `${host} is no address of this machine: correct TROUPE_HOST (web.host).`,
        cause,
      );
    default:
      return error;
  }
}
