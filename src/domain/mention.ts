import { forEachMention } from "./mention-grammar.js";
import { NameIndex } from "./name-index.js";
import { APP_NAME } from "./persona.js";
import { unitsOf } from "./scan.js";

/** Who can be mentioned: a persona of the team. */
export interface Mentionable {
  /** Handle. */
  readonly name: string;
  readonly displayName: string;
}

/** A live `@name` in a text. `start` is the place of the `@`, `end` the place behind the name. */
export type Mention =
  | { readonly kind: "persona" /** Handle. */; readonly name: string; readonly start: number; readonly end: number }
  | { readonly kind: "app"; readonly start: number; readonly end: number }
  /** Nobody of the team; `name` as written, without the `@`. */
  | { readonly kind: "unknown"; readonly name: string; readonly start: number; readonly end: number }
  /** More than one of the team; `name` as written, without the `@`. */
  | { readonly kind: "ambiguous"; readonly name: string; readonly start: number; readonly end: number };

/**
 * Finds the live mentions of a text in order, duplicates kept; of unknown names no more than the first thousand. Total,
 * and linear in the text's length.
 */
export type MentionParser = (text: string) => readonly Mention[];

type Target = { readonly kind: "persona"; readonly name: string } | { readonly kind: "app" | "group" | "ambiguous" };

/** Mentions of everybody, which wake nobody and are not misspelt names either. */
const GROUPS = ["here", "everyone", "channel", "all"] as const;

/** Nobody reads more hints than that; a hostile text has a third of a million. */
const MOST_UNKNOWN = 1000;

/**
 * How much of a text is read: twice the longest message that is accepted. Parsing is linear, and this bounds it for text
 * that comes by another way, such as a file that is simulated.
 */
export const READ_AT_MOST = 200_000;

/**
 * The one parser of mentions, for all platforms and both directions. `team` is all personas, attached or not;
 * who of them may be woken is for routing to say.
 *
 * The grammar, where behaviour 5.1 leaves a choice:
 * - A name goes on over letters, digits, marks, and over `_`, `-` and invisible characters between them; `beta_` and
 *   `beta-` are beta, so that `_@beta_` works as emphasis, while `@rev` never matches `@rev-2` or a `@reviewer` with a
 *   zero-width space in it.
 * - `_` before the `@` is emphasis unless the character before it would forbid the mention: `_@beta_`, not `a_@beta`.
 * - `@beta.dev` is one unknown name, never beta; `@beta.` and `@beta's` are beta.
 * - `@beta/core` is a path and no mention at all; in `@beta/@gamma` both are mentioned.
 * - An unknown name starts with a letter: `@5pm` is no mention.
 */
export function createMentionParser(team: readonly Mentionable[]): MentionParser {
  const names = indexOf(team);
  return (text) => {
    const mentions: Mention[] = [];
    if (!text.includes("@")) return mentions;
    let unknown = 0;
    forEachMention(unitsOf(text.slice(0, READ_AT_MOST)), names, (target, start, end) => {
      if (target === undefined && ++unknown > MOST_UNKNOWN) return;
      const mention = mentionOf(target, text, start, end);
      if (mention !== undefined) mentions.push(mention);
    });
    return mentions;
  };
}

function indexOf(team: readonly Mentionable[]): NameIndex<Target> {
  const names = new NameIndex<Target>();
  names.add(APP_NAME, { kind: "app" }, (present) => present);
  for (const group of GROUPS) names.add(group, { kind: "group" }, (present) => present);
  for (const { name, displayName } of team) {
    const target: Target = { kind: "persona", name };
    const merge = (present: Target): Target => {
      if (present.kind !== "persona" || present.name === name) return present;
      return { kind: "ambiguous" };
    };
    names.add(name, target, merge);
    // A dot at the end never belongs to a mention, so neither to the name that it is compared with.
    names.add(displayName.replace(/\.+$/u, ""), target, merge);
  }
  return names;
}

function mentionOf(target: Target | undefined, text: string, start: number, end: number): Mention | undefined {
  switch (target?.kind) {
    case "persona":
      return { kind: "persona", name: target.name, start, end };
    case "app":
      return { kind: "app", start, end };
    case "group":
      return undefined;
    case "ambiguous":
      return { kind: "ambiguous", name: text.slice(start + 1, end), start, end };
    case undefined:
      return { kind: "unknown", name: text.slice(start + 1, end), start, end };
  }
}
