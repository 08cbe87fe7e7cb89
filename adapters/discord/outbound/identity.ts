import type { Identity } from "../../../src/index.js";
import type { Hint } from "../../shared/hints.js";
import type { Refused } from "./results.js";
import { CODE } from "./results.js";

/** The name and picture that a webhook's post sets for itself. */
export interface Look {
  readonly username: string;
  readonly avatar_url?: string;
}

/** What is known of how posts may look like personas. */
export interface Identities {
  /** How a persona's post looks: without what Discord has refused before. `undefined`: no name of it will do. */
  lookOf(identity: Identity): Look | undefined;
  /** All names under which a post of this persona may stand. */
  namesOf(identity: Identity): readonly string[];
  /** Remembers what Discord refused about a look, and tells an admin once. Whether there was such a thing. */
  learn(refused: Refused, identity: Identity): boolean;
}

const LONGEST_NAME = 80;
const LONGEST_ADDRESS = 2_048;
/** Takes hardly any room: two halves of a word that Discord does not take. */
const HAIR_SPACE = "\u200a";
const MOST_KNOWN = 1_000;

export function createIdentities(hint: Hint): Identities {
  /** Which of its names a persona goes by: its display name, its handle, or (2) none. By display name, as that may be mended. */
  const levels = new Map<string, number>();
  const badPictures = new Set<string>();

  const levelOf = ({ name, displayName }: Identity) => levels.get(`${name} ${displayName}`) ?? 0;
  const usernames = ({ name, displayName }: Identity) => [usernameOf(displayName), usernameOf(name)];

  function lookOf(identity: Identity): Look | undefined {
    const username = usernames(identity)[levelOf(identity)];
    if (username === undefined) return undefined;
    const { avatar } = identity;
    const hasPicture = avatar !== undefined && isPicture(avatar) && !badPictures.has(avatar);
    return hasPicture ? { username, avatar_url: avatar } : { username };
  }

  return {
    lookOf,
    namesOf: usernames,
    learn(refused, identity) {
      const { name, displayName, avatar } = identity;
      if (refused.code !== CODE.invalidForm) return false;
      if (refused.fields.includes("username") && levelOf(identity) < 2) {
        if (levels.size >= MOST_KNOWN) levels.clear();
        levels.set(`${name} ${displayName}`, levelOf(identity) + 1);
        hint(
          `name ${name} ${displayName}`,
          `Discord refuses "${displayName}" as a name; choose another display_name for ${name}, which goes by its handle until then.`,
        );
        return true;
      }
      if (!refused.fields.includes("avatar_url") || avatar === undefined || badPictures.has(avatar)) return false;
      if (badPictures.size >= MOST_KNOWN) badPictures.clear();
      badPictures.add(avatar);
      hint(`avatar ${name}`, `Discord refuses the avatar of ${name}; set it to a public https address of a picture.`);
      return true;
    },
  };
}

/** A picture that Discord can fetch. Codes of emoji are none: a webhook's post has no picture then but the default one. */
function isPicture(avatar: string): boolean {
  return avatar.length <= LONGEST_ADDRESS && avatar.startsWith("https://") && URL.canParse(avatar);
}

/** A name that Discord takes and that looks as it was written. */
function usernameOf(name: string): string {
  const clean = name
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200b\u2060\ufeff]/gu, "")
    .replace(/\s+/g, " ")
    .replace(/`{3,}/g, (run) => run.replaceAll("`", "ˋ"))
    .replace(/[@#:]/g, (mark) => LOOKALIKES.get(mark) ?? "")
    .trim();
  const parted = clean
    .replace(/(?<=^(?:everyon|her))e$/i, (last) => `${HAIR_SPACE}${last}`)
    .replace(/(?<=clyd)e|(?<=discor)d/gi, (last) => `${HAIR_SPACE}${last}`);
  const short = parted.slice(0, LONGEST_NAME).replace(/[\uD800-\uDBFF]$/, "");
  return short.trim() || "Agent";
}

const LOOKALIKES: ReadonlyMap<string, string> = new Map([
  ["@", "＠"],
  ["#", "＃"],
  [":", "ː"],
]);
