import { fileWire } from "./file-wire.js";
import type { PostShape, SlackApp, SlackChannel, SlackMessage } from "./model.js";
import { compact, type Json } from "./wire.js";
import type { Workspace } from "./workspace.js";

/** What a reader gets to see of a message. */
export interface Sight {
  readonly workspace: Workspace;
  readonly channel: SlackChannel;
  /** `metadata` stands in it; Slack leaves it out unless it is asked for. */
  readonly withMetadata?: boolean;
  /** Where file addresses point. */
  readonly filesUrl: string;
}

/** A message as events, history and answers carry it. */
export function messageWire(message: SlackMessage, sight: Sight): Json {
  if (message.isTombstone) return tombstoneWire(message);
  return compact({
    ...authorWire(message, sight.workspace),
    type: "message",
    text: message.text,
    ts: message.ts,
    client_msg_id: message.clientMsgId,
    blocks: message.blocks,
    attachments: message.attachments,
    files: message.files?.map((file) => fileWire(file, sight.filesUrl, sight.workspace.team.id)),
    upload: message.files ? true : undefined,
    edited: message.edited,
    metadata: sight.withMetadata ? message.metadata : undefined,
    reactions: message.reactions.length > 0 ? reactionsWire(message) : undefined,
    ...threadWire(message, sight.channel),
  });
}

function reactionsWire(message: SlackMessage): readonly Json[] {
  return message.reactions.map(({ name, users }) => ({ name, users: [...users], count: users.length }));
}

function threadWire(message: SlackMessage, channel: SlackChannel): Json {
  if (message.threadTs !== undefined) {
    const parent = channel.byTs.get(message.threadTs);
    return { thread_ts: message.threadTs, parent_user_id: parent?.userId ?? parent?.app?.userId };
  }
  if (message.replies.length === 0) return {};
  const repliers = new Set(message.replies.map((reply) => reply.userId ?? reply.app?.userId));
  return {
    thread_ts: message.ts,
    reply_count: message.replies.length,
    reply_users_count: repliers.size,
    reply_users: [...repliers],
    latest_reply: message.replies.at(-1)?.ts,
    is_locked: false,
    subscribed: false,
  };
}

function authorWire(message: SlackMessage, workspace: Workspace): Json {
  if (message.app) return appWire(message.app, message, workspace);
  const user = workspace.users.get(message.userId ?? "");
  const isStranger = user !== undefined && user.teamId !== workspace.team.id;
  const subtype = message.isBroadcast ? "thread_broadcast" : message.files ? "file_share" : undefined;
  return {
    user: message.userId,
    team: user?.teamId ?? workspace.team.id,
    subtype,
    ...(isStranger ? { user_team: user.teamId, source_team: user.teamId } : {}),
  };
}

function appWire(app: SlackApp, message: SlackMessage, workspace: Workspace): Json {
  const isCustomised = message.username !== undefined || message.icons !== undefined;
  const shape: PostShape = message.shape ?? (isCustomised ? workspace.postShape : "plain");
  const ids = { bot_id: app.botId, username: message.username, icons: message.icons };
  const subtype = message.isBroadcast ? "thread_broadcast" : message.files ? "file_share" : undefined;
  if (shape === "bare") return { ...ids, subtype };
  if (shape === "bot_message") return { ...ids, app_id: app.appId, subtype: subtype ?? "bot_message" };
  return { ...ids, ...profileWire(app, workspace.team.id), user: app.userId, subtype };
}

function profileWire(app: SlackApp, teamId: string): Json {
  return {
    app_id: app.appId,
    team: teamId,
    bot_profile: { id: app.botId, app_id: app.appId, name: app.displayName, team_id: teamId, deleted: false },
  };
}

/** What is left of a deleted message that has replies. */
function tombstoneWire(message: SlackMessage): Json {
  return {
    type: "message",
    subtype: "tombstone",
    user: "USLACKBOT",
    text: "This message was deleted.",
    hidden: true,
    ts: message.ts,
    thread_ts: message.ts,
    reply_count: message.replies.length,
  };
}
