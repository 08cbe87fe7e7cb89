import type { DirectedWake, DirectiveEntry, Entry, MessageEntry, PairReleasedEntry } from "../domain/entry.js";
import { threadOf } from "../domain/ids.js";
import type { IgnoreReason, Outcome } from "../domain/outcome.js";
import type { Room } from "../domain/room.js";
import { type Route, type RouteContext, routeAgent, routePerson } from "../domain/route.js";
import type { EffectiveSettings } from "../domain/settings.js";
import type { Logged } from "../ports/store.js";
import type { EngineContext } from "./context.js";
import { threadRoot } from "./thread-root.js";

/** A persona to wake with a message. `check`: it is an agent's delivery that the accept point has not passed yet. */
export interface Target {
  readonly persona: string;
  readonly waking: Entry;
  readonly check: boolean;
}

/** What is left to do for an entry, in text order. */
export interface Plan {
  readonly targets: readonly Target[];
  /** Why nobody is to be woken at all. */
  readonly reason?: IgnoreReason;
  /** Named by a person, but more than the room's fan-out. */
  readonly beyond: readonly string[];
  /** Names that nobody attached answers to, in a person's message. */
  readonly unknown: readonly string[];
}

/** The room as it is when an entry's next part is decided. */
export interface Surroundings {
  readonly room: Room;
  readonly settings: EffectiveSettings;
}

/**
 * Whom an entry still has to wake. Parts that are decided stay decided even when the roster has changed since: they are
 * taken off, and count against the fan-out.
 */
export async function planEntry(context: EngineContext, logged: Logged, around: Surroundings): Promise<Plan> {
  const { entry, outcome } = logged;
  const done = outcome?.kind === "parts" ? outcome.parts.map((part) => part.persona) : [];
  if (entry.kind === "directive") return planDirective(context, entry, done, around.room);
  if (entry.kind === "agent_pair_released") return planReleased(context, entry, done, around.room);
  if (entry.kind !== "message") return { targets: [], beyond: [], unknown: [] };

  const route = await routeMessage(context, entry, around);
  const left = route.personas.filter((name) => !done.includes(name));
  const targets = left.map((persona) => ({ persona, waking: entry, check: needsCheck(entry) }));
  const isPerson = entry.sender.kind === "person";
  return {
    targets,
    ...(route.reason === undefined ? {} : { reason: route.reason }),
    beyond: isPerson ? route.beyond : [],
    unknown: isPerson ? route.unknown : [],
  };
}

function needsCheck(entry: MessageEntry): boolean {
  return entry.sender.kind !== "person" && entry.accepted !== true;
}

/** The outcome of a reply that wakes nobody, which is known before it stands; `undefined` for one that is still to be decided. */
export function outcomeOfReply(
  context: EngineContext,
  reply: Pick<MessageEntry, "text" | "sender">,
  around: Surroundings,
): Outcome | undefined {
  const { personas, reason } = routeAgent(reply, routeContext(context, around));
  return personas.length > 0 || reason === undefined ? undefined : { kind: "ignored", reason };
}

async function routeMessage(context: EngineContext, entry: MessageEntry, around: Surroundings): Promise<Route> {
  const route = routeContext(context, around);
  if (entry.sender.kind !== "person") return routeAgent(entry, route);
  const previousSpeaker = await speakerBefore(context, entry);
  return routePerson(entry, { ...route, ...(previousSpeaker === undefined ? {} : { previousSpeaker }) });
}

function routeContext(context: EngineContext, { room, settings }: Surroundings): RouteContext {
  const team = context.team();
  return {
    members: context.rooms.members(room),
    ...(room.host === undefined ? {} : { host: room.host }),
    ...(team.defaultPersona === undefined ? {} : { defaultPersona: team.defaultPersona }),
    settings,
    parse: team.parse,
  };
}

const LOOK_BACK = 50;

/**
 * In a thread, the persona whose Message came last before this one (behaviour 0.3); nobody if a person's did. Before the first
 * one stands the message that the thread hangs on.
 */
async function speakerBefore(context: EngineContext, entry: MessageEntry): Promise<string | undefined> {
  if (threadOf(entry.session) === undefined) return undefined;
  const before = await context.store.tail(entry.session, LOOK_BACK, entry.seq);
  const said = before.findLast((logged) => logged.entry.kind === "message")?.entry;
  const previous = said ?? (await threadRoot(context.store, entry.session));
  return previous?.sender.kind === "agent" ? previous.sender.id : undefined;
}

/** A released message wakes its receiver, if still here, whatever the burst or the guard would say now (behaviour 0.12). */
async function planReleased(
  context: EngineContext,
  { session, entry, to }: PairReleasedEntry,
  done: readonly string[],
  room: Room,
): Promise<Plan> {
  const isOpen = !done.includes(to) && context.rooms.members(room).includes(to);
  const waking = isOpen ? await context.store.find(session, entry) : undefined;
  const targets = waking === undefined ? [] : [{ persona: to, waking: waking.entry, check: false }];
  return { targets, reason: "unknown_mention", beyond: [], unknown: [] };
}

/** A directive wakes whom it names and is still here, with the message that each of them did not get or answer. */
async function planDirective(
  context: EngineContext,
  entry: DirectiveEntry,
  done: readonly string[],
  room: Room,
): Promise<Plan> {
  const members = context.rooms.members(room);
  const targets: Target[] = [];
  for (const wake of undone(entry.wakes, done)) {
    const waking = await context.store.find(entry.session, wake.entry);
    if (waking && (members.length === 0 || members.includes(wake.persona))) {
      targets.push({ persona: wake.persona, waking: waking.entry, check: entry.action === "continue" });
    }
  }
  return { targets, reason: "empty_room", beyond: [], unknown: [] };
}

/** One persona may be woken twice, with two messages: each decided part takes its first wake off. */
function undone(wakes: readonly DirectedWake[], done: readonly string[]): readonly DirectedWake[] {
  const left = [...wakes];
  for (const persona of done) {
    const index = left.findIndex((wake) => wake.persona === persona);
    if (index >= 0) left.splice(index, 1);
  }
  return left;
}
