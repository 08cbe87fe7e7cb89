import type { SlackApp } from "./model.js";

/** How an app is installed; what is left out is what the main app has. */
export interface AppSeed {
  readonly name: string;
  readonly displayName?: string;
  readonly scopes?: Iterable<string>;
  readonly events?: Iterable<string>;
  readonly commands?: Iterable<string>;
  readonly requestUrl?: string;
}

/** What the main app is granted. */
const MAIN_SCOPES: readonly string[] = [
  "app_mentions:read",
  "channels:history",
  "channels:read",
  "groups:history",
  "groups:read",
  "im:history",
  "im:read",
  "im:write",
  "mpim:history",
  "mpim:read",
  "chat:write",
  "chat:write.customize",
  "commands",
  "files:read",
  "files:write",
  "reactions:read",
  "reactions:write",
  "users:read",
];

/** What the main app subscribes to. */
const MAIN_EVENTS: readonly string[] = [
  "app_mention",
  "message.channels",
  "message.groups",
  "message.im",
  "message.mpim",
  "reaction_added",
  "member_joined_channel",
  "member_left_channel",
  "channel_rename",
  "group_rename",
  "channel_archive",
  "group_archive",
  "channel_left",
  "app_uninstalled",
  "tokens_revoked",
];

/** An app as it is installed; the ids and tokens follow from its name and number. */
export function installedApp(seed: AppSeed, ids: { appId: string; botId: string; userId: string }): SlackApp {
  return {
    name: seed.name,
    displayName: seed.displayName ?? seed.name,
    ...ids,
    token: `xoxb-${seed.name}-0123456789`,
    appToken: `xapp-1-${seed.name}-0123456789`,
    signingSecret: `secret-of-${seed.name}`,
    scopes: new Set(seed.scopes ?? MAIN_SCOPES),
    events: new Set(seed.events ?? MAIN_EVENTS),
    commands: new Set(seed.commands ?? []),
    isRevoked: false,
    isUninstalled: false,
    requestUrl: seed.requestUrl,
  };
}
