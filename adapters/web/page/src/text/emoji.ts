import { EMOJI } from "./emoji-codes.js";

/** What an avatar shows: a picture, an emoji, or the initials of the name. */
export type Avatar =
  | { readonly kind: "image"; readonly url: string }
  | { readonly kind: "emoji"; readonly text: string }
  | { readonly kind: "initials"; readonly text: string };

/** Up to two initials; handles split at `-`, `_`, dots and blanks. */
export function initials(name: string): string {
  const words = name.split(/[\s._-]+/u).filter((word) => word !== "");
  const letters =
    words.length > 1 ? words.slice(0, 2).map((word) => [...word][0] ?? "") : [...(words[0] ?? "?")].slice(0, 1);
  return letters.join("").toUpperCase();
}

export function avatarOf(name: string, avatar: string | undefined): Avatar {
  const fallback: Avatar = { kind: "initials", text: initials(name) };
  if (avatar === undefined || avatar === "") return fallback;
  if (/^https:\/\//i.test(avatar)) return { kind: "image", url: avatar };
  const code = /^:([\w+-]+):$/.exec(avatar)?.[1];
  const emoji = code === undefined ? avatar : EMOJI.get(code);
  const isEmoji = emoji !== undefined && /\p{Extended_Pictographic}/u.test(emoji) && emoji.length <= 16;
  return isEmoji ? { kind: "emoji", text: emoji } : fallback;
}
