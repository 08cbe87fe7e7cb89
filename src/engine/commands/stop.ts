import { roomOf } from "../../domain/ids.js";
import { findPersonas } from "../find-persona.js";
import type { RunningTurn } from "../turns.js";
import { answer, type Command, type CommandCall, refusal, tooManyWords } from "./command.js";

/** `/agent stop [NAME]`: cancels the running turn; where several run, the one of NAME. */
export const stop: Command = {
  name: "stop",
  usage: "[NAME]",
  inputs: [{ name: "name", summary: "Whose turn; every turn here without one", takes: "persona" }],
  summary: "Cancel the running turn",
  who: "all",
  run(call) {
    const running = runningHere(call);
    const team = call.context.team();
    // A persona may have left the team while its turn runs.
    const known = [...new Set([...running.map((turn) => turn.persona), ...team.handles])];
    const { names: wanted } = findPersonas(team, known, call.args);
    if (wanted.length > 1) return Promise.resolve(tooManyWords(stop));
    const [name] = wanted;
    const chosen = name === undefined ? running : running.filter((turn) => turn.persona === name);
    if (chosen.length === 0) {
      return Promise.resolve(
        refusal(name === undefined ? "Nobody is working here just now." : `${name} is not working here just now.`),
      );
    }
    // Each by its own id: a turn that ends meanwhile is not mistaken for the next one.
    for (const turn of chosen) call.turns.stop(turn.id, { kind: "person", by: call.from.name });
    const names = chosen.map((turn) => team.displayName(turn.persona)).join(", ");
    return Promise.resolve(answer({ text: `Stopping ${names}.`, tone: "success" }));
  },
};

/** The turns of this session; said in the channel itself, of the whole room. */
function runningHere({ turns, session }: CommandCall): readonly RunningTurn[] {
  const isRoom = roomOf(session) === session;
  return turns.running().filter((turn) => (isRoom ? roomOf(turn.session) === session : turn.session === session));
}
