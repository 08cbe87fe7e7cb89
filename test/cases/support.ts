import { createScriptBrain } from "../../src/brain/script/script-brain.js";
import type { Brain, Turn } from "../../src/ports/brain.js";
import type { FakeClock } from "../support/fake-clock.js";

/** A script brain that counts its turns. */
export function countTurns(): { turns(): number; brains(clock: FakeClock): readonly Brain[] } {
  let turns = 0;
  const count = () => {
    turns++;
  };
  return { turns: () => turns, brains: (clock) => [watchTurns(createScriptBrain({ clock }), count)] };
}

/** A brain that tells of each turn before it runs. */
export function watchTurns(brain: Brain, onTurn: (turn: Turn) => Promise<void> | void): Brain {
  return {
    ...brain,
    async *run(turn) {
      await onTurn(turn);
      yield* brain.run(turn);
    },
  };
}
