import type { ToolResult, Turn } from "../ports/brain.js";
import type { Clock } from "../ports/clock.js";

/** Why a turn was stopped from outside. Kept here, since an abort reason does not survive the libraries in between. */
export type StopCause = "cancelled" | "timeout" | "stall";

/** One turn while it runs: its own signal, and why that signal was aborted. */
export interface TurnRun {
  /** Only ever aborted with a `DOMException` named `AbortError`; libraries mistake other reasons for failures. */
  readonly signal: AbortSignal;
  /** The first cause; later ones change nothing. */
  readonly stopped: StopCause | undefined;
  stop(cause: StopCause): void;
  /** Ends the run: aborts what still works for it, frees the agent session and the deadline. */
  leave(): void;
}

/** Lets one turn per agent session run, each until its own deadline. */
export interface TurnGate {
  /** Throws a `TypeError` when the agent session has a turn already: the engine runs them one after the other. */
  enter(turn: Turn): TurnRun;
  /** Cancels every running turn. */
  close(): void;
}

/** A gate whose deadlines (`limits.wallMs`) run on `clock`. */
export function createTurnGate(clock: Clock): TurnGate {
  const running = new Map<string, TurnRun>();
  return {
    enter(turn) {
      const key = `${turn.session} ${turn.persona.name}`;
      if (running.has(key))
        throw new TypeError(`expected one turn at a time for ${turn.persona.name} in ${turn.session}, got a second`);
      const run = startRun(clock, turn, () => running.delete(key));
      running.set(key, run);
      return run;
    },
    close() {
      for (const run of running.values()) run.stop("cancelled");
    },
  };
}

/** Made once: every turn ends with an abort, and a new exception would record its stack each time. */
const REASONS: Readonly<Record<StopCause, DOMException>> = {
  cancelled: new DOMException("turn stopped: cancelled", "AbortError"),
  timeout: new DOMException("turn stopped: timeout", "AbortError"),
  stall: new DOMException("turn stopped: stall", "AbortError"),
};

function startRun(clock: Clock, turn: Turn, onLeave: () => void): TurnRun {
  const controller = new AbortController();
  let stopped: StopCause | undefined;
  const stop = (cause: StopCause) => {
    if (stopped !== undefined) return;
    stopped = cause;
    controller.abort(REASONS[cause]);
  };
  const onAbort = () => stop("cancelled");
  const cancelDeadline = clock.after(turn.limits.wallMs, () => stop("timeout"));
  turn.signal.addEventListener("abort", onAbort, { once: true });
  if (turn.signal.aborted) onAbort();
  return {
    signal: controller.signal,
    get stopped() {
      return stopped;
    },
    stop,
    leave() {
      stop("cancelled");
      cancelDeadline();
      turn.signal.removeEventListener("abort", onAbort);
      onLeave();
    },
  };
}

/** Waits for `work`, but no longer than until the signal aborts: then rejects with its reason, and `work` goes on unheard. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

const PREVIEW_CHARACTERS = 500;

/** A tool's result as events show it: the first 500 characters. */
export function previewOf(result: ToolResult): string {
  return result.text.slice(0, PREVIEW_CHARACTERS);
}
