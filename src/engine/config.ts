import type { RoomId } from "../domain/ids.js";
import type { GuardSettings } from "../domain/pair.js";
import type { RoomStart } from "../domain/room.js";
import type { ScheduleBounds } from "../domain/schedule.js";
import type { RoomSettings } from "../domain/settings.js";

/** What the configuration says of one room: how it starts, and what its settings are until a command changes them. */
export interface RoomConfig {
  readonly personas: RoomStart["personas"];
  readonly host?: string;
  readonly wake: RoomSettings["wake"];
  readonly reply: RoomSettings["reply"];
  /** Platform ids of the bots that count like agents here. */
  readonly bots: readonly string[];
}

/** What the engine needs of the configuration. Milliseconds. */
export interface EngineConfig {
  readonly burstBudget: { readonly value: number; readonly source: "configuration" | "default" };
  readonly fanout: number;
  readonly guard: GuardSettings;
  /** Who may resume pairs: people of the home workspace or server, or admins only. */
  readonly resume: "members" | "admins";
  room(id: RoomId): RoomConfig;
  /** Platform ids with the admin right, by platform; a platform without any uses its own word (`isAdmin`). */
  readonly admins: Readonly<Record<string, readonly string[]>>;
  /** Bounds of schedules; absent: the defaults. */
  readonly schedules?: ScheduleBounds;
  readonly limits: {
    readonly maxConcurrentTurns: number;
    readonly turnTimeoutMs: number;
    /** A model that says nothing for so long is taken to hang. */
    readonly stallMs: number;
    readonly maxSteps: number;
    readonly outputTokens: number;
  };
}

/** The longest message that is accepted, in characters. */
export const MAX_MESSAGE_LENGTH = 100_000;

/** A part whose turn was started so often without a result ends as a failed turn (design 5). */
export const MAX_ATTEMPTS = 3;
