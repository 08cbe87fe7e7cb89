import { buttonsIn } from "./buttons.js";
import { compose } from "./compose.js";
import type { Delivery } from "./courier.js";
import type { FileSeed } from "./files.js";
import type { Button, Interaction } from "./interactions.js";
import type { SlackChannel, SlackUser } from "./model.js";
import { escapeText, type Json } from "./wire.js";
import type { World } from "./world.js";

/** What someone has said, where it stands, and what was sent to the apps about it. */
export interface Said {
  readonly ts: string;
  readonly channel: string;
  readonly deliveries: readonly Delivery[];
}

export interface SayOptions {
  /** The message whose thread it goes to. */
  readonly thread?: string | { readonly ts: string };
  /** Also shown in the channel. */
  readonly broadcast?: boolean;
  /** The text as it is on the wire, instead of what the composer makes of it; with these blocks, or none. */
  readonly raw?: true;
  readonly blocks?: readonly Json[];
  readonly files?: readonly FileSeed[];
  /** A second gesture with the same id. */
  readonly clientMsgId?: string;
  /** Forces the time, to have the same one in two channels. */
  readonly ts?: string;
}

/** One person at the keyboard. Channels go by name or id; `@name` is the direct conversation with that user or app. */
export interface Person {
  readonly id: string;
  readonly user: SlackUser;
  say(channel: string, typed: string, options?: SayOptions): Said;
  edit(said: { readonly channel: string; readonly ts: string }, typed: string): Said;
  remove(said: { readonly channel: string; readonly ts: string }): Said;
  /** The link in a message gets its preview: a change that nobody made. */
  unfurl(said: { readonly channel: string; readonly ts: string }, preview: Json): Said;
  command(channel: string, command: string, text?: string): Interaction;
  /** The newest button with this label or action id; throws when there is none. */
  sees(channel: string, button: string): Button;
  press(button: Button): Interaction;
  join(channel: string): void;
  /** Brings someone in: a person, or an app. */
  invite(channel: string, name: string): void;
  /** Takes someone out; an app learns of it. */
  kick(channel: string, name: string): void;
  rename(channel: string, name: string): void;
  archive(channel: string): void;
  react(said: { readonly channel: string; readonly ts: string }, emoji: string): void;
}

export function createPerson(world: World, user: SlackUser): Person {
  const { workspace, board, feed } = world;

  function place(asked: string): SlackChannel {
    if (asked.startsWith("@")) return workspace.conversationOf([user.id, workspace.user(asked.slice(1)).id]);
    return workspace.channel(asked);
  }

  function writing(asked: string): SlackChannel {
    const channel = place(asked);
    if (channel.isArchived) throw new Error(`${channel.name} is archived`);
    if (channel.kind === "channel") channel.members.add(user.id);
    if (!channel.members.has(user.id)) throw new Error(`${user.name} is not in ${channel.name}`);
    return channel;
  }

  const found = (said: { channel: string; ts: string }) => {
    const channel = place(said.channel);
    return { channel, message: board.find(channel, said.ts) };
  };

  function bring(asked: string, member: SlackUser): void {
    const channel = place(asked);
    channel.members.add(member.id);
    const type = channel.kind === "group" ? "G" : "C";
    const event = {
      user: member.id,
      channel: channel.id,
      channel_type: type,
      team: workspace.team.id,
      inviter: user.id,
    };
    feed.tell({ type: "member_joined_channel", ...event, event_ts: workspace.mintTs() }, channel);
  }

  return {
    id: user.id,
    user,
    say(asked, typed, options = {}) {
      const channel = writing(asked);
      const content = options.raw
        ? { text: typed, blocks: options.blocks }
        : { ...compose(typed, workspace), ...blocksOf(options) };
      const { thread } = options;
      const { message, deliveries } = board.post(channel, {
        ...content,
        userId: user.id,
        threadTs: typeof thread === "string" ? thread : thread?.ts,
        isBroadcast: options.broadcast,
        files: options.files?.map((seed) => world.files.add(seed, user.id)),
        clientMsgId: options.clientMsgId ?? workspace.mintId("msg"),
        ts: options.ts,
      });
      return { ts: message.ts, channel: channel.id, deliveries };
    },
    edit(said, typed) {
      const { channel, message } = found(said);
      const { deliveries } = board.edit(channel, message, { ...compose(typed, workspace), by: user.id });
      return { ts: message.ts, channel: channel.id, deliveries };
    },
    remove(said) {
      const { channel, message } = found(said);
      return { ts: said.ts, channel: channel.id, deliveries: board.remove(channel, message).deliveries };
    },
    unfurl(said, preview) {
      const { channel, message } = found(said);
      const { deliveries } = board.edit(channel, message, {
        attachments: [{ id: 1, is_msg_unfurl: true, ...preview }],
      });
      return { ts: said.ts, channel: channel.id, deliveries };
    },
    command: (asked, command, text = "") =>
      world.interactions.command(user, place(asked), command, labelled(text, world)),
    sees(asked, wanted) {
      const channel = place(asked);
      const buttons = buttonsIn({ workspace, board, channel, viewerId: user.id, filesUrl: world.url() });
      const button = buttons.find(({ label, actionId }) => label === wanted || actionId === wanted);
      if (!button) throw new Error(`${user.name} sees no button "${wanted}" in ${channel.name}`);
      return button;
    },
    press: (button) => world.interactions.press(user, button),
    join: (asked) => bring(asked, user),
    invite: (asked, name) => bring(asked, workspace.user(name)),
    kick(asked, name) {
      const channel = place(asked);
      const member = workspace.user(name);
      const at = { channel: channel.id, event_ts: workspace.mintTs() };
      const left = { type: "member_left_channel", user: member.id, channel_type: "C", team: workspace.team.id, ...at };
      channel.members.delete(member.id);
      feed.tell(left, channel);
      const app = workspace.apps.find((it) => it.userId === member.id);
      if (app)
        feed.tellApp(app, { type: channel.kind === "group" ? "group_left" : "channel_left", actor_id: user.id, ...at });
    },
    rename(asked, name) {
      const channel = place(asked);
      channel.name = name;
      const type = channel.kind === "group" ? "group_rename" : "channel_rename";
      feed.tell(
        {
          type,
          channel: { id: channel.id, name, name_normalized: name, created: 1_700_000_000 },
          event_ts: workspace.mintTs(),
        },
        channel,
      );
    },
    archive(asked) {
      const channel = place(asked);
      channel.isArchived = true;
      const type = channel.kind === "group" ? "group_archive" : "channel_archive";
      feed.tell({ type, channel: channel.id, user: user.id, event_ts: workspace.mintTs() }, channel);
    },
    react(said, emoji) {
      const { channel, message } = found(said);
      message.reactions.push({ name: emoji, users: [user.id] });
      const item = { type: "message", channel: channel.id, ts: message.ts };
      const author = message.userId ?? message.app?.userId;
      const event = { user: user.id, reaction: emoji, item, item_user: author, event_ts: workspace.mintTs() };
      feed.tell({ type: "reaction_added", ...event }, channel);
    },
  };
}

function blocksOf({ blocks }: SayOptions): { blocks?: readonly Json[] } {
  return blocks ? { blocks } : {};
}

/** A command comes with `should_escape`: users, groups and channels as labelled tokens, the rest escaped. */
function labelled(text: string, { workspace }: World): string {
  return escapeText(text).replaceAll(/(?<![\w@])([@#])([\w.-]*\w)/g, (whole, sign: string, name: string) => {
    const user = sign === "@" ? workspace.findUser(name) : undefined;
    const channel = sign === "#" ? workspace.findChannel(name) : undefined;
    const group = sign === "@" ? workspace.userGroups.get(name) : undefined;
    if (user) return `<@${user.id}|${user.name}>`;
    if (channel) return `<#${channel.id}|${channel.name}>`;
    return group ? `<!subteam^${group}|@${name}>` : whole;
  });
}
