import { createHash } from "node:crypto";
import type { Button, Reader, RoomId } from "../../../src/index.js";

/** Discord takes no longer ids. */
const LONGEST_ID = 100;

/**
 * The id of a button: its action, then its value; in place of a value too long for that a digest of it. It means the same in every
 * run, so that a button stays good over restarts.
 */
export function customIdOf({ action, value }: Pick<Button, "action" | "value">): string {
  const whole = `${action}|${value}`;
  return whole.length <= LONGEST_ID ? whole : `${action}#${digestOf(value)}`;
}

/** What a pressed button carries. `undefined`: none of ours, or what it belonged to is gone. */
export async function readCustomId(
  customId: string,
  room: RoomId,
  reader: Pick<Reader, "room">,
): Promise<Pick<Button, "action" | "value"> | undefined> {
  const [, action = "", mark, rest = ""] = /^(troupe:[a-z]+)([|#])(.*)$/s.exec(customId) ?? [];
  if (mark === undefined) return undefined;
  if (mark === "|") return { action, value: rest };
  const notices = (await reader.room(room))?.notices ?? [];
  // A notice that is over has no buttons any more, and is known by its own id, which is what its buttons carried.
  const values = notices.flatMap(({ id, view }) => [id, ...(view.buttons ?? []).map(({ value }) => value)]);
  const value = values.find((one) => digestOf(one) === rest);
  return value === undefined ? undefined : { action, value };
}

function digestOf(value: string): string {
  return createHash("sha256").update(value).digest("base64url").slice(0, 32);
}
