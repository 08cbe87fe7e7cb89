import { cleanInbound } from "../../domain/clean-text.js";
import { textAfter } from "../../domain/command.js";
import type { Schedule } from "../../domain/schedule.js";
import type { Answer } from "../../ports/platform.js";
import { type ChangeParts, joinParts } from "../change-parts.js";
import { findPersona, listNames, nearestPersona } from "../find-persona.js";
import { RECORDS } from "../records.js";
import { line } from "../schedules/lines.js";
import { newSchedule } from "../schedules/make.js";
import { schedulesOf } from "../schedules/records.js";
import { scheduleLine } from "../schedules/show.js";
import { NO_CALENDAR, type Wishes } from "../schedules/wishes.js";
import { answer, type Command, type CommandCall, refusal } from "./command.js";

const MAX_CONFLICTS = 5;

const ID_INPUT = {
  name: "id",
  summary: "A short name for it: a-z, 0-9, _ and -",
  takes: "text",
  required: true,
} as const;
const PERSONA_INPUT = { name: "persona", summary: "Who is to do it", takes: "persona", required: true } as const;
const TEXT_INPUT = {
  name: "text",
  summary: "What is to be done; only the persona sees it",
  takes: "text",
  required: true,
} as const;

/** `/schedule list`: the schedules of this room. */
const list: Command = {
  name: "list",
  usage: "",
  inputs: [],
  summary: "List the schedules of this room",
  who: "admin",
  async run({ context, room }) {
    const schedules = await schedulesOf(context.store, room.room);
    const lines = schedules.map(({ value }) => `- ${scheduleLine(context, value)}`);
    return answer({ title: "Schedules", text: lines.join("\n") || "There are none in this room." });
  },
};

/** `/schedule add ID "CRON" PERSONA TEXT…`: six unquoted fields are taken too; a time zone may follow the fields. */
const add: Command = {
  name: "add",
  usage: 'ID "CRON" PERSONA TEXT…',
  inputs: [
    ID_INPUT,
    {
      name: "cron",
      summary: "As 0 9 * * 1-5, or with a zone: 0 9 * * 1-5 Europe/Berlin",
      takes: "text",
      required: true,
    },
    PERSONA_INPUT,
    TEXT_INPUT,
  ],
  summary: "Have a persona do something again and again",
  who: "admin",
  async run(call) {
    const [id, ...words] = call.args;
    const { cron, zone, count } = cronIn(words);
    if (id === undefined || cron === undefined)
      return refusal('Say when, in quotes: /schedule add standup "0 9 * * 1-5" alpha Ask everybody for news.');
    return make(call, { id, before: 1 + count, wishes: { cron, ...(zone === undefined ? {} : { timezone: zone }) } });
  },
};

/** `/schedule once ID IN PERSONA TEXT…`: a pause from now, or a time. */
const once: Command = {
  name: "once",
  usage: "ID IN PERSONA TEXT…",
  inputs: [
    ID_INPUT,
    {
      name: "in",
      summary: "A pause as 90s, 10m, 2h, 1d, or a time as 2026-01-31T09:00:00Z",
      takes: "text",
      required: true,
    },
    PERSONA_INPUT,
    TEXT_INPUT,
  ],
  summary: "Have a persona do something once",
  who: "admin",
  async run(call) {
    const [id, when] = call.args;
    if (id === undefined || when === undefined)
      return refusal("Say when: /schedule once reminder 10m alpha Remind us of the review.");
    return make(call, { id, before: 2, wishes: /^\d+\s*[a-z]$/i.test(when) ? { in: when } : { at: when } });
  },
};

/** `/schedule remove ID` */
const remove: Command = {
  name: "remove",
  usage: "ID",
  inputs: [ID_INPUT],
  summary: "Remove a schedule",
  who: "admin",
  async run(call) {
    const { context, room, args, from } = call;
    const [id] = args;
    if (id === undefined || args.length > 1)
      return refusal("Say which one: /schedule remove ID. /schedule list has them.");
    for (let i = 0; i < MAX_CONFLICTS; i++) {
      const record = await context.store.get<Schedule>(room.room, RECORDS.schedule, id.toLowerCase());
      if (record === undefined) return refusal(`There is no schedule ${shortened(id)} here. /schedule list has them.`);
      const { kind, key, version, value } = record;
      const name = context.team().displayName(value.persona);
      const change = { expect: [{ kind, key, version }], delete: [{ kind, key }] };
      const done = await commit(call, change, `${from.name} removed the schedule ${key} of ${name}.`);
      if (done) return done;
    }
    return refusal(TOO_FAST);
  },
};

/** Every word after `/schedule`, in the order help shows them. */
export const SCHEDULE_COMMANDS: readonly Command[] = [list, add, once, remove];

const TOO_FAST = "The room is changing too fast just now; try again.";

interface Wanted {
  readonly id: string;
  /** How many words stand before the persona's name. */
  readonly before: number;
  readonly wishes: Wishes;
}

async function make(call: CommandCall, { id, before, wishes }: Wanted): Promise<Answer> {
  const { context, session, from, room } = call;
  const named = personaIn(call, before);
  if ("problem" in named) return refusal(named.problem);
  for (let i = 0; i < MAX_CONFLICTS; i++) {
    const made = await newSchedule(context, {
      room: await context.rooms.getOrNew(session, room.value.direct),
      session,
      persona: named.name,
      id,
      wishes: { ...wishes, prompt: cleanInbound(named.text) },
      root: from.id,
    });
    if ("problem" in made) return refusal(sentence(made.problem));
    const done = await commit(
      call,
      made.parts,
      `${from.name} made a schedule: ${scheduleLine(context, made.schedule)}.`,
    );
    if (done) return done;
  }
  return refusal(TOO_FAST);
}

/** Commits a change together with the line that tells the room of it; `undefined`: something came between. */
async function commit(call: CommandCall, change: Partial<ChangeParts>, said: string): Promise<Answer | undefined> {
  const { context, session, room } = call;
  if (context.calendar === undefined) return refusal(sentence(NO_CALENDAR));
  const parts = joinParts(change, await line(context, session, said));
  const { status } = await context.commit({ room: room.room, ...parts, durable: true });
  return status === "ok" ? { ok: true, view: { text: said, tone: "success" }, public: true } : undefined;
}

type Named = { readonly name: string; readonly text: string } | { readonly problem: string };

/** The longest run of words that names somebody here, and what follows it. */
function personaIn({ context, room, args, text }: CommandCall, before: number): Named {
  const words = args.slice(before);
  const team = context.team();
  const members = context.rooms.members(room.value);
  const longest = Math.max(1, ...members.map((member) => team.displayName(member).split(/\s+/).length));
  for (let length = Math.min(longest, words.length); length > 0; length--) {
    const name = findPersona(team, members, words.slice(0, length).join(" "));
    if (name !== undefined) return { name, text: textAfter(text, before + length) };
  }
  const [first] = words;
  if (first === undefined) return { problem: `Say who is to do it, and what. Here: ${listNames(members)}.` };
  const near = nearestPersona(team, members, first) ?? `Here: ${listNames(members)}.`;
  return { problem: `${shortened(first)} is not in this room. ${near}` };
}

interface CronWords {
  readonly cron?: string;
  readonly zone?: string;
  /** How many words it takes. */
  readonly count: number;
}

const ZONE = /^(UTC|[A-Z][A-Za-z_]+\/[A-Za-z0-9_+/-]+)$/;
const UNQUOTED_FIELDS = 6;

/** One quoted expression, or six fields that stand by themselves. */
function cronIn(words: readonly string[]): CronWords {
  const [first = ""] = words;
  const isQuoted = /\s/.test(first.trim());
  const fields = isQuoted ? first.trim().split(/\s+/) : words.slice(0, UNQUOTED_FIELDS);
  const count = isQuoted ? 1 : UNQUOTED_FIELDS;
  const last = fields.at(-1) ?? "";
  if (fields.length < 2) return { count };
  if (isQuoted && ZONE.test(last)) return { cron: fields.slice(0, -1).join(" "), zone: last, count };
  return { cron: fields.join(" "), count };
}

function shortened(word: string): string {
  return word.slice(0, 40);
}

function sentence(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}${/[.!?]$/.test(problem) ? "" : "."}`;
}
