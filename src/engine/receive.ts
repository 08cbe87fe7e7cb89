import { cleanInbound } from "../domain/clean-text.js";
import { type ParsedCommand, parseCommand } from "../domain/command.js";
import type { Draft, Sender } from "../domain/entry.js";
import { ProtocolError, StoreError } from "../domain/errors.js";
import { isSessionId, roomOf } from "../domain/ids.js";
import type { Outcome } from "../domain/outcome.js";
import { addressed } from "../domain/route.js";
import type { Accepted, InboundMessage } from "../ports/platform.js";
import type { Change } from "../ports/store.js";
import { MAX_MESSAGE_LENGTH } from "./config.js";
import type { EngineContext } from "./context.js";
import { type Posted, RECORDS } from "./records.js";
import { mayResume } from "./rights.js";

/** A message that has been accepted, and the command it held, if any: that is for the caller to run. */
export interface Received extends Accepted {
  readonly command?: ParsedCommand;
}

const MAX_CONFLICTS = 5;

/**
 * Commits a message to its session's log, durably and once: a redelivery of the same id changes nothing. The room is made
 * by its first message, in the same commit. Resolves after the commit; only then may an adapter acknowledge. Rejects
 * with a `ProtocolError` for input that can never be accepted and a `StoreError` when the store cannot now.
 */
export async function receive(context: EngineContext, message: InboundMessage): Promise<Received> {
  const text = checkedText(message);
  const read = await readMessage(context, message, text);
  for (let i = 0; i < MAX_CONFLICTS; i++) {
    const result = await context.commit(await acceptance(context, message, read));
    if (result.status === "duplicate") {
      await context.store.sync();
      const { entry } = result.existing;
      return { entry: entry.id, seq: entry.seq, duplicate: true };
    }
    if (result.status !== "ok") continue;
    context.meter.received();
    // The turn need not wait for the disk; the acknowledgement does.
    await Promise.all([context.store.sync(), context.queue.wake(message.session)]);
    const seq = result.entries[0]?.seq ?? 0;
    return { entry: message.id, seq, duplicate: false, ...(read.command ? { command: read.command } : {}) };
  }
  throw new StoreError("store_unavailable", `${message.session}: the room kept changing; send the message again`, {
    retryable: true,
  });
}

/** The commit that accepts a message. It makes the room, and clears its attention mark: a person has seen to it. */
async function acceptance(
  context: EngineContext,
  { session, direct, from }: InboundMessage,
  read: ReadMessage,
): Promise<Change> {
  const { room, kind, key, version, value } = await context.rooms.getOrNew(session, direct ?? false);
  const seen = from.kind === "person" ? { ...value, attention: false } : value;
  const isChanged = version === 0 || seen.attention !== value.attention;
  return {
    room,
    soon: true,
    append: [{ session, entry: read.draft, ...(read.outcome ? { outcome: read.outcome } : {}) }],
    ...(isChanged ? { expect: [{ kind, key, version }], put: [{ kind, key, value: seen }] } : {}),
  };
}

function checkedText(message: InboundMessage): string {
  if (!isSessionId(message.session))
    throw new ProtocolError("invalid_input", "the session id has not the form platform:space:channel");
  if (message.text.length > MAX_MESSAGE_LENGTH) {
    throw new ProtocolError(
      "message_too_long",
      `the message is longer than ${MAX_MESSAGE_LENGTH} characters; send it in parts or as a file`,
    );
  }
  return cleanInbound(message.text);
}

interface ReadMessage {
  readonly draft: Draft;
  readonly outcome?: Outcome;
  readonly command?: ParsedCommand;
}

/** Who says it, to whom, and whether it is settled already: a command, or a bot that this room does not listen to. */
export async function readMessage(context: EngineContext, message: InboundMessage, text: string): Promise<ReadMessage> {
  const { from } = message;
  const sender: Sender = { kind: from.kind, id: from.id, name: from.name };
  const base = { kind: "message", id: message.id, sender, text, at: message.at, ...filesOf(message) } as const;
  if (from.kind === "bot") {
    const draft = { ...base, cause: { kind: "agent" } } as const;
    if (context.rooms.isBotAllowed(roomOf(message.session), from.id)) return { draft: { ...draft, asAgent: true } };
    return { draft, outcome: { kind: "ignored", reason: "bot" } };
  }

  const rights = mayResume(context.config, message.session, from) ? ({ mayResume: true } as const) : {};
  const draft = { ...base, ...rights, cause: { kind: "person", root: from.id } } as const;
  const team = context.team();
  const toApp = addressed(text, team.parse, team.handles);
  if (toApp?.persona !== undefined) return { draft: { ...draft, to: toApp.persona } };
  const command = toApp === undefined ? undefined : parseCommand(toApp.words);
  if (command) return { draft, command, outcome: { kind: "ignored", reason: "command" } };
  const answers = await answeredPersona(context, message);
  return { draft: { ...draft, ...(answers === undefined ? {} : { answers }) } };
}

function filesOf({ files }: InboundMessage) {
  return files === undefined || files.length === 0 ? {} : { files };
}

/** The persona whose post a person answers by the platform's reply gesture. */
async function answeredPersona(context: EngineContext, message: InboundMessage): Promise<string | undefined> {
  if (message.replyTo === undefined) return undefined;
  const posted = await context.store.get<Posted>(roomOf(message.session), RECORDS.posted, `message|${message.replyTo}`);
  return posted?.value.persona;
}
