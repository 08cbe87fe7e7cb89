import { InteractionType } from "discord.js";
import type { Answer, Clock, InboundSender, Inbox, Logger, Reader, View } from "../../../src/index.js";
import { roomOf, threadSession } from "../../../src/index.js";
import { answerTo } from "../../shared/asked.js";
import { orLate } from "../../shared/or-late.js";
import { readCustomId } from "../outbound/view-buttons.js";
import type { AgentFamily, DiscordPersona } from "../team.js";
import { type Finder, roomOfChannel, type Whereabouts } from "../whereabouts.js";
import { type Answering, type AnswerRest, createAnswering } from "./answer.js";
import { choicesFor } from "./autocomplete.js";
import {
  type AutocompleteWire,
  type CommandWire,
  type InteractionWire,
  interactionWire,
  type PressWire,
  parentOf,
  senderOf,
} from "./wire.js";
import { wordsOf } from "./words.js";

/** Commands, clicks, and what is offered while people type. */
export interface Interactions {
  /** Takes an `INTERACTION_CREATE` as it came. Acknowledges it at once; the answer follows. Never throws. */
  take(interaction: unknown): void;
  /** Takes nothing more, and waits until what was taken is answered, at most so long. Never rejects. */
  stop(deadlineMs: number): Promise<void>;
}

export interface InteractionsOptions {
  readonly inbox: Inbox;
  readonly reader: Pick<Reader, "room">;
  /** Without retries of its own: what Discord has taken once must not be sent again. */
  readonly rest: AnswerRest;
  readonly families: readonly AgentFamily[];
  readonly personas: () => readonly DiscordPersona[];
  /** Finds the channel of a thread. */
  readonly find: Finder;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** So many people wait for an answer at most; who comes then is told. */
const MOST_AT_ONCE = 200;

const BUSY: View = { text: "Too much is going on just now; try again in a minute.", tone: "error" };
const STRANGE: View = {
  text: "This is not known here. It may come from another version; see /agent help.",
  tone: "error",
};
const GONE: View = { text: "What this button belonged to is gone.", tone: "error" };

export function createInteractions(options: InteractionsOptions): Interactions {
  const { inbox, reader, rest, families, find, clock, logger } = options;
  const active = new Set<Promise<void>>();
  let isStopped = false;

  /** Where it was done. What Discord sends along suffices nearly always. */
  async function whereabouts(wire: InteractionWire): Promise<Whereabouts> {
    const { channel_id: channel, guild_id: guild } = wire;
    const parent = parentOf(wire);
    if (guild === undefined || parent === undefined) return find(channel, guild);
    const room = roomOfChannel(guild, parent ?? channel);
    return { session: parent === null ? room : threadSession(room, channel), isDirect: false };
  }

  const asked = (ask: () => Promise<Answer>) => answerTo(ask, "Discord", logger);

  async function command(wire: CommandWire, from: InboundSender, answering: Answering): Promise<void> {
    if (!(await answering.defer())) return;
    const { view, public: isPublic } = await asked(async () => {
      const { session, isDirect } = await whereabouts(wire);
      const direct = isDirect ? { direct: true } : {};
      return inbox.command({ session, from, text: wordsOf(wire, families), ...direct });
    });
    // What the room sees is in the room already; the rest is for who asked.
    await (isPublic ? answering.withdraw() : answering.fill(view));
  }

  async function press(wire: PressWire, from: InboundSender, answering: Answering): Promise<void> {
    if (!(await answering.deferUpdate())) return;
    const { view, public: isPublic } = await asked(async () => {
      const { session } = await whereabouts(wire);
      const room = roomOf(session);
      const carried = await readCustomId(wire.data.custom_id, room, reader);
      if (carried === undefined) return { ok: false, view: GONE, public: false };
      return inbox.press({ room, from, ...carried });
    });
    // The notice itself shows what has become of it.
    if (!isPublic) await answering.add(view);
  }

  async function complete({ data }: AutocompleteWire, answering: Answering): Promise<void> {
    const [subcommand] = data.options;
    const focused = subcommand?.options.find((option) => option.focused);
    if (subcommand === undefined || focused === undefined) return answering.choices([]);
    const typed = {
      command: data.name,
      subcommand: subcommand.name,
      option: focused.name,
      text: String(focused.value ?? ""),
    };
    await answering.choices(choicesFor(typed, options));
  }

  async function handle(wire: InteractionWire): Promise<void> {
    const { id, token, application_id: applicationId } = wire;
    const answering = createAnswering({ rest, applicationId, id, token, logger });
    const isBusy = isStopped || active.size >= MOST_AT_ONCE;
    if (wire.type === InteractionType.ApplicationCommandAutocomplete)
      return isBusy ? undefined : complete(wire, answering);
    if (isBusy) return answering.say(BUSY);
    const from = senderOf(wire);
    if (from === undefined || !isOurs(wire, families)) return answering.say(STRANGE);
    return wire.type === InteractionType.ApplicationCommand
      ? command(wire, from, answering)
      : press(wire, from, answering);
  }

  return {
    take(interaction) {
      const parsed = interactionWire.safeParse(interaction);
      if (!parsed.success) return void logger.warn({}, "an interaction from Discord has not the form of one");
      const work = handle(parsed.data)
        .catch((error: unknown) => logger.error({ error }, "an interaction from Discord failed"))
        .finally(() => active.delete(work));
      active.add(work);
    },
    async stop(deadlineMs) {
      isStopped = true;
      await orLate(Promise.all(active), deadlineMs, clock, undefined);
    },
  };
}

function isOurs(wire: InteractionWire, families: readonly AgentFamily[]): wire is CommandWire | PressWire {
  if (wire.type === InteractionType.ApplicationCommand) return families.some(({ name }) => name === wire.data.name);
  return wire.type === InteractionType.MessageComponent && wire.data.custom_id.startsWith("troupe:");
}
