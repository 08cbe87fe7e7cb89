import { type Entry, needsOutcome } from "../../src/domain/entry.js";
import type { Post } from "../../src/ports/platform.js";
import type { Logged, Store } from "../../src/ports/store.js";

/** Everything that is wrong with a quiet session's log in which every turn said something; nothing, if all is well. */
export function logProblems(session: string, log: readonly Logged[]): readonly string[] {
  const problems = [...outcomeProblems(log), ...turnProblems(log), ...overlapProblems(log), ...orderProblems(log)];
  return problems.map((problem) => `${session}: ${problem}`);
}

/** Whether every entry that has to end in an outcome does, with each persona woken once by a message. */
export function outcomeProblems(log: readonly Logged[]): readonly string[] {
  return log.flatMap(({ entry, outcome }) => {
    if (!needsOutcome(entry)) return outcome === undefined ? [] : [`entry ${entry.seq} must not have an outcome`];
    if (outcome === undefined) return [`entry ${entry.seq} has no outcome`];
    if (outcome.kind !== "parts" || entry.kind === "directive") return [];
    const names = outcome.parts.map(({ persona }) => persona);
    return new Set(names).size === names.length ? [] : [`entry ${entry.seq} has a persona twice: ${names.join(", ")}`];
  });
}

/** The personas that each entry's parts woke are answered exactly once each: by a reply, or by a line that says why not. */
function turnProblems(log: readonly Logged[]): readonly string[] {
  return log.flatMap(({ entry, outcome }) => {
    const woken = outcome?.kind === "parts" ? outcome.parts.filter(({ result }) => result === "woke") : [];
    return [...new Set(woken.map(({ persona }) => persona))].flatMap((persona) => {
      const expected = woken.filter((part) => part.persona === persona).length;
      const answers = log.filter(({ entry: other }) => isResult(other, entry.id, persona)).length;
      return answers === expected
        ? []
        : [`entry ${entry.seq} was answered ${answers} times by ${persona}, not ${expected}`];
    });
  });
}

/**
 * One turn at a time: between the entry that says that a turn has started and its result, no other turn starts; the
 * same one may, after the process died.
 */
function overlapProblems(log: readonly Logged[]): readonly string[] {
  const problems: string[] = [];
  let running: string | undefined;
  for (const { entry } of log) {
    const turn = turnOf(entry);
    if (entry.kind === "ack") {
      if (running !== undefined && running !== turn) problems.push(`the turn at ${entry.seq} starts during ${running}`);
      running = turn;
    } else if (isAnyResult(entry)) {
      if (running !== turn && !isCutOff(entry)) problems.push(`${entry.seq} ends ${turn}, which is not running`);
      running = undefined;
    }
  }
  return running === undefined ? problems : [...problems, `${running} never ended`];
}

/** Results come in the order of what they answer. */
function orderProblems(log: readonly Logged[]): readonly string[] {
  const seqOf = new Map(log.map(({ entry }) => [entry.id, entry.seq]));
  const results = log.flatMap(({ entry }) => (isAnyResult(entry) ? [entry] : []));
  const answered = results.map(({ cause }) => seqOf.get(cause.entry ?? "") ?? 0);
  return results.flatMap(({ seq }, i) => {
    const [before = 0, now = 0] = [answered[i - 1], answered[i]];
    return now < before ? [`${seq} answers ${now} after ${before}`] : [];
  });
}

function turnOf(entry: Entry): string {
  return `${entry.cause.entry} by ${personaOf(entry)}`;
}

function isAnyResult(entry: Entry): boolean {
  return isResult(entry, entry.cause.entry, personaOf(entry));
}

/** The end of a turn: its reply or the line of its failure. A `send_message` is said during a turn. */
function isResult(entry: Entry, handled: string | undefined, persona: string | undefined): boolean {
  if (handled === undefined || entry.cause.entry !== handled || personaOf(entry) !== persona) return false;
  return (
    entry.kind === "error" || (entry.kind === "message" && entry.sender.kind === "agent" && entry.to === undefined)
  );
}

/** A turn that the process's death ended three times is not started a fourth time. */
function isCutOff(entry: Entry): boolean {
  return entry.kind === "error" && entry.text.includes("cut off");
}

function personaOf(entry: Entry): string | undefined {
  if (entry.kind === "ack" || entry.kind === "error") return entry.persona;
  return entry.sender.kind === "agent" ? entry.sender.id : undefined;
}

/** What the channels show of a session differs from its log: posts that are missing, twice there or out of order. */
export function postProblems(
  session: string,
  log: readonly Logged[],
  posted: readonly { readonly post: Post }[],
): readonly string[] {
  const said = log.flatMap(({ entry }) =>
    entry.kind === "message" && entry.sender.kind === "agent" ? [entry.id] : [],
  );
  const notices = log.flatMap(({ entry }) => {
    return (entry.kind === "notice" || entry.kind === "error") && entry.notice !== undefined ? [entry.notice] : [];
  });
  const here = posted.filter(({ post }) => post.session === session);
  const shown = here.filter(({ post }) => post.body.kind === "text").map(({ post }) => post.id);
  const views = here.filter(({ post }) => post.body.kind === "view").map(({ post }) => post.id);
  return [
    ...(shown.join(" ") === said.join(" ") ? [] : [`${session} shows ${shown.join(" ")} for ${said.join(" ")}`]),
    ...(views.toSorted().join(" ") === notices.toSorted().join(" ")
      ? []
      : [`${session} shows notices ${views.join(" ")} for ${notices.join(" ")}`]),
  ];
}

/** Every session of a store with its whole log. */
export async function allLogs(store: Store): Promise<ReadonlyMap<string, readonly Logged[]>> {
  const logs = new Map<string, readonly Logged[]>();
  for (const room of await store.rooms("room")) {
    for (const { session } of await store.sessions(room)) logs.set(session, await store.read(session, 0, 1_000_000));
  }
  return logs;
}
