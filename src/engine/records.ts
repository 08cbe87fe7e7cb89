import { type SessionId, threadOf } from "../domain/ids.js";
import type { Identity } from "../domain/persona.js";

/** Kinds of the room records that the engine keeps. */
export const RECORDS = {
  room: "room",
  notice: "notice",
  agent: "agent",
  outbox: "outbox",
  posted: "posted",
  usage: "usage",
  revision: "revision",
  pair: "pair",
  held: "held",
  work: "work",
  errand: "errand",
  schedule: "schedule",
  schedules: "schedules",
  fire: "fire",
} as const;

/** What a person has made of a message that still waits: other words, or (absent) a deleted one. Key: session and entry id. */
export interface Revision {
  readonly text?: string;
}

export function revisionKey(session: SessionId, entry: string): string {
  return `${session}|${entry}`;
}

/** The room's own record has one key. */
export const ROOM_KEY = "room";

/** A persona in a session: how many turns it has had, and what its brain keeps. */
export interface AgentSession {
  readonly turns: number;
  readonly state?: unknown;
}

export function agentKey(session: SessionId, persona: string): string {
  return `${session}|${persona}`;
}

/**
 * Something to show on a platform. What is shown is read from the entry or the notice when the row's turn comes, so an
 * edited notice is posted as it stands then. `sending`: the call may have been made; look before posting again. With 0 attempts:
 * put like that in the commit of its turn, which saves a commit of its own.
 */
export interface OutboxRow {
  readonly session: SessionId;
  readonly subject:
    | { readonly type: "entry"; readonly entry: string }
    | { readonly type: "notice"; readonly notice: string }
    | { readonly type: "edit"; readonly notice: string };
  readonly identity?: Identity;
  readonly state: "pending" | "sending" | "unknown" | "failed";
  readonly attempts: number;
  readonly attemptedAt?: number;
  /** The platform's ids of the parts that have been posted already, in order. */
  readonly messageIds?: readonly string[];
  /** Why it was given up (`unknown`, `failed`). */
  readonly reason?: string;
}

/** An outbox row as it has just been put. */
export interface OutboxPut {
  readonly key: string;
  readonly value: OutboxRow;
}

/** The platform's ids of something that has been posted. Key: entry id or notice id. */
export interface Posted {
  readonly messageIds: readonly string[];
  /** Whose it is, on the records that are keyed by the platform's id (`message|ID`). */
  readonly persona?: string;
  /** On the same records: the entry that stands there. */
  readonly entry?: string;
}

/** One part of an entry's outcome, and who is woken by it: what a turn is for, however often it is run. */
export interface TurnPlace {
  readonly session: SessionId;
  /** Position of the entry that the drain handles. */
  readonly seq: number;
  readonly part: number;
  readonly persona: string;
  /** The errand's id, where the turn is for one and not for an entry: `seq` then only orders what it says. */
  readonly errand?: string;
}

/**
 * The beginning of every id that a turn gives to what it appends: the same in every run of the turn, unique in the room,
 * and short however long the chain of turns is.
 */
export function turnId({ session, seq, part, persona, errand }: TurnPlace): string {
  const thread = threadOf(session);
  return `${thread === undefined ? "" : `${thread}/`}${errand ?? `${seq}.${part}`}>${persona}`;
}

/** What the keys of a session's records begin with, where it stands first in them. No platform's ids hold the mark behind it. */
export function keysOf(session: SessionId): string {
  return `${session}|`;
}

/** Key of an outbox row: sorts by session, then in the order of the log. */
export function outboxKey(session: SessionId, order: number, part: string): string {
  return `${keysOf(session)}${String(order).padStart(12, "0")}|${part}`;
}

/** Key of the outbox row of something that a turn says: `number` counts its messages, the reply comes last. */
export function turnPostKey({ session, seq, part, errand }: TurnPlace, number: number | "reply"): string {
  const place = number === "reply" ? "~" : String(number).padStart(4, "0");
  return outboxKey(session, seq, `${errand ?? String(part).padStart(4, "0")}-${place}`);
}
