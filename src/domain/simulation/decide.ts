import { burstOf } from "../burst.js";
import { threadOf } from "../ids.js";
import { type RouteContext, routeAgent, routePerson } from "../route.js";
import { deliver, type Item, noteAddressed, type Replay, startBurst, type Target } from "./replay.js";
import type { Delivery, Fate, SimulatedRoom } from "./simulation.js";
import { turnKey } from "./timing.js";

/** Decides what waits, as far as the session had got when the log had this many entries. */
export function settle(replay: Replay, index: number): void {
  const { queue } = replay;
  for (let item = queue[0]; item !== undefined && index >= replay.busyUntil; item = queue[0]) {
    const [target, ...others] = targetsOf(replay, item);
    if (target !== undefined && !take(replay, item, target, index)) return;
    item.targets = others;
    if (others.length > 0) continue;
    queue.shift();
    item.fate ??= fateOf(item);
  }
}

/** Takes one target, unless the log says that its turn began later: then it waits until there. */
function take(replay: Replay, item: Item, target: Target, index: number): boolean {
  const { persona, waking } = target;
  const places = replay.timing({ entry: item.recorded.entry.id, waking: waking.id, persona });
  if (places !== undefined && index < places.begin) return false;
  const isWoken = item.accepted ?? decide(replay, item, target);
  if (isWoken && places !== undefined) replay.busyUntil = places.end;
  return true;
}

/** The turns still wait for their place in the queue. */
export function decideNow(replay: Replay, item: Item): void {
  item.targets = targetsOf(replay, item).filter((target) => decide(replay, item, target));
  item.fate = fateOf(item);
  item.accepted = true;
}

function fateOf({ deliveries, route }: Item): Fate {
  if (deliveries.length > 0) return { kind: "decided", deliveries };
  return { kind: "ignored", reason: route?.reason ?? "empty_room" };
}

function targetsOf(replay: Replay, item: Item): readonly Target[] {
  const { entry } = item.recorded;
  if (item.targets !== undefined || entry.kind !== "message") return item.targets ?? [];
  const isPerson = entry.sender.kind === "person";
  const route = isPerson ? routePerson(entry, contextOf(replay.room, item)) : routeAgent(entry, replay.room);
  noteAddressed(replay, entry, route);
  item.route = route;
  item.targets = route.personas.map((persona) => ({ persona, waking: entry, check: !isPerson }));
  return item.targets;
}

/** Only in a thread does who spoke last decide for whom a person's words are (behaviour 0.3). */
function contextOf(room: SimulatedRoom, { previousSpeaker }: Item): RouteContext {
  const isThread = threadOf(room.session) !== undefined;
  return isThread && previousSpeaker !== undefined ? { ...room, previousSpeaker } : room;
}

/** What becomes of one target. Gives whether it is woken. */
function decide(replay: Replay, item: Item, target: Target): boolean {
  const { persona, waking, check } = target;
  const { entry } = item.recorded;
  const delivery: Delivery = check ? accept(replay, target) : { persona, result: "woke" };
  item.deliveries.push(delivery);
  if (delivery.meters) replay.peaks.note(delivery.meters, waking);
  if (delivery.result !== "woke") return false;
  replay.woken.add(turnKey(entry.id, persona));
  replay.woken.add(turnKey(waking.id, persona));
  if (entry.kind === "message" && entry.sender.kind === "person") {
    const released = replay.guard.prompt(persona, entry);
    if (released.length > 0) startBurst(replay);
    deliver(replay, released);
  }
  return true;
}

/** The accept point: the budget first, then the guard (behaviour 0.8, 0.10). */
function accept(replay: Replay, { persona, waking }: Target): Delivery {
  const { budget } = replay.room.settings;
  const { used } = burstOf(replay.burst);
  const burst = { used, budget };
  if (used >= budget) {
    exhaust(replay, { persona, waking, check: true });
    return { persona, result: "suppressed", burst };
  }
  if (!replay.room.guard.enabled) return { persona, result: "woke", burst };
  return { persona, burst, ...replay.guard.check(waking, persona, replay.now) };
}

function exhaust(replay: Replay, target: Target): void {
  const { persona, waking } = target;
  if (replay.exhaustion === undefined) {
    const { budget } = replay.room.settings;
    replay.exhaustion = { entry: waking, used: replay.burst.length, budget, waiting: [], targets: [] };
    replay.exhaustions.push(replay.exhaustion);
  }
  replay.exhaustion.waiting = [...replay.exhaustion.waiting, persona];
  replay.exhaustion.targets = [...replay.exhaustion.targets, target];
}
