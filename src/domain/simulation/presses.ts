import { burstRole, type DirectiveEntry, type PairReleasedEntry, type PairResumedEntry } from "../entry.js";
import { deliver, type Item, type Replay, startBurst, type Target } from "./replay.js";
import type { Recorded } from "./simulation.js";
import { turnKey } from "./timing.js";

/** A button that nothing waits for in the replay changes nothing: nobody would have pressed it. */
export function appendDirective(replay: Replay, recorded: Recorded, directive: DirectiveEntry): void {
  const item: Item = { recorded, deliveries: [] };
  replay.items.push(item);
  const waiting = waitingFor(replay, directive);
  for (const { persona, entry } of directive.wakes) answersFor(replay, directive.id, persona, entry);
  if (waiting.length === 0) {
    item.fate = { kind: "needless" };
    return;
  }
  if (directive.action === "continue" && replay.exhaustion) replay.exhaustion.continued = directive;
  startBurst(replay);
  item.targets = waiting;
  replay.queue.push(item);
}

/**
 * Of what the button woke, that which has not been delivered in the replay. Where nothing of it waits, the replay has
 * gone another way: Continue then wakes who is waiting there.
 */
function waitingFor({ said, woken, exhaustion }: Replay, { action, wakes }: DirectiveEntry): readonly Target[] {
  const isContinue = action === "continue";
  const targets = wakes.flatMap(({ persona, entry }) => {
    const waking = said.get(entry);
    const isDelivered = woken.has(turnKey(entry, persona));
    return waking !== undefined && isDelivered !== isContinue ? [{ persona, waking, check: isContinue }] : [];
  });
  if (targets.length > 0 || !isContinue) return targets;
  return exhaustion?.targets.filter(({ persona, waking }) => !woken.has(turnKey(waking.id, persona))) ?? [];
}

export function appendResumed(replay: Replay, recorded: Recorded, pressed: PairResumedEntry): void {
  const item: Item = { recorded, deliveries: [] };
  replay.items.push(item);
  const held = replay.guard.resume(pressed);
  if (held === undefined) {
    item.fate = { kind: "needless" };
    return;
  }
  if (burstRole(pressed) === "resets") startBurst(replay);
  item.fate = { kind: "resumed", delivered: deliver(replay, held) };
}

/**
 * The delivery has its fate since the resume; here in the log its turn gets its place in the queue. Where the replay has
 * held other messages, the turn answers the newest of those.
 */
export function appendReleased(replay: Replay, recorded: Recorded, { id, to, entry }: PairReleasedEntry): void {
  const own = replay.woken.has(turnKey(entry, to)) ? replay.said.get(entry) : undefined;
  const waking = own ?? replay.released.get(to);
  if (waking === undefined) return;
  replay.woken.add(turnKey(id, to));
  const targets = [{ persona: to, waking, check: false }];
  replay.queue.push({ recorded, targets, deliveries: [], accepted: true, fate: { kind: "needless" } });
}

/** An answer to `entry` is one to `message` as well, if the persona gets that message in the replay. */
function answersFor({ woken }: Replay, entry: string, persona: string, message: string): void {
  if (woken.has(turnKey(message, persona))) woken.add(turnKey(entry, persona));
}
