import type { RoomId } from "./ids.js";

/**
 * The durable record of a room: who is attached, in order, and who hosts. Settings live elsewhere
 * (one value per key), since they change independently.
 */
export interface Room {
  readonly id: RoomId;
  /** Attached handles in the order of attachment. */
  readonly roster: readonly string[];
  /** The roster follows the team: new personas join in name order until a command removes them. */
  readonly follows: boolean;
  /** Personas that a command removed from a following roster. */
  readonly removed: readonly string[];
  readonly host?: string;
  /** A DM or another place where every message is meant for us: always `wake: always`, `reply: channel`. */
  readonly direct: boolean;
  /** Set by a pause; cleared when a person resumes, posts or opens the room. */
  readonly attention: boolean;
  readonly createdAt: number;
}

/** A member as a room shows it. `missing`: attached, but its file is gone; never eligible. */
export interface Member {
  readonly name: string;
  readonly missing: boolean;
}

/** What a new room starts with (`rooms.defaults` and `rooms.overrides` of the configuration). */
export interface RoomStart {
  readonly personas: "all" | readonly string[];
  readonly host?: string;
  readonly direct: boolean;
}

/** A new room. `personas: all` makes a roster that follows the team. */
export function createRoom(id: RoomId, start: RoomStart, now: number): Room {
  const follows = start.personas === "all";
  return {
    id,
    roster: start.personas === "all" ? [] : [...new Set(start.personas)],
    follows,
    removed: [],
    ...(start.host === undefined ? {} : { host: start.host }),
    direct: start.direct,
    attention: false,
    createdAt: now,
  };
}

/**
 * The members of a room in attachment order. `team` is the team's handles in name order; those that
 * a following roster does not have yet come last.
 */
export function membersOf(room: Room, team: readonly string[]): readonly Member[] {
  const known = new Set(team);
  const joined = room.follows ? team.filter((name) => !room.roster.includes(name) && !room.removed.includes(name)) : [];
  return [...room.roster, ...joined].map((name) => ({ name, missing: !known.has(name) }));
}

/** Handles that routing may wake, in attachment order. */
export function eligible(room: Room, team: readonly string[]): readonly string[] {
  return membersOf(room, team)
    .filter((member) => !member.missing)
    .map((member) => member.name);
}

/**
 * The room with everybody who has joined a following roster written into it, so that they stay listed when their files
 * go. The same object when nobody has joined.
 */
export function withJoined(room: Room, team: readonly string[]): Room {
  const roster = membersOf(room, team).map((member) => member.name);
  return roster.length === room.roster.length ? room : { ...room, roster };
}

/** Attaches a persona. Idempotent: a member keeps its place. */
export function attach(room: Room, name: string, team: readonly string[]): Room {
  const roster = membersOf(room, team).map((member) => member.name);
  if (roster.includes(name)) return room;
  return { ...room, roster: [...roster, name], removed: room.removed.filter((other) => other !== name) };
}

/** Detaches a persona; a detached host stops being host. Idempotent. */
export function detach(room: Room, name: string, team: readonly string[]): Room {
  const roster = membersOf(room, team).map((member) => member.name);
  if (!roster.includes(name)) return room;
  const { host, ...rest } = room;
  return {
    ...rest,
    ...(host === undefined || host === name ? {} : { host }),
    roster: roster.filter((other) => other !== name),
    removed: room.follows ? [...new Set([...room.removed, name])] : room.removed,
  };
}

/** Makes a persona host, or clears the host. The caller has checked that the persona is attached. */
export function setHost(room: Room, name: string | undefined): Room {
  const { host: _, ...rest } = room;
  return name === undefined ? rest : { ...rest, host: name };
}
