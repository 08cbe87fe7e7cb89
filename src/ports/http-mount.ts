import type { ErrorCode } from "../domain/errors.js";

/** Who is asking. `person`: may act; `read`: the command line's token, which may only read. */
export type Access = "person" | "read";

/** What the server knows about a request beyond the request itself. */
export interface RequestInfo {
  /** Absent on open paths, where nobody has to say who they are. */
  readonly access?: Access;
  /** Aborts when the server closes: what streams has to end then. */
  readonly closing: AbortSignal;
}

export type HttpHandler = (request: Request, info: RequestInfo) => Promise<Response> | Response;

/**
 * The one HTTP server, as an adapter sees it. Before a handler runs, the server has checked host, origin, key and
 * method (the read-only token reaches it with GET and HEAD only) and has bounded the body; after it, it adds the security
 * headers, with `Cache-Control: no-store` where the handler says nothing. A `TroupeError` that a handler throws becomes the
 * JSON error of its code.
 */
export interface HttpMount {
  /**
   * Serves `path` and everything below it; `/` serves only itself. The longest mounted path wins, and mounting one
   * again replaces its handler. `open`: needs no key.
   */
  mount(path: string, handler: HttpHandler, options?: { readonly open?: boolean }): void;
}

/** Codes of the JSON errors over HTTP: those of our own errors, and what only HTTP can get wrong. */
export type HttpErrorCode =
  | ErrorCode
  | "unauthorized"
  | "method_not_allowed"
  | "too_large"
  | "too_many_requests"
  | "internal";

/** The one form of an error over HTTP: `{ error: { code, message } }`. */
export function errorResponse(
  status: number,
  code: HttpErrorCode,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ error: { code, message } }, { status, headers });
}

/** The answer to a method that a path does not have. */
export function methodNotAllowed(allowed: readonly string[]): Response {
  const allow = allowed.join(", ");
  return errorResponse(405, "method_not_allowed", `This path takes ${allow}.`, { allow });
}
