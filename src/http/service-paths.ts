import { errorResponse, type HttpHandler, type HttpMount, methodNotAllowed } from "../ports/http-mount.js";

/** Whether the service can do its work, and what is missing if not: a part and its problem each. Open to everybody. */
export interface Readiness {
  readonly ready: boolean;
  readonly missing: readonly string[];
}

/** What the service says about itself. */
export interface ServiceReports {
  readiness(): Promise<Readiness>;
  /** Prometheus text. */
  metrics(): Promise<string>;
}

const PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

/** Mounts liveness and readiness, which are open, and the metrics, which need a key. */
export function mountService(mount: HttpMount, reports: ServiceReports): void {
  mount.mount(
    "/healthz",
    reading("/healthz", () => Response.json({ ok: true })),
    { open: true },
  );
  mount.mount(
    "/readyz",
    reading("/readyz", async () => {
      const { ready, missing } = await reports.readiness();
      return Response.json({ ready, missing }, { status: ready ? 200 : 503 });
    }),
    { open: true },
  );
  mount.mount(
    "/metrics",
    reading(
      "/metrics",
      async () => new Response(await reports.metrics(), { headers: { "content-type": PROMETHEUS_TEXT } }),
    ),
  );
}

/** A handler for exactly this path, for reading. */
function reading(path: string, answer: () => Promise<Response> | Response): HttpHandler {
  return (request) => {
    if (new URL(request.url).pathname !== path)
      return errorResponse(404, "not_found", "There is nothing at this path.");
    return request.method === "POST" ? methodNotAllowed(["GET", "HEAD"]) : answer();
  };
}
