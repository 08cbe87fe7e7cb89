/** Where Slack sends events, commands and clicks in HTTP mode. */
export const EVENTS_PATH = "/slack/events";

/** Every right that the main app needs, with what it is for. The manifest grants them, the preflight demands them. */
export const MAIN_SCOPES: Readonly<Record<string, string>> = {
  "app_mentions:read": "hear that it is mentioned",
  "channels:history": "read messages of public channels",
  "channels:read": "know public channels",
  "chat:write": "post",
  "chat:write.customize": "post under a persona's name and picture",
  commands: "take /agent and /schedule",
  "files:read": "see files that come with messages",
  "groups:history": "read messages of private channels",
  "groups:read": "know private channels",
  "im:history": "read direct messages",
  "im:read": "know direct messages",
  "im:write": "write to an admin first",
  "mpim:history": "read group direct messages",
  "mpim:read": "know group direct messages",
  "users:read": "know people's names and who is an admin",
};

/** The rights of a persona's own app: it only speaks, and is there to be mentioned. */
export const PERSONA_SCOPES: Readonly<Record<string, string>> = { "chat:write": "post" };

/** What the main app subscribes to. */
const MAIN_EVENTS: readonly string[] = [
  "app_mention",
  "app_uninstalled",
  "message.channels",
  "message.groups",
  "message.im",
  "message.mpim",
  "tokens_revoked",
];

/** A slash command as Slack lists it. */
export interface ManifestCommand {
  /** With its slash. */
  readonly command: string;
  readonly description: string;
  readonly usageHint: string;
}

/** How an app is called. */
export interface AppNames {
  readonly name: string;
  /** What people mention: small letters, digits, `-`, `_` and `.`. */
  readonly handle: string;
}

export interface ManifestOptions extends AppNames {
  readonly commands: readonly ManifestCommand[];
  /** Where Slack reaches the service in HTTP mode, without a path; absent: Socket Mode. */
  readonly origin?: string;
}

/** An app manifest in the form that Slack imports. */
export type Manifest = Readonly<Record<string, unknown>>;

const DESCRIPTION = "Several AI agents as members of your channels";
const COLOUR = "#1f2937";
const MAX_NAME = 35;
const MAX_DESCRIPTION = 140;

/** The manifest of the main app: everything that it needs and nothing else. */
export function mainManifest({ name, handle, commands, origin }: ManifestOptions): Manifest {
  const url = origin === undefined ? undefined : origin + EVENTS_PATH;
  return {
    display_information: { name, description: DESCRIPTION, background_color: COLOUR },
    features: {
      // Without the messages tab people cannot write to the app directly.
      app_home: { home_tab_enabled: false, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: handle, always_online: true },
      slash_commands: commands.map(({ command, description, usageHint }) => ({
        command,
        ...(url === undefined ? {} : { url }),
        description,
        usage_hint: usageHint,
        // People and channels come as ids, not as names that anybody can take.
        should_escape: true,
      })),
    },
    oauth_config: { scopes: { bot: Object.keys(MAIN_SCOPES) } },
    settings: {
      event_subscriptions: { ...(url === undefined ? {} : { request_url: url }), bot_events: MAIN_EVENTS },
      interactivity: { is_enabled: true, ...(url === undefined ? {} : { request_url: url }) },
      org_deploy_enabled: false,
      socket_mode_enabled: url === undefined,
      token_rotation_enabled: false,
    },
  };
}

/** The manifest of an app of one persona's own, which people can mention by autocompletion. */
export function personaManifest({ name, handle, description }: AppNames & { description: string }): Manifest {
  const about = cut(description.replaceAll(/\s+/g, " "), MAX_DESCRIPTION);
  return {
    display_information: {
      name: cut(name, MAX_NAME),
      ...(about === "" ? {} : { description: about }),
      background_color: COLOUR,
    },
    features: { bot_user: { display_name: handle, always_online: true } },
    oauth_config: { scopes: { bot: Object.keys(PERSONA_SCOPES) } },
    settings: { org_deploy_enabled: false, socket_mode_enabled: false, token_rotation_enabled: false },
  };
}

function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}
