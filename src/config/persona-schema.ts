import { z } from "zod";
import { oneOf, section, wholeNumber } from "./fields.js";
import { displayNameFault, HANDLE } from "./persona-names.js";

const MAX_TEXT = 40_000;

function text(maxLength: number) {
  const error = `must be text of at most ${maxLength} characters`;
  return z.string({ error }).max(maxLength, { error });
}

const displayName = z
  .string({ error: "must be text" })
  .trim()
  .superRefine((name, context) => {
    const fault = displayNameFault(name);
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
  });

const AVATAR_FORM = "must be an emoji code such as :compass: or an https image address";
const avatar = z.string({ error: AVATAR_FORM }).refine(isAvatar, { error: AVATAR_FORM });

function isAvatar(value: string): boolean {
  if (/^:[a-z0-9_+-]{1,100}:$/.test(value)) return true;
  return value.length <= 2000 && URL.canParse(value) && new URL(value).protocol === "https:";
}

const TOOLS_FORM = "must be a list of tool names, or one line of them with commas";
const tools = z.union([z.array(z.string({ error: TOOLS_FORM })), z.string()], { error: TOOLS_FORM });

const when = z.string({ error: "must be a regular expression, as text" }).superRefine((source, context) => {
  try {
    if (source.length > 1000) throw new RangeError("it is longer than 1000 characters");
    new RegExp(source, "i");
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*: /s, "") : "";
    context.addIssue({ code: "custom", message: `is not a regular expression: ${reason}` });
  }
});

const STEP_FORM = "must be a step: say, tool with input, delay_ms or fail";
const step = z.union(
  [
    section({ say: text(MAX_TEXT).describe("Text of the reply. Knows {{text}}, {{sender}} and {{turn}}.") }),
    section({
      tool: text(100).describe("Room tool to call."),
      input: z.record(z.string(), z.unknown(), { error: "must be a map" }).default({}).describe("Its input."),
    }),
    section({ delay_ms: wholeNumber(0, 600_000).describe("Milliseconds to wait.") }),
    section({ fail: text(1000).describe("Ends the turn as failed, with this reason.") }),
  ],
  { error: STEP_FORM },
);

const condition = {
  when: when.optional().describe("Regular expression on the waking text, case-insensitive. Absent: always."),
  times: wholeNumber(1, 1_000_000).optional().describe("At most this many uses in a session."),
};
const STEPS_FORM = "must be a list of at most 100 steps";
const rule = z.union(
  [
    section({ ...condition, steps: z.array(step, { error: STEPS_FORM }).max(100, { error: STEPS_FORM }) }),
    section({ ...condition, say: text(MAX_TEXT).describe("Short form of one say step.") }),
  ],
  { error: "must be a rule: steps, or say; with when and times if wanted" },
);

const VARIABLE_FORM =
  "must be the name of an environment variable such as ALPHA_SLACK_BOT_TOKEN, never the token itself";
const variableName = z.string({ error: VARIABLE_FORM }).regex(/^[A-Z][A-Z0-9_]{0,99}$/, { error: VARIABLE_FORM });

const SCRIPT_FORM = "must be a list of at most 500 rules";

/** Front matter of a persona file. The name and the model are judged by the reader, which can suggest a mend. */
export const personaSchema = z
  .object(
    {
      name: z.string({ error: "must be text" }).meta({
        pattern: HANDLE.source,
        description: "Handle: a small letter, then up to 31 of a-z, 0-9, _ and -. Unique.",
      }),
      display_name: displayName.optional().describe("Shown, and mentionable too. Default: the name."),
      description: text(10_000).default("").describe("What the persona does, for people and for the other personas."),
      avatar: avatar.optional().describe("Emoji code such as :compass:, or https image address."),
      model: z
        .unknown()
        .optional()
        .meta({ type: "string", description: "provider:model. `inherit` or absent: the default model." }),
      brain: oneOf(["llm", "script"])
        .optional()
        .describe("What answers. Default: script if there is a script, else llm."),
      tools: tools
        .optional()
        .describe("Room tools that the persona may use; * at the end matches the rest. Absent: all."),
      script: z
        .array(rule, { error: SCRIPT_FORM })
        .max(500, { error: SCRIPT_FORM })
        .optional()
        .describe("Rules of a scripted persona; the first that matches and is not used up runs."),
      slack: section({
        token_env: variableName
          .optional()
          .describe(
            "Variable that holds the bot token of an app of the persona's own. Read at the start of the service.",
          ),
      })
        .optional()
        .describe("The persona on Slack."),
      discord: section({
        role: z
          .boolean({ error: "must be true or false" })
          .optional()
          .describe(
            "Whether servers get a role of the persona's name, without any permission, to mention it by. Made at the start of the service.",
          ),
      })
        .optional()
        .describe("The persona on Discord."),
    },
    { error: "must be a map of keys" },
  )
  .describe("Front matter of a Troupe persona file");

/** Front matter in its form, before name, model and tools are judged. */
export type FrontMatter = z.output<typeof personaSchema>;
