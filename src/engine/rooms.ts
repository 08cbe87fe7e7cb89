import { type GuardOverrides, type GuardSettings, guardOverrides } from "../domain/guard-settings.js";
import { type RoomId, roomOf, type SessionId } from "../domain/ids.js";
import { createRoom, eligible, type Room, withJoined } from "../domain/room.js";
import type { EffectiveSettings, RoomSettings, SettingKey } from "../domain/settings.js";
import type { KeyValue } from "../ports/key-value.js";
import type { Store, StoredRecord } from "../ports/store.js";
import type { EngineConfig } from "./config.js";
import { RECORDS, ROOM_KEY } from "./records.js";
import type { Team } from "./team.js";

/** Room records and room settings, read and computed in one place. */
export interface Rooms {
  get(session: SessionId): Promise<StoredRecord<Room> | undefined>;
  /** The room, or what it would be at its first message (version 0). */
  getOrNew(session: SessionId, direct: boolean): Promise<StoredRecord<Room>>;
  settings(room: Room): Promise<EffectiveSettings>;
  /** The pair guard of a room: its own values over the configuration's. */
  guard(room: Room): Promise<GuardSettings>;
  /** Adds to a room's own guard values. Only admins' commands write here, one at a time. */
  setGuard(room: RoomId, overrides: GuardOverrides): Promise<void>;
  /** Sets a room's own value; `undefined` returns to the configuration's. */
  setSetting<K extends SettingKey>(room: RoomId, key: K, value: RoomSettings[K] | undefined): Promise<void>;
  /** Attached, existing personas in attachment order. */
  members(room: Room): readonly string[];
  isBotAllowed(room: RoomId, bot: string): boolean;
}

const KEYS: readonly SettingKey[] = ["budget", "fanout", "wake", "reply"];

interface RoomsOptions {
  readonly store: Store;
  readonly settings: KeyValue;
  readonly config: EngineConfig;
  readonly now: () => number;
  readonly team: () => Team;
}

export function createRooms({ store, settings, config, now, team }: RoomsOptions): Rooms {
  const get = (session: SessionId) => store.get<Room>(roomOf(session), RECORDS.room, ROOM_KEY);

  return {
    get,
    async getOrNew(session, direct) {
      const id = roomOf(session);
      const { personas, host } = config.room(id);
      const found = await get(id);
      if (found) return found;
      const value = createRoom(id, { personas, ...(host === undefined ? {} : { host }), direct }, now());
      return { room: id, kind: RECORDS.room, key: ROOM_KEY, version: 0, value: withJoined(value, team().handles) };
    },
    async settings(room) {
      const [budget, fanout, wake, reply] = await settings.getMany<unknown>(
        KEYS.map((key) => settingKey(room.id, key)),
      );
      const base = config.room(room.id);
      return {
        budget: asCount(budget) ?? config.burstBudget.value,
        budgetSource: asCount(budget) === undefined ? config.burstBudget.source : "room setting",
        fanout: asCount(fanout) ?? config.fanout,
        wake: room.direct ? "always" : asOneOf(WAKES, wake, base.wake),
        reply: room.direct ? "channel" : asOneOf(REPLIES, reply, base.reply),
      };
    },
    async guard(room) {
      return { ...config.guard, ...guardOverrides(await settings.get(settingKey(room.id, "guard"))) };
    },
    async setGuard(room, overrides) {
      const before = guardOverrides(await settings.get(settingKey(room, "guard")));
      await settings.set(settingKey(room, "guard"), { ...before, ...overrides });
    },
    async setSetting(room, key, value) {
      if (value === undefined) await settings.delete(settingKey(room, key));
      else await settings.set(settingKey(room, key), value);
    },
    members: (room) => eligible(room, team().handles),
    isBotAllowed: (room, bot) => config.room(room).bots.includes(bot),
  };
}

function settingKey(room: RoomId, key: SettingKey | "guard"): string {
  return `${room}/${key}`;
}

const WAKES: readonly RoomSettings["wake"][] = ["mention", "always"];
const REPLIES: readonly RoomSettings["reply"][] = ["thread", "channel"];

/** A stored word, or the configuration's for anything else. */
function asOneOf<T>(words: readonly T[], value: unknown, fallback: T): T {
  return words.find((word) => word === value) ?? fallback;
}

/** A stored count, or `undefined` for anything that is none: a damaged value falls back to the configuration. */
function asCount(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 ? value : undefined;
}
