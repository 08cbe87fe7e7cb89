import { z } from "zod";
import { GUARD_DEFAULTS, GUARD_KEYS, type GuardKey } from "../domain/guard-settings.js";
import { roomOf } from "../domain/ids.js";
import { SCHEDULE_BOUNDS } from "../domain/schedule.js";
import { distinct, handle, host, line, model, oneOf, origin, platformId, section, wholeNumber } from "./fields.js";

const roster = z
  .union([z.literal("all"), distinct(handle(), "persona names")], { error: "must be all or a list of persona names" })
  .describe("Members of a new room: `all`, which follows the persona folder, or a list of names.");
const bots = distinct(platformId(), "bot ids").describe(
  "Platform ids of other bots that may take part: their messages then count like an agent's for every budget.",
);
const wake = oneOf(["mention", "always"]).describe(
  "`mention`: a person's message wakes a persona only when it addresses one; `always`: every message of a person does.",
);
const reply = oneOf(["thread", "channel"]).describe(
  "Where a message in the channel is answered: in a thread on it, or in the channel.",
);

const ROOM_FORM = "must be a room id, platform:space:channel";
const WEB_ROOM = /^web:local:[a-z0-9][a-z0-9-]{0,31}$/;
const roomId = z
  .string()
  .refine((id) => /^[a-z]+:[^:\s]+:[^:\s]+$/.test(id) && roomOf(id) === id, { error: ROOM_FORM })
  .refine((id) => !id.startsWith("web:") || WEB_ROOM.test(id), {
    error: "must be web:local:NAME for a web room, NAME of a-z, 0-9 and -, at most 32 long",
  });

const override = section({
  personas: roster.optional(),
  host: handle().optional().describe("Persona that answers when nobody is mentioned. Must be a member."),
  bots: bots.optional(),
  wake: wake.optional(),
  reply: reply.optional(),
});

const rooms = section({
  defaults: section({
    personas: roster.default("all"),
    bots: bots.default([]),
    wake: wake.default("mention"),
    reply: reply.default("thread"),
  })
    .prefault({})
    .describe("What a room starts with. From then on commands in the room own its members and host."),
  overrides: z
    .record(roomId, override, { error: "must be a map of room ids" })
    .default({})
    .describe("Start values of single rooms by room id, platform:space:channel."),
});

/** A threshold of the pair guard wherever it is set: in the file, in the environment. Its range is the guard's own. */
export function threshold(name: GuardKey) {
  const { min, max } = GUARD_KEYS[name];
  return wholeNumber(min, max);
}

/** A threshold as a key of the file, with the guard's own default. */
function guardKey(name: GuardKey, description: string) {
  return threshold(name).default(GUARD_DEFAULTS[GUARD_KEYS[name].key]).describe(description);
}

const COMMAND_FORM = "must be a list: the program, then its arguments";

const pairGuard = section({
  enabled: z
    .boolean({ error: "must be true or false" })
    .default(GUARD_DEFAULTS.enabled)
    .describe("Whether two personas that loop are paused. Also TROUPE_PAIR_GUARD, 0 or 1."),
  alternations: guardKey(
    "alternations",
    "The message that would be so many back and forth without progress is held. Also TROUPE_PAIR_ALTERNATIONS.",
  ),
  repeats: guardKey(
    "repeats",
    "The message that would be so many nearly identical ones in a row from one to the other is held. Also TROUPE_PAIR_REPEATS.",
  ),
  similarity: guardKey(
    "similarity",
    "Percent from which two messages are nearly identical. Also TROUPE_PAIR_SIMILARITY.",
  ),
  max_messages: guardKey(
    "max_messages",
    "More messages than this within the window are held, with progress or without; 0 turns this off. Also TROUPE_PAIR_MAX_MESSAGES.",
  ),
  window_secs: guardKey("window_secs", "The window in seconds; 0 turns it off. Also TROUPE_PAIR_WINDOW_SECS."),
  held_max: guardKey("held_max", "Messages that one pause keeps. Later ones are refused, and their sender is told."),
  resume: oneOf(["members", "admins"])
    .default("members")
    .describe("Who may resume, pause and drop: people of the home workspace or server, or admins only."),
  notify_command: z
    .array(line(4096), { error: COMMAND_FORM })
    .min(1, { error: COMMAND_FORM })
    .max(64, { error: "must be at most 64 words" })
    .optional()
    .describe(
      "Program and arguments, run once for each pause that the guard makes. It gets the figures as JSON on its input, never a message's text.",
    ),
});

const PACE_FORM = "must be a number from 0 to 50";

/** Used when nothing sets the burst budget. */
export const DEFAULT_BURST_BUDGET = 6;

/** The burst budget wherever it is set: in the file, in the environment. */
export const burstBudget = wholeNumber(1, Number.MAX_SAFE_INTEGER);
/** The port wherever it is set. 0: any free port. */
export const port = wholeNumber(0, 65_535);

/** `troupe.yaml`. Only keys that do something; an empty file is valid. */
export const configSchema = section({
  version: z.literal(1, { error: "must be 1" }).default(1).describe("Version of this file's form."),
  team: line(64).default("troupe").describe("Name of the team. Part of what each persona knows about itself."),
  personas: line(4096).optional().describe("Folder of persona files, relative to this file. Default: ./personas"),
  default_persona: handle()
    .optional()
    .describe("Persona that answers when nothing else decides. Default: the first in name order."),
  default_model: model()
    .optional()
    .describe("Model of personas that name none: provider:model. Also TROUPE_DEFAULT_MODEL."),
  multi_agent: section({
    burst_budget: burstBudget
      .optional()
      .describe(
        `Agent messages in a row without a person. Default: ${DEFAULT_BURST_BUDGET}. Also TROUPE_BURST_BUDGET.`,
      ),
    fanout: wholeNumber(1, 100).default(1).describe("How many mentioned personas one message may wake, in text order."),
  })
    .prefault({})
    .describe("How personas wake each other."),
  pair_guard: pairGuard.prefault({}).describe("When two personas that loop are paused until a person resumes them."),
  limits: section({
    max_concurrent_turns: wholeNumber(1, 10_000)
      .default(32)
      .describe("Turns that run at the same time, over all rooms."),
    turn_timeout_secs: wholeNumber(1, 86_400).default(300).describe("Seconds after which a turn is ended as failed."),
    max_steps: wholeNumber(1, 1000).default(12).describe("Model calls in one turn."),
  })
    .prefault({})
    .describe("What a turn may use up."),
  schedules: section({
    min_interval_secs: wholeNumber(1, 86_400)
      .default(SCHEDULE_BOUNDS.minIntervalMs / 1_000)
      .describe("A schedule fires at most once in so many seconds."),
    max_per_persona: wholeNumber(0, 1_000)
      .default(SCHEDULE_BOUNDS.maxPerPersona)
      .describe("Schedules that one persona may have, over all rooms."),
    max_per_room: wholeNumber(0, 1_000)
      .default(SCHEDULE_BOUNDS.maxPerRoom)
      .describe("Schedules that one room may have. 0: none."),
  })
    .prefault({})
    .describe("What personas may schedule."),
  rooms: rooms.prefault({}).describe("What rooms start with."),
  admins: z
    .record(z.string().regex(/^[a-z]+$/, { error: "must be a platform's name" }), distinct(platformId(), "user ids"), {
      error: "must be a map of platform names to lists of user ids",
    })
    .default({})
    .describe(
      "User ids that may use admin commands, by platform. A platform that is not listed uses its own notion of an admin.",
    ),
  slack: section({
    mode: oneOf(["socket", "http"])
      .optional()
      .describe(
        "How Slack reaches the service: a socket that the service opens, or requests to its own port. Default: what the secrets in the environment are for.",
      ),
    pace: z
      .number({ error: PACE_FORM })
      .min(0, { error: PACE_FORM })
      .max(50, { error: PACE_FORM })
      .default(1)
      .describe("Posts per second and channel. 0: only what Slack itself asks for."),
  })
    .prefault({})
    .describe("Slack. It joins in when its tokens are in the environment."),
  discord: section({}).prefault({}).describe("Discord. It joins in when its token is in the environment."),
  catch_up_minutes: wholeNumber(0, 10_080)
    .default(60)
    .describe(
      "What was said while the service was down is answered at its next start if it is younger; older messages are listed in a notice.",
    ),
  web: section({
    host: host()
      .default("127.0.0.1")
      .describe("Address to listen on. Other than loopback needs TROUPE_ADMIN_TOKEN. Also TROUPE_HOST."),
    port: port.default(8730).describe("Port to listen on. Also TROUPE_PORT and --port."),
    public_url: origin().optional().describe("Address under which a proxy shows the service. Also TROUPE_PUBLIC_URL."),
  })
    .prefault({})
    .describe("The service's own web server."),
}).describe("Configuration of Troupe");

/** `troupe.yaml` with its defaults in place. */
export type ConfigFile = z.output<typeof configSchema>;
