import type { SessionId } from "./ids.js";

/** Who wrote an entry. Identity is the platform id, never the name (behaviour 0.2). For agents `id` is the persona's handle. */
export interface Sender {
  readonly kind: "person" | "agent" | "bot" | "system";
  readonly id: string;
  readonly name: string;
}

/**
 * What set an entry off. `entry` is the id of the entry that woke its author. A schedule or a task
 * stays the cause of everything that follows from it (behaviour 0.9). `root` is the person at the
 * start of the chain, whose rights and ledger the chain uses.
 */
export interface Cause {
  readonly kind: "person" | "agent" | "schedule" | "task" | "button";
  readonly entry?: string;
  readonly root?: string;
}

/** Brain-private form of a turn (assistant text, tool calls, results), replayed only to the same kind of brain. */
export interface BrainHistory {
  readonly brain: string;
  readonly messages: readonly unknown[];
}

interface EntryBase {
  /** Version of the entry's form; older ones are upcast on read. */
  readonly v: 1;
  /** Position in its session, from 1, without gaps, never reused. */
  readonly seq: number;
  readonly session: SessionId;
  /** Unique in its session: the platform's message id, or one derived from the entry's cause. */
  readonly id: string;
  readonly sender: Sender;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly cause: Cause;
}

export interface MessageEntry extends EntryBase {
  readonly kind: "message";
  /** The one persona that this message is for (`send_message`, an override); mentions in the text are then inert. */
  readonly to?: string;
  /** The persona whose message this one answers by the platform's own reply gesture. */
  readonly answers?: string;
  /** The acceptance was decided in the commit that appended it; routing does not check again. */
  readonly accepted?: true;
  readonly history?: BrainHistory;
}

/** A wake that a person's button asks for: the persona gets the named message (or its own turn again). */
export interface DirectedWake {
  readonly persona: string;
  readonly entry: string;
}

export interface DirectiveEntry extends EntryBase {
  readonly kind: "directive";
  readonly action: "continue" | "retry";
  readonly wakes: readonly DirectedWake[];
}

/** Something that the system says in the room. `notice` is the key of the record that is edited in place, if any. */
export interface NoticeEntry extends EntryBase {
  readonly kind: "notice";
  readonly notice?: string;
}

export interface SummaryEntry extends EntryBase {
  readonly kind: "summary";
  readonly upTo: number;
}

export interface ToolCallEntry extends EntryBase {
  readonly kind: "tool_call";
  readonly call: string;
  readonly tool: string;
  readonly input: unknown;
}

/** `text` is the result, cut at 500 characters. */
export interface ToolResultEntry extends EntryBase {
  readonly kind: "tool_result";
  readonly call: string;
  readonly tool: string;
  readonly ok: boolean;
  /** Completed work counts as progress for the pair guard (behaviour 0.14). */
  readonly work: boolean;
}

/** A turn has started. */
export interface AckEntry extends EntryBase {
  readonly kind: "ack";
  readonly entry: string;
  readonly persona: string;
  readonly attempt: number;
}

/** A turn has failed; the one line that the room sees. `notice` keys the record with its Retry button. */
export interface ErrorEntry extends EntryBase {
  readonly kind: "error";
  readonly entry: string;
  readonly persona: string;
  readonly code: string;
  readonly notice?: string;
}

/** One immutable record of a session's log. */
export type Entry =
  | MessageEntry
  | DirectiveEntry
  | NoticeEntry
  | SummaryEntry
  | ToolCallEntry
  | ToolResultEntry
  | AckEntry
  | ErrorEntry;

export type EntryKind = Entry["kind"];

type DraftOf<E> = E extends Entry ? Omit<E, "seq" | "session" | "v"> : never;

/** An entry before the store has given it its place. */
export type Draft = DraftOf<Entry>;

/** Whether routing has to decide about this entry: only messages and directives end in an outcome. */
export function needsOutcome(entry: Pick<Entry, "kind">): boolean {
  return entry.kind === "message" || entry.kind === "directive";
}

/** How an entry bears on the room's burst (behaviour 0.8, 0.9): counts, resets, or is looked through. */
export type BurstRole = "counts" | "resets" | "transparent";

export function burstRole(entry: Pick<Entry, "kind" | "sender" | "cause">): BurstRole {
  if (entry.kind === "directive") return "resets";
  if (entry.kind !== "message") return "transparent";
  if (entry.sender.kind === "person") return "resets";
  if (entry.sender.kind !== "agent") return "transparent";
  return entry.cause.kind === "schedule" || entry.cause.kind === "task" ? "transparent" : "counts";
}
