import type { Entry } from "../domain/entry.js";
import { roomOf, type SessionId, threadOf } from "../domain/ids.js";
import type { Store } from "../ports/store.js";
import { type Posted, RECORDS } from "./records.js";

/**
 * The channel's entry that a thread hangs on, by the platform's id that the two share: a person's message has it as its id, of a
 * persona's it was noted when it was posted. `undefined` in the channel itself, and where the message is not known.
 */
export async function threadRoot(store: Store, session: SessionId): Promise<Entry | undefined> {
  const thread = threadOf(session);
  if (thread === undefined) return undefined;
  const room = roomOf(session);
  const posted = await store.get<Posted>(room, RECORDS.posted, `message|${thread}`);
  return (await store.find(room, posted?.value.entry ?? thread))?.entry;
}
