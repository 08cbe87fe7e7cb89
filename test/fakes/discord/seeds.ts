import type { ChannelType, Privilege } from "./model.js";
import type { PermissionName } from "./permissions.js";

export interface UserSeed {
  readonly name: string;
  readonly displayName?: string;
  readonly isBot?: boolean;
}

export interface AppSeed {
  readonly name: string;
  readonly displayName?: string;
  readonly token?: string;
  /** Only `content` without one. */
  readonly privileges?: readonly Privilege[];
}

/** Members are names of people and apps; roles and overwrites are added afterwards. */
export interface GuildSeed {
  readonly name: string;
  readonly owner: string;
  readonly members?: readonly string[];
}

export interface RoleSeed {
  readonly name: string;
  readonly may?: readonly PermissionName[];
  readonly isMentionable?: boolean;
  /** Who has it. */
  readonly members?: readonly string[];
}

export type ChannelKind = Exclude<
  keyof typeof ChannelType,
  "dm" | "publicThread" | "privateThread" | "announcementThread"
>;

export interface ChannelSeed {
  readonly name: string;
  /** The first guild without one. */
  readonly guild?: string;
  readonly kind?: ChannelKind;
  /** Nobody else sees it: names of people, apps or roles. */
  readonly onlyFor?: readonly string[];
}

export interface ThreadSeed {
  readonly parent: string;
  readonly name: string;
  /** Whose it is. */
  readonly owner: string;
  readonly kind?: "publicThread" | "privateThread";
  /** That of the message it begins on; a new one without it. */
  readonly id?: string;
  readonly isUncached?: boolean;
}
