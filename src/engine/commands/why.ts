import { needsOutcome } from "../../domain/entry.js";
import { roomOf } from "../../domain/ids.js";
import type { IgnoreReason, Outcome, Part } from "../../domain/outcome.js";
import type { MessagePlace } from "../../ports/platform.js";
import type { Logged, Store } from "../../ports/store.js";
import { platformFor } from "../context.js";
import { type Posted, RECORDS } from "../records.js";
import { goesOnAs } from "../revise.js";
import { answer, type Command, type CommandCall, refusal } from "./command.js";

/** `/agent why [LINK or seq]`: what became of a message; without an argument, of the newest one. */
export const why: Command = {
  name: "why",
  usage: "[LINK or seq]",
  inputs: [{ name: "message", summary: "Its link or its number; the newest without one", takes: "text" }],
  summary: "Tell whom a message woke, or why nobody",
  who: "all",
  async run(call) {
    const { context, session, args } = call;
    const place = args[0] === undefined ? undefined : platformFor(context, session)?.locate?.(args[0]);
    if (place && roomOf(place.session) !== roomOf(session))
      return refusal("That message is in another room. Ask there: what is said in a room stays in it.");
    const logged = place ? await findPlaced(context.store, place) : await findMessage(call);
    if (!logged) return refusal("No such message here. Give its number (/agent why 12) or its link.");
    const { entry, outcome } = await newestOf(context.store, logged);
    return answer(
      {
        title: `Message ${entry.seq} of ${entry.sender.name}`,
        text: explain(outcome, context.team().displayName),
      },
      { seq: entry.seq, outcome: outcome ?? null },
    );
  },
};

/** A person's message has the platform's id as its own; of a persona's it was noted when it was posted. */
async function findPlaced(store: Store, { session, id }: MessagePlace): Promise<Logged | undefined> {
  const posted = await store.get<Posted>(roomOf(session), RECORDS.posted, `message|${id}`);
  return store.find(session, posted?.value.entry ?? id);
}

/** What an edited message became: the version that was decided last. */
async function newestOf(store: Store, logged: Logged): Promise<Logged> {
  let newest = logged;
  for (let i = 0; i < MOST_EDITS; i++) {
    const { entry, outcome } = newest;
    if (entry.kind !== "message" || outcome === undefined) return newest;
    const places = goesOnAs(entry, outcome).map((place) => ({ session: entry.session, id: entry.id, ...place }));
    const next = await Promise.all(places.map(({ session, id }) => store.find(session, id)));
    const found = next.find((edit) => edit?.entry.kind === "message" && edit.entry.edits !== undefined);
    if (found === undefined) return newest;
    newest = found;
  }
  return newest;
}

/** Edits of one message that are followed. */
const MOST_EDITS = 50;

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
