import type { Entry, EntryKind } from "./entry.js";

type Raw = Readonly<Record<string, unknown>>;

/** Turns a stored entry of version n into version n + 1. Pure; the stored entry itself is never rewritten. */
export type Upcaster = (raw: Raw) => Raw;

/** The first lifts version 1 to 2, and so on. Every version that has ever been written has a stored sample in the tests. */
const UPCASTERS: readonly Upcaster[] = [];

/** The version that this program writes. */
export const ENTRY_VERSION = 1;

const KINDS: Readonly<Record<Exclude<EntryKind, "unknown">, true>> = {
  message: true,
  directive: true,
  notice: true,
  summary: true,
  tool_call: true,
  tool_result: true,
  ack: true,
  error: true,
  agent_pair_paused: true,
  agent_pair_held: true,
  agent_pair_resumed: true,
  agent_pair_released: true,
  agent_pair_dropped: true,
};

/**
 * The entry that a stored form stands for, lifted to today's version. Never throws: a kind or version that this
 * program does not know becomes an `unknown` entry that keeps the raw form.
 */
export function upcast(raw: unknown, upcasters: readonly Upcaster[] = UPCASTERS): Entry {
  const stored: Raw = isRecord(raw) ? raw : {};
  const { v, kind } = stored;
  const latest = upcasters.length + 1;
  const known = typeof kind === "string" && Object.hasOwn(KINDS, kind);
  if (!known || !isVersion(v) || v > latest) return unknownEntry(stored, raw);
  const lifted = upcasters.slice(v - 1).reduce((entry, lift) => ({ ...lift(entry), v: latest }), stored);
  // The store wrote the form itself, and the chain ends at the type of today.
  return lifted as unknown as Entry;
}

function unknownEntry(stored: Raw, raw: unknown): Entry {
  return {
    kind: "unknown",
    v: ENTRY_VERSION,
    seq: typeof stored.seq === "number" ? stored.seq : 0,
    session: typeof stored.session === "string" ? stored.session : "",
    id: typeof stored.id === "string" ? stored.id : "",
    // Words that cannot be read carry no authority and say nothing.
    sender: { kind: "system", id: "unknown", name: "unknown" },
    text: "",
    at: typeof stored.at === "number" ? stored.at : 0,
    cause: { kind: "agent" },
    raw,
  };
}

function isRecord(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isVersion(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1;
}
