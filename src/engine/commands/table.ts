import type { ParsedCommand } from "../../domain/command.js";
import { nearestName } from "../../domain/names.js";
import type { Answer } from "../../ports/platform.js";
import { isAdmin } from "../rights.js";
import { answer, type Command, type CommandCall, refusal } from "./command.js";
import { list, room } from "./info.js";
import { add, host, remove } from "./membership.js";
import { guard, pause, resume } from "./pairs.js";
import { budget, fanout, reply, wake } from "./settings.js";
import { stop } from "./stop.js";
import { why } from "./why.js";

const help: Command = {
  name: "help",
  usage: "[command]",
  summary: "Show what can be said",
  who: "all",
  run({ args }) {
    const command = args[0] === undefined ? undefined : findCommand(args[0]);
    if (args[0] !== undefined && !command) return Promise.resolve(unknownCommand(args[0]));
    const commands = command ? [command] : COMMANDS;
    return Promise.resolve(answer({ title: "Commands", text: commands.map((one) => `- ${helpLine(one)}`).join("\n") }));
  },
};

/** Every command there is, in the order help shows them. Manifests and autocompletion are made from it too. */
export const COMMANDS: readonly Command[] = [
  help,
  why,
  room,
  list,
  add,
  remove,
  host,
  budget,
  fanout,
  wake,
  reply,
  guard,
  resume,
  pause,
  stop,
];

/** Runs a command: finds it, checks the right, lets it act. Never rejects for what a person typed. */
export function runCommand(command: ParsedCommand, call: CommandCall): Promise<Answer> {
  const found = findCommand(command.name);
  if (!found) return Promise.resolve(unknownCommand(command.name));
  if (found.who === "admin" && !isAdmin(call.context.config, call.session, call.from)) {
    return Promise.resolve(refusal(`/agent ${found.name} is for admins of this place.`));
  }
  return found.run(call);
}

function findCommand(word: string): Command | undefined {
  const name = word.toLowerCase();
  return COMMANDS.find((command) => command.name === name || command.alias === name);
}

function unknownCommand(word: string): Answer {
  const near = nearestName(
    word,
    COMMANDS.map((command) => command.name),
  );
  const hint = near === undefined ? "/agent help lists what there is." : `Did you mean /agent ${near}?`;
  return refusal(`There is no command "${word.slice(0, 40)}". ${hint}`);
}

function helpLine({ name, alias, usage, summary, who }: Command): string {
  const words = `/agent ${name}${usage === "" ? "" : ` ${usage}`}`;
  return `\`${words}\`: ${summary}${alias === undefined ? "" : ` (also \`/agent ${alias}\`)`}${who === "admin" ? " (admins)" : ""}`;
}
