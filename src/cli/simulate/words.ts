import type { Outcome } from "../../domain/outcome.js";
import type { Trip } from "../../domain/pair.js";
import { explainTrip, type NameOf } from "../../domain/pause-view.js";
import type { Delivery, Exhaustion, Fate, Pause, Peak, Step } from "../../domain/simulation/simulation.js";

/** What would become of one addressee. */
export function deliveryWords({ persona, result, trip }: Delivery, nameOf: NameOf): string {
  const name = nameOf(persona);
  switch (result) {
    case "woke":
      return `wakes ${name}`;
    case "suppressed":
      return `budget used up: ${name} waits`;
    case "held":
      return trip === undefined ? `held for ${name}: still paused` : `held for ${name}: ${RULES[trip.reason]}, paused`;
    case "refused":
      return `refused: too much is held for ${name}`;
  }
}

/** The guard's rules in two words. */
const RULES: Readonly<Record<Trip["reason"], string>> = {
  alternation: "back and forth",
  repeats: "all alike",
  cap: "too many",
  manual: "by hand",
  release_failed: "not delivered",
};

/** What would become of an entry that wakes nobody by itself. */
export function fateWords(fate: Exclude<Fate, { kind: "decided" }>, { unknown }: Step, nameOf: NameOf): string {
  switch (fate.kind) {
    case "ignored":
      return ignoredWords(fate.reason, unknown);
    case "superseded":
      return "taken back before its turn";
    case "unsaid":
      return fate.end === undefined ? "not said" : `not said: it ends at #${fate.end.seq}`;
    case "resumed": {
      const names = fate.delivered.map(({ persona }) => nameOf(persona)).join(", ");
      return names === "" ? "resumes; nothing was held" : `resumes: held messages wake ${names}`;
    }
    case "needless":
      return "not pressed: nothing waits";
  }
}

function ignoredWords(reason: string, unknown: readonly string[]): string {
  switch (reason) {
    case "no_mention":
      return "wakes nobody: names nobody";
    case "unknown_mention":
      return `wakes nobody: ${unknown.map((name) => `@${name}`).join(", ") || "the name"} is not here`;
    case "self_mention":
      return "wakes nobody: names only itself";
    case "empty_room":
      return "wakes nobody: nobody is here";
    case "command":
      return "a command";
    case "bot":
      return "another bot";
    default:
      return `wakes nobody: ${reason.replaceAll("_", " ")}`;
  }
}

/** Names that a person's message is not passed on to, and why; empty where there are none. */
export function passedOver({ beyond, unknown }: Step, nameOf: NameOf): string {
  const words = [
    beyond.length > 0 && `not ${beyond.map(nameOf).join(", ")}: the fan-out`,
    unknown.length > 0 && `${unknown.map((name) => `@${name}`).join(", ")} is not here`,
  ];
  const text = words.filter(Boolean).join("; ");
  return text === "" ? "" : ` (${text})`;
}

/** What is recorded, in the words of `troupe log`. */
export function recordedWords(outcome: Outcome | undefined, nameOf: NameOf): string {
  if (outcome === undefined) return "was pressed";
  if (outcome.kind === "superseded") return "taken back";
  if (outcome.kind === "ignored") return `ignored (${outcome.reason.replaceAll("_", " ")})`;
  return outcome.parts.map(({ persona, result }) => `${result} ${nameOf(persona)}`).join(", ");
}

/** A pause and how it would have ended. */
export function pauseWords({ agents, trip, held, refused, dropped, end }: Pause, nameOf: NameOf): string {
  const [a, b] = agents.map(nameOf);
  const counts = [`${held} held`, refused > 0 && `${refused} refused`, dropped > 0 && `${dropped} dropped`];
  const by =
    end === undefined
      ? "Nobody resumes."
      : `${end.entry.sender.name} resumes at #${end.entry.seq}: ${end.delivered} delivered.`;
  return `${a} and ${b} are paused: ${explainTrip(trip)} ${counts.filter(Boolean).join(", ")}. ${by}`;
}

/** A burst that the budget would have ended. */
export function exhaustionWords({ used, budget, waiting, continued }: Exhaustion, nameOf: NameOf): string {
  const names = [...new Set(waiting)].map(nameOf).join(", ");
  const by = continued === undefined ? "" : ` ${continued.sender.name} continues at #${continued.seq}.`;
  return `The budget is used up, ${used} of ${budget}: ${names} waits.${by}`;
}

/** How near one of the guard's rules would have come. */
export function peakWords({ reason, count, limit, entry }: Peak): string {
  const what = { alternation: "back and forth", repeats: "alike in a row", cap: "in the window" }[reason];
  return `${count} of ${limit} ${what} at #${entry.seq}`;
}
