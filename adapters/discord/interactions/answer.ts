import { InteractionResponseType, MessageFlags, type REST, Routes } from "discord.js";
import type { Logger, View } from "../../../src/index.js";
import { discordCode } from "../tokens.js";
import { answerParts } from "./answer-parts.js";
import type { Choice } from "./commands.js";

/** Answers one interaction. Nothing here rejects: what Discord does not take any more is a line in the log. */
export interface Answering {
  /** Says within the time that Discord gives that an answer will come, for this person alone. `false`: it is too late. */
  defer(): Promise<boolean>;
  /** Says that a click has been heard, without a word. */
  deferUpdate(): Promise<boolean>;
  /** Shows an answer where one has been promised by `defer`. */
  fill(view: View): Promise<void>;
  /** Takes back the promise: what there is to see stands in the room. */
  withdraw(): Promise<void>;
  /** Shows something to this person after `deferUpdate`. */
  add(view: View): Promise<void>;
  /** Answers at once. */
  say(view: View): Promise<void>;
  choices(choices: readonly Choice[]): Promise<void>;
}

/** The calls of `REST` that answers need. */
export type AnswerRest = Pick<REST, "post" | "patch" | "delete">;

export interface AnsweringOptions {
  readonly rest: AnswerRest;
  readonly applicationId: string;
  readonly id: string;
  readonly token: string;
  readonly logger: Logger;
}

/** Discord shows more, but nobody reads it in a message for one person. */
const MOST_PARTS = 5;
const NOBODY = { parse: [] };

export function createAnswering({ rest, applicationId, id, token, logger }: AnsweringOptions): Answering {
  const followUps = Routes.webhook(applicationId, token);
  const original = Routes.webhookMessage(applicationId, token);

  async function attempt(call: () => Promise<unknown>): Promise<boolean> {
    try {
      await call();
      return true;
    } catch (error) {
      const code = discordCode(error);
      const isOver = code !== undefined && OVER.has(code);
      logger.warn(isOver ? { code } : { error }, isOver ? EXPIRED : "could not answer a command or click in Discord");
      return false;
    }
  }

  const callback = (type: InteractionResponseType, data?: object) =>
    attempt(() =>
      rest.post(Routes.interactionCallback(id, token), {
        auth: false,
        body: { type, ...(data === undefined ? {} : { data }) },
      }),
    );
  const followUp = (content: string) =>
    attempt(() => rest.post(followUps, { auth: false, body: { ...message(content), flags: MessageFlags.Ephemeral } }));

  async function addAll(parts: readonly string[]): Promise<void> {
    for (const part of parts) if (!(await followUp(part))) return;
  }

  return {
    defer: () => callback(InteractionResponseType.DeferredChannelMessageWithSource, { flags: MessageFlags.Ephemeral }),
    deferUpdate: () => callback(InteractionResponseType.DeferredMessageUpdate),
    async fill(view) {
      const [first = "", ...rest_] = answerParts(view, MOST_PARTS);
      if (await attempt(() => rest.patch(original, { auth: false, body: message(first) }))) await addAll(rest_);
    },
    async withdraw() {
      await attempt(() => rest.delete(original, { auth: false }));
    },
    add: (view) => addAll(answerParts(view, MOST_PARTS)),
    async say(view) {
      const [content = ""] = answerParts(view, 1);
      const data = { ...message(content), flags: MessageFlags.Ephemeral };
      await callback(InteractionResponseType.ChannelMessageWithSource, data);
    },
    async choices(choices) {
      await callback(InteractionResponseType.ApplicationCommandAutocompleteResult, { choices });
    },
  };
}

function message(content: string) {
  return { content, allowed_mentions: NOBODY };
}

/**
 * The interaction is not known (any more), somebody has answered it already, or its token has run out: 3 seconds for the first word,
 * 15 minutes for the rest.
 */
const OVER: ReadonlySet<number> = new Set([10_062, 40_060, 50_027, 10_015]);
const EXPIRED =
  "a command or click in Discord could not be answered any more: it was answered already, by another process with this token perhaps, or too late";
