import type { Clock, Logger } from "../../../src/index.js";

/** Reads what was said while nobody listened, at each occasion; one run after the other. */
export interface CatchUps {
  /** Notes how far everything is known. To be done before anything new comes in, which would pass for the newest that is known. */
  mark(): Promise<void>;
  /** Reads what was said since the marks were made. */
  begin(): void;
  /** Nobody has listened since then, in milliseconds, until now. `isWide`: places may have come up that nobody has heard of yet. */
  gap(since: number, isWide?: boolean): void;
  /** A message of that moment could not be kept. Where the platform sends it again, this is for when that was not enough. */
  lost(at: number): void;
  /** Nothing more is read. */
  stop(): void;
}

interface CatchUpsOptions<Marks> {
  /** The platform's name, as people write it. */
  readonly platform: string;
  /** How far everything is known, from the logs. `since`: nothing is known from that moment on, in milliseconds. */
  readonly marks: (since?: number) => Promise<Marks>;
  /**
   * Reads what was said since the marks, and what could not be read before; without marks only that. `isWide`: looks for places without
   * a mark too. Answers whether something is left for another time.
   */
  readonly read: (marks: Marks | undefined, isWide: boolean, signal: AbortSignal) => Promise<boolean>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const LOST_AGAIN_MS = 60_000;
/** What could not be read is read again after this time, and after twice as long each time that it fails again. */
const FIRST_AGAIN_MS = 5 * 60_000;
const LONGEST_AGAIN_MS = 60 * 60_000;

export function createCatchUps<Marks>(options: CatchUpsOptions<Marks>): CatchUps {
  const { platform, clock, logger } = options;
  const stopping = new AbortController();
  let marks: Marks | undefined;
  let last: Promise<void> = Promise.resolve();
  let lostSince: number | undefined;
  let cancelLost = () => {};
  let againMs = FIRST_AGAIN_MS;
  let cancelAgain = () => {};

  function run(from: () => Promise<Marks | undefined>, isWide: boolean): void {
    last = last
      .then(async () => {
        if (stopping.signal.aborted) return;
        const unread = await from();
        cancelAgain();
        const isLeft = await options.read(unread, isWide, stopping.signal);
        if (isLeft) readAgain();
        else againMs = FIRST_AGAIN_MS;
      })
      .catch((error: unknown) => logger.error({ error }, `could not find out what was said in ${platform} meanwhile`));
  }

  function readAgain(): void {
    cancelAgain = clock.after(againMs, () => run(async () => undefined, false));
    againMs = Math.min(againMs * 2, LONGEST_AGAIN_MS);
  }

  function findLost(): void {
    const since = lostSince;
    lostSince = undefined;
    // A little before it: marks are exclusive.
    if (since !== undefined) run(() => options.marks(since - 1), true);
  }

  return {
    async mark() {
      marks = await options.marks();
    },
    begin: () => run(async () => marks ?? options.marks(), true),
    gap: (since, isWide = false) => run(() => options.marks(since), isWide),
    lost(at) {
      if (stopping.signal.aborted) return;
      if (lostSince === undefined) cancelLost = clock.after(LOST_AGAIN_MS, findLost);
      lostSince = Math.min(lostSince ?? at, at);
    },
    stop() {
      cancelLost();
      cancelAgain();
      stopping.abort(new DOMException("The adapter stops", "AbortError"));
    },
  };
}
