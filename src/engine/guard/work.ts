import { createHash } from "node:crypto";
import { roomOf, type SessionId } from "../../domain/ids.js";
import { isMessagingCommand, NO_WORK, type WorkLog, withWork } from "../../domain/progress.js";
import type { RecordPut, Store } from "../../ports/store.js";
import { agentKey, RECORDS } from "../records.js";

/** One piece of completed work, by what makes it the same as another: name, input and result. */
export interface Work {
  readonly name: string;
  readonly input: unknown;
  readonly result: string;
}

/**
 * The record of a persona's work in a session with one more piece. Only the owner of the session writes it, in a commit
 * that its fence guards, so it carries no expectation.
 */
export async function workPut(store: Store, session: SessionId, persona: string, work: Work): Promise<RecordPut> {
  const room = roomOf(session);
  const key = agentKey(session, persona);
  const log = (await store.get<WorkLog>(room, RECORDS.work, key))?.value ?? NO_WORK;
  return { kind: RECORDS.work, key, value: withWork(log, digestOf(work)) };
}

/** Whether a tool's input is a shell command that only sends a message (behaviour 0.14). */
export function isMessaging(input: unknown): boolean {
  if (typeof input !== "object" || input === null || !("command" in input)) return false;
  const { command } = input;
  if (typeof command === "string") return isMessagingCommand(command);
  // The words of a call, or a shell with the command as its last one.
  const words = Array.isArray(command) ? command.map(String) : [];
  return isMessagingCommand(words.slice(0, 2).join(" ")) || isMessagingCommand(words.at(-1) ?? "");
}

function digestOf({ name, input, result }: Work): string {
  return createHash("sha256")
    .update(JSON.stringify([name, input, result]))
    .digest("base64url");
}
