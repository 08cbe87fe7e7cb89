import { type ParsedCommand, textAfter } from "../../domain/command.js";
import { nearestName } from "../../domain/names.js";
import type { Answer } from "../../ports/platform.js";
import { isAdmin } from "../rights.js";
import { answer, type Command, type CommandCall, refusal } from "./command.js";
import { list, room } from "./info.js";
import { add, host, remove } from "./membership.js";
import { guard, pause, resume } from "./pairs.js";
import { SCHEDULE_COMMANDS } from "./schedule.js";
import { budget, fanout, reply, wake } from "./settings.js";
import { stop } from "./stop.js";
import { why } from "./why.js";

const help: Command = {
  name: "help",
  usage: "[command]",
  inputs: [{ name: "command", summary: "Only this one", takes: "command" }],
  summary: "Show what can be said",
  who: "all",
  run({ args: [word] }) {
    const wanted = word === undefined ? FAMILIES : familiesWith(word.toLowerCase());
    if (wanted.length === 0) return Promise.resolve(unknownCommand(AGENT, word ?? ""));
    const lines = wanted.flatMap((family) => family.commands.map((one) => `- ${helpLine(family, one)}`));
    return Promise.resolve(answer({ title: "Commands", text: lines.join("\n") }));
  },
};

/** Every word after `/agent`, in the order help shows them. Manifests and autocompletion are made from it too. */
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

/** What stands behind one slash. */
export interface Family {
  readonly name: "agent" | "schedule";
  /** What it is for, for platforms that list it. */
  readonly about: string;
  readonly commands: readonly Command[];
}

const AGENT: Family = {
  name: "agent",
  about: "See and change this room: members, budget, pauses, and why nobody answered",
  commands: COMMANDS,
};
const SCHEDULE: Family = {
  name: "schedule",
  about: "See and change what personas do here at set times",
  commands: SCHEDULE_COMMANDS,
};

/** Every slash there is. */
export const FAMILIES: readonly Family[] = [AGENT, SCHEDULE];

/** Runs a command: finds it, checks the right, lets it act. Never rejects for what a person typed. */
export function runCommand(parsed: ParsedCommand, call: CommandCall): Promise<Answer> {
  const isSchedule = parsed.name === SCHEDULE.name;
  const family = isSchedule ? SCHEDULE : AGENT;
  const [first = "list", ...rest] = call.args;
  const name = isSchedule ? first : parsed.name;
  const found = findCommand(family, name);
  if (!found) return Promise.resolve(unknownCommand(family, name));
  if (found.who === "admin" && !isAdmin(call.context.config, call.session, call.from)) {
    return Promise.resolve(refusal(`/${family.name} ${found.name} is for admins of this place.`));
  }
  return found.run(isSchedule ? { ...call, args: rest, text: textAfter(call.text, 1) } : call);
}

function findCommand(family: Family, word: string): Command | undefined {
  const name = word.toLowerCase();
  return family.commands.find((command) => command.name === name || command.alias === name);
}

/** One command of `/agent`, or all of another slash. */
function familiesWith(word: string): readonly Family[] {
  const command = findCommand(AGENT, word);
  return command
    ? [{ ...AGENT, commands: [command] }]
    : FAMILIES.filter(({ name }) => name === word && name !== "agent");
}

function unknownCommand({ name, commands }: Family, word: string): Answer {
  const near = nearestName(
    word,
    commands.map((command) => command.name),
  );
  const all = name === "agent" ? "/agent help lists what there is." : `/agent help ${name} lists what there is.`;
  const hint = near === undefined ? all : `Did you mean /${name} ${near}?`;
  return refusal(`There is no command "${word.slice(0, 40)}". ${hint}`);
}

function helpLine(family: Family, { name, alias, usage, summary, who }: Command): string {
  const words = `/${family.name} ${name}${usage === "" ? "" : ` ${usage}`}`;
  const also = alias === undefined ? "" : ` (also \`/${family.name} ${alias}\`)`;
  return `\`${words}\`: ${summary}${also}${who === "admin" ? " (admins)" : ""}`;
}
