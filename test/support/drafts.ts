import type { Draft, MessageEntry, Sender } from "../../src/domain/entry.js";

const PERSON: Sender = { kind: "person", id: "u1", name: "Robin" };

type MessageDraft = Omit<MessageEntry, "seq" | "session" | "v">;

/** A person's message; `over` changes any part of it. */
export function personDraft(id: string, over: Partial<MessageDraft> = {}): Draft {
  return { kind: "message", id, sender: PERSON, text: `words of ${id}`, at: 1000, cause: { kind: "person" }, ...over };
}

/** An agent's message, as its turn appends it. */
export function agentDraft(id: string, persona = "alpha", over: Partial<MessageDraft> = {}): Draft {
  const sender: Sender = { kind: "agent", id: persona, name: persona };
  return personDraft(id, { sender, cause: { kind: "agent" }, ...over });
}

/** An entry that needs no outcome and that every burst looks through. */
export function noticeDraft(id: string, text = "something happened"): Draft {
  const sender: Sender = { kind: "system", id: "troupe", name: "Troupe" };
  return { kind: "notice", id, sender, text, at: 1000, cause: { kind: "agent" } };
}
