import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { type Avatar as AvatarPicture, avatarOf, initials } from "../text/emoji.js";
import { canDraw } from "./can-draw.js";

export interface AvatarProps {
  readonly name: string;
  readonly avatar: string | undefined;
  readonly tone: string;
  readonly small?: boolean;
}

/** Some systems have no emoji at all: a box would stand for every face. */
function drawable(name: string, avatar: string | undefined): AvatarPicture {
  const picture = avatarOf(name, avatar);
  return picture.kind === "emoji" && !canDraw(picture.text) ? { kind: "initials", text: initials(name) } : picture;
}

/** A member's picture. Decorative: the name always stands beside it. */
export function Avatar({ name, avatar, tone, small = false }: AvatarProps): VNode {
  const [isBroken, setBroken] = useState(false);
  const shown = isBroken ? { kind: "initials" as const, text: initials(name) } : drawable(name, avatar);
  const size = small ? "avatar avatar-small" : "avatar";
  if (shown.kind === "image") {
    return (
      <img
        class={size}
        src={shown.url}
        alt=""
        loading="lazy"
        referrerpolicy="no-referrer"
        onError={() => setBroken(true)}
      />
    );
  }
  return (
    <span class={`${size} ${tone} avatar-${shown.kind}`} aria-hidden="true">
      {shown.text}
    </span>
  );
}
