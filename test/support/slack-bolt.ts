import type { AddressInfo } from "node:net";
import { App, HTTPReceiver, type Logger, LogLevel, SocketModeReceiver, webApi } from "@slack/bolt";
import { onTestFinished } from "vitest";
import type { FakeSlack } from "../fakes/slack/server.js";

/** Keeps what Bolt says to itself. */
export const quiet: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};

/** A plain client of one app, that neither retries nor waits for a limit to pass. */
export function slackClient(
  slack: FakeSlack,
  app = "troupe",
  token = slack.workspace.app(app).token,
): webApi.WebClient {
  return new webApi.WebClient(token, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: quiet,
  });
}

/** The `error` of a call that Slack refuses. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof webApi.WebAPIPlatformError) return error.data.error;
    throw error;
  }
  throw new Error("expected Slack to refuse the call");
}

function appOptions(slack: FakeSlack) {
  const { token, botId, userId } = slack.workspace.app("troupe");
  const clientOptions = { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } };
  return {
    token,
    botId,
    botUserId: userId,
    clientOptions,
    logger: quiet,
    tokenVerificationEnabled: false,
    ignoreSelf: false,
  };
}

/** Bolt over Socket Mode, and its receiver; with another receiver it has two connections. */
export interface SocketBolt {
  readonly app: App;
  readonly receiver: SocketModeReceiver;
  /** Resolves when it is connected. */
  start(): Promise<unknown>;
}

/** Bolt waits this long before it connects again, and for answers to its pings; short, but not so short that a busy machine misses one. */
const PING_TIMEOUT_MS = 300;

/** An app of real Bolt for the main app, over Socket Mode; stopped after the test. */
export function boltOverSockets(slack: FakeSlack): SocketBolt {
  const receiver = socketReceiver(slack);
  const app = new App({ ...appOptions(slack), receiver });
  return { app, receiver, start: () => receiver.start() };
}

/** Resolves the next time that this receiver is connected. A start that is left pending is rejected by the end of the test. */
export function connected(receiver: SocketModeReceiver): Promise<unknown> {
  return new Promise((resolve) => receiver.client.once("connected", resolve));
}

/** One more connection. */
export function socketReceiver(slack: FakeSlack): SocketModeReceiver {
  const receiver = new SocketModeReceiver({
    appToken: slack.workspace.app("troupe").appToken,
    clientPingTimeout: PING_TIMEOUT_MS,
    logger: quiet,
    installerOptions: { clientOptions: { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } } },
  });
  onTestFinished(() => void receiver.client.disconnect());
  return receiver;
}

/** An app of real Bolt for the main app, over HTTP: the workspace knows its address. Stopped after the test. */
export async function boltOverHttp(slack: FakeSlack, processBeforeResponse = false): Promise<App> {
  const main = slack.workspace.app("troupe");
  const receiver = new HTTPReceiver({ signingSecret: main.signingSecret, processBeforeResponse, logger: quiet });
  const app = new App({ ...appOptions(slack), receiver });
  const server = await receiver.start({ port: 0, host: "127.0.0.1" });
  onTestFinished(async () => {
    server.closeAllConnections();
    await receiver.stop();
  });
  // A TCP server's address is never a path.
  main.requestUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/slack/events`;
  return app;
}
