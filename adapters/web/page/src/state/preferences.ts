/** What this browser remembers. Nothing here is secret, and everything may be missing. */
export type Theme = "system" | "light" | "dark";

export interface Preferences {
  readonly theme: Theme;
  readonly showActivity: boolean;
}

const PREFERENCES = "troupe.preferences";
const SEEN = "troupe.seen";
const DRAFTS = "troupe.drafts";
const MOST_SEEN = 500;

function read(storage: Storage, name: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(storage.getItem(name) ?? "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** A full or closed storage costs the memory, never the page. */
function write(storage: Storage, name: string, value: unknown): void {
  try {
    storage.setItem(name, JSON.stringify(value));
  } catch {
    // Remembering is a comfort only.
  }
}

export function loadPreferences(): Preferences {
  const { theme, showActivity } = read(localStorage, PREFERENCES);
  return { theme: theme === "light" || theme === "dark" ? theme : "system", showActivity: showActivity === true };
}

export function savePreferences(preferences: Preferences): void {
  write(localStorage, PREFERENCES, preferences);
}

export function loadSeen(): Readonly<Record<string, number>> {
  const entries = Object.entries(read(localStorage, SEEN)).flatMap(([id, seq]) =>
    typeof seq === "number" ? [[id, seq] as const] : [],
  );
  return Object.fromEntries(entries);
}

export function saveSeen(seen: Readonly<Record<string, number>>): void {
  write(localStorage, SEEN, Object.fromEntries(Object.entries(seen).slice(-MOST_SEEN)));
}

/** Drafts are message text: they stay in this tab. */
export function loadDraft(room: string): string {
  const draft = read(sessionStorage, DRAFTS)[room];
  return typeof draft === "string" ? draft : "";
}

export function saveDraft(room: string, text: string): void {
  const { [room]: _, ...others } = read(sessionStorage, DRAFTS);
  write(sessionStorage, DRAFTS, text === "" ? others : { ...others, [room]: text });
}
