import { foldName, nearestName } from "../domain/names.js";
import type { Team } from "./team.js";

/** How many names a refusal lists. */
const MAX_LISTED = 20;

/**
 * The one of `handles` that a name means: its handle, else its display name, in any case, with or without a leading @.
 * `undefined` when none does, or several by their display name.
 */
export function findPersona(team: Team, handles: readonly string[], name: string): string | undefined {
  const wanted = bareName(name);
  const byHandle = handles.find((handle) => foldName(handle) === wanted);
  if (byHandle !== undefined) return byHandle;
  const byDisplay = handles.filter((handle) => foldName(team.displayName(handle)) === wanted);
  return byDisplay.length === 1 ? byDisplay[0] : undefined;
}

/** The names in a command's words: those found as handles, and words that are nobody's as they were typed. */
export interface FoundNames {
  /** In the order typed, the unknown ones as typed but for the @. */
  readonly names: readonly string[];
  readonly unknown: readonly string[];
}

/** Reads words as names. A name of several words may stand without quotes: the longest run of words that is a name is one. */
export function findPersonas(team: Team, handles: readonly string[], words: readonly string[]): FoundNames {
  const longest = Math.max(1, ...handles.map((handle) => team.displayName(handle).split(/\s+/).length));
  const names: string[] = [];
  const unknown: string[] = [];
  for (let at = 0; at < words.length; ) {
    const { name, length } = nameAt(team, handles, words.slice(at, at + longest));
    if (name === undefined) unknown.push(withoutAt(words[at] ?? ""));
    names.push(name ?? withoutAt(words[at] ?? ""));
    at += length;
  }
  return { names, unknown };
}

function nameAt(team: Team, handles: readonly string[], words: readonly string[]) {
  for (let length = words.length; length > 0; length--) {
    const name = findPersona(team, handles, words.slice(0, length).join(" "));
    if (name !== undefined) return { name, length };
  }
  return { name: undefined, length: 1 };
}

/** "Did you mean …?" for a name that is nearly one of these, by its handle or its display name. */
export function nearestPersona(team: Team, handles: readonly string[], name: string): string | undefined {
  const wanted = bareName(name);
  const near = nearestName(wanted, handles) ?? nearestName(wanted, handles.map(team.displayName));
  return near === undefined ? undefined : `Did you mean ${near}?`;
}

/** Names for a refusal: the first twenty and how many more there are. */
export function listNames(names: readonly string[], none = "nobody"): string {
  if (names.length === 0) return none;
  const more = names.length - MAX_LISTED;
  return `${names.slice(0, MAX_LISTED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function bareName(name: string): string {
  return foldName(withoutAt(name).trim().replace(/\s+/g, " "));
}

function withoutAt(name: string): string {
  return name.trim().replace(/^@/, "");
}
