import { App, type Logger as SdkLogger } from "@slack/bolt";
import { base } from "../clients.js";
import type { Workspace } from "../workspace.js";
import { isElsewhere } from "./elsewhere.js";

/** What is done with what Slack sends. Bodies are as they came; each is parsed by who takes it. */
export interface Listeners {
  /** Settles when the event is kept, or nothing has to be kept; rejects when Slack shall send it again. */
  event(event: unknown): Promise<void>;
  /** Has been acknowledged already. Never rejects. */
  command(body: unknown): Promise<void>;
  /** Likewise. */
  press(body: unknown): Promise<void>;
  /** The bot token is worth nothing any more. */
  revoked(event: unknown): void;
}

export interface AppOptions {
  readonly botToken: string;
  readonly workspace: Workspace;
  readonly apiUrl?: string | undefined;
  readonly logger: SdkLogger;
  readonly listeners: Listeners;
}

/**
 * Bolt, with our listeners and no receiver of its own. It asks Slack nothing by itself: the tokens have been checked, and who is
 * who our own filter decides.
 */
export function createApp({ botToken, workspace, apiUrl, logger, listeners }: AppOptions): App {
  const app = new App({
    token: botToken,
    botId: workspace.main.botId,
    botUserId: workspace.main.userId,
    tokenVerificationEnabled: false,
    ignoreSelf: false,
    convoStore: false,
    clientOptions: base(apiUrl, logger),
    logger,
    // Receivers hand what they get to the door; Bolt insists on one of its own.
    receiver: { init() {}, start: async () => {}, stop: async () => {} },
  });
  // An app that others have installed too hears, over its sockets, what is said in their workspaces.
  app.use(async ({ body, next }) => {
    if (!isElsewhere(body, workspace.teamId)) await next();
  });
  app.event("message", ({ event }) => listeners.event(event));
  app.event("app_mention", ({ event }) => listeners.event(event));
  app.event("tokens_revoked", async ({ event }) => listeners.revoked(event));
  app.event("app_uninstalled", async ({ event }) => listeners.revoked(event));
  app.command(/^\//, async ({ ack, body }) => {
    await ack();
    await listeners.command(body);
  });
  app.action(/^troupe:/, async ({ ack, body }) => {
    await ack();
    await listeners.press(body);
  });
  app.error(async (error) => {
    throw error;
  });
  return app;
}
