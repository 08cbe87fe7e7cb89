import type { Delivery } from "./courier.js";
import type { PostShape, SlackApp } from "./model.js";
import type { Said } from "./person.js";
import type { Json } from "./wire.js";
import type { World } from "./world.js";

/** What a foreign app posts, past all limits. */
export interface RobotPost {
  readonly thread?: string | { readonly ts: string };
  readonly blocks?: readonly Json[];
  readonly attachments?: readonly Json[];
  readonly username?: string;
  readonly icons?: Json;
  readonly shape?: PostShape;
}

/** An app as something that acts by itself, without its code: it posts, and it is taken away. */
export interface Robot {
  readonly app: SlackApp;
  /** The text as it is on the wire. */
  say(channel: string, text: string, post?: RobotPost): Said;
  /** Its tokens are worth nothing any more; it learns of it. */
  revoke(): Delivery;
  /** The same, and the app is gone. */
  uninstall(): Delivery;
}

export function createRobot({ workspace, board, feed }: World, app: SlackApp): Robot {
  return {
    app,
    say(asked, text, { thread, ...post } = {}) {
      const channel = workspace.channel(asked);
      const threadTs = typeof thread === "string" ? thread : thread?.ts;
      const { message, deliveries } = board.post(channel, { app, text, threadTs, ...post });
      return { ts: message.ts, channel: channel.id, deliveries };
    },
    revoke() {
      app.isRevoked = true;
      return feed.tellApp(app, { type: "tokens_revoked", tokens: { oauth: [], bot: [app.userId] } });
    },
    uninstall() {
      app.isUninstalled = true;
      return feed.tellApp(app, { type: "app_uninstalled" });
    },
  };
}
