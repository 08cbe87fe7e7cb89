import { needsOutcome } from "../../domain/entry.js";
import type { IgnoreReason, Outcome, Part } from "../../domain/outcome.js";
import type { Logged } from "../../ports/store.js";
import { answer, type Command, type CommandCall, refusal } from "./command.js";

/** `/agent why [LINK or seq]`: what became of a message; without an argument, of the newest one. */
export const why: Command = {
  name: "why",
  usage: "[LINK or seq]",
  summary: "Tell whom a message woke, or why nobody",
  who: "all",
  async run(call) {
    const logged = await findMessage(call);
    if (!logged) return refusal("No such message here. Give its number (/agent why 12) or its link.");
    const { entry, outcome } = logged;
    return answer(
      {
        title: `Message ${entry.seq} of ${entry.sender.name}`,
        text: explain(outcome, call.context.team().displayName),
      },
      { seq: entry.seq, outcome: outcome ?? null },
    );
  },
};

async function findMessage({ context, session, args }: CommandCall): Promise<Logged | undefined> {
  const word = args[0];
  if (word === undefined) {
    const tail = await context.store.tail(session, 200);
    // The question itself may stand in the log, as a command after a mention.
    return tail.findLast(
      ({ entry, outcome }) => needsOutcome(entry) && !(outcome?.kind === "ignored" && outcome.reason === "command"),
    );
  }
  if (/^#?\d{1,12}$/.test(word)) {
    const seq = Number(word.replace("#", ""));
    const [logged] = seq > 0 ? await context.store.read(session, seq - 1, 1) : [];
    if (logged?.entry.seq === seq) return logged;
  }
  const id = word.split(/[/?#]/).at(-1) ?? word;
  return (await context.store.find(session, word)) ?? context.store.find(session, id);
}

/** An outcome in plain words. */
export function explain(outcome: Outcome | undefined, nameOf: (persona: string) => string): string {
  if (outcome === undefined) return "It has not been decided yet: it waits for its turn.";
  switch (outcome.kind) {
    case "ignored":
      return `It woke nobody: ${IGNORED[outcome.reason]}.`;
    case "superseded":
      return "It woke nobody: it was changed or deleted before its turn.";
    case "parts":
      return outcome.parts.map((part) => explainPart(part, nameOf)).join("\n");
  }
}

const IGNORED: Readonly<Record<IgnoreReason, string>> = {
  command: "it is a command",
  bot: "it comes from a bot that this room does not listen to",
  no_mention: "it mentions no persona",
  unknown_mention: "nobody here answers to the name in it",
  self_mention: "an agent cannot wake itself",
  empty_room: "no persona is in this room",
  expired: "it was said while Troupe was away, too long ago to answer",
};

function explainPart({ persona, result, ref }: Part, nameOf: (persona: string) => string): string {
  const name = nameOf(persona);
  switch (result) {
    case "woke":
      return ref === undefined ? `It woke ${name}.` : `It woke ${name} in ${ref}.`;
    case "suppressed":
      return `${name} was not woken: the burst budget was used up.`;
    case "held":
      return `It is held back from ${name} until a person resumes.`;
    case "refused":
      return `${name} did not get it: the delivery was refused.`;
  }
}
