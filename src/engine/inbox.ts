import type { ParsedCommand } from "../domain/command.js";
import { parseCommand } from "../domain/command.js";
import type { Answer, InboundCommand, InboundMessage, Inbox, Press } from "../ports/platform.js";
import { refusal } from "./commands/command.js";
import { runCommand } from "./commands/table.js";
import type { EngineContext } from "./context.js";
import { tellOne } from "./ephemeral.js";
import type { Guard } from "./guard/guard.js";
import { receiveMissed } from "./missed.js";
import { press } from "./press.js";
import { receive } from "./receive.js";
import { revise } from "./revise.js";
import { mayResume, RESUME_REFUSED } from "./rights.js";
import type { Turns } from "./turns.js";

interface InboxOptions {
  readonly context: EngineContext;
  readonly turns: Turns;
  readonly guard: Guard;
  /** Resolves when commands and buttons may act: after what was left open by the last run is settled. */
  readonly ready: Promise<void>;
}

/** What adapters hand inbound things to. Everything settles after its commit, so that an adapter may then acknowledge. */
export function createInbox({ context, turns, guard, ready }: InboxOptions): Inbox {
  async function command(parsed: ParsedCommand, from: Omit<InboundCommand, "text">): Promise<Answer> {
    await ready;
    const room = await context.rooms.getOrNew(from.session, from.direct ?? false);
    return runCommand(parsed, {
      context,
      turns,
      guard,
      session: from.session,
      from: from.from,
      args: parsed.args,
      text: parsed.text,
      room,
    });
  }

  return {
    async message(message: InboundMessage) {
      const { command: parsed, ...accepted } = await receive(context, message);
      // The adapter acknowledges now; the command's answer follows by itself.
      if (parsed) void answerLater(message, parsed);
      return accepted;
    },
    revise: (revision) => revise(context, revision),
    missed: (session, messages) => receiveMissed(context, session, messages),
    async command(inbound) {
      const parsed = parseCommand(inbound.text);
      if (!parsed) return refusal("There is no such command. /agent help lists what there is.");
      return command(parsed, inbound);
    },
    async press(pressed: Press) {
      await ready;
      return press({ context, turns, guard }, pressed);
    },
    async resume({ session, from, pair }) {
      await ready;
      if (!mayResume(context.config, session, from)) return refusal(RESUME_REFUSED);
      const { resumed, delivered } = await guard.resumePair(session, pair, from);
      const text = `${resumed} resumed, ${delivered} delivered.`;
      return { ok: true, view: { text }, public: false, data: { session, resumed, delivered } };
    },
  };

  /** A command after a mention of the app: its answer goes to whoever asked, unless it stands in the log already. */
  async function answerLater(message: InboundMessage, parsed: ParsedCommand): Promise<void> {
    const { session, from, id } = message;
    const asker = { session, to: from.id, about: id };
    try {
      const result = await command(parsed, message);
      if (!result.public) await tellOne(context, asker, result.view);
    } catch (error) {
      context.logger.error({ session, error }, "a command failed");
      await tellOne(context, asker, {
        text: "The command failed; the log has the details.",
        tone: "error",
      });
    }
  }
}
