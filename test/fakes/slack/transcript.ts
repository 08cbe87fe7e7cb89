import type { Board } from "./board.js";
import type { Ephemeral, SlackChannel, SlackMessage } from "./model.js";
import { readMessage } from "./render.js";
import { textOf } from "./wire.js";
import type { Workspace } from "./workspace.js";

/** A message as it stands on the screen, with its thread below it. */
export interface Seen {
  readonly ts: string;
  readonly name: string;
  /** The icon that the post set: an emoji code or an address. */
  readonly icon: string | undefined;
  readonly isApp: boolean;
  readonly text: string;
  readonly isEdited: boolean;
  /** Only the one who looks sees it. */
  readonly isPrivate: boolean;
  readonly files: readonly string[];
  readonly replies: readonly Seen[];
}

/** The channel as everyone sees it, or with what only this person sees in it. */
export function seenIn(workspace: Workspace, board: Board, channel: SlackChannel, viewerId?: string): readonly Seen[] {
  const own = board.ephemerals.filter((it) => it.channelId === channel.id && it.userId === viewerId);
  const ephemerals = (threadTs: string | undefined) =>
    own.filter((it) => it.threadTs === threadTs).map((it) => seenEphemeral(it, workspace));
  const roots = channel.messages.filter((it) => it.threadTs === undefined || it.isBroadcast);
  const seen = roots.map((message) => {
    const replies =
      message.threadTs === undefined ? message.replies.map((reply) => seenMessage(reply, [], workspace)) : [];
    return seenMessage(message, inOrder([...replies, ...ephemerals(message.ts)]), workspace);
  });
  return inOrder([...seen, ...ephemerals(undefined)]);
}

/** The channel as lines: `name: text`, an app with icon and badge, a thread indented below its root. */
export function transcriptOf(seen: readonly Seen[]): readonly string[] {
  return seen.flatMap((message) => [line(message), ...message.replies.map((reply) => `  ${line(reply)}`)]);
}

function line({ name, icon, isApp, text, files, isEdited, isPrivate }: Seen): string {
  const who = `${icon ? `${icon} ` : ""}${name}${isApp ? " [APP]" : ""}`;
  const named = files.map((file) => `[file: ${file}]`);
  const notes = `${isEdited ? " (edited)" : ""}${isPrivate ? " (only visible to you)" : ""}`;
  return `${who}: ${[text, ...named].filter((part) => part !== "").join("\n")}${notes}`;
}

function inOrder(seen: readonly Seen[]): readonly Seen[] {
  return seen.toSorted((a, b) => Number(a.ts) - Number(b.ts));
}

function seenMessage(message: SlackMessage, replies: readonly Seen[], workspace: Workspace): Seen {
  const { app, username } = message;
  const author = workspace.users.get(message.userId ?? "")?.displayName;
  return {
    ts: message.ts,
    name: message.isTombstone ? "Slackbot" : (username ?? app?.displayName ?? author ?? ""),
    icon: iconOf(message),
    isApp: app !== undefined && !message.isTombstone,
    text: message.isTombstone ? "This message was deleted." : readMessage(message.text, message.blocks, workspace),
    isEdited: message.edited !== undefined,
    isPrivate: false,
    files: (message.files ?? []).map((file) => file.title),
    replies,
  };
}

function seenEphemeral(shown: Ephemeral, workspace: Workspace): Seen {
  return {
    ts: shown.ts,
    name: shown.username ?? shown.app.displayName,
    icon: iconOf(shown),
    isApp: true,
    text: readMessage(shown.text, shown.blocks, workspace),
    isEdited: false,
    isPrivate: true,
    files: [],
    replies: [],
  };
}

function iconOf({ icons }: Pick<SlackMessage, "icons">): string | undefined {
  return icons && (textOf(icons, "emoji") ?? textOf(icons, "image_48"));
}
