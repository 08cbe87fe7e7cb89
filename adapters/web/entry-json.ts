import type { Entry, Logged } from "../../src/index.js";

/** One entry as the HTTP interface shows it (product section 7), with what its kind adds. `at` is ISO 8601 UTC. */
export function entryJson({ entry, outcome }: Logged): Readonly<Record<string, unknown>> {
  const { seq, id, kind, sender, text, at, cause } = entry;
  return {
    seq,
    id,
    kind,
    sender: { kind: sender.kind, id: sender.id, name: sender.name },
    text,
    at: new Date(at).toISOString(),
    cause: { kind: cause.kind, entry: cause.entry },
    outcome: outcome ?? null,
    ...extras(entry),
  };
}

/** Named one by one: what an entry holds for its brain alone stays inside. */
function extras(entry: Entry): Readonly<Record<string, unknown>> {
  switch (entry.kind) {
    case "message":
      return { to: entry.to, answers: entry.answers, mayResume: entry.mayResume, asAgent: entry.asAgent };
    case "directive":
      return { action: entry.action, wakes: entry.wakes };
    case "notice":
      return { notice: entry.notice };
    case "summary":
      return { upTo: entry.upTo };
    case "tool_call":
      return { call: entry.call, tool: entry.tool, input: entry.input };
    case "tool_result":
      return { call: entry.call, tool: entry.tool, ok: entry.ok, work: entry.work };
    case "ack":
      return { entry: entry.entry, persona: entry.persona, attempt: entry.attempt };
    case "error":
      return { entry: entry.entry, persona: entry.persona, code: entry.code, notice: entry.notice };
    case "agent_pair_paused":
      return { pair: entry.pair, reason: entry.reason, count: entry.count, limit: entry.limit };
    case "agent_pair_held":
    case "agent_pair_released":
      return { pair: entry.pair, order: entry.order, entry: entry.entry, to: entry.to };
    case "agent_pair_dropped":
      return { pair: entry.pair, order: entry.order, entry: entry.entry };
    case "agent_pair_resumed":
      return { pair: entry.pair };
    case "unknown":
      return {};
  }
}
