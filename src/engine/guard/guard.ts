import { type RoomId, roomOf, type SessionId } from "../../domain/ids.js";
import type { Pair } from "../../domain/pair.js";
import type { EngineContext } from "../context.js";
import { RECORDS } from "../records.js";
import { dropHeld } from "./drop.js";
import { type NotifyPause, notifyPause } from "./notify.js";
import { pairsOf } from "./pairs.js";
import { type PauseOrder, pausePairs } from "./pause-by-hand.js";
import { createReleases } from "./release.js";
import { type Resumer, resumePairs } from "./resume.js";

/** How a resume went: how many pairs it let go on, and how many held messages they delivered. */
export interface ResumeResult {
  readonly resumed: number;
  readonly delivered: number;
}

/** What people and the operator do with pairs. Rights are checked by the callers. */
export interface Guard {
  /** Lets paused pairs of this session go on (from the channel itself: of the room), all or those of the agents named. */
  resume(session: SessionId, agents: readonly string[], by: Resumer): Promise<ResumeResult>;
  /** Lets one paused pair of this session go on (from the channel itself: of the room). */
  resumePair(session: SessionId, pair: string, by: Resumer): Promise<ResumeResult>;
  /** Makes the room that the pause is said in, where nothing has been said in it yet. */
  pause(said: PauseOrder, agents: readonly [string, string]): Promise<number>;
  drop(room: RoomId, pair: string): Promise<number>;
  /** The guard was switched off in a room: what it holds is delivered once, and nothing is counted any more. */
  switchedOff(room: RoomId): Promise<ResumeResult>;
  /** A message of this pair has been kept back. Its pause may be new: then the operator's command is told. */
  paused(room: RoomId, pair: Pair): void;
  /** A pair has been let go on in another commit: its held messages are delivered. */
  release(room: RoomId, pair: string): void;
  /** Goes on with what an earlier process left: releases, untold pauses, and rooms whose guard is off by now. */
  recover(): Promise<void>;
  stop(): Promise<void>;
}

const MAX_LEFT_OPEN = 10_000;
const tellNobody: NotifyPause = () => Promise.resolve();

export function createGuard(context: EngineContext, notify: NotifyPause = tellNobody): Guard {
  const releases = createReleases(context);

  /** A pair that a failed release has paused again is a new pause to tell of. */
  async function release(room: RoomId, pairs: readonly string[]): Promise<ResumeResult> {
    let delivered = 0;
    for (const pair of pairs) {
      delivered += await releases.run(room, pair);
      tell(room, pair);
    }
    return { resumed: pairs.length, delivered };
  }

  async function resume(room: RoomId, choose: () => ReturnType<typeof pairsOf>, by?: Resumer): Promise<ResumeResult> {
    return release(room, await resumePairs(context, room, choose, by));
  }

  function tell(room: RoomId, pair: string): void {
    notifyPause(context, room, pair, notify).catch((error: unknown) =>
      context.logger.error({ room, pair, error }, "could not tell of a pause"),
    );
  }

  const guard: Guard = {
    resume: (session, agents, by) => resume(roomOf(session), () => pairsOf(context.store, session, ...agents), by),
    resumePair: (session, pair, by) =>
      resume(
        roomOf(session),
        async () => (await pairsOf(context.store, session)).filter(({ value }) => value.id === pair),
        by,
      ),
    pause: (said, agents) => pausePairs(context, said, agents),
    drop: (room, pair) => dropHeld(context, room, pair),
    switchedOff: (room) => resume(room, () => pairsOf(context.store, room)),
    paused(room, pair) {
      if (pair.notify) tell(room, pair.id);
      // A release that had to give up goes on when the pair has something to say.
      if (pair.state === "releasing") guard.release(room, pair.id);
    },
    release(room, pair) {
      void release(room, [pair]);
    },
    async recover() {
      for (const { room, key, value } of await context.store.due<Pair>(RECORDS.pair, 0, MAX_LEFT_OPEN)) {
        if (value.notify) tell(room, key);
        if (value.state === "releasing") await release(room, [key]);
      }
      for (const room of await context.store.rooms(RECORDS.pair)) {
        const record = await context.rooms.get(room);
        if (record && !(await context.rooms.guard(record.value)).enabled) await guard.switchedOff(room);
      }
    },
    stop: () => releases.stop(),
  };
  return guard;
}
