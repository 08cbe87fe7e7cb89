import type { SessionId } from "../../domain/ids.js";
import type { Room } from "../../domain/room.js";
import type { View } from "../../domain/view.js";
import type { Answer, InboundSender } from "../../ports/platform.js";
import type { StoredRecord } from "../../ports/store.js";
import type { EngineContext } from "../context.js";
import type { Guard } from "../guard/guard.js";
import type { Turns } from "../turns.js";

/** What a command knows when it runs. */
export interface CommandCall {
  readonly context: EngineContext;
  readonly turns: Turns;
  readonly guard: Guard;
  readonly session: SessionId;
  readonly from: InboundSender;
  readonly args: readonly string[];
  /** The arguments as they were typed. */
  readonly text: string;
  /** The room; version 0 where nothing has been said yet. */
  readonly room: StoredRecord<Room>;
}

/** One word or number that a command takes, for platforms that ask for each by itself. In the order in which they are typed. */
export interface CommandInput {
  /** Small letters and digits; unique within its command. */
  readonly name: string;
  readonly summary: string;
  /** `personas`: several, with spaces between; `command`: a row of the table; a list: one of these words. */
  readonly takes: "persona" | "personas" | "command" | "number" | "text" | readonly string[];
  readonly required?: true;
}

/** One row of the command table (product section 6). */
export interface Command {
  readonly name: string;
  readonly alias?: string;
  /** Arguments as help shows them. */
  readonly usage: string;
  readonly inputs: readonly CommandInput[];
  readonly summary: string;
  readonly who: "all" | "admin";
  run(call: CommandCall): Promise<Answer>;
}

/** An answer for the one who asked. */
export function answer(view: View, data?: Answer["data"]): Answer {
  return { ok: true, view, public: false, ...(data === undefined ? {} : { data }) };
}

/** The refusal of more words than a command takes. */
export function tooManyWords({ name, usage }: Pick<Command, "name" | "usage">): Answer {
  return refusal(`Too many words: /agent ${name} ${usage}. A name with spaces goes in quotes.`);
}

/** A refusal that says what is wrong and how to mend it. Nothing has changed. */
export function refusal(text: string): Answer {
  return { ok: false, view: { text, tone: "error" }, public: false };
}
