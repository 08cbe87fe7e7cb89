import type { SessionId } from "../domain/ids.js";

/** Why a turn was stopped from outside; kept beside the signal, whose reason is always a plain AbortError (brains.md 1). */
export type StopCause =
  | { readonly kind: "person"; readonly by: string }
  | { readonly kind: "timeout" }
  | { readonly kind: "shutdown" }
  | { readonly kind: "lost" };

/** A turn that is running in this process. */
export interface RunningTurn {
  readonly id: string;
  readonly session: SessionId;
  readonly persona: string;
  readonly signal: AbortSignal;
  /** Why it was stopped; `undefined` while nobody has. */
  readonly stopped: () => StopCause | undefined;
}

/** The turns that are running now: for stop commands, the roster's busy marks and an orderly end. */
export interface Turns {
  start(id: string, session: SessionId, persona: string): RunningTurn & { end(): void };
  running(): readonly RunningTurn[];
  /** Aborts the turn with this id, and no other. The first cause stays. */
  stop(id: string, cause: StopCause): boolean;
}

export function createTurns(onChange: (isRunning: boolean) => void): Turns {
  const turns = new Map<string, { turn: RunningTurn; stop: (cause: StopCause) => void }>();
  return {
    start(id, session, persona) {
      const controller = new AbortController();
      let stopped: StopCause | undefined;
      const turn: RunningTurn = { id, session, persona, signal: controller.signal, stopped: () => stopped };
      const stop = (cause: StopCause) => {
        if (stopped) return;
        stopped = cause;
        controller.abort(new DOMException("The turn was stopped", "AbortError"));
      };
      turns.set(id, { turn, stop });
      onChange(true);
      return {
        ...turn,
        end() {
          if (turns.delete(id)) onChange(false);
        },
      };
    },
    running: () => [...turns.values()].map(({ turn }) => turn),
    stop(id, cause) {
      const running = turns.get(id);
      running?.stop(cause);
      return running !== undefined;
    },
  };
}
