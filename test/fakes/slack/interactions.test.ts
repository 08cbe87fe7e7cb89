import { describe, expect, it } from "vitest";
import { boltOverSockets, refusal, slackClient } from "../../support/slack-bolt.js";
import { openSlackTown } from "../../support/slack-town.js";

const NOTICE = [
  { type: "section", text: { type: "mrkdwn", text: "Paused." } },
  {
    type: "actions",
    elements: [
      { type: "button", action_id: "troupe:resume", value: "pair<1>", text: { type: "plain_text", text: "Resume" } },
    ],
  },
];

async function open() {
  const town = await openSlackTown();
  const bolt = boltOverSockets(town.slack);
  await bolt.start();
  const { slack } = town;
  const channel = slack.workspace.channel("general").id;
  const notice = (more = {}) =>
    slackClient(slack).chat.postMessage({ channel, text: "Paused.", blocks: NOTICE, ...more });
  return { ...town, ...bolt, channel, notice, ann: slack.person("ann") };
}

const respond = (url: string | undefined, body: object) =>
  fetch(url ?? "", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

describe("a command", () => {
  it("names users, groups and channels by labelled tokens, and is acknowledged with a text", async () => {
    const { slack, app, ann } = await open();
    const heard: unknown[] = [];
    app.command("/agent", async ({ ack, command }) => {
      heard.push(command.text, command.channel_name, command.user_id, command.is_enterprise_install);
      await ack("on it");
    });

    const { delivery } = ann.command("general", "/agent", "pause @bob <fast> @alpha");
    await delivery.settled;

    expect(heard).toEqual([`pause <@${slack.person("bob").id}|bob> &lt;fast&gt; @alpha`, "general", ann.id, "false"]);
    expect(delivery.answer).toEqual({ text: "on it" });
    await slack.recorder.until(() => slack.transcript("general", "ann").length === 1);
  });

  it("is answered five times in half an hour at its address, for one or for all", async () => {
    const { slack, clock, app, ann } = await open();
    app.command("/agent", async ({ ack, respond: answer }) => {
      await ack();
      await answer({ text: "only you", response_type: "ephemeral" });
      await answer({ text: "all of you", response_type: "in_channel" });
    });

    const { responseUrl } = ann.command("general", "/agent");
    await slack.recorder.until(() => responseUrl?.uses.length === 2);

    expect(slack.transcript("general", "ann")).toEqual([
      "Troupe [APP]: only you (only visible to you)",
      "Troupe [APP]: all of you",
    ]);
    for (let use = 3; use <= 5; use++) expect((await respond(responseUrl?.url, { text: "more" })).status).toBe(200);
    expect(await (await respond(responseUrl?.url, { text: "six" })).json()).toEqual({ ok: false, error: "used_url" });
    const later = ann.command("general", "/agent").responseUrl;
    await slack.recorder.until(() => later?.uses.length === 2);
    await clock.advance(30 * 60_000 + 1);
    expect((await respond(later?.url, { text: "late" })).status).toBe(404);
  });

  it("is never tried again: without an acknowledgement in three seconds it has failed", async () => {
    const { clock, app, ann } = await open();
    app.command("/agent", async () => {});

    const { delivery } = ann.command("general", "/agent");
    await clock.advance(3_000);

    expect(delivery).toMatchObject({ state: "failed", attempts: [{ outcome: { reason: "timeout" } }] });
  });
});

describe("a button", () => {
  it("brings the message it stands in, its value escaped, to the app that posted it", async () => {
    const { slack, app, channel, notice, ann } = await open();
    const heard: unknown[] = [];
    app.action("troupe:resume", async ({ ack, body, action }) => {
      await ack();
      heard.push(body, action);
    });
    const root = ann.say("general", "question");
    const { ts } = await notice({ thread_ts: root.ts });

    await ann.press(ann.sees("general", "Resume")).delivery.settled;

    await slack.recorder.until(() => heard.length === 2);
    expect(heard).toMatchObject([
      {
        type: "block_actions",
        user: { id: ann.id, team_id: "T0HOME" },
        channel: { id: channel },
        container: { type: "message", message_ts: ts, channel_id: channel, thread_ts: root.ts, is_ephemeral: false },
        message: { ts, text: "Paused.", blocks: [{ type: "section" }, { type: "actions" }] },
        trigger_id: expect.any(String),
        response_url: expect.stringContaining("/response/"),
      },
      { type: "button", action_id: "troupe:resume", value: "pair&lt;1&gt;", block_id: expect.any(String) },
    ]);
  });

  it("that two people press, or that is gone by then, is still brought", async () => {
    const { slack, app, notice, ann } = await open();
    const who: string[] = [];
    app.action("troupe:resume", async ({ ack, body, client }) => {
      await ack();
      who.push(body.user.id);
      if (body.type === "block_actions" && body.message)
        await client.chat.update({ channel: body.channel?.id ?? "", ts: body.message.ts, text: "Resumed." });
    });
    await notice();
    const bob = slack.person("bob");
    const [first, second] = [ann.sees("general", "Resume"), bob.sees("general", "troupe:resume")];

    await ann.press(first).delivery.settled;
    await slack.recorder.until(() => slack.transcript("general").includes("Troupe [APP]: Resumed. (edited)"));
    await bob.press(second).delivery.settled;

    await slack.recorder.until(() => who.length === 2);
    expect(() => bob.sees("general", "Resume")).toThrow('bob sees no button "Resume" in general');
  });

  it("replaces or removes what it stands in through its address, without a token", async () => {
    const { slack, channel, notice, ann } = await open();
    await notice();
    await slackClient(slack).chat.postEphemeral({ channel, user: ann.id, text: "Sure?", blocks: NOTICE });

    const [mine, shared] = [
      ann.press(ann.sees("general", "Resume")),
      ann.press(slack.person("bob").sees("general", "Resume")),
    ];

    expect(mine.delivery.body).not.toHaveProperty("message");
    expect(mine.delivery.body).toMatchObject({ container: { is_ephemeral: true } });
    await respond(mine.responseUrl?.url, { delete_original: true });
    await respond(shared.responseUrl?.url, { replace_original: true, text: "Resumed by ann." });
    expect(slack.transcript("general", "ann")).toEqual(["Troupe [APP]: Resumed by ann. (edited)"]);
  });

  it("that nobody handles is never acknowledged", async () => {
    const { clock, notice, ann } = await open();
    await notice();

    const { delivery } = ann.press(ann.sees("general", "Resume"));
    await clock.advance(3_000);

    expect(delivery.state).toBe("failed");
  });
});

describe("a modal", () => {
  it("opens once, within three seconds of what triggered it, and comes back filled in", async () => {
    const { slack, clock, app, ann } = await open();
    app.command("/agent", async ({ ack }) => ack());
    app.view("rename", async ({ ack }) => ack({ response_action: "clear" }));
    const client = slackClient(slack);
    const title = { type: "plain_text" as const, text: "Rename" };
    const view = { type: "modal" as const, callback_id: "rename", title, blocks: [] };
    const open_ = (trigger_id: string) => client.views.open({ trigger_id, view });

    const { triggerId } = ann.command("general", "/agent");
    await open_(triggerId);
    expect(await refusal(open_(triggerId))).toBe("exchanged_trigger_id");
    expect(await refusal(open_("none"))).toBe("invalid_trigger_id");
    const late = ann.command("general", "/agent").triggerId;
    await clock.advance(3_001);
    expect(await refusal(open_(late))).toBe("expired_trigger_id");

    const [shown] = slack.interactions.views;
    if (!shown) throw new Error("no modal is open");
    const { delivery } = slack.interactions.submit(shown, { name: { it: { value: "Alpha" } } });
    await delivery.settled;
    expect(delivery.answer).toEqual({ response_action: "clear" });
  });
});
