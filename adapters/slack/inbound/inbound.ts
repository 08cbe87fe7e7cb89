import type { InboundMessage, InboundRevision, InboundSender } from "../../../src/index.js";
import { threadSession } from "../../../src/index.js";
import { remember } from "../../shared/bounded-map.js";
import { type Inbound, nothing } from "../../shared/inbound.js";
import { shownName } from "../../shared/shown-name.js";
import type { Workspace } from "../workspace.js";
import { createChanges } from "./changes.js";
import type { FileReader } from "./files.js";
import { withNames } from "./names.js";
import type { Directory } from "./senders.js";
import { textOf } from "./text-in.js";
import type { MessageEvent, SlackMessage } from "./wire.js";

/** Turns events and history into what the inbox takes. */
export interface InboundReader {
  event(event: MessageEvent): Promise<Inbound>;
  /** A message as history has it, of the channel with this id. */
  message(message: SlackMessage, channel: string): Promise<Inbound>;
  /** What its author has made of a message, as history has it. */
  edit(message: SlackMessage, channel: string): Promise<Inbound>;
}

/** What people and bots say; every other subtype tells of something that happened. */
const SAYING: ReadonlySet<string | undefined> = new Set([
  undefined,
  "bot_message",
  "file_share",
  "me_message",
  "thread_broadcast",
]);

const SLACKBOT = "USLACKBOT";

/** Gestures whose double may still come. */
const MOST_GESTURES = 5_000;

export function createInboundReader(workspace: Workspace, directory: Directory, filesOf: FileReader): InboundReader {
  const gestures = new Map<string, string>();
  const changes = createChanges();

  /** Slack rarely makes two messages of one gesture; they share what the client called it. */
  function isDouble(channel: string, { client_msg_id: gesture, ts }: SlackMessage): boolean {
    if (gesture === undefined) return false;
    const key = `${channel} ${gesture}`;
    const first = gestures.get(key) ?? ts;
    remember(gestures, key, first, MOST_GESTURES);
    return first !== ts;
  }

  async function said(message: SlackMessage, channel: string): Promise<Inbound> {
    if (!SAYING.has(message.subtype)) return nothing(`subtype ${message.subtype}`);
    if (isOwn(workspace, message)) return nothing("our own");
    if (isDouble(channel, message)) return nothing("a second message of one gesture");
    const [text, from, files] = await Promise.all([readText(message), senderOf(message), filesOf(message)]);
    if (from === undefined) return nothing("nobody's");
    if (text === "" && files.length === 0) return nothing("empty");
    return asLeft(message, {
      id: message.ts,
      session: sessionOf(workspace, channel, message),
      from,
      text,
      at: Math.round(Number(message.ts) * 1_000),
      ...(isDirect(channel) ? { direct: true } : {}),
      ...(files.length === 0 ? {} : { files }),
    });
  }

  function asLeft({ edited: editing }: SlackMessage, read: InboundMessage): Inbound {
    const message = changes.applied(read, editing?.ts);
    return message === undefined ? nothing("deleted meanwhile") : { kind: "message", message };
  }

  function readText(message: SlackMessage): Promise<string> {
    return withNames(directory, (people) => textOf(message, people, workspace));
  }

  async function senderOf(message: SlackMessage): Promise<InboundSender | undefined> {
    const { user, bot_id: bot, bot_profile: profile, username } = message;
    if (bot !== undefined || message.subtype === "bot_message" || user === SLACKBOT) {
      const id = bot ?? user;
      return id === undefined
        ? undefined
        : { kind: "bot", id, name: shownName(username ?? profile?.name) ?? id, isAdmin: false };
    }
    return user === undefined ? undefined : directory.person(user, teamOf(message));
  }

  /** Link previews change a message too; only an edit gives it a new time of editing. */
  async function changed({ channel, message, previous_message: previous }: MessageEvent): Promise<Inbound> {
    if (message === undefined) return nothing("an edit without a message");
    if (message.subtype === "tombstone") return deleted(channel, message.ts, previous);
    if (isOwn(workspace, message)) return nothing("our own");
    if (message.edited?.ts === previous?.edited?.ts) return nothing("no edit");
    return edited(message, channel);
  }

  async function edited(message: SlackMessage, channel: string): Promise<Inbound> {
    if (message.edited?.ts === undefined) return nothing("no edit");
    if (message.user === undefined || message.bot_id !== undefined) return nothing("a bot's edit");
    const text = await readText(message);
    const change = revisionOf(workspace, channel, message, { id: message.ts, from: message.user, text });
    return changes.note(change, message.edited.ts) ? { kind: "revision", revision: change } : nothing("an older edit");
  }

  function deleted(channel: string, ts: string | undefined, previous: SlackMessage | undefined): Inbound {
    if (ts === undefined || previous?.user === undefined) return nothing("a delete of nobody's message");
    if (isOwn(workspace, previous)) return nothing("our own");
    const change = revisionOf(workspace, channel, previous, { id: ts, from: previous.user });
    changes.note(change);
    return { kind: "revision", revision: change };
  }

  return {
    async event(event) {
      switch (event.subtype) {
        case "message_changed":
          return changed(event);
        case "message_deleted":
          return deleted(event.channel, event.deleted_ts, event.previous_message);
      }
      // An edit of a mention mentions again; its twin says what has changed.
      if (event.type === "app_mention" && event.edited !== undefined) return nothing("an edited mention");
      return said(event, event.channel);
    },
    message: said,
    edit: edited,
  };
}

function revisionOf(
  workspace: Workspace,
  channel: string,
  message: SlackMessage,
  rest: Omit<InboundRevision, "session">,
): InboundRevision {
  return { session: sessionOf(workspace, channel, message), ...rest };
}

/** A reply belongs to its thread's session; everything else, thread roots too, to the channel's. */
function sessionOf({ teamId }: Workspace, channel: string, { ts, thread_ts: thread }: SlackMessage): string {
  const room = roomOfChannel(teamId, channel);
  return thread === undefined || thread === ts ? room : threadSession(room, thread);
}

/** The room of a channel, direct conversations included. */
export function roomOfChannel(teamId: string, channel: string): string {
  return `slack:${teamId}:${channel}`;
}

/** A conversation with the app alone. One of several people is a room like a channel: not all of it is meant for us. */
export function isDirect(channel: string): boolean {
  return channel.startsWith("D");
}

function isOwn(workspace: Workspace, message: SlackMessage): boolean {
  const { user, bot_id: botId, app_id: appId, bot_profile: profile } = message;
  return workspace.isOwn({ user, botId, appId }) || workspace.isOwn({ appId: profile?.app_id });
}

/** The team of the author, which in a shared channel may be another than ours. */
function teamOf({ user_team: user, source_team: source, team }: SlackMessage): string | undefined {
  return user ?? source ?? team;
}
