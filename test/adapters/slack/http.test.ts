import { describe, expect, it } from "vitest";
import { startServer } from "../../support/http-harness.js";
import { listenToSlack } from "../../support/slack-listener.js";
import { taken } from "../../support/slack-rooms.js";
import { openSlackTown } from "../../support/slack-town.js";

/** The adapter in HTTP mode behind the service's own server. */
async function served(connects = true) {
  const town = await openSlackTown();
  const app = town.slack.workspace.app("troupe");
  const { server, url } = await startServer();
  app.requestUrl = `${url}/slack/events`;
  const transport = { mode: "http", signingSecret: app.signingSecret, mount: server } as const;
  const listener = await listenToSlack({ town, adapter: { transport }, connects });
  const event = (text: string) => {
    const { id } = town.slack.workspace.channel("general");
    const message = {
      type: "message",
      channel: id,
      channel_type: "channel",
      user: "U1",
      text,
      ts: "1767600009.000100",
    };
    return JSON.stringify({
      type: "event_callback",
      team_id: town.slack.workspace.team.id,
      event: message,
      event_id: "Ev1",
    });
  };
  return { ...listener, app, event };
}

describe("Slack's requests", () => {
  it("bring messages, which are kept before the answer", async () => {
    const { slack, messages, onMessage } = await served();
    let finish = () => {};
    const slow = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const begun = new Promise<void>((resolve) => {
      onMessage(() => {
        resolve();
        return slow;
      });
    });
    const said = slack.person("ann").say("general", "@Troupe hello");
    await begun;
    expect(said.deliveries.map(({ state }) => state)).toEqual(["waiting", "waiting"]);
    finish();
    await taken(said);

    expect(messages.map(({ text, id }) => [text, id])).toEqual([["@Troupe hello", said.ts]]);
    expect(said.deliveries.map(({ attempts }) => attempts.length)).toEqual([1, 1]);
  });

  it("are asked for again with 500 when a message could not be kept", async () => {
    const { slack, messages, onMessage } = await served();
    let failures = 1;
    onMessage(async () => {
      if (failures-- > 0) throw new Error("the disk is away");
    });
    const said = slack.person("ann").say("general", "hello");
    await taken(said);

    const attempts = said.deliveries[0]?.attempts.map(({ outcome }) => outcome);
    expect(attempts).toEqual([
      { ok: false, status: 500, reason: "http_error", isFinal: false },
      expect.objectContaining({ ok: true, status: 200 }),
    ]);
    expect(messages).toHaveLength(1);
  });

  it("without Slack's signature, or with an old one, are a 401 and do nothing", async () => {
    const { slack, app, event, messages, clock, logs } = await served();
    const old = Math.trunc(clock.now() / 1_000) - 301;
    const answers = [
      await slack.http.post(app, event("forged"), { secret: "another" }),
      await slack.http.post(app, event("stale"), { timestamp: old }),
      await slack.http.post(app, event("unsigned"), { headers: { "x-slack-signature": "" } }),
      await slack.http.post(app, event("no time"), { headers: { "x-slack-request-timestamp": "soon" } }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect(messages).toEqual([]);
    expect(logs.lines.filter(({ message }) => message.includes("SLACK_SIGNING_SECRET"))).toHaveLength(4);
    expect((await slack.http.post(app, event("signed"), { timestamp: old + 2 })).status).toBe(200);
  });

  it("are answered when Slack looks whether somebody is there", async () => {
    const { slack, app } = await served();
    const answer = await slack.http.verify(app);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { challenge: expect.any(String) }]);
  });

  it("of a form that nobody knows are refused, and every other method", async () => {
    const { slack, app } = await served();
    const url = app.requestUrl ?? "";
    expect((await slack.http.post(app, "not json")).status).toBe(400);
    expect((await slack.http.post(app, "[1]")).status).toBe(400);
    expect((await slack.http.post(app, "x", { contentType: "text/plain" })).status).toBe(400);
    expect(
      (await slack.http.post(app, JSON.stringify({ type: "event_callback", event: { type: "unheard_of" } }))).status,
    ).toBe(200);
    expect((await fetch(url)).status).toBe(405);
  });

  it("with a command or a click are answered at once, and what was asked for follows", async () => {
    const { slack, answerWith, presses } = await served();
    let finish = () => {};
    const slow = new Promise<void>((resolve) => {
      finish = resolve;
    });
    answerWith(async () => {
      await slow;
      return { ok: true, view: { text: "alpha, beta" }, public: false };
    });
    const { delivery, responseUrl } = slack.person("ann").command("general", "/agent", "room");
    const button = {
      type: "button",
      action_id: "troupe:continue",
      value: "v",
      text: { type: "plain_text", text: "Continue" },
    };
    slack.robot("troupe").say("general", "notice", { blocks: [{ type: "actions", elements: [button] }] });
    const click = slack.person("ann").press(slack.person("ann").sees("general", "Continue"));

    expect((await delivery.settled).state).toBe("acked");
    expect((await click.delivery.settled).state).toBe("acked");
    finish();
    await slack.recorder.until(() => responseUrl?.uses.length === 1);
    await slack.recorder.until(() => slack.board.ephemerals.length === 2);
    expect(presses).toHaveLength(1);
  });

  it("are turned away before the adapter is started and after it has stopped, so that Slack sends them again", async () => {
    const { slack, app, event, adapter, inbox, messages } = await served(false);
    expect((await slack.http.post(app, event("early"))).status).toBe(503);
    expect(adapter.status().ready).toBe(false);
    await adapter.start(inbox, new AbortController().signal);
    expect(adapter.status()).toEqual({ ready: true });
    await adapter.stop(1_000);
    expect((await slack.http.post(app, event("late"))).status).toBe(503);
    expect(messages).toEqual([]);
  });
});
