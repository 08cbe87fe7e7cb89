import { GUARD_KEYS, type GuardOverrides, isGuardKey } from "../../domain/guard-settings.js";
import { nearestName } from "../../domain/names.js";
import type { Answer } from "../../ports/platform.js";
import { findPersonas, listNames, nearestPersona } from "../find-persona.js";
import { pairsOf } from "../guard/pairs.js";
import { mayResume, RESUME_REFUSED } from "../rights.js";
import { sayInRoom } from "./change-room.js";
import { answer, type Command, type CommandCall, refusal, tooManyWords } from "./command.js";

/** `/agent resume [A B]`: lets paused pairs of this session go on, from the channel itself those of the room. */
export const resume: Command = {
  name: "resume",
  usage: "[A B]",
  inputs: [
    { name: "a", summary: "One of the pair; every pair here without one", takes: "persona" },
    { name: "b", summary: "The other", takes: "persona" },
  ],
  summary: "Let paused pairs go on and deliver what is held",
  who: "all",
  async run(call) {
    const { context, guard, session, from, args } = call;
    if (!mayResume(context.config, session, from)) return refusal(RESUME_REFUSED);
    const names = args.length === 0 ? [] : await namesIn(call);
    if (names.length > 2) return tooManyWords(resume);
    const { resumed, delivered } = await guard.resume(session, names, from);
    if (resumed === 0) return refusal("No such pair is paused here.");
    const pairs = `${resumed} pair${resumed === 1 ? "" : "s"}`;
    const text = `${from.name} resumed ${pairs}; ${delivered} held message${delivered === 1 ? "" : "s"} delivered.`;
    return answer({ text, tone: "success" }, { session, resumed, delivered });
  },
};

/** `/agent pause A B`: pauses two agents by hand. */
export const pause: Command = {
  name: "pause",
  usage: "A B",
  inputs: [
    { name: "a", summary: "One of the two", takes: "persona", required: true },
    { name: "b", summary: "The other", takes: "persona", required: true },
  ],
  summary: "Pause two agents until a person resumes",
  who: "all",
  async run(call) {
    const { context, guard, session, from } = call;
    if (!mayResume(context.config, session, from)) return refusal(RESUME_REFUSED);
    const team = context.team();
    const members = context.rooms.members(call.room.value);
    const bots = context.config.room(call.room.room).bots;
    const {
      names,
      unknown: [stranger],
    } = findPersonas(team, [...members, ...bots], call.args);
    if (names.length > 2) return tooManyWords(pause);
    const [a, b] = names;
    if (a === undefined || b === undefined || a === b) return refusal("Say which two: /agent pause A B");
    if (stranger !== undefined)
      return refusal(
        `${stranger} is not in this room. ${nearestPersona(team, members, stranger) ?? `Here: ${listNames(members)}.`}`,
      );
    if (!(await context.rooms.guard(call.room.value)).enabled) return refusal(GUARD_IS_OFF);
    const paused = await guard.pause({ session, direct: call.room.value.direct, by: from.name }, [a, b]);
    if (paused === 0) return refusal("They are paused already.");
    return answer({ text: `${from.name} paused ${team.displayName(a)} and ${team.displayName(b)}.`, tone: "success" });
  },
};

const GUARD_IS_OFF = "The pair guard is off here and holds nothing. Turn it on first: /agent guard on";

/** Whom the words mean, of the team and of whoever is in a pair here: also bots, and those who have left the team. */
async function namesIn({ context, session, args }: CommandCall): Promise<readonly string[]> {
  const pairs = await pairsOf(context.store, session);
  const inPairs = pairs.flatMap(({ value }) => value.sides.map((side) => side.agent));
  return findPersonas(context.team(), [...new Set([...context.team().handles, ...inPairs])], args).names;
}

/** `/agent guard [on|off|KEY VALUE]`: the pair guard of this room; without words it shows it. */
export const guard: Command = {
  name: "guard",
  usage: "[on|off|KEY VALUE]",
  inputs: [
    {
      name: "setting",
      summary: "What to set; shows all without one",
      takes: ["on", "off", ...Object.keys(GUARD_KEYS)],
    },
    { name: "value", summary: "The number to set it to", takes: "number" },
  ],
  summary: "Show or set the pair guard of this room",
  who: "admin",
  async run(call): Promise<Answer> {
    const [word, value] = call.args;
    if (word === undefined) return showGuard(call);
    if (word === "on" || word === "off") return switchGuard(call, word === "on");
    if (!isGuardKey(word)) {
      const names = Object.keys(GUARD_KEYS);
      const near = nearestName(word, names);
      return refusal(
        near === undefined
          ? `The guard has: on, off, ${names.join(", ")}.`
          : `The guard has no "${word}". Did you mean ${near}?`,
      );
    }
    const known = GUARD_KEYS[word];
    const number = value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= known.min && number <= known.max))
      return refusal(`${word} is a whole number from ${known.min} to ${known.max}.`);
    return change(call, { [known.key]: number }, `${call.from.name} set the guard's ${word} to ${number}.`);
  },
};

async function showGuard({ context, room }: CommandCall): Promise<Answer> {
  const settings = await context.rooms.guard(room.value);
  const fields = Object.entries(GUARD_KEYS).map(([label, { key }]) => ({ label, value: String(settings[key]) }));
  return answer({ title: "Pair guard", text: settings.enabled ? "on" : "off", fields });
}

async function switchGuard(call: CommandCall, enabled: boolean): Promise<Answer> {
  const line = `${call.from.name} turned the pair guard ${enabled ? "on" : "off"}.`;
  const said = await change(call, { enabled }, line);
  if (!enabled) await call.guard.switchedOff(call.room.room);
  return said;
}

async function change(call: CommandCall, overrides: GuardOverrides, line: string): Promise<Answer> {
  await call.context.rooms.setGuard(call.room.room, overrides);
  call.context.feed.publish(call.room.room, { type: "room" });
  return sayInRoom(call, line);
}
