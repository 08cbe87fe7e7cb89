/** Closed list of codes: what went wrong, for handlers and for the HTTP interface. */
export type ErrorCode =
  | "config_invalid"
  | "store_in_use"
  | "store_unwritable"
  | "store_full"
  | "store_newer"
  | "store_corrupt"
  | "store_unavailable"
  | "store_native_missing"
  | "port_in_use"
  | "admin_token_required"
  | "message_too_long"
  | "invalid_input"
  | "not_found"
  | "forbidden"
  | "platform_failed"
  | "stopping";

/**
 * The one base of errors we throw. `retryable`: the same call may succeed later. Messages name the place and the mend, and
 * never hold a secret or a message's text. Families say who has to act.
 */
export class TroupeError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; retryable?: boolean } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}

/** The operator has to change the configuration, the environment or the command line. */
export class ConfigError extends TroupeError {}

/** Bad input from a platform, a client or a brain: refused, nothing changed. */
export class ProtocolError extends TroupeError {}

/** The store cannot do it now. */
export class StoreError extends TroupeError {}

/** A chat platform refused or is not there. */
export class PlatformError extends TroupeError {}
