import type { AckEntry, DirectiveEntry, Entry, MessageEntry } from "../../src/domain/entry.js";
import type { SessionId } from "../../src/domain/ids.js";
import type { Outcome } from "../../src/domain/outcome.js";
import type { Pair } from "../../src/domain/pair.js";
import type { WorkLog } from "../../src/domain/progress.js";
import type { Change, Store } from "../../src/ports/store.js";
import type { Attempt, GuardModel } from "./guard-model.js";
import type { Committed } from "./watched-store.js";

/**
 * Tells a model what a commit says has happened, in the order in which it counts: work, prompts, deliveries, pauses and
 * releases, and then the pairs' records as they are written. Rejects where the model disagrees.
 */
export async function followCommit(store: Store, model: GuardModel, committed: Committed, now: number): Promise<void> {
  const { change, result } = committed;
  const { entries } = result;
  const pairs = putsOf<Pair>(change, "pair");
  for (const { key, value } of putsOf<WorkLog>(change, "work")) tellWork(model, key, value);
  for (const { key, value } of pairs) model.name(key, value.sides);
  for (const { message, persona } of await promptsIn(store, committed)) {
    model.prompt(
      message,
      persona,
      entries,
      pairs.map(({ key }) => key),
    );
  }
  for (const attempt of await attemptsIn(store, committed)) model.attempt(attempt, entries, now);
  for (const entry of entries) tellEntry(model, entry);
  for (const { value } of pairs) model.compare(value);
  model.settle();
}

function putsOf<T>({ put = [] }: Change, kind: string): readonly { readonly key: string; readonly value: T }[] {
  // What the engine puts under a kind is what it types it as.
  return put.filter((one) => one.kind === kind).map(({ key, value }) => ({ key, value: value as T }));
}

function tellWork(model: GuardModel, key: string, log: WorkLog): void {
  const [session = "", agent = ""] = key.split("|");
  model.worked({ session, agent }, log.calls.at(-1)?.digest ?? "");
}

function tellEntry(model: GuardModel, entry: Entry): void {
  if (entry.kind === "agent_pair_paused") model.paused(entry);
  if (entry.kind === "agent_pair_resumed") model.resumed(entry);
  if (entry.kind === "agent_pair_released") model.released(entry);
  if (entry.kind === "agent_pair_dropped") model.dropped(entry);
}

/** Turns that begin for the first time. */
function startsIn({ result }: Committed): readonly AckEntry[] {
  return result.entries.flatMap((entry) => (entry.kind === "ack" && entry.attempt === 1 ? [entry] : []));
}

/** The entry that the commit's turn handles: the one behind its cursor. */
async function handledIn(store: Store, { change }: Committed): Promise<Entry | undefined> {
  if (change.turn === undefined) return undefined;
  const [logged] = await store.read(change.turn.session, change.turn.to.seq, 1);
  return logged?.entry;
}

async function promptsIn(store: Store, committed: Committed) {
  const starts = startsIn(committed);
  const message = starts.length === 0 ? undefined : await handledIn(store, committed);
  if (message?.kind !== "message" || message.sender.kind !== "person") return [];
  return starts.map(({ persona }) => ({ message, persona }));
}

/** The deliveries that the commit decides about. */
async function attemptsIn(store: Store, committed: Committed): Promise<readonly Attempt[]> {
  const { entries } = committed.result;
  const sent = entries.flatMap((entry): Attempt[] =>
    entry.kind === "message" && entry.accepted ? [{ message: entry, to: entry.to ?? "", result: "accepted" }] : [],
  );
  return [...sent, ...(await wokenIn(store, committed)), ...(await keptIn(store, committed))];
}

/** Turns that begin with an agent's message that nothing has accepted before. */
async function wokenIn(store: Store, committed: Committed): Promise<readonly Attempt[]> {
  const starts = startsIn(committed);
  const handled = starts.length === 0 ? undefined : await handledIn(store, committed);
  const isAccepted =
    handled?.kind === "agent_pair_released" || (handled?.kind === "directive" && handled.action === "retry");
  if (isAccepted) return [];
  const attempts = await Promise.all(
    starts.map(async ({ session, entry, persona }): Promise<Attempt[]> => {
      const message = await messageAt(store, session, entry);
      if (message === undefined || message.sender.kind === "person" || message.accepted) return [];
      return [{ message, to: persona, result: "accepted" }];
    }),
  );
  return attempts.flat();
}

/** Messages that the commit's outcomes say are held, or refused because too many are. */
async function keptIn(store: Store, { change }: Committed): Promise<readonly Attempt[]> {
  const appended = (change.append ?? []).map(({ session, entry, outcome }) => ({ session, id: entry.id, outcome }));
  const decided = await Promise.all(
    (change.outcomes ?? []).map(async ({ session, seq, outcome }) => {
      const [logged] = await store.read(session, seq - 1, 1);
      return { session, id: logged?.entry.id ?? "", outcome };
    }),
  );
  const attempts = [...appended, ...decided].map(async ({ session, id, outcome }): Promise<Attempt[]> => {
    const kept = keptPart(outcome);
    if (kept === undefined) return [];
    const entry = (await store.find(session, id))?.entry;
    const message = entry?.kind === "directive" ? await continued(store, entry, outcome) : entry;
    return message?.kind === "message" ? [{ message, ...kept }] : [];
  });
  return (await Promise.all(attempts)).flat();
}

/** The newest part of an outcome, if the guard has kept the message back. */
function keptPart(outcome: Outcome | undefined): Omit<Attempt, "message"> | undefined {
  const part = outcome?.kind === "parts" ? outcome.parts.at(-1) : undefined;
  if (part?.result === "held") return { to: part.persona, result: "held" };
  return part?.result === "refused" && part.ref === "held_full" ? { to: part.persona, result: "refused" } : undefined;
}

/** The message that a Continue was about when its newest part was decided: each part takes its persona's first wake off. */
function continued(store: Store, { session, wakes }: DirectiveEntry, outcome: Outcome | undefined) {
  const personas = outcome?.kind === "parts" ? outcome.parts.map(({ persona }) => persona) : [];
  const newest = personas.at(-1);
  const before = personas.filter((persona) => persona === newest).length - 1;
  const wake = wakes.filter(({ persona }) => persona === newest)[before];
  return messageAt(store, session, wake?.entry ?? "");
}

async function messageAt(store: Store, session: SessionId, id: string): Promise<MessageEntry | undefined> {
  const entry = (await store.find(session, id))?.entry;
  return entry?.kind === "message" ? entry : undefined;
}
