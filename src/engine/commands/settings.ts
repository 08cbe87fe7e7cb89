import type { RoomSettings } from "../../domain/settings.js";
import type { Answer } from "../../ports/platform.js";
import { sayInRoom } from "./change-room.js";
import { type Command, type CommandCall, refusal, tooManyWords } from "./command.js";

const MAX_COUNT = 1_000;

/** `/agent budget [N]`: agent messages in a row without a person; no argument returns to the default. */
export const budget: Command = {
  name: "budget",
  alias: "burst",
  usage: "[N]",
  inputs: [{ name: "number", summary: "How many; the default without one", takes: "number" }],
  summary: "Set how many agent messages may follow each other; no number returns to the default",
  who: "admin",
  async run(call) {
    const { context, args, room, from } = call;
    if (args.length > 1) return tooManyWords(budget);
    if (args[0] === undefined) {
      await context.rooms.setSetting(room.room, "budget", undefined);
      const { budget } = await context.rooms.settings(room.value);
      return changed(call, `${from.name} set the burst budget back to the default, ${budget}.`);
    }
    const value = count(args[0]);
    if (value === undefined) return refusal(`The budget is a whole number from 1 to ${MAX_COUNT}: /agent budget 6`);
    await context.rooms.setSetting(room.room, "budget", value);
    return changed(call, `${from.name} set the burst budget to ${value}.`);
  },
};

/** `/agent fanout N`: how many mentioned personas one message may wake. */
export const fanout: Command = {
  name: "fanout",
  usage: "N",
  inputs: [{ name: "number", summary: "How many", takes: "number", required: true }],
  summary: "Set how many mentioned personas one message may wake",
  who: "admin",
  async run(call) {
    if (call.args.length > 1) return tooManyWords(fanout);
    const value = count(call.args[0]);
    if (value === undefined) return refusal(`The fan-out is a whole number from 1 to ${MAX_COUNT}: /agent fanout 2`);
    await call.context.rooms.setSetting(call.room.room, "fanout", value);
    return changed(call, `${call.from.name} let one message wake up to ${value}.`);
  },
};

/** `/agent wake mention|always`. */
export const wake = choice("wake", ["mention", "always"], {
  summary: "Wake on a mention only, or on every message of a person",
  fixed: "In a direct conversation every message is answered; this cannot be changed here.",
});

/** `/agent reply thread|channel`. */
export const reply = choice("reply", ["thread", "channel"], {
  summary: "Answer in a thread or in the channel",
  fixed: "A direct conversation is answered in place; this cannot be changed here.",
});

interface ChoiceText {
  readonly summary: string;
  /** The answer in rooms where the setting is fixed. */
  readonly fixed: string;
}

function choice<K extends "wake" | "reply">(
  key: K,
  values: readonly RoomSettings[K][],
  { summary, fixed }: ChoiceText,
): Command {
  return {
    name: key,
    usage: values.join("|"),
    inputs: [{ name: key, summary, takes: values, required: true }],
    summary,
    who: "admin",
    async run(call): Promise<Answer> {
      if (call.args.length > 1) return tooManyWords({ name: key, usage: values.join("|") });
      const value = values.find((candidate) => candidate === call.args[0]?.toLowerCase());
      if (value === undefined) return refusal(`Say which: /agent ${key} ${values.join(" or ")}`);
      if (call.room.value.direct) return refusal(fixed);
      await call.context.rooms.setSetting(call.room.room, key, value);
      return changed(call, `${call.from.name} set ${key} to ${value}.`);
    },
  };
}

/** A setting lives outside the room's record: the feed is told, since no commit does. */
function changed(call: CommandCall, line: string): Promise<Answer> {
  call.context.feed.publish(call.room.room, { type: "room" });
  return sayInRoom(call, line);
}

function count(word: string | undefined): number | undefined {
  if (word === undefined || !/^\d{1,4}$/.test(word)) return undefined;
  const value = Number(word);
  return value >= 1 && value <= MAX_COUNT ? value : undefined;
}
