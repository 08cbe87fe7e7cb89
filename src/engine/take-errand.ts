import type { MessageEntry } from "../domain/entry.js";
import type { StoredRecord } from "../ports/store.js";
import { type ChangeParts, joinParts } from "./change-parts.js";
import { ackDraft, turnChange } from "./commits.js";
import { MAX_ATTEMPTS } from "./config.js";
import type { EngineContext } from "./context.js";
import type { Errand, ErrandEnd } from "./errands.js";
import { SYSTEM } from "./notices.js";
import type { Surroundings } from "./plan.js";
import { type AgentSession, agentKey, keysOf, RECORDS } from "./records.js";
import { commitStep, type DrainDeps, type Next, type SessionRun } from "./session-run.js";
import { runTurn, type TurnReport } from "./turn.js";
import type { TurnSpec } from "./turn-spec.js";

type ErrandRecord = StoredRecord<Errand>;

const MAX_CONFLICTS = 5;

/** Takes the session's oldest errand to its end. `none`: it has none. The log must have no open entry. */
export async function takeErrand(deps: DrainDeps, run: SessionRun): Promise<Next | "none"> {
  const { context, slots, errands } = deps;
  const { session, room: id } = run.begun;
  const [record] = await context.store.list<Errand>(id, RECORDS.errand, keysOf(session));
  if (record === undefined) return "none";
  const { value: errand } = record;
  const { value: room } = await context.rooms.getOrNew(session, false);
  const isHere = context.rooms.members(room).includes(errand.persona);
  const wanted = await errands[errand.cause.kind].started(errand);
  if (wanted === undefined) return finish(deps, run, { record, end: { kind: "dropped" } });
  if (!isHere) return finish(deps, run, { record, end: { kind: "gone" } });
  if (errand.attempt >= MAX_ATTEMPTS) return finish(deps, run, { record, end: CUT_OFF });
  const leave = await slots.acquire(run.signal).catch(() => undefined);
  if (leave === undefined) return "leave";
  try {
    const around = { room, settings: await context.rooms.settings(room) };
    const started = await start(deps, run, record, { around, wanted });
    return started === undefined ? "leave" : await take(deps, run, started, around);
  } finally {
    leave();
  }
}

const CUT_OFF: ErrandEnd = { kind: "failed", reason: `the turn was cut off ${MAX_ATTEMPTS} times.`, usage: [] };

/** An errand whose turn has been started, with its record as it stands now. */
interface Started {
  readonly record: ErrandRecord;
  readonly spec: TurnSpec;
}

interface Starting {
  readonly around: Surroundings;
  readonly wanted: Partial<ChangeParts>;
}

async function start(
  { context }: DrainDeps,
  run: SessionRun,
  record: ErrandRecord,
  { around, wanted }: Starting,
): Promise<Started | undefined> {
  const errand: Errand = { ...record.value, attempt: record.value.attempt + 1 };
  const persona = context.team().persona(errand.persona);
  if (persona === undefined) return undefined;
  const { begun, cursor } = run;
  const { room } = around;
  const agent = await context.store.get<AgentSession>(room.id, RECORDS.agent, agentKey(begun.session, persona.name));
  const waking = await wakingEntry(context, errand);
  const shown = errand.fresh ? undefined : agent;
  const asked = { id: errand.id, fresh: errand.fresh };
  const spec: TurnSpec = { room, begun, cursor, handled: waking, waking, persona, agent: shown, errand: asked };
  const ack = { ...ackDraft(context, spec), attempt: errand.attempt };
  const change = joinParts(wanted, { append: [{ session: begun.session, entry: ack }] }, replaced(record, errand));
  if ((await commitStep(context, run, change, cursor)) === "leave") return undefined;
  return { record: { ...record, value: errand, version: record.version + 1 }, spec };
}

/** What the turn answers. It stands in no log: its place only orders what the turn says behind what is there. */
async function wakingEntry({ store, clock }: EngineContext, { id, session, prompt, cause }: Errand) {
  const seq = (await store.session(session))?.seq ?? 0;
  const entry: MessageEntry = {
    v: 1,
    kind: "message",
    seq,
    session,
    id,
    sender: SYSTEM,
    text: prompt,
    at: clock.now(),
    cause,
  };
  return entry;
}

async function take(deps: DrainDeps, run: SessionRun, { record, spec }: Started, around: Surroundings): Promise<Next> {
  const report = await runTurn(deps, spec, run.signal);
  const { result } = report;
  const stopped = result.kind === "stopped" ? result.cause.kind : undefined;
  if (stopped === "lost") return "leave";
  if (stopped === "shutdown") return park(deps.context, run, record);
  return finish(deps, run, { record, end: endOf(report), said: turnChange(deps.context, spec, report, around) });
}

function endOf({ result, usage }: TurnReport): ErrandEnd {
  switch (result.kind) {
    case "replied":
      return { kind: "done", usage };
    case "failed":
      return { kind: "failed", reason: result.failure.safeMessage, usage };
    case "stopped":
      return { kind: "stopped", by: result.cause.kind === "person" ? result.cause.by : "Troupe" };
  }
}

/** The process stops: the errand will be taken again at the next start, and this attempt does not count. */
async function park(context: EngineContext, run: SessionRun, record: ErrandRecord): Promise<Next> {
  const errand = { ...record.value, attempt: record.value.attempt - 1 };
  await commitStep(context, run, joinParts(replaced(record, errand)), run.cursor);
  return "leave";
}

/** What is left to commit of an errand. */
interface Ending {
  readonly record: ErrandRecord;
  readonly end: ErrandEnd;
  /** What its turn said and left behind. */
  readonly said?: Partial<ChangeParts>;
}

/**
 * Commits what the turn said, what its sender makes of it, and the errand's end. The sender's records may have been changed by a
 * person meanwhile: then only they are looked at again, not the turn run again.
 */
async function finish(
  { context, errands }: DrainDeps,
  run: SessionRun,
  { record, end, said = {} }: Ending,
): Promise<Next> {
  const { session, room, fence } = run.begun;
  const { kind, key, version, value } = record;
  const turn = { session, fence, from: run.cursor, to: run.cursor };
  const over = { expect: [{ kind, key, version }], delete: [{ kind, key }] };
  let words = said;
  for (let i = 0; i < MAX_CONFLICTS; i++) {
    const settled = await errands[value.cause.kind].settled(value, end);
    const { status } = await context.commit({ room, turn, ...joinParts(words, settled, over) });
    if (status === "ok") return "go on";
    // Said before: an id of this errand stands in the log already.
    if (status === "duplicate") words = {};
    else if (status !== "conflict") return "leave";
  }
  await context.queue.wake(session);
  return "leave";
}

function replaced({ kind, key, version, due }: ErrandRecord, value: Errand): Partial<ChangeParts> {
  return { expect: [{ kind, key, version }], put: [{ kind, key, value, ...(due === undefined ? {} : { due }) }] };
}
