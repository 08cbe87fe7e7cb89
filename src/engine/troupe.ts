import { randomUUID } from "node:crypto";
import type { Brain } from "../ports/brain.js";
import type { Calendar } from "../ports/calendar.js";
import type { Clock } from "../ports/clock.js";
import type { KeyValue } from "../ports/key-value.js";
import type { Logger } from "../ports/logger.js";
import type { Inbox, Platform, PlatformStatus } from "../ports/platform.js";
import type { Reader } from "../ports/reader.js";
import type { Store } from "../ports/store.js";
import type { WakeQueue } from "../ports/wake-queue.js";
import type { EngineConfig } from "./config.js";
import { createCommit, type EngineContext } from "./context.js";
import { createDeliver } from "./deliver.js";
import { createDrain } from "./drain.js";
import { wakeErrands } from "./errands.js";
import { createFeed } from "./feed.js";
import { createGuard } from "./guard/guard.js";
import type { NotifyPause } from "./guard/notify.js";
import { createInbox } from "./inbox.js";
import { type Meter, silentMeter } from "./meter.js";
import { createReader } from "./read-rooms.js";
import { reconcileRosters } from "./reconcile.js";
import { createRooms } from "./rooms.js";
import { createScheduleOwner } from "./schedules/owner.js";
import { createScheduler, tellScheduler } from "./schedules/scheduler.js";
import { createSemaphore } from "./semaphore.js";
import { type Supervised, supervise } from "./supervise.js";
import { createTeam, type TeamSpec } from "./team.js";
import { createTurns } from "./turns.js";

export interface TroupeOptions {
  /** Opened by `start`, closed by `stop`. */
  readonly store: Store;
  readonly settings: KeyValue;
  readonly queue: WakeQueue;
  readonly brains: readonly Brain[];
  readonly team: TeamSpec;
  readonly config: EngineConfig;
  readonly clock: Clock;
  /** For schedules; without one there are none. */
  readonly calendar?: Calendar;
  readonly logger: Logger;
  readonly meter?: Meter;
  /** Told once of every pause that the guard makes (`pair_guard.notify_command`). */
  readonly notifyPause?: NotifyPause;
}

/** Readiness: what is missing, in words that name the mend. */
export interface Readiness {
  readonly ready: boolean;
  readonly missing: readonly { readonly part: string; readonly problem: string }[];
}

/** The engine, put together. */
export interface Troupe {
  readonly reader: Reader;
  /** What platforms hand things to; works from `start` on. */
  readonly inbox: Inbox;
  /** Before `start`. */
  addPlatform(platform: Platform): void;
  /** Opens the store, connects the adapters, settles what the last run left open, then drains. Rejects when the store cannot be opened. */
  start(): Promise<void>;
  /** Stops taking things in, lets running turns finish or parks them, and closes the store. Within `deadlineMs`. */
  stop(deadlineMs?: number): Promise<void>;
  /** New personas serve from the next turn on. Resolves when they have joined the rooms that follow the team. */
  setTeam(team: TeamSpec): Promise<void>;
  readiness(): Readiness;
  /** Resolves when no session has anything left to do. */
  idle(): Promise<void>;
}

const SWEEP_MS = 30_000;
const SWEEP_LIMIT = 10_000;
const STOP_DEADLINE_MS = 10_000;
/** Of the deadline, what is kept for parking turns and closing. */
const PARK_MS = 2_000;
/** Sessions may wait for a place to run their turn; more than this many wait unread. */
const MAX_OPEN_SESSIONS = 1_024;

export function createTroupe(options: TroupeOptions): Troupe {
  const { store, queue, clock, logger, config } = options;
  const feed = createFeed();
  const platforms = new Map<string, Platform>();
  let team = createTeam(options.team);
  const meter = options.meter ?? silentMeter;
  const turns = createTurns((isOn) => meter.running(isOn ? 1 : -1));
  const context: EngineContext = {
    store,
    queue,
    clock,
    ...(options.calendar === undefined ? {} : { calendar: options.calendar }),
    logger,
    config,
    feed,
    meter,
    rooms: createRooms({ store, settings: options.settings, config, now: clock.now, team: () => team }),
    platforms,
    brains: new Map(options.brains.map((brain) => [brain.kind, brain])),
    team: () => team,
    isFree: (session) => deliver.isFree(session),
    commit: tellScheduler(
      createCommit(store, feed, (session, put) => deliver.kick(session, put)),
      () => scheduler.changed(),
    ),
  };
  const deliver = createDeliver(context);
  const scheduler = createScheduler(context, options.calendar);
  const stopping = new AbortController();
  const slots = createSemaphore(config.limits.maxConcurrentTurns);
  const guard = createGuard(context, options.notifyPause);
  const drain = createDrain({
    onPaused: guard.paused,
    onRelease: guard.release,
    context,
    stopping: stopping.signal,
    turns,
    slots,
    owner: randomUUID(),
    errands: { schedule: createScheduleOwner(context) },
  });
  let settled = () => {};
  const ready = new Promise<void>((resolve) => {
    settled = resolve;
  });
  const inbox = createInbox({ context, turns, guard, ready });
  let supervised: readonly Supervised[] = [];
  let state: "new" | "running" | "stopped" = "new";
  let cancelSweep = () => {};

  async function sweep(): Promise<void> {
    try {
      for (const session of await store.dirty(SWEEP_LIMIT)) await queue.wake(session);
      await wakeErrands(context);
      await deliver.sweep();
    } catch (error) {
      logger.error({ error }, "could not look for sessions with work left");
    }
    if (state === "running") cancelSweep = clock.after(SWEEP_MS, () => void sweep());
  }

  async function finishTurns(deadlineMs: number): Promise<void> {
    const cancel = clock.after(Math.max(0, deadlineMs - PARK_MS), () => {
      for (const turn of turns.running()) turns.stop(turn.id, { kind: "shutdown" });
    });
    await queue.close();
    cancel();
  }

  return {
    inbox,
    reader: createReader(context, turns),
    addPlatform: (platform) => void platforms.set(platform.name, platform),
    async start() {
      await store.open();
      await reconcileRosters(context);
      supervised = [...platforms.values()].map((platform) => supervise({ platform, inbox, clock, logger }));
      await guard.recover();
      await deliver.start();
      settled();
      await queue.run(drain, MAX_OPEN_SESSIONS);
      state = "running";
      await sweep();
      scheduler.start();
    },
    async stop(deadlineMs = STOP_DEADLINE_MS) {
      if (state === "stopped") return;
      state = "stopped";
      cancelSweep();
      await scheduler.stop();
      stopping.abort(new DOMException("The service stops", "AbortError"));
      slots.close();
      await Promise.all(
        supervised.map((one) =>
          one.stop(deadlineMs).catch((error) => logger.warn({ error }, "an adapter did not stop cleanly")),
        ),
      );
      await finishTurns(deadlineMs);
      await guard.stop();
      await deliver.stop();
      await Promise.all(options.brains.map((brain) => brain.close()));
      await store.close();
    },
    async setTeam(spec) {
      team = createTeam(spec);
      feed.broadcast({ type: "room" });
      if (state === "running") await reconcileRosters(context);
    },
    readiness() {
      const missing = supervised.flatMap(({ platform, status }) => problemOf(platform.name, status()));
      const problem = state === "running" ? store.problem?.() : undefined;
      if (problem !== undefined) missing.unshift({ part: "store", problem });
      if (state !== "running")
        missing.unshift({ part: "engine", problem: state === "new" ? "still starting" : "stopping" });
      return { ready: missing.length === 0, missing };
    },
    idle: () => queue.idle(),
  };
}

function problemOf(part: string, status: PlatformStatus) {
  return status.ready ? [] : [{ part, problem: status.problem ?? "not connected" }];
}
