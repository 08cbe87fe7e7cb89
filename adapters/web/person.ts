import type { InboundSender } from "../../src/index.js";

/** Whoever holds the person's key. The web room has one person, who may do everything. */
export const WEB_PERSON: InboundSender = { kind: "person", id: "web:local:person", name: "You", isAdmin: true };

const WEB_ROOM = /^web:local:[a-z0-9][a-z0-9-]{0,31}$/;

/** Whether the id is a web room's, existing or not: its first message makes it. */
export function isWebRoom(id: string): boolean {
  return WEB_ROOM.test(id);
}
