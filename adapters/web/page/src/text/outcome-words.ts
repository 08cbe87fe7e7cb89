import type { IgnoreReason, Outcome, Part, WireEntry } from "../wire.js";

const IGNORED: Readonly<Record<IgnoreReason, string>> = {
  command: "It was a command to Troupe itself. It was answered and woke nobody.",
  bot: "It came from another bot that this room does not listen to, so it woke nobody.",
  no_mention: "It addresses nobody, so it woke nobody.",
  unknown_mention: "It names somebody who is not in this room, so it woke nobody.",
  self_mention: "It mentions only its own author, so it woke nobody.",
  empty_room: "No persona is in this room that could answer.",
  expired: "It was said while Troupe was away, too long ago to answer.",
};

const PARTS: Readonly<Record<Part["result"], (name: string) => string>> = {
  woke: (name) => `It woke ${name}.`,
  suppressed: (name) =>
    `It did not wake ${name}: the burst budget was used up. Continue wakes ${name} with this message.`,
  held: (name) => `Its delivery to ${name} is held back until a person resumes the pair.`,
  refused: (name) => `It was not delivered to ${name}: too many messages are held already.`,
};

/** The outcome of an entry in plain words, one sentence per addressee. `nameOf` gives a handle's shown name. */
export function explain(entry: Pick<WireEntry, "outcome">, nameOf: (persona: string) => string): readonly string[] {
  const outcome: Outcome | null | undefined = entry.outcome;
  if (outcome === undefined || outcome === null)
    return ["Not decided yet: it is being worked on, or waits for its turn."];
  if (outcome.kind === "superseded") return ["It was edited or deleted before its turn."];
  if (outcome.kind === "ignored") return [IGNORED[outcome.reason] ?? `It woke nobody (${outcome.reason}).`];
  if (outcome.parts.length === 0) return ["It woke nobody."];
  return outcome.parts.map((part) => PARTS[part.result](nameOf(part.persona)));
}

/** From whom something kept the message: worth a mark without being asked. */
export function keptFrom(entry: Pick<WireEntry, "outcome">): readonly string[] {
  const outcome = entry.outcome;
  return outcome?.kind === "parts"
    ? outcome.parts.filter((part) => part.result !== "woke").map((part) => part.persona)
    : [];
}
