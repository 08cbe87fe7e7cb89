import { attach, detach, membersOf, setHost } from "../../domain/room.js";
import type { Answer } from "../../ports/platform.js";
import { findPersonas, listNames, nearestPersona } from "../find-persona.js";
import { changeRoom, type RoomChange } from "./change-room.js";
import { type Command, type CommandCall, refusal, tooManyWords } from "./command.js";

/** `/agent add NAME…`: attaches personas of the team. Idempotent. */
export const add: Command = {
  name: "add",
  usage: "NAME…",
  inputs: [{ name: "names", summary: "Whom, with spaces between", takes: "personas", required: true }],
  summary: "Attach personas to this room",
  who: "admin",
  async run(call) {
    const { context, args } = call;
    const team = context.team();
    const { names, unknown } = findPersonas(team, team.handles, args);
    if (names.length === 0) return refusal(`Say whom: /agent add NAME. The team: ${listNames(team.handles)}.`);
    if (unknown.length > 0) return refusal(unknownPersonas(call, unknown));
    return changeRoom(call, (room) => {
      const next = names.reduce((current, name) => attach(current, name, team.handles), room);
      return { room: next, line: `${call.from.name} added ${shown(call, names)}.` };
    });
  },
};

/** `/agent remove NAME…`: detaches personas; a host that is removed is host no more. */
export const remove: Command = {
  name: "remove",
  usage: "NAME…",
  inputs: [{ name: "names", summary: "Whom, with spaces between", takes: "personas", required: true }],
  summary: "Detach personas from this room",
  who: "admin",
  async run(call) {
    if (call.args.length === 0) return refusal("Say whom: /agent remove NAME.");
    return changeRoom(call, (room): RoomChange => {
      const team = call.context.team();
      const { handles } = team;
      const members = membersOf(room, handles).map((member) => member.name);
      const { names, unknown } = findPersonas(team, members, call.args);
      if (unknown.length > 0) {
        const [first = ""] = unknown;
        const near = nearestPersona(team, members, first) ?? `Here: ${listNames(members)}.`;
        return { refuse: `Not in this room: ${listNames(unknown)}. ${near}` };
      }
      const next = names.reduce((current, name) => detach(current, name, handles), room);
      return { room: next, line: `${call.from.name} removed ${shown(call, names)}.` };
    });
  },
};

/** `/agent host [NAME]`: who answers when nobody is mentioned; without a name nobody hosts. */
export const host: Command = {
  name: "host",
  usage: "[NAME]",
  inputs: [{ name: "name", summary: "Who hosts; nobody without one", takes: "persona" }],
  summary: "Choose who answers when nobody is mentioned; no name clears",
  who: "admin",
  run(call): Promise<Answer> {
    const team = call.context.team();
    const { names, unknown } = findPersonas(team, [...new Set([...hereOf(call), ...team.handles])], call.args);
    if (names.length > 1) return Promise.resolve(tooManyWords(host));
    const [name] = names;
    return changeRoom(call, (room) => {
      if (name === undefined) return { room: setHost(room, undefined), line: `${call.from.name} cleared the host.` };
      const members = membersOf(room, team.handles);
      const member = members.find((other) => other.name === name);
      if (unknown.length > 0) {
        const near = nearestPersona(team, hereOf(call), name) ?? `Here: ${listNames(hereOf(call))}.`;
        return { refuse: `${name} is not in this room. ${near}` };
      }
      if (!member) return { refuse: `${name} is not in this room; add it first: /agent add ${name}` };
      if (member.missing) return { refuse: `The file of ${name} is gone; put it back or choose another host.` };
      return { room: setHost(room, name), line: `${call.from.name} made ${shown(call, [name])} host.` };
    });
  },
};

/** Whoever is attached, also those whose file is gone. */
function hereOf({ context, room }: CommandCall): readonly string[] {
  return membersOf(room.value, context.team().handles).map((member) => member.name);
}

function shown({ context }: CommandCall, names: readonly string[]): string {
  return names.map(context.team().displayName).join(", ");
}

function unknownPersonas({ context }: CommandCall, names: readonly string[]): string {
  const team = context.team();
  const [first = ""] = names;
  const hint = nearestPersona(team, team.handles, first) ?? `It has: ${listNames(team.handles)}.`;
  return `The team has no persona "${listNames(names)}". ${hint}`;
}
