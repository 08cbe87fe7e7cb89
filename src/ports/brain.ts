import type { BrainHistory, Cause, Entry, FileRef } from "../domain/entry.js";
import type { RoomId, SessionId } from "../domain/ids.js";
import type { Persona } from "../domain/persona.js";

/** Whether a tool's success is progress: only `work` and `task` are (behaviour 0.14). */
export type ToolClass = "messaging" | "idle" | "task" | "work";

export interface ToolResult {
  /** What the brain is told. Safe to show to a model. */
  readonly text: string;
  readonly ok: boolean;
}

/** A room tool bound to one turn. Calls of one turn are run one after the other, in the order they were made. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly class: ToolClass;
  /** Parses the input, checks permission, records the call, acts. Never rejects: wrong input is a result. */
  run(callId: string, input: unknown): Promise<ToolResult>;
}

/**
 * One entry as the persona sees it. `own`: its own words (assistant); everything else is somebody
 * else's. `context`: from another session, shown as background. `waking`: what this turn answers, always last.
 */
export interface ViewEntry {
  readonly entry: Entry;
  readonly own: boolean;
  readonly context?: true;
  readonly waking?: true;
}

/** What a turn may use up. Milliseconds, steps, tokens. */
export interface TurnLimits {
  readonly steps: number;
  readonly wallMs: number;
  readonly stallMs: number;
  readonly outputTokens: number;
}

/** One run of a persona's brain for one waking entry. */
export interface Turn {
  readonly id: string;
  readonly room: RoomId;
  readonly session: SessionId;
  readonly team: string;
  readonly persona: Persona;
  /** The room note (behaviour 1.1.24); absent below two members. */
  readonly roomNote?: string;
  /** The other personas of the room, as they may be mentioned. */
  readonly others?: readonly { readonly name: string; readonly displayName: string }[];
  /** The waking message; for a retry or a continue, the message that the persona had not answered. */
  readonly waking: Entry;
  /** The waking text as the persona sees it, mentions written `@name`. */
  readonly text: string;
  readonly cause: Cause;
  /** This persona's turn number in the session, from 1. */
  readonly number: number;
  /** The brain's own state in this session as the last committed turn left it. */
  readonly state?: unknown;
  /** The log for this persona, oldest first, the waking entry last, cut at turn boundaries to about `maxBytes` of text. */
  view(maxBytes: number): Promise<readonly ViewEntry[]>;
  /** The bytes of a file of a message in the view; `undefined` when it cannot be had or is larger than `maxBytes`. */
  load(file: FileRef, maxBytes: number): Promise<Uint8Array | undefined>;
  readonly tools: readonly Tool[];
  readonly limits: TurnLimits;
  readonly signal: AbortSignal;
}

/** Tokens of one model call. An absent figure is unknown, not zero. */
export interface Usage {
  readonly model?: string;
  readonly inputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly outputTokens?: number;
  readonly reasoningTokens?: number;
  readonly costUsd?: number;
}

export type FailureClass =
  | "auth"
  | "rate-limit"
  | "overloaded"
  | "bad-request"
  | "context-overflow"
  | "network"
  | "timeout"
  | "agent-exit"
  | "protocol"
  | "internal";

export interface BrainFailure {
  readonly class: FailureClass;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  /** For people in the room: no secret, no stack, no message text. */
  readonly safeMessage: string;
}

/** What happens during a turn. Exactly one `end`, always last. */
export type BrainEvent =
  | { readonly type: "text"; readonly delta: string; readonly channel: "final" | "thought" }
  | {
      readonly type: "tool-start";
      readonly callId: string;
      readonly name: string;
      readonly source: "room" | "mcp" | "agent";
      readonly title: string;
      readonly input?: unknown;
    }
  | {
      readonly type: "tool-end";
      readonly callId: string;
      readonly ok: boolean;
      readonly outputPreview: string;
      readonly files?: readonly string[];
    }
  | {
      readonly type: "file-write";
      readonly path: string;
      readonly via: "fs" | "diff" | "snapshot";
      readonly digest?: string;
    }
  | { readonly type: "usage"; readonly step: number; readonly usage: Usage }
  | { readonly type: "notice"; readonly level: "info" | "warn"; readonly text: string }
  | BrainEnd;

export interface BrainEnd {
  readonly type: "end";
  readonly reason: "done" | "idle" | "step-limit" | "token-limit" | "refused" | "cancelled" | "failed";
  /** The reply as it should be posted; empty: a silent turn. */
  readonly text: string;
  readonly failure?: BrainFailure;
  /** Stored with the reply and replayed to the same brain in later views. */
  readonly history?: BrainHistory;
  /** Replaces the brain's state for this persona in this session. */
  readonly state?: unknown;
}

/**
 * What answers for a persona. `run` never throws for a failure of a model or an agent: it ends with `failed`. An
 * aborted signal ends it with `cancelled`. Two runs of one agent session at once are a programming mistake and throw.
 */
export interface Brain {
  readonly kind: string;
  run(turn: Turn): AsyncIterable<BrainEvent>;
  close(): Promise<void>;
}
