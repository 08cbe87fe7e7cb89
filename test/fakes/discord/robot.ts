import type { FileSeed } from "./cdn.js";
import { compose } from "./compose.js";
import type { DiscordUser, DiscordWebhook } from "./model.js";
import type { Said, SayOptions } from "./person.js";
import { addWebhook, moveWebhook, removeWebhook } from "./routes/webhooks.js";
import type { Json } from "./wire.js";
import type { World } from "./world.js";

/** What a foreign bot posts, past all limits. */
export interface RobotPost extends Pick<SayOptions, "thread" | "replyTo" | "raw"> {
  readonly embeds?: readonly Json[];
  readonly files?: readonly FileSeed[];
}

/** Somebody else's bot, without its code: it posts. */
export interface Robot {
  readonly id: string;
  readonly user: DiscordUser;
  say(channel: string, text: string, post?: RobotPost): Said;
}

export function createRobot(world: World, user: DiscordUser): Robot {
  const { workspace, board } = world;
  return {
    id: user.id,
    user,
    say(asked, text, post = {}) {
      const channel = workspace.channel(threadIn(post) ?? asked);
      const message = board.post(channel, {
        authorId: user.id,
        content: post.raw ? text : compose(text, channel, workspace),
        embeds: post.embeds,
        attachments: post.files?.map((seed) => world.cdn.add(channel.id, seed)),
        replyTo: post.replyTo?.id,
        mentions: { allowed: undefined, byDefault: ["users", "roles", "everyone"], speakerId: user.id },
      });
      return { id: message.id, channel: channel.id };
    },
  };
}

/** A webhook that is not the app's: a relay, or one that a person has made. */
export interface ForeignWebhook {
  readonly webhook: DiscordWebhook;
  /** As itself, or under another name. */
  say(text: string, post?: RobotPost & { readonly username?: string }): Said;
  move(channel: string): void;
  remove(): void;
}

/** Makes one in a channel; of another app if `ownerId` is one's. */
export function createForeignWebhook(
  world: World,
  seed: { name: string; channel: string; ownerId?: string; isApps?: boolean },
): ForeignWebhook {
  const { workspace, board } = world;
  const webhook = addWebhook(world, workspace.channel(seed.channel), seed);
  return {
    webhook,
    say(text, post = {}) {
      const channel = workspace.channel(threadIn(post) ?? webhook.channelId);
      const message = board.post(channel, {
        authorId: webhook.id,
        webhook,
        username: post.username,
        applicationId: webhook.applicationId ?? undefined,
        content: post.raw ? text : compose(text, channel, workspace),
        embeds: post.embeds,
        mentions: { allowed: undefined, byDefault: ["users"], speakerId: undefined },
      });
      return { id: message.id, channel: channel.id };
    },
    move: (channel) => moveWebhook(world, webhook, workspace.channel(channel).id),
    remove: () => removeWebhook(world, webhook),
  };
}

function threadIn({ thread }: RobotPost): string | undefined {
  return typeof thread === "string" ? thread : thread?.id;
}
