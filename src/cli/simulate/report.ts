import type { Fate, SimulatedRoom, Simulation } from "../../domain/simulation/simulation.js";

/** A replay as JSON for programs. Entries are named by their `seq`. */
export function simulationJson(source: string, room: SimulatedRoom, simulation: Simulation): object {
  const { steps, pauses, exhaustions, peaks } = simulation;
  const { host = null, members, settings, guard } = room;
  return {
    source,
    personas: members,
    host,
    settings,
    guard,
    steps: steps.map(({ entry, fate, recorded = null, beyond, unknown, differs }) => ({
      seq: entry.seq,
      id: entry.id,
      kind: entry.kind,
      sender: entry.sender,
      text: entry.text,
      outcome: fateJson(fate),
      recorded,
      differs,
      beyond,
      unknown,
    })),
    pauses: pauses.map(({ entry, end, ...pause }) => ({
      ...pause,
      seq: entry.seq,
      resumed: end === undefined ? null : { seq: end.entry.seq, by: end.entry.sender.name, delivered: end.delivered },
    })),
    exhaustions: exhaustions.map(({ entry, continued, ...exhaustion }) => ({
      ...exhaustion,
      seq: entry.seq,
      continued: continued === undefined ? null : { seq: continued.seq, by: continued.sender.name },
    })),
    peaks: peaks.map(({ entry, ...peak }) => ({ ...peak, seq: entry.seq })),
    differences: steps.filter(({ differs }) => differs).length,
  };
}

function fateJson(fate: Fate): object {
  return fate.kind === "unsaid" ? { kind: fate.kind, end: fate.end?.seq ?? null } : fate;
}
