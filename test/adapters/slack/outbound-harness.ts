import { onTestFinished } from "vitest";
import { createClients } from "../../../adapters/slack/clients.js";
import { createOutbound, type Outbound } from "../../../adapters/slack/outbound/outbound.js";
import { createWorkspace } from "../../../adapters/slack/workspace.js";
import type { Identity, Logger, Post, PostBody, PostResult } from "../../../src/index.js";
import type { SlackApp } from "../../fakes/slack/model.js";
import { quiet } from "../../support/slack-bolt.js";
import { openSlackTown, type SlackTown } from "../../support/slack-town.js";

export const ALPHA: Identity = { name: "alpha", displayName: "Alpha", avatar: ":compass:" };
export const GAMMA: Identity = { name: "gamma", displayName: "Gamma", avatar: ":gem:" };

/** The way out, into a fake workspace. */
export interface OutboundTown extends SlackTown {
  readonly outbound: Outbound;
  readonly channel: string;
  /** The session of a channel, or of a thread in it. */
  session(channel?: string, thread?: string): string;
  /** Posts one part and says what came of it. */
  post(body: string | PostBody, more?: Partial<Post>): Promise<PostResult>;
  /** Cuts a text and posts all its parts. */
  postAll(text: string, more?: Partial<Post>): Promise<void>;
  readonly hints: readonly string[];
}

export interface OutboundTownOptions {
  readonly pace?: number;
  /** The persona `gamma` speaks through its own app. */
  readonly hasOwnApp?: boolean;
}

/** Opens a workspace and the way out into `general`; pace 0, unless a test is about it. */
export async function openOutbound({ pace = 0, hasOwnApp = false }: OutboundTownOptions = {}): Promise<OutboundTown> {
  const town = await openSlackTown();
  const { slack, clock } = town;
  const main = slack.workspace.app("troupe");
  const gamma = slack.workspace.app("gamma");
  const own = hasOwnApp ? [["gamma", gamma] as const] : [];
  const clients = createClients({
    botToken: main.token,
    personaTokens: new Map(own.map(([name, app]) => [name, app.token])),
    apiUrl: slack.apiUrl,
    logger: quiet,
  });
  const workspace = createWorkspace({
    teamId: slack.workspace.team.id,
    url: "https://home.slack.com/",
    appId: main.appId,
    main: idsOf(main),
    personas: new Map(own.map(([name, app]) => [name, idsOf(app)])),
    scopes: main.scopes,
  });
  const hints: string[] = [];
  const onAdminHint = (text: string) => void hints.push(text);
  const outbound = createOutbound({ workspace, clients, clock, logger: silent, pace, onAdminHint });
  onTestFinished(() => outbound.stop());
  const channel = slack.workspace.channel("general").id;
  const session = (name = "general", thread?: string) =>
    ["slack", slack.workspace.team.id, slack.workspace.channel(name).id, ...(thread ? [thread] : [])].join(":");
  const post = (body: string | PostBody, more: Partial<Post> = {}) =>
    outbound.post(
      {
        id: "e1",
        session: session(),
        identity: ALPHA,
        part: 0,
        attemptedAt: clock.now(),
        body: typeof body === "string" ? { kind: "text", text: body } : body,
        ...more,
      },
      new AbortController().signal,
    );
  return {
    ...town,
    outbound,
    channel,
    session,
    post,
    async postAll(text, more) {
      for (const [part, body] of outbound.split({ kind: "text", text }).entries()) await post(body, { ...more, part });
    },
    hints,
  };
}

function idsOf({ name, botId, userId, appId }: SlackApp) {
  return { tokenName: name, botId, userId, appId };
}

/** Says nothing. */
const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
