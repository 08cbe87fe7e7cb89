import type { Clock } from "../ports/clock.js";

const WINDOW_MS = 60_000;
const LIMIT = 20;
const MAX_ADDRESSES = 1_000;

/** Counts wrong keys by address. The right key always passes: it is never asked about here. */
export interface FailedKeys {
  /** Notes a wrong key. `undefined` while the address is within its limit. */
  note(address: string): TooMany | undefined;
}

export interface TooMany {
  /** How long to send the address away for. */
  readonly seconds: number;
  /** The first one of its minute: it is worth a line in the log, the others are not. */
  readonly isFirst: boolean;
}

/** At most 20 wrong keys a minute and address are answered as such. */
export function createFailedKeys(clock: Clock): FailedKeys {
  const windows = new Map<string, { readonly since: number; count: number }>();
  return {
    note(address) {
      const now = clock.monotonic();
      let window = windows.get(address);
      if (!window || now - window.since >= WINDOW_MS) {
        windows.delete(address);
        window = { since: now, count: 0 };
        if (windows.size >= MAX_ADDRESSES) windows.delete(windows.keys().next().value ?? "");
        windows.set(address, window);
      }
      window.count++;
      if (window.count <= LIMIT) return undefined;
      const seconds = Math.max(1, Math.ceil((window.since + WINDOW_MS - now) / 1000));
      return { seconds, isFirst: window.count === LIMIT + 1 };
    },
  };
}
