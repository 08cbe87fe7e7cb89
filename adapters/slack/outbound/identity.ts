import type { Identity } from "../../../src/index.js";
import type { Hint } from "../../shared/hints.js";
import { shortened } from "./format-pieces.js";
import { plainWords } from "./neutralise.js";
import type { Refused } from "./results.js";

/** The name and picture that a post sets for itself. */
export interface Look {
  readonly username?: string;
  readonly icon_emoji?: string;
  readonly icon_url?: string;
}

/** What is known of whether posts of the main app may look like personas. */
export interface Identities {
  /** How a persona's post looks: without what Slack has refused before. */
  lookOf(identity: Identity): Look;
  /** The persona's name, where the look does not show it: the post then begins with it. */
  speakerOf(identity: Identity): string | undefined;
  /** Whether this refusal may be about the look, so that the post may pass without one. */
  isSuspect(refused: Refused, look: Look): boolean;
  /** The post passed without its look: remembers what Slack refused, and tells an admin once. */
  learn(refused: Refused, identity: Identity): void;
}

const LONGEST_NAME = 80;
const EMOJI = /^:[^\s:]+:$/;

export function createIdentities(hint: Hint): Identities {
  let mayCustomise = true;
  const badPictures = new Set<string>();
  const badNames = new Set<string>();

  function hasName({ displayName }: Identity): boolean {
    return mayCustomise && !badNames.has(displayName);
  }

  function lookOf(identity: Identity): Look {
    const { avatar, displayName } = identity;
    const name = hasName(identity) ? { username: shortened(plainWords(displayName), LONGEST_NAME) } : {};
    if (!mayCustomise || avatar === undefined || badPictures.has(avatar)) return name;
    if (EMOJI.test(avatar)) return { ...name, icon_emoji: avatar };
    return avatar.startsWith("https://") ? { ...name, icon_url: avatar } : name;
  }

  return {
    lookOf,
    speakerOf: (identity) => (hasName(identity) ? undefined : identity.displayName),
    isSuspect: (refused, look) => Object.keys(look).length > 0 && suspectOf(refused, look) !== undefined,
    learn(refused, identity) {
      const { avatar, displayName, name } = identity;
      switch (suspectOf(refused, lookOf(identity))) {
        case "scope":
          mayCustomise = false;
          return hint("chat:write.customize", SCOPE_HINT);
        case "name":
          badNames.add(displayName);
          return hint(
            `name ${name}`,
            `Slack refuses "${displayName}" as a name (${refused.code}); choose another display_name for ${name}.`,
          );
        case "picture":
          if (avatar !== undefined) badPictures.add(avatar);
          return hint(
            `avatar ${name}`,
            `Slack refuses the avatar of ${name} (${refused.code}); set it to an emoji code of this workspace or to a public https address.`,
          );
        default:
          return undefined;
      }
    },
  };
}

const SCOPE_HINT =
  "The Slack app may not post under other names: personas are named in the text instead. " +
  "Add the bot scope chat:write.customize under OAuth & Permissions, reinstall the app and restart.";

/** What of the look a refusal is about. Of arguments in general, the picture is the likeliest. */
function suspectOf({ code, needed, messages }: Refused, look: Look): "scope" | "name" | "picture" | undefined {
  if (code === "missing_scope")
    return needed === undefined || needed.includes("chat:write.customize") ? "scope" : undefined;
  const said = [code, ...messages].join(" ");
  const hasPicture = look.icon_emoji !== undefined || look.icon_url !== undefined;
  if (hasPicture && /icon|emoji|avatar/i.test(said)) return "picture";
  if (look.username !== undefined && /username/i.test(said)) return "name";
  return hasPicture && /^invalid_arg/.test(code) ? "picture" : undefined;
}
