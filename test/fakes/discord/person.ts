import { type Button, buttonsIn } from "./buttons.js";
import type { FileSeed } from "./cdn.js";
import { compose } from "./compose.js";
import type { Interaction } from "./interactions.js";
import { ChannelType, type DiscordChannel, type DiscordMessage, type DiscordUser } from "./model.js";
import { isThread, Permission } from "./permissions.js";
import { announceThread, beginThread, threadOn } from "./routes/threads.js";
import { typedCommand } from "./typed-command.js";
import type { Json } from "./wire.js";
import type { World } from "./world.js";

/** What someone has said, and where it stands: `channel` is the thread, if it is in one. */
export interface Said {
  readonly id: string;
  readonly channel: string;
}

export interface SayOptions {
  /** The thread it goes to: by id, by name, or by the message it began on. */
  readonly thread?: string | { readonly id: string };
  /** The message it answers; `isQuiet` does not call its author. */
  readonly replyTo?: { readonly id: string };
  readonly isQuiet?: boolean;
  /** The text as it is on the wire, instead of what the composer makes of it. */
  readonly raw?: true;
  readonly files?: readonly FileSeed[];
  /** Another kind than 0 or 19: a system line. */
  readonly type?: number;
}

export interface CommandOptions {
  readonly thread?: string;
  /** Sends what the menu would not offer, as the owner of a server can allow. */
  readonly isForced?: boolean;
}

/** One person at the keyboard. Channels go by name or id; `@name` is the direct conversation with that user or bot. */
export interface Person {
  readonly id: string;
  readonly user: DiscordUser;
  say(channel: string, typed: string, options?: SayOptions): Said;
  edit(said: Said, typed: string): void;
  remove(said: Said): void;
  /** Takes several of one channel away at once, as a moderator's tool does. */
  removeAll(said: readonly Said[]): void;
  /** The link in a message gets its preview: a change that nobody made. */
  preview(said: Said, embed: Json): void;
  pin(said: Said): void;
  /** Begins a thread in a channel; on a message, it takes its id. */
  openThread(channel: string, name: string, options?: ThreadOptions): DiscordChannel;
  /** Brings someone into a private thread: a person, or a bot, which learns of it. */
  bring(thread: string, name: string): void;
  /** Begins a post in a forum, with its first message. */
  openPost(forum: string, name: string, typed: string): Said;
  /** `budget n:4` to `/agent`: by the registered definition. */
  command(channel: string, command: string, typed?: string, options?: CommandOptions): Interaction;
  /** Still typing: the last option of `talk persona:al` is the one that wants choices. */
  autocomplete(channel: string, command: string, typed: string, options?: CommandOptions): Interaction;
  /** The newest button with this label or custom id; throws when there is none. */
  sees(channel: string, button: string): Button;
  press(button: Button): Interaction;
}

export interface ThreadOptions {
  readonly on?: Said;
  readonly isPrivate?: boolean;
  /** Apps are not told of it. */
  readonly isUncached?: boolean;
}

export function createPerson(world: World, user: DiscordUser): Person {
  const { workspace, board } = world;

  function place(asked: string, thread?: SayOptions["thread"]): DiscordChannel {
    if (thread !== undefined) return workspace.channel(typeof thread === "string" ? thread : thread.id);
    if (asked.startsWith("@")) return workspace.conversationOf(user.id, workspace.user(asked.slice(1)).id);
    return workspace.channel(asked);
  }

  function writing(channel: DiscordChannel): DiscordChannel {
    const bits = workspace.permissionsIn(channel, user.id);
    const needed = isThread(channel) ? Permission.sendMessagesInThreads : Permission.sendMessages;
    if ((bits & needed) === 0n) throw new Error(`${user.name} may not write in ${channel.name}`);
    if (channel.isLocked && (bits & Permission.manageThreads) === 0n) throw new Error(`${channel.name} is locked`);
    if (channel.type === ChannelType.forum) throw new Error(`${channel.name} is a forum: open a post`);
    return channel;
  }

  function found(said: Said): { channel: DiscordChannel; message: DiscordMessage } {
    const channel = workspace.channel(said.channel);
    return { channel, message: board.find(channel, said.id) };
  }

  const mentions = { allowed: undefined, byDefault: ["users", "roles", "everyone"], speakerId: user.id };

  function say(channel: DiscordChannel, typed: string, options: SayOptions = {}): Said {
    const message = board.post(writing(channel), {
      authorId: user.id,
      content: options.raw ? typed : compose(typed, channel, workspace),
      type: options.type,
      attachments: options.files?.map((seed) => world.cdn.add(channel.id, seed)),
      replyTo: options.replyTo?.id,
      mentions: options.isQuiet ? { ...mentions, allowed: { parse: mentions.byDefault } } : mentions,
    });
    return { id: message.id, channel: channel.id };
  }

  function typedIn(asked: string, command: string, typed: string, options: CommandOptions & { isFocused?: boolean }) {
    const channel = place(asked, options.thread);
    const typing = { workspace, user, channel, isForced: options.isForced ?? false };
    const { app, data } = typedCommand(typing, command, typed, options.isFocused);
    const kind = options.isFocused ? ("autocomplete" as const) : ("command" as const);
    return world.interactions.begin(user, app, { kind, channel, data });
  }

  return {
    id: user.id,
    user,
    say: (asked, typed, options = {}) => say(place(asked, options.thread), typed, options),
    edit(said, typed) {
      const { channel, message } = found(said);
      board.edit(channel, message, { content: compose(typed, channel, workspace), mentions });
    },
    remove(said) {
      const { channel, message } = found(said);
      board.remove(channel, [message]);
    },
    removeAll(said) {
      const all = said.map(found);
      const [first] = all;
      if (first)
        board.remove(
          first.channel,
          all.map(({ message }) => message),
        );
    },
    preview(said, embed) {
      const { channel, message } = found(said);
      board.edit(channel, message, { embeds: [...message.embeds, embed], isSilent: true });
    },
    pin(said) {
      const { channel, message } = found(said);
      message.isPinned = true;
      board.edit(channel, message, { isSilent: true });
    },
    openThread(asked, name, { on, isPrivate, isUncached = false } = {}) {
      const parent = place(asked);
      const seed = { name, owner: user.id, isUncached };
      if (on) return threadOn(world, parent, board.find(parent, on.id), seed);
      const kind = isPrivate ? "privateThread" : "publicThread";
      const thread = beginThread(world, { ...seed, parent: parent.id, kind });
      if (!isPrivate) announceThread(world, parent, thread);
      return thread;
    },
    bring(asked, name) {
      const thread = workspace.channel(asked);
      thread.members.add(workspace.user(name).id);
      if (workspace.user(name).isBot) world.feed.channel("THREAD_CREATE", thread);
    },
    openPost(asked, name, typed) {
      const thread = beginThread(world, { parent: place(asked).id, name, owner: user.id });
      return say(thread, typed);
    },
    command: (asked, command, typed = "", options = {}) => typedIn(asked, command, typed, options),
    autocomplete: (asked, command, typed, options = {}) =>
      typedIn(asked, command, typed, { ...options, isFocused: true }),
    sees(asked, wanted) {
      const channel = place(asked);
      const button = buttonsIn(world, channel, user.id).find((it) => it.label === wanted || it.customId === wanted);
      if (!button) throw new Error(`${user.name} sees no button "${wanted}" in ${channel.name}`);
      return button;
    },
    press(button) {
      if (button.isDisabled) throw new Error(`the button "${button.label}" is grey`);
      const { app, channel, customId, componentId } = button;
      // The message as it stands now, or as it was seen.
      const message =
        channel.messages.find((it) => it.id === button.message.id) ?? board.findEphemeral(button.message.id);
      const data = {
        custom_id: customId,
        component_type: 2,
        ...(componentId === undefined ? {} : { id: componentId }),
      };
      return world.interactions.begin(user, app, { kind: "button", channel, data, message: message ?? button.message });
    },
  };
}
