import type { Reader } from "../../src/index.js";
import { type CatchUpOptions, catchUp } from "./catch-up.js";
import { type Mark, marksOf } from "./catch-up-marks.js";

/** Reads what was said while nobody listened, at each occasion; one run after the other. */
export interface CatchUps {
  /** Notes how far everything is known. To be done before anything new comes in, which would pass for the newest that is known. */
  mark(): Promise<void>;
  /** Reads what was said since the marks were made. */
  begin(): void;
  /** Nobody has listened since then, in milliseconds, until now. */
  gap(since: number): void;
  /** A message of that moment could not be kept. Slack sends it again a few times; this is for when that was not enough. */
  lost(at: number): void;
  /** Nothing more is read. */
  stop(): void;
}

interface CatchUpsOptions extends Omit<CatchUpOptions, "signal"> {
  readonly reader: Reader;
}

const LOST_AGAIN_MS = 60_000;

export function createCatchUps(options: CatchUpsOptions): CatchUps {
  const { clock, logger } = options;
  const stopping = new AbortController();
  let marks: readonly Mark[] = [];
  let last: Promise<void> = Promise.resolve();
  let lostSince: number | undefined;
  let cancelLost = () => {};

  function run(read: () => Promise<readonly Mark[]>, isWide: boolean): void {
    last = last
      .then(async () => {
        if (!stopping.signal.aborted) await catchUp({ ...options, signal: stopping.signal }, await read(), isWide);
      })
      .catch((error: unknown) => logger.error({ error }, "could not find out what was said in Slack meanwhile"));
  }

  function findLost(): void {
    const since = lostSince;
    lostSince = undefined;
    // A little before it: marks are exclusive.
    if (since !== undefined) run(() => marksOf(options, since - 1), true);
  }

  return {
    async mark() {
      marks = await marksOf(options);
    },
    begin: () => run(async () => marks, true),
    gap: (since) => run(() => marksOf(options, since), false),
    lost(at) {
      if (stopping.signal.aborted) return;
      if (lostSince === undefined) cancelLost = clock.after(LOST_AGAIN_MS, findLost);
      lostSince = Math.min(lostSince ?? at, at);
    },
    stop() {
      cancelLost();
      stopping.abort(new DOMException("The adapter stops", "AbortError"));
    },
  };
}
