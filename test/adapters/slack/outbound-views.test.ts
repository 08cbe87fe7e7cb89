import { describe, expect, it } from "vitest";
import { splitBody } from "../../../adapters/slack/outbound/blocks.js";
import { viewBlocks } from "../../../adapters/slack/outbound/view-blocks.js";
import type { Post, View } from "../../../src/index.js";
import { openOutbound } from "./outbound-harness.js";

const PAUSE: View = {
  title: "Pair paused",
  text: "Alpha and Beta are paused.\n> <!here> [x](https://u.example)",
  fields: [{ label: "Held", value: "2 <!here>" }],
  buttons: [
    { action: "troupe:resume", value: "n1|<opaque>", label: "Resume", style: "primary" },
    { action: "troupe:drop", value: "n1", label: "Drop <!held>", style: "danger" },
  ],
};

describe("a view", () => {
  it("is a title, a text, fields, and its buttons in the last block", () => {
    expect(viewBlocks(PAUSE)).toEqual([
      {
        type: "section",
        text: {
          type: "mrkdwn",
          text: "*Pair paused*\nAlpha and Beta are paused.\n\n> &lt;!here&gt; <https://u.example|x>",
        },
      },
      { type: "section", fields: [{ type: "mrkdwn", text: "*Held*\n2 &lt;!here&gt;" }] },
      {
        type: "actions",
        elements: [
          {
            type: "button",
            action_id: "troupe:resume",
            text: { type: "plain_text", text: "Resume" },
            value: "n1|<opaque>",
            style: "primary",
          },
          {
            type: "button",
            action_id: "troupe:drop",
            text: { type: "plain_text", text: "Drop ‹!held›" },
            value: "n1",
            style: "danger",
          },
        ],
      },
    ]);
  });

  it("numbers a second button of one action, and leaves out one whose value would be cut", () => {
    const button = { action: "troupe:retry", label: "x".repeat(90) };
    const [, actions] = viewBlocks({
      text: "hi",
      buttons: [
        { ...button, value: "1" },
        { ...button, value: "2" },
        { ...button, value: "v".repeat(2_001) },
      ],
    });

    expect(actions).toMatchObject({ elements: [{ action_id: "troupe:retry" }, { action_id: "troupe:retry:1" }] });
  });

  it("that is long keeps within Slack's limits, with the buttons on the last message", async () => {
    const { slack, outbound, post } = await openOutbound();
    const body = { kind: "view", view: { ...PAUSE, text: "Sentence after sentence. ".repeat(900) } } as const;
    const bodies = outbound.split(body);

    for (const [part, each] of bodies.entries()) expect((await post(each, { part })).status).toBe("posted");

    const shown = slack.seen("general").map(({ text }) => text);
    expect(shown.length).toBeGreaterThan(1);
    expect(shown[0]).toMatch(/^\*Pair paused\*/);
    expect(shown.map((text) => text.includes("[Resume]"))).toEqual(shown.map((_, index) => index === shown.length - 1));
    expect(splitBody(body)).toEqual(bodies);
  });

  it("with a button is the main app's, even in the name of a persona with an app of its own", async () => {
    const { slack, post } = await openOutbound({ hasOwnApp: true });
    const identity = { name: "gamma", displayName: "Gamma", avatar: ":gem:" };

    await post({ kind: "view", view: PAUSE }, { identity });
    await post({ kind: "view", view: { text: "Gamma could not answer." } }, { id: "e2", identity });

    expect(slack.recorder.of("chat.postMessage").map(({ token }) => token)).toEqual(["troupe", "gamma"]);
    expect(slack.seen("general").map(({ name }) => name)).toEqual(["Gamma", "Gamma"]);
    expect(slack.board.calls).toEqual([]);
  });
});

describe("an edit", () => {
  const postOf = (session: string, view: View): Post => ({ id: "n1", session, part: 0, body: { kind: "view", view } });

  it("replaces a notice in place, and its buttons go", async () => {
    const { slack, outbound, session, post } = await openOutbound();
    const signal = new AbortController().signal;
    const posted = await post({ kind: "view", view: PAUSE }, { id: "n1" });
    const ids = posted.status === "posted" ? posted.messageIds : [];

    const done = postOf(session(), { title: "Pair resumed", text: "Ann resumed Alpha and Beta." });
    expect(await outbound.edit(done, ids, signal)).toEqual({ status: "posted", messageIds: ids });
    await outbound.edit(done, ids, signal);

    expect(slack.seen("general").map(({ text, name }) => [name, text])).toEqual([
      ["Alpha", "*Pair resumed*\nAnn resumed Alpha and Beta."],
    ]);
  });

  it("of what was longer leaves no old part behind", async () => {
    const { slack, outbound, session, post } = await openOutbound();
    const ids: string[] = [];
    const long = outbound.split({ kind: "view", view: { ...PAUSE, text: "Sentence after sentence. ".repeat(900) } });
    for (const [part, body] of long.entries()) {
      const posted = await post(body, { id: "n1", part });
      if (posted.status === "posted") ids.push(...posted.messageIds);
    }

    await outbound.edit(postOf(session(), { text: "Done." }), ids, new AbortController().signal);

    expect(slack.seen("general").map(({ text }) => text)).toEqual(["Done."]);
  });

  it("under a rate limit waits as Slack asks, and is told as gone when the message is", async () => {
    const { slack, clock, outbound, session, post } = await openOutbound();
    const signal = new AbortController().signal;
    const posted = await post({ kind: "view", view: PAUSE }, { id: "n1" });
    const ids = posted.status === "posted" ? posted.messageIds : [];
    slack.faults.add({ method: "chat.update", fault: { kind: "rate-limit", retryAfterSeconds: 10 } });
    const edit = () => outbound.edit(postOf(session(), { text: "Done." }), ids, signal);

    expect(await edit()).toEqual({ status: "rate-limited", retryAfterMs: 10_000 });
    expect(await edit()).toEqual({ status: "rate-limited", retryAfterMs: 10_000 });
    await clock.advance(10_000);
    expect((await edit()).status).toBe("posted");
    expect(slack.recorder.of("chat.update")).toHaveLength(2);
    expect(await outbound.edit(postOf(session(), { text: "x" }), ["1.000001"], signal)).toMatchObject({
      status: "rejected",
      reason: expect.stringContaining("gone"),
    });
  });
});

describe("a message for one person", () => {
  it("is shown in the thread of its session", async () => {
    const { slack, outbound, session } = await openOutbound();
    const ann = slack.person("ann");
    const root = ann.say("general", "question");

    await outbound.ephemeral(session("general", root.ts), ann.id, PAUSE);

    expect(slack.recorder.of("chat.postEphemeral")[0]?.args).toMatchObject({ thread_ts: root.ts, user: ann.id });
    expect(slack.transcript("general")).toEqual(["ann: question"]);
    expect(slack.transcript("general", "ann")[1]).toMatch(/^ {2}Troupe \[APP\]: \*Pair paused\*/);
  });

  it("who has left comes directly, without buttons; one that Slack does not take is an error", async () => {
    const { slack, outbound, session } = await openOutbound();
    const cleo = slack.person("cleo");

    await outbound.ephemeral(session("den"), cleo.id, PAUSE);

    const direct = slack.workspace.conversationOf([slack.workspace.app("troupe").userId, cleo.id]);
    expect(slack.transcript(direct.id)).toEqual([expect.stringContaining("Pair paused")]);
    expect(slack.transcript(direct.id)[0]).not.toContain("[Resume]");
    await expect(outbound.ephemeral(session("den"), "U0NOBODY", PAUSE)).rejects.toMatchObject({
      code: "platform_failed",
    });
  });
});
