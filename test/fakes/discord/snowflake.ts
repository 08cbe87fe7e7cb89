import type { Clock } from "../../../src/ports/clock.js";

/** When Discord's ids begin to count, in milliseconds since the epoch. */
const DISCORD_EPOCH = 1_420_070_400_000n;

/** Gives out ids that bear the clock's time and always rise, also when the clock goes back. */
export function createMint(clock: Clock): () => string {
  let last = 0n;
  return () => {
    const now = (BigInt(Math.trunc(clock.now())) - DISCORD_EPOCH) << 22n;
    last = now > last ? now : last + 1n;
    return String(last);
  };
}

/** The time of an id, in milliseconds since the epoch. */
export function timeOf(id: string): number {
  return Number((BigInt(id) >> 22n) + DISCORD_EPOCH);
}

/** Oldest first. */
export function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  const [first, second] = [BigInt(a.id), BigInt(b.id)];
  return first < second ? -1 : Number(first > second);
}
