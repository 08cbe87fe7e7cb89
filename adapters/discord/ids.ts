import type { TimedIds } from "../shared/catch-up/marks.js";

const DISCORD_EPOCH = Date.UTC(2015, 0, 1);

/** The moment that is written into every id of Discord's, in milliseconds. */
export function timeOf(snowflake: string): number {
  return Number(BigInt(snowflake) >> 22n) + DISCORD_EPOCH;
}

/** The lowest id that something may have that was made at this moment. */
export function idAt(ms: number): string {
  return String(BigInt(Math.max(0, Math.floor(ms) - DISCORD_EPOCH)) << 22n);
}

/** Ids in the order in which they were made. */
export function byId(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}

/** Ids of Discord's, which hold the moment of what they name. */
export const discordIds: TimedIds = { isId: (text) => /^\d{17,20}$/.test(text), compare: byId, at: idAt };
