import { webApi } from "@slack/bolt";
import { createEmulator } from "emulate";
import { describe, expect, it, onTestFinished } from "vitest";
import { quiet, slackClient } from "../../support/slack-bolt.js";
import { openSlackTown } from "../../support/slack-town.js";

/** The same two apps and one person on both sides. */
async function bothSides() {
  const { slack } = await openSlackTown();
  const emulator = await createEmulator({
    service: "slack",
    port: 0,
    seed: { slack: { users: [{ name: "ann" }], channels: [{ name: "general" }] } },
  });
  onTestFinished(() => emulator.close());
  const other = new webApi.WebClient("xoxb-any", {
    slackApiUrl: `${emulator.url}/api/`,
    retryConfig: { retries: 0 },
    logger: quiet,
  });
  const clients = { ours: slackClient(slack), theirs: other };
  const channelOf = async (client: webApi.WebClient) => {
    const { channels } = await client.conversations.list();
    return channels?.find(({ name }) => name === "general")?.id ?? "";
  };
  return { clients, channels: { ours: await channelOf(clients.ours), theirs: await channelOf(clients.theirs) } };
}

type Side = "ours" | "theirs";

/** Runs the same calls on both sides. */
async function compare<T>(run: (client: webApi.WebClient, channel: string) => Promise<T>): Promise<Record<Side, T>> {
  const { clients, channels } = await bothSides();
  return {
    ours: await run(clients.ours, channels.ours),
    theirs: await run(clients.theirs, channels.theirs),
  };
}

async function errorOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "ok",
    (error: unknown) => (error instanceof webApi.WebAPIPlatformError ? error.data.error : String(error)),
  );
}

describe("the fake and the independent emulator", () => {
  it("keep the same of a post, its reply and its update, and read them back in the same order", async () => {
    const { ours, theirs } = await compare(async (client, channel) => {
      const metadata = { event_type: "troupe_entry", event_payload: { id: "e1" } };
      const root = await client.chat.postMessage({
        channel,
        text: "a & b",
        username: "Alpha",
        icon_emoji: ":owl:",
        metadata,
      });
      const ts = root.ts ?? "";
      await client.chat.postMessage({ channel, text: "reply", thread_ts: ts });
      await client.chat.postMessage({ channel, text: "second" });
      await client.chat.update({ channel, ts, text: "c" });
      const history = await client.conversations.history({ channel, include_all_metadata: true });
      const replies = await client.conversations.replies({ channel, ts });
      return {
        ts: /^\d+\.\d{6}$/.test(ts),
        channel: root.channel === channel,
        history: history.messages?.map(({ text, username }) => [text, username]),
        metadata: history.messages?.at(-1)?.metadata,
        replies: replies.messages?.map(({ text, thread_ts }) => [text, thread_ts === ts]),
      };
    });

    expect(ours.history).toEqual(theirs.history);
    expect(ours.metadata).toEqual(theirs.metadata);
    expect(ours.replies?.at(-1)).toEqual(theirs.replies?.at(-1));
    expect([ours.ts, ours.channel]).toEqual([theirs.ts, theirs.channel]);
  });

  it("refuse the same mistakes with the same words", async () => {
    const { ours, theirs } = await compare(async (client, channel) => {
      const { ts = "" } = await client.chat.postMessage({ channel, text: "hi" });
      await client.reactions.add({ channel, timestamp: ts, name: "eyes" });
      return [
        await errorOf(client.chat.postMessage({ channel: "C0NOWHERE", text: "hi" })),
        await errorOf(client.apiCall("chat.postMessage", { channel, text: "" })),
        await errorOf(client.chat.update({ channel, ts: "1.000001", text: "hi" })),
        await errorOf(client.chat.delete({ channel, ts: "1.000001" })),
        await errorOf(client.reactions.add({ channel, timestamp: ts, name: "eyes" })),
        await errorOf(client.users.info({ user: "U0NOBODY" })),
        await errorOf(client.conversations.history({ channel: "C0NOWHERE" })),
      ];
    });

    expect(ours).toEqual(theirs);
  });

  it("upload a file in the same three steps", async () => {
    const { ours, theirs } = await compare(async (client, channel) => {
      const { file_id = "", upload_url = "" } = await client.files.getUploadURLExternal({
        filename: "a.txt",
        length: 5,
      });
      const sent = await fetch(upload_url, { method: "POST", body: "hello" });
      const done = await client.files.completeUploadExternal({
        files: [{ id: file_id, title: "A" }],
        channel_id: channel,
      });
      return { status: sent.status, files: done.files?.map(({ id, title }) => [id === file_id, title]) };
    });

    expect(ours).toEqual(theirs);
  });
});
