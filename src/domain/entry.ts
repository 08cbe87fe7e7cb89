import type { SessionId } from "./ids.js";
import type { PauseReason } from "./pair.js";

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
  /** Which schedule's or task's chain this belongs to: it has a budget of its own, counted behind this place of the session. */
  readonly chain?: Chain;
}

/** A chain of turns that no person began. */
export interface Chain {
  readonly id: string;
  /** The session's newest seq when it began. */
  readonly after: number;
}

/** Brain-private form of a turn (assistant text, tool calls, results), replayed only to the same kind of brain. */
export interface BrainHistory {
  readonly brain: string;
  readonly messages: readonly unknown[];
}

/** A file that came with a message. `ref` tells the adapter of its platform where to get it; it is no address to show. */
export interface FileRef {
  readonly name: string;
  /** Media type, as the platform says it. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  readonly ref: string;
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
  readonly files?: readonly FileRef[];
  /** The acceptance was decided in the commit that appended it; routing does not check again. */
  readonly accepted?: true;
  /** Its author may resume pairs here: if it wakes a persona, that persona's paused pairs go on (behaviour 0.13). */
  readonly mayResume?: true;
  /**
   * The message that this one replaces, as its author has edited it. `late`: the first had been decided already; an edit that
   * adds the first mention then wakes once, but restarts neither burst nor pairs.
   */
  readonly edits?: { readonly entry: string; readonly late: boolean };
  /** An allow-listed bot's message: counts like an agent's for every budget (behaviour 0.2). */
  readonly asAgent?: true;
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

/** An entry that a newer Troupe wrote: kept as it was stored, looked through by every rule, never written by this one. */
export interface UnknownEntry extends EntryBase {
  readonly kind: "unknown";
  readonly raw: unknown;
}

/** What the entries of the pair guard share: the pair's id. */
interface PairEntryBase extends EntryBase {
  readonly pair: string;
}

/** The guard, or a person, has paused a pair. */
export interface PairPausedEntry extends PairEntryBase {
  readonly kind: "agent_pair_paused";
  readonly reason: PauseReason;
  readonly count: number;
  readonly limit: number;
}

/** A message is held back from `to`. `text` is the whole message, `order` its place among the pair's held ones. */
export interface PairHeldEntry extends PairEntryBase {
  readonly kind: "agent_pair_held";
  readonly order: number;
  readonly entry: string;
  readonly to: string;
}

/** A pair goes on. Said by a person it restarts the burst as a directive does (behaviour 0.12). */
export interface PairResumedEntry extends PairEntryBase {
  readonly kind: "agent_pair_resumed";
}

/** A held message is delivered: this entry wakes `to` with it, unchecked, behind what waits already. */
export interface PairReleasedEntry extends PairEntryBase {
  readonly kind: "agent_pair_released";
  readonly order: number;
  readonly entry: string;
  readonly to: string;
}

/** A held message will not be delivered. */
export interface PairDroppedEntry extends PairEntryBase {
  readonly kind: "agent_pair_dropped";
  readonly order: number;
  readonly entry: string;
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
  | ErrorEntry
  | PairPausedEntry
  | PairHeldEntry
  | PairResumedEntry
  | PairReleasedEntry
  | PairDroppedEntry
  | UnknownEntry;

export type EntryKind = Entry["kind"];

type DraftOf<E> = E extends Entry ? Omit<E, "seq" | "session" | "v"> : never;

/** An entry before the store has given it its place. */
export type Draft = DraftOf<Exclude<Entry, UnknownEntry>>;

/** Whether routing has to decide about this entry: only messages, directives and released messages end in an outcome. */
export function needsOutcome(entry: Pick<Entry, "kind">): boolean {
  return entry.kind === "message" || entry.kind === "directive" || entry.kind === "agent_pair_released";
}

/** How an entry bears on the room's burst (behaviour 0.8, 0.9): counts, resets, or is looked through. */
export type BurstRole = "counts" | "resets" | "transparent";

export function burstRole(
  entry: Pick<Entry, "kind" | "sender" | "cause"> & { readonly asAgent?: true; readonly edits?: MessageEntry["edits"] },
): BurstRole {
  if (entry.kind === "directive") return "resets";
  if (entry.kind === "agent_pair_resumed") return entry.sender.kind === "person" ? "resets" : "transparent";
  if (entry.kind !== "message") return "transparent";
  if (entry.sender.kind === "person") return entry.edits?.late ? "transparent" : "resets";
  if (entry.sender.kind !== "agent" && entry.asAgent !== true) return "transparent";
  return entry.cause.kind === "schedule" || entry.cause.kind === "task" ? "transparent" : "counts";
}
