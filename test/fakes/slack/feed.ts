import type { Courier, Delivery } from "./courier.js";
import { messageWire, type Sight } from "./message-wire.js";
import type { ChannelKind, SlackApp, SlackChannel, SlackMessage } from "./model.js";
import { compact, type Json, textOf } from "./wire.js";
import type { Workspace } from "./workspace.js";

/** Which of the two events of a mention goes first. */
export type TwinOrder = "message-first" | "mention-first";

/** Makes events of what happens and sends them to the apps that subscribe to them and may read them. */
export interface Feed {
  twins: TwinOrder;
  /** Whether an app's own posts come back to it with their metadata. */
  echoesMetadata: boolean;
  posted(channel: SlackChannel, message: SlackMessage): readonly Delivery[];
  changed(channel: SlackChannel, message: SlackMessage, previous: Json, byPerson: boolean): readonly Delivery[];
  deleted(channel: SlackChannel, message: SlackMessage, previous: Json): readonly Delivery[];
  /** Anything else, to the apps that subscribe to it and, if it is about a channel, are in it. */
  tell(event: Json & { type: string }, channel?: SlackChannel): readonly Delivery[];
  /** Only to this app, whatever it subscribes to. */
  tellApp(app: SlackApp, event: Json & { type: string }): Delivery;
}

/** What reading a kind of conversation takes. */
export const HISTORY_SCOPES: Record<ChannelKind, string> = {
  channel: "channels:history",
  group: "groups:history",
  im: "im:history",
  mpim: "mpim:history",
};

const MESSAGE_EVENTS: Record<ChannelKind, string> = {
  channel: "message.channels",
  group: "message.groups",
  im: "message.im",
  mpim: "message.mpim",
};

export function createFeed(workspace: Workspace, courier: Courier, filesUrl: () => string): Feed {
  const sight = (channel: SlackChannel, withMetadata = false): Sight => ({
    workspace,
    channel,
    withMetadata,
    filesUrl: filesUrl(),
  });

  function send(app: SlackApp, event: Json, teamId: string, isShared: boolean): Delivery {
    const body = eventBody({ workspace, app, event, teamId, isShared });
    return courier.send(app, "events_api", body);
  }

  function listeners(channel: SlackChannel, event: string, scope: string): readonly SlackApp[] {
    return workspace.apps.filter(
      (app) => isAlive(app) && app.events.has(event) && app.scopes.has(scope) && channel.members.has(app.userId),
    );
  }

  /** The message event and the mention, to every app that gets one, in the order set. */
  function fan(
    channel: SlackChannel,
    message: SlackMessage,
    events: { message?: (app: SlackApp) => Json; mention?: Json },
  ) {
    const teamId = workspace.users.get(message.userId ?? "")?.teamId ?? workspace.team.id;
    const readers = new Set(
      events.message ? listeners(channel, MESSAGE_EVENTS[channel.kind], HISTORY_SCOPES[channel.kind]) : [],
    );
    const mentioned = new Set(
      events.mention && channel.kind !== "im"
        ? listeners(channel, "app_mention", "app_mentions:read").filter(
            (app) => app !== message.app && mentionsUser(message, app.userId),
          )
        : [],
    );
    return workspace.apps.flatMap((app) => {
      const both = [
        ...(readers.has(app) && events.message ? [events.message(app)] : []),
        ...(mentioned.has(app) && events.mention ? [events.mention] : []),
      ];
      const ordered = feed.twins === "message-first" ? both : both.reverse();
      return ordered.map((event) => send(app, event, teamId, channel.isShared));
    });
  }

  function place(channel: SlackChannel, ts: string): Json {
    return { channel: channel.id, channel_type: channel.kind, event_ts: ts };
  }

  const feed: Feed = {
    twins: "message-first",
    echoesMetadata: true,
    posted(channel, message) {
      const event = (app: SlackApp) => ({
        ...messageWire(message, sight(channel, feed.echoesMetadata && app === message.app)),
        ...(message.isBroadcast ? { root: rootWire(channel, message, sight(channel)) } : {}),
        ...place(channel, message.ts),
      });
      return fan(channel, message, {
        message: event,
        mention: mentionWire(channel, message, sight(channel), message.ts),
      });
    },
    changed(channel, message, previous, byPerson) {
      const ts = workspace.mintTs();
      const event = () => ({
        type: "message",
        subtype: "message_changed",
        hidden: true,
        message: messageWire(message, sight(channel)),
        previous_message: previous,
        ts,
        ...place(channel, ts),
      });
      return fan(channel, message, {
        message: event,
        ...(byPerson ? { mention: mentionWire(channel, message, sight(channel), ts) } : {}),
      });
    },
    deleted(channel, message, previous) {
      const ts = workspace.mintTs();
      const event = () => ({
        type: "message",
        subtype: "message_deleted",
        hidden: true,
        deleted_ts: message.ts,
        previous_message: previous,
        ts,
        ...place(channel, ts),
      });
      return fan(channel, message, { message: event });
    },
    tell(event, channel) {
      return workspace.apps
        .filter((app) => isAlive(app) && app.events.has(event.type) && (!channel || channel.members.has(app.userId)))
        .map((app) => send(app, event, workspace.team.id, channel?.isShared ?? false));
    },
    tellApp: (app, event) => send(app, event, workspace.team.id, false),
  };
  return feed;
}

function isAlive(app: SlackApp): boolean {
  return !app.isRevoked && !app.isUninstalled;
}

/** Whether the text or a rich text of the message names this user, wherever in it. */
function mentionsUser(message: SlackMessage, userId: string): boolean {
  return (
    new RegExp(`<@${userId}[|>]`).test(message.text) ||
    JSON.stringify(message.blocks ?? []).includes(`"user_id":"${userId}"`)
  );
}

/** `app_mention`: the same message without `channel_type`, and without what only its twin has. */
function mentionWire(channel: SlackChannel, message: SlackMessage, sight: Sight, eventTs: string): Json {
  const { subtype: _subtype, ...rest } = messageWire(message, sight);
  return { ...rest, type: "app_mention", channel: channel.id, event_ts: eventTs };
}

function rootWire(channel: SlackChannel, message: SlackMessage, sight: Sight): Json | undefined {
  const root = channel.byTs.get(message.threadTs ?? "");
  return root && messageWire(root, sight);
}

interface BodyParts {
  readonly workspace: Workspace;
  readonly app: SlackApp;
  readonly event: Json;
  readonly teamId: string;
  readonly isShared: boolean;
}

/** The outer body. What comes from a stranger bears the stranger's team; the authorization says whose event it is. */
function eventBody({ workspace, app, event, teamId, isShared }: BodyParts): Json {
  return {
    token: "verification-token",
    team_id: teamId,
    context_team_id: workspace.team.id,
    context_enterprise_id: null,
    api_app_id: app.appId,
    event: compact(event),
    type: "event_callback",
    event_id: workspace.mintId("Ev"),
    event_time: Math.trunc(workspace.clock.now() / 1000),
    authorizations: [
      {
        enterprise_id: null,
        team_id: workspace.team.id,
        user_id: app.userId,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: isShared,
    event_context: `4-${textOf(event, "type") ?? "event"}-${workspace.team.id}-${app.appId}`,
  };
}
