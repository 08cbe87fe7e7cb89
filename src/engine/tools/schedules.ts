import { createHash } from "node:crypto";
import { z } from "zod";
import type { Schedule } from "../../domain/schedule.js";
import { RECORDS, turnId } from "../records.js";
import { newSchedule } from "../schedules/make.js";
import { changedSchedule } from "../schedules/modify.js";
import { type ScheduleRecord, schedulePut, schedulesOf } from "../schedules/records.js";
import { scheduleLine } from "../schedules/show.js";
import type { Problem, Wishes } from "../schedules/wishes.js";
import { defineTool, type ToolOutcome, type ToolScope } from "./room-tool.js";

// Schedules are no progress for the pair guard (brains' events): making one is like sending oneself a message.
const CLASS = "messaging";
const id = z.string().min(1).max(64).describe("The schedule's id");
const prompt = z.string().describe("What you will be asked to do then. Nobody else sees it. At most 8,000 characters");
const inText = z.string().max(20).describe("A pause from now: 90s, 10m, 2h or 1d; 30 seconds to 30 days");
const atText = z.string().max(40).describe("A time, such as 2026-01-31T09:00:00Z");
const cron = z
  .string()
  .max(200)
  .describe("Five fields (minute, hour, day, month, weekday), or six with the seconds first");
const timezone = z.string().max(64).describe("Such as Europe/Berlin; UTC without one");
const fresh = z.boolean().describe("You will not see what was said here before");
const missed = z.enum(["skip", "once"]).describe("What to do about a time that passed while the service was down");
const common = { fresh: fresh.optional(), missed: missed.optional() };
const limits = {
  expires_at: z.string().max(40).describe("A time from which it does not fire any more").optional(),
  max_fires: z.int().min(1).max(1_000_000).optional(),
  max_failures: z.int().min(1).max(100).describe("Failures in a row that switch it off; 3 without one").optional(),
};

/** `schedule_once { in | at, prompt }` */
export const scheduleOnce = defineTool({
  name: "schedule_once",
  description: "Have yourself woken here once, with a prompt of your own, after a pause or at a time.",
  class: CLASS,
  input: z.strictObject({ id: id.optional(), in: inText.optional(), at: atText.optional(), prompt, ...common }),
  run: (scope, input) => make(scope, input.id, input),
});

/** `schedule_add { cron, timezone?, prompt, … }` */
export const scheduleAdd = defineTool({
  name: "schedule_add",
  description:
    "Have yourself woken here again and again, with a prompt of your own, at the times of a cron expression.",
  class: CLASS,
  input: z.strictObject({ id: id.optional(), cron, timezone: timezone.optional(), prompt, ...common, ...limits }),
  run: (scope, { id, expires_at, max_fires, max_failures, ...input }) =>
    make(scope, id, { ...input, expiresAt: expires_at, maxFires: max_fires, maxFailures: max_failures }),
});

/** `schedule_list {}` */
export const scheduleList = defineTool({
  name: "schedule_list",
  description: "List the schedules of this room; of your own with their prompts.",
  class: CLASS,
  input: z.strictObject({}),
  async run({ context, room, persona }) {
    const schedules = await schedulesOf(context.store, room.id);
    const lines = schedules.map(({ value }) => {
      const isOwn = value.persona === persona.name;
      return `${scheduleLine(context, value)}${isOwn ? `\n  prompt: ${value.prompt}` : ""}`;
    });
    return { ok: true, text: lines.join("\n") || "There are no schedules in this room." };
  },
});

/** `schedule_modify { id, … }`: only what is given changes. */
export const scheduleModify = defineTool({
  name: "schedule_modify",
  description:
    "Change one of your schedules in this room: only what you give is changed. enabled switches it on or off.",
  class: CLASS,
  input: z.strictObject({
    id,
    enabled: z.boolean().optional(),
    cron: cron.optional(),
    timezone: timezone.optional(),
    in: inText.optional(),
    at: atText.optional(),
    prompt: prompt.optional(),
    ...common,
    ...limits,
  }),
  async run(scope, { id: wanted, expires_at, max_fires, max_failures, ...input }) {
    const record = await ownSchedule(scope, wanted);
    if ("problem" in record) return refused(record.problem);
    const wishes = { ...input, expiresAt: expires_at, maxFires: max_fires, maxFailures: max_failures };
    const changed = changedSchedule(scope.context, record.value, wishes);
    if ("problem" in changed) return refused(changed.problem);
    const expect = [{ kind: RECORDS.schedule, key: record.key, version: record.version }];
    return { ...told(scope, "changed", changed.schedule), expect, put: [schedulePut(changed.schedule)] };
  },
});

/** `schedule_remove { id }` */
export const scheduleRemove = defineTool({
  name: "schedule_remove",
  description: "Remove one of your schedules in this room.",
  class: CLASS,
  input: z.strictObject({ id }),
  async run(scope, { id: wanted }) {
    const record = await ownSchedule(scope, wanted);
    if ("problem" in record) return refused(record.problem);
    const { kind, key, version } = record;
    return { ok: true, text: `removed ${key}`, expect: [{ kind, key, version }], delete: [{ kind, key }] };
  },
});

async function make(scope: ToolScope, wanted: string | undefined, wishes: Wishes): Promise<ToolOutcome> {
  const { context, begun, persona, place, cause } = scope;
  const made = await newSchedule(context, {
    room: await context.rooms.getOrNew(begun.session, false),
    session: begun.session,
    persona: persona.name,
    id: wanted,
    wishes,
    root: cause.root,
    madeBy: createHash("sha256")
      .update(JSON.stringify([turnId(place), wanted, wishes]))
      .digest("base64url"),
  });
  return "problem" in made ? refused(made.problem) : { ...told(scope, "made", made.schedule), ...made.parts };
}

/** Only its owner changes a schedule; people have `/schedule`. */
async function ownSchedule({ context, room, persona }: ToolScope, wanted: string): Promise<ScheduleRecord | Problem> {
  const record = await context.store.get<Schedule>(room.id, RECORDS.schedule, wanted.toLowerCase());
  if (record === undefined)
    return { problem: `there is no schedule ${wanted} in this room: schedule_list has their ids` };
  if (record.value.persona === persona.name) return record;
  return { problem: `${record.key} is a schedule of ${record.value.persona}; you can only change your own` };
}

function told({ context }: ToolScope, what: string, schedule: Schedule): Pick<ToolOutcome, "ok" | "text"> {
  return { ok: true, text: `${what}: ${scheduleLine(context, schedule)}` };
}

function refused(problem: string): ToolOutcome {
  return { ok: false, text: `refused: ${problem}` };
}
