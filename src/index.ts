/**
 * The public surface: what an adapter imports, and nothing else. Adapters turn a platform's events into what the
 * `Inbox` takes, show what the engine posts, and read rooms through the `Reader`.
 */

// A platform, and what the engine gives it.

export type {
  Accepted,
  Answer,
  Capabilities,
  FindResult,
  InboundCommand,
  InboundMessage,
  InboundRevision,
  InboundSender,
  Inbox,
  MessagePlace,
  Platform,
  PlatformStatus,
  Post,
  PostBody,
  PostResult,
  Press,
} from "./ports/platform.js";

// Text from outside.

export { cleanInbound } from "./domain/clean-text.js";
export { isSlashCommand } from "./domain/command.js";
export { MAX_MESSAGE_LENGTH } from "./engine/config.js";

// Ids of rooms and sessions.

export { isSessionId, platformOf, type RoomId, roomOf, type SessionId, threadOf, threadSession } from "./domain/ids.js";

// What stands in a log, and what became of it.

export type { Cause, Entry, EntryKind, FileRef, Sender } from "./domain/entry.js";
export type { IgnoreReason, Outcome, Part } from "./domain/outcome.js";
export type { Logged } from "./ports/store.js";

// What the system says, and as whom personas speak.

export type { NoticeState } from "./domain/notice.js";
export type { Identity } from "./domain/persona.js";
export { type Button, type Field, type View, viewText } from "./domain/view.js";

// Rooms as they are read.

export type { EffectiveSettings, RoomSettings } from "./domain/settings.js";
export type { NoticeView, Reader, RoomEvent, RoomState, RosterMember } from "./ports/reader.js";

// What the process lends: time, logs, its HTTP server.

export { type Clock, delay } from "./ports/clock.js";
export {
  type Access,
  errorResponse,
  type HttpErrorCode,
  type HttpHandler,
  type HttpMount,
  methodNotAllowed,
  type RequestInfo,
} from "./ports/http-mount.js";
export type { KeyValue } from "./ports/key-value.js";
export type { Logger } from "./ports/logger.js";

// Errors, by who has to act.

export { ConfigError, type ErrorCode, PlatformError, ProtocolError, StoreError, TroupeError } from "./domain/errors.js";
