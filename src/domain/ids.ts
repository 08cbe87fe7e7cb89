/**
 * Room and session ids: `platform:space:channel` and `platform:space:channel[:thread]`.
 *
 * A room id is also the id of the channel's own session; a thread is a session below it.
 */
export type RoomId = string;
export type SessionId = string;

/** The room that a session belongs to. A room id is its own room. */
export function roomOf(session: SessionId): RoomId {
  const space = session.indexOf(":") + 1;
  const channel = space === 0 ? 0 : session.indexOf(":", space) + 1;
  const end = channel === 0 ? -1 : session.indexOf(":", channel);
  return end < 0 ? session : session.slice(0, end);
}

/** The thread part of a session id; `undefined` for the channel's own session. */
export function threadOf(session: SessionId): string | undefined {
  const room = roomOf(session);
  return session.length > room.length ? session.slice(room.length + 1) : undefined;
}

/** The platform's name, the first part of every id. */
export function platformOf(session: SessionId): string {
  return session.split(":", 1)[0] ?? "";
}

/** The session of one thread of a room. */
export function threadSession(room: RoomId, thread: string): SessionId {
  return `${room}:${thread}`;
}

const ID = /^[a-z]+:[^:\s]+:[^:\s]+(:[^:\s]+)?$/;

/** Whether the text has the form of a room or session id. */
export function isSessionId(text: string): text is SessionId {
  return ID.test(text);
}
