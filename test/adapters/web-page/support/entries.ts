import type { WireEntry } from "../../../../adapters/web/page/src/wire.js";

/** A message of the person as the service sends it. */
export function message(seq: number, extra: Partial<WireEntry> = {}): WireEntry {
  return {
    seq,
    id: `m${seq}`,
    kind: "message",
    sender: { kind: "person", id: "web:local:person", name: "You" },
    text: `text ${seq}`,
    at: new Date(Date.UTC(2026, 0, 5, 12, 0, seq)).toISOString(),
    outcome: null,
    ...extra,
  };
}

export function said(persona: string, seq: number, extra: Partial<WireEntry> = {}): WireEntry {
  return message(seq, { sender: { kind: "agent", id: persona, name: persona }, ...extra });
}
