/** Why a message or directive woke nobody (behaviour 0.1). A closed list: `/agent why` explains each. */
export type IgnoreReason =
  | "command" // words after a mention of the app: answered, wakes nobody
  | "bot" // another bot that this room does not allow-list
  | "no_mention" // nothing in the text addresses a persona
  | "unknown_mention" // the text names somebody who is not attached here
  | "self_mention" // an agent named only itself
  | "empty_room" // no eligible persona is attached
  | "expired"; // said while we were away, and too long ago to answer

/** What became of one addressee of an entry. `ref`: the thread's session, the held entry or the reply. */
export interface Part {
  readonly persona: string;
  readonly result: "woke" | "suppressed" | "held" | "refused";
  readonly ref?: string;
}

/** Every message and directive ends in exactly one of these; parts stand in text order. */
export type Outcome =
  | { readonly kind: "ignored"; readonly reason: IgnoreReason }
  | { readonly kind: "superseded" }
  | { readonly kind: "parts"; readonly parts: readonly Part[] };

/** The outcome after one more part has been decided. */
export function withPart(outcome: Outcome | undefined, part: Part): Outcome {
  const parts = outcome?.kind === "parts" ? outcome.parts : [];
  return { kind: "parts", parts: [...parts, part] };
}
