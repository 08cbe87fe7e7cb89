const STORED = "troupe.key";

/** The parts of an address's fragment that the page understands: `#key=…&room=…`. */
export interface Fragment {
  readonly key?: string;
  readonly room?: string;
}

export function readFragment(hash: string): Fragment {
  const values = new URLSearchParams(hash.replace(/^#/, "").replaceAll("+", "%2B"));
  const key = values.get("key");
  const room = values.get("room");
  return { ...(key ? { key } : {}), ...(room ? { room } : {}) };
}

/** The fragment that names a room and nothing else: a key never goes back into the address. */
export function roomFragment(room: string): string {
  return `#room=${encodeURIComponent(room).replaceAll("%3A", ":")}`;
}

/**
 * The person's key: taken from the address once and removed from it at once, so that it does not stay
 * in the history; kept for this tab only.
 */
export function takeKey(): string | undefined {
  const { key, room } = readFragment(location.hash);
  if (key !== undefined) {
    sessionStorage.setItem(STORED, key);
    history.replaceState(
      null,
      "",
      location.pathname + location.search + (room === undefined ? "" : roomFragment(room)),
    );
  }
  return key ?? sessionStorage.getItem(STORED) ?? undefined;
}

export function keepKey(key: string): void {
  sessionStorage.setItem(STORED, key);
}

export function dropKey(): void {
  sessionStorage.removeItem(STORED);
}
