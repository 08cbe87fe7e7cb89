import { describe, expect, it } from "vitest";
import type { Post, PostResult } from "../../../src/index.js";
import { slackClient } from "../../support/slack-bolt.js";
import { ALPHA, type OutboundTown, openOutbound } from "./outbound-harness.js";

const signal = new AbortController().signal;

function postOf({ session, clock }: OutboundTown, id: string, more: Partial<Post> = {}): Post {
  const body = { kind: "text", text: `reply ${id}` } as const;
  return { id, session: session(), identity: ALPHA, part: 0, body, attemptedAt: clock.now(), ...more };
}

/** What the outbox does with one row: looks before it posts again. */
async function deliver({ outbound, clock }: OutboundTown, post: Post): Promise<PostResult> {
  let result = await outbound.post({ ...post, attemptedAt: clock.now() }, signal);
  for (let attempt = 0; result.status !== "posted" && attempt < 8; attempt++) {
    await clock.advance(result.status === "rate-limited" ? result.retryAfterMs : 2_000);
    const found =
      result.status === "ambiguous" ? await outbound.find({ ...post, attemptedAt: clock.now() }, signal) : undefined;
    if (found?.status === "found") return { status: "posted", messageIds: found.messageIds };
    result = await outbound.post({ ...post, attemptedAt: clock.now() }, signal);
  }
  return result;
}

describe("a post that may have arrived", () => {
  it.each(["accept-then-drop", "accept-then-status", "drop", "status"] as const)(
    "is seen once, with every third one going wrong by %s",
    async (kind) => {
      const town = await openOutbound();
      const root = town.slack.person("ann").say("general", "go");
      town.slack.faults.add({ method: "chat.postMessage", every: 3, fault: { kind, status: 502 } });

      for (let i = 0; i < 9; i++) {
        const more = i % 2 === 0 ? {} : { session: town.session("general", root.ts) };
        expect((await deliver(town, postOf(town, `e${i}`, more))).status).toBe("posted");
      }

      const shown = town.slack
        .seen("general")
        .flatMap(({ text, replies }) => [text, ...replies.map((reply) => reply.text)]);
      expect(shown.toSorted()).toEqual(["go", ...Array.from({ length: 9 }, (_, i) => `reply e${i}`)]);
    },
  );

  it.each(["bot_message", "plain", "bare"] as const)("is known again when it comes back as %s", async (shape) => {
    const town = await openOutbound();
    town.slack.workspace.postShape = shape;
    const post = postOf(town, "e1");
    const posted = await town.outbound.post(post, signal);

    expect(await town.outbound.find(post, signal)).toEqual({
      status: "found",
      messageIds: posted.status === "posted" ? posted.messageIds : [],
    });
    expect(await town.outbound.find({ ...post, part: 1 }, signal)).toEqual({ status: "absent" });
    expect(await town.outbound.find({ ...post, id: "e2" }, signal)).toEqual({ status: "absent" });
  });

  it("is not taken for another app's with the same mark", async () => {
    const town = await openOutbound();
    await slackClient(town.slack, "pager").chat.postMessage({
      channel: town.channel,
      text: "mine",
      metadata: { event_type: "troupe_entry", event_payload: { id: "e1", n: 0 } },
    });

    expect(await town.outbound.find(postOf(town, "e1"), signal)).toEqual({ status: "absent" });
  });

  it("is looked for page by page, and is not known where there is too much to look through", async () => {
    const town = await openOutbound();
    const post = postOf(town, "e1");
    await town.outbound.post(post, signal);
    const ann = town.slack.person("ann");
    for (let i = 0; i < 40; i++) ann.say("general", `chat ${i}`);

    expect((await town.outbound.find(post, signal)).status).toBe("found");
    expect(town.slack.recorder.of("conversations.history").length).toBe(3);
    for (let i = 0; i < 300; i++) ann.say("general", `chat ${i}`);
    expect(await town.outbound.find(post, signal)).toEqual({ status: "unknown" });
  });

  it("is not looked for before its time", async () => {
    const town = await openOutbound();
    await town.outbound.post(postOf(town, "e1"), signal);
    await town.clock.advance(120_000);

    expect(await town.outbound.find(postOf(town, "e1"), signal)).toEqual({ status: "absent" });
  });

  it.each([
    [
      "the app has left",
      (town: OutboundTown) =>
        void town.slack.workspace.channel("general").members.delete(town.slack.workspace.app("troupe").userId),
    ],
    [
      "it may not read there",
      (town: OutboundTown) => void town.slack.workspace.app("troupe").scopes.delete("channels:history"),
    ],
  ])("is not known when %s, and an admin is told once", async (_, change) => {
    const town = await openOutbound();
    change(town);

    expect(await town.outbound.find(postOf(town, "e1"), signal)).toEqual({ status: "unknown" });
    await town.outbound.find(postOf(town, "e2"), signal);
    expect(town.hints).toEqual([expect.stringContaining("Cannot look for posts")]);
  });

  it("is looked for again when Slack cannot answer now, until it can or everything stops", async () => {
    const town = await openOutbound();
    const post = postOf(town, "e1");
    await town.outbound.post(post, signal);
    const { slack, clock } = town;
    slack.faults.add({ method: "conversations.history", fault: { kind: "rate-limit", retryAfterSeconds: 30 } });
    slack.faults.add({ method: "conversations.history", fault: { kind: "status", status: 503 } });

    const found = town.outbound.find(post, signal);
    await slack.recorder.until(() => slack.recorder.of("conversations.history")[0]?.outcome);
    await until(() => clock.pending > 0);
    await clock.advance(30_000);
    await slack.recorder.until(() => slack.recorder.of("conversations.history")[1]?.outcome);
    await until(() => clock.pending > 0);
    await clock.advance(2_000);

    expect((await found).status).toBe("found");
    slack.faults.add({ method: "conversations.history", times: 99, fault: { kind: "status", status: 503 } });
    const stopped = new AbortController();
    const sought = town.outbound.find(post, stopped.signal);
    stopped.abort(new Error("stop"));
    await expect(sought).rejects.toThrow();
  });

  it("and was shown in pieces, goes on with the pieces that are missing", async () => {
    const town = await openOutbound();
    const { slack } = town;
    slack.faults.add({
      method: "chat.postMessage",
      times: 99,
      when: (args) => "blocks" in args,
      fault: { kind: "error", error: "invalid_blocks" },
    });
    slack.faults.add({
      method: "chat.postMessage",
      skip: 1,
      when: (args) => !("blocks" in args),
      fault: { kind: "accept-then-drop" },
    });
    const text = `# Title\n\n${Array.from({ length: 140 }, (_, i) => `Sentence ${i} is **here** and goes on and on and on, as sentences do.`).join("\n\n")}`;

    const result = await deliver(town, postOf(town, "e1", { body: { kind: "text", text } }));

    const shown = slack.seen("general");
    expect(shown.length).toBeGreaterThan(2);
    expect(result).toEqual({ status: "posted", messageIds: shown.map(({ ts }) => ts) });
    const sentences = shown.flatMap((message) =>
      [...message.text.matchAll(/Sentence (\d+)/g)].map(([, number]) => Number(number)),
    );
    expect(sentences).toEqual(Array.from({ length: 140 }, (_, i) => i));
    expect(slack.recorder.of("chat.postMessage").at(-1)?.args).toMatchObject({
      metadata: { event_payload: { id: "e1", n: 0, piece: shown.length - 1, of: shown.length } },
    });
  });
});

/** Lets the machine work until this is so; the run's own time limit ends it otherwise. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
