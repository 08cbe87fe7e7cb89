import { type ErrorCode, TroupeError } from "../domain/errors.js";
import { errorResponse } from "../ports/http-mount.js";

const STATUS: Readonly<Partial<Record<ErrorCode, number>>> = {
  invalid_input: 400,
  message_too_long: 413,
  forbidden: 403,
  not_found: 404,
  stopping: 503,
  store_full: 507,
  store_unwritable: 503,
  store_unavailable: 503,
  platform_failed: 502,
};

/**
 * The JSON error for what a handler threw. Only an error of ours speaks for itself, since its message is written to be
 * shown; everything else is an internal error whose cause stands in the log alone.
 */
export function thrownResponse(error: unknown): Response {
  const status = error instanceof TroupeError ? STATUS[error.code] : undefined;
  if (error instanceof TroupeError && status !== undefined) return errorResponse(status, error.code, error.message);
  return errorResponse(500, "internal", "The service failed at this request. Its log says more.");
}
