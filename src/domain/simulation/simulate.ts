import { burstRole, type Entry, type MessageEntry } from "../entry.js";
import type { Outcome } from "../outcome.js";
import { routeAgent } from "../route.js";
import { decideNow, settle } from "./decide.js";
import { appendDirective, appendReleased, appendResumed } from "./presses.js";
import { createReplay, type Item, noteAddressed, type Replay, startBurst } from "./replay.js";
import type { Delivery, Fate, Recorded, SimulatedRoom, Simulation, Step } from "./simulation.js";
import { turnKey } from "./timing.js";

/**
 * Replays a log through routing, budget and guard, with the rules of the engine itself. What people said and pressed
 * stands as it is; a persona's message counts only if, in the replay, something woke the persona to say it. So other
 * thresholds show how far a conversation would have gone, not only where the first difference is.
 */
export function simulate(log: readonly Recorded[], room: SimulatedRoom): Simulation {
  const replay = createReplay(log, room);
  log.forEach((recorded, index) => {
    replay.now = recorded.entry.at;
    append(replay, recorded);
    settle(replay, index);
  });
  settle(replay, Number.POSITIVE_INFINITY);
  const { items, guard, peaks } = replay;
  const exhaustions = replay.exhaustions.map(({ targets: _, ...exhaustion }) => exhaustion);
  return { steps: items.map(stepOf), pauses: guard.pauses, exhaustions, peaks: peaks.list() };
}

function append(replay: Replay, recorded: Recorded): void {
  const { entry } = recorded;
  const { guard, inputs } = replay;
  replay.entries.set(entry.id, entry);
  switch (entry.kind) {
    case "message":
      appendMessage(replay, recorded, entry);
      break;
    case "directive":
      appendDirective(replay, recorded, entry);
      break;
    case "agent_pair_resumed":
      appendResumed(replay, recorded, entry);
      break;
    case "agent_pair_paused":
      if (entry.reason === "manual") guard.pauseByHand(entry);
      break;
    case "agent_pair_dropped":
      guard.drop(entry);
      break;
    case "agent_pair_released":
      appendReleased(replay, recorded, entry);
      break;
    case "tool_call":
      inputs.set(callKey(entry), entry.input);
      break;
    case "tool_result":
      if (entry.work && isRunning(replay, entry))
        guard.work(entry.sender.id, JSON.stringify([entry.tool, inputs.get(callKey(entry)) ?? null, entry.text]));
      break;
    default:
  }
}

function callKey(entry: Entry & { readonly call: string }): string {
  return `${turnKey(entry.cause.entry ?? "", entry.sender.id)} ${entry.call}`;
}

function appendMessage(replay: Replay, recorded: Recorded, message: MessageEntry): void {
  const item: Item = { recorded, deliveries: [], previousSpeaker: replay.previousSpeaker };
  replay.items.push(item);
  if (message.sender.kind === "agent" && !isRunning(replay, message)) {
    const cause = causeOf(replay, message);
    const end = replay.ends.get(cause?.id ?? "") ?? cause;
    if (end !== undefined) replay.ends.set(message.id, end);
    item.fate = { kind: "unsaid", ...(end === undefined ? {} : { end }) };
    noteAddressed(replay, message, routeAgent(message, replay.room));
    return;
  }
  replay.said.set(message.id, message);
  replay.previousSpeaker = message.sender.kind === "agent" ? message.sender.id : undefined;
  // Nobody asks for more than what is over the budget.
  if (burstRole(message) === "counts")
    replay.burst = [...replay.burst, message].slice(-replay.room.settings.budget - 1);
  if (burstRole(message) === "resets") startBurst(replay);
  const settled = settledBefore(recorded.outcome);
  if (settled) {
    item.fate = settled;
    return;
  }
  replay.queue.push(item);
  // `send_message` passes the accept point before it stands in the log.
  if (message.sender.kind === "agent" && message.to !== undefined) decideNow(replay, item);
}

/** What was decided outside of routing: it cannot be another. */
function settledBefore(outcome: Outcome | undefined): Fate | undefined {
  if (outcome?.kind === "superseded") return { kind: "superseded" };
  const isFixed = outcome?.kind === "ignored" && (outcome.reason === "command" || outcome.reason === "bot");
  return isFixed ? outcome : undefined;
}

/** Whether the turn that wrote the entry runs in the replay. What a log does not tell is taken as it stands. */
function isRunning(replay: Replay, entry: Entry): boolean {
  const cause = causeOf(replay, entry);
  if (cause === undefined) return true;
  const turn = turnKey(cause.id, entry.sender.id);
  const isOpen = replay.queue.some(({ recorded }) => recorded.entry.id === cause.id);
  // A log without the beginnings of turns: whatever woke the author has been decided by now.
  if (isOpen && !replay.woken.has(turn)) settle(replay, Number.POSITIVE_INFINITY);
  return replay.woken.has(turn);
}

/** What woke the entry's author: as the log says, else what last addressed the author. */
function causeOf({ entries, addressing }: Replay, { cause, sender }: Entry): Entry | undefined {
  return cause.entry === undefined ? addressing.get(sender.id) : entries.get(cause.entry);
}

function stepOf({ recorded: { entry, outcome }, route, fate = { kind: "needless" } }: Item): Step {
  const isPerson = entry.sender.kind === "person";
  return {
    entry,
    fate,
    beyond: isPerson ? (route?.beyond ?? []) : [],
    unknown: route?.unknown ?? [],
    ...(outcome === undefined ? {} : { recorded: outcome }),
    differs: differs(fate, outcome, entry),
  };
}

function differs(fate: Fate, recorded: Outcome | undefined, entry: Entry): boolean {
  if (entry.kind === "agent_pair_resumed") return fate.kind === "needless";
  if (recorded === undefined) return false;
  if (fate.kind === "decided" && recorded.kind === "parts") {
    const words = (parts: readonly Pick<Delivery, "persona" | "result">[]) =>
      parts.map(({ persona, result }) => `${persona} ${result}`).join();
    return words(fate.deliveries) !== words(recorded.parts);
  }
  if (fate.kind === "ignored" && recorded.kind === "ignored") return fate.reason !== recorded.reason;
  return fate.kind !== recorded.kind;
}
