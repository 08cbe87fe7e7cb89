import { createEmulator } from "emulate";
import { describe, expect, it, onTestFinished } from "vitest";
import { readAround } from "../../../adapters/slack/catch-up/read.js";
import { createClients } from "../../../adapters/slack/clients.js";
import { createDirectory } from "../../../adapters/slack/inbound/senders.js";
import { createOutbound } from "../../../adapters/slack/outbound/outbound.js";
import { preflight } from "../../../adapters/slack/setup/preflight.js";
import type { Post } from "../../../src/index.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { createLogLines } from "../../support/log-lines.js";
import { quiet } from "../../support/slack-bolt.js";

const BOT = { bot_id: "B000000077", bot_user_id: "U000000077", app_id: "A000000077" };
const signal = new AbortController().signal;

/**
 * The adapter's part that calls the Web API, on a Web API that is not ours. It has no Socket Mode, no commands and no clicks, does
 * not say scopes or a bot's app, and pays no heed to times in history, so all that is tested against our own fake alone.
 */
async function onEmulator() {
  const emulator = await createEmulator({
    service: "slack",
    port: 0,
    seed: {
      slack: {
        users: [{ name: "ann" }],
        channels: [{ name: "general" }],
        oauth_apps: [
          { client_id: "1.2", client_secret: "secret", name: "Troupe", redirect_uris: [], bot_name: "troupe", ...BOT },
        ],
        tokens: [{ token: "xoxb-troupe-1", user_id: BOT.bot_user_id, type: "bot", ...BOT }],
      },
    },
  });
  onTestFinished(() => emulator.close());
  const clock = createFakeClock();
  const logger = createLogLines();
  const botToken = "xoxb-troupe-1";
  const clients = createClients({
    botToken,
    personaTokens: new Map(),
    apiUrl: `${emulator.url}/api/`,
    logger: quiet,
  });
  const workspace = await preflight({ clients, botToken, personaTokens: new Map(), logger });
  const outbound = createOutbound({ workspace, clients, clock, logger, pace: 0, onAdminHint: () => {} });
  onTestFinished(() => outbound.stop());
  const { channels = [] } = await clients.reads.conversations.list();
  const { members = [] } = await clients.reads.users.list({});
  const channel = channels.find(({ name }) => name === "general")?.id ?? "";
  const ann = members.find(({ name }) => name === "ann")?.id ?? "";
  const post = (text: string, more: Partial<Post> = {}): Post => ({
    id: "e1",
    session: `slack:${workspace.teamId}:${channel}`,
    identity: { name: "alpha", displayName: "Alpha", avatar: ":owl:" },
    part: 0,
    attemptedAt: clock.now(),
    body: { kind: "text", text },
    ...more,
  });
  return { clients, workspace, outbound, clock, logger, channel, ann, post };
}

describe("the adapter on an independent Web API", () => {
  it("finds out who it is before it starts", async () => {
    const { workspace, logger } = await onEmulator();

    expect(workspace.main).toEqual({
      tokenName: "SLACK_BOT_TOKEN",
      botId: BOT.bot_id,
      userId: BOT.bot_user_id,
      // It does not say the app.
      appId: undefined,
    });
    expect(workspace.url).toMatch(/^https:\/\/.+\.slack\.com\/$/);
    expect(logger.lines.map(({ message }) => message)).toEqual([
      "Slack did not say what SLACK_BOT_TOKEN may do; its rights are not checked",
    ]);
  });

  it("posts as a persona, in channel and thread, finds its posts again by their mark, and edits in place", async () => {
    const { clients, outbound, channel, post } = await onEmulator();

    const first = await outbound.post(post("**Hello** & welcome"), signal);
    if (first.status !== "posted") throw new Error(`expected a post, got ${first.status}`);
    const [ts = ""] = first.messageIds;
    const inThread = post("a reply", { id: "e2", session: `${post("").session}:${ts}` });
    const second = await outbound.post(inThread, signal);
    if (second.status !== "posted") throw new Error(`expected a post, got ${second.status}`);

    expect(await outbound.find(post(""), signal)).toEqual({ status: "found", messageIds: [ts] });
    expect(await outbound.find(inThread, signal)).toEqual({ status: "found", messageIds: second.messageIds });
    expect(await outbound.find(post("", { part: 1 }), signal)).toEqual({ status: "absent" });

    expect((await outbound.edit(post("Changed"), [ts], signal)).status).toBe("posted");
    const { messages } = await clients.reads.conversations.replies({ channel, ts });
    expect(messages).toMatchObject([
      { text: "Changed", username: "Alpha" },
      { text: "a reply", username: "Alpha" },
    ]);
  });

  it("says no for good where there is no such channel or message", async () => {
    const { outbound, workspace, post } = await onEmulator();

    const nowhere = post("hi", { session: `slack:${workspace.teamId}:C0NOWHERE` });
    expect(await outbound.post(nowhere, signal)).toMatchObject({ status: "rejected", retry: false });
    expect(await outbound.edit(post("hi"), ["1.000001"], signal)).toMatchObject({ status: "rejected", retry: false });
  });

  it("shows something to one person alone", async () => {
    const { clients, outbound, channel, ann, post } = await onEmulator();

    await outbound.ephemeral(post("").session, ann, { title: "Room", text: "alpha, beta" });

    const { messages } = await clients.reads.conversations.history({ channel });
    expect(messages).toEqual([]);
  });

  it("reads who somebody is, and what was said, page by page", async () => {
    const { clients, workspace, clock, logger, channel, ann, outbound, post } = await onEmulator();
    for (let i = 0; i < 17; i++) await outbound.post(post(`line ${i}`, { id: `e${i}` }), signal);

    const directory = createDirectory({ reads: clients.reads, homeTeam: workspace.teamId, clock, logger });
    expect(await directory.person(ann, workspace.teamId)).toMatchObject({ kind: "person", id: ann, name: "ann" });
    const mark = { channel, since: "0", threads: new Map() };
    const { fresh } = await readAround({ history: clients.history, logger, signal }, mark);
    expect(fresh.map(({ text }) => text)).toEqual(Array.from({ length: 17 }, (_, i) => `line ${i}`));
  });
});
