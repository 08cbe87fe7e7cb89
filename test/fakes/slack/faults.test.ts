import { webApi } from "@slack/bolt";
import { describe, expect, it } from "vitest";
import { quiet, refusal, slackClient } from "../../support/slack-bolt.js";
import { openSlackTown } from "../../support/slack-town.js";
import type { Fault } from "./faults.js";

async function open() {
  const town = await openSlackTown();
  const { slack } = town;
  const channel = slack.workspace.channel("general").id;
  const client = slackClient(slack);
  const fail = (fault: Fault, more = {}) => slack.faults.add({ method: "chat.postMessage", fault, ...more });
  return { ...town, channel, client, fail, post: (text: string) => client.chat.postMessage({ channel, text }) };
}

describe("a fault", () => {
  it("meets one request and no more, and is seen in the record", async () => {
    const { slack, fail, post } = await open();
    fail({ kind: "error", error: "ratelimited" });

    expect(await refusal(post("one"))).toBe("ratelimited");
    await post("two");

    expect(slack.recorder.of("chat.postMessage").map(({ outcome }) => outcome)).toEqual(["ratelimited", "ok"]);
    expect(slack.transcript("general")).toEqual(["Troupe [APP]: two"]);
  });

  it("meets every third, those of one app, those with such arguments, until it is taken away", async () => {
    const { slack, channel, fail, post } = await open();
    const error: Fault = { kind: "error", error: "internal_error" };
    const stop = fail(error, { every: 3 });
    fail(error, { app: "gamma", times: 2 });
    fail(error, { when: (args: { text?: unknown }) => args.text === "bad", skip: 1 });

    const outcomes: string[] = [];
    const tally = (call: Promise<unknown>) =>
      call.then(
        () => outcomes.push("ok"),
        () => outcomes.push("error"),
      );
    for (const text of ["1", "2", "3", "bad", "bad", "6"]) await tally(post(text));
    await tally(slackClient(slack, "gamma").chat.postMessage({ channel, text: "7" }));
    stop();
    for (const text of ["8", "9"]) await tally(post(text));

    expect(outcomes).toEqual(["ok", "ok", "error", "ok", "error", "error", "error", "ok", "ok"]);
  });

  it("of a limit comes with the seconds to wait", async () => {
    const { fail, post } = await open();
    fail({ kind: "rate-limit", retryAfterSeconds: 7 });

    await expect(post("one")).rejects.toMatchObject({ retryAfter: 7 });
  });

  it("of a status, of a broken connection and of an answer that is none are three kinds of error", async () => {
    const { slack, fail, post } = await open();
    fail({ kind: "status", status: 503 });
    fail({ kind: "drop" });
    fail({ kind: "garbage" });

    await expect(post("one")).rejects.toBeInstanceOf(webApi.WebAPIHTTPError);
    await expect(post("two")).rejects.toBeInstanceOf(webApi.WebAPIRequestError);
    expect(await refusal(post("three"))).toContain('{"ok": tr');
    expect(slack.transcript("general")).toEqual([]);
  });

  it.each([
    ["accept-then-drop", webApi.WebAPIRequestError],
    ["accept-then-status", webApi.WebAPIHTTPError],
  ] as const)("of the kind %s leaves the post standing and the caller without an answer", async (kind, error) => {
    const { slack, fail, post } = await open();
    fail(kind === "accept-then-status" ? { kind, status: 500 } : { kind });

    await expect(post("one")).rejects.toBeInstanceOf(error);

    expect(slack.recorder.of("chat.postMessage")[0]?.isWithheld).toBe(true);
    expect(slack.transcript("general")).toEqual(["Troupe [APP]: one"]);
  });

  it("of hanging ends with the caller's patience, or with the server", async () => {
    const { slack, channel, fail } = await open();
    fail({ kind: "accept-then-hang" });
    fail({ kind: "hang" });
    const { token } = slack.workspace.app("troupe");
    const impatient = new webApi.WebClient(token, {
      slackApiUrl: slack.apiUrl,
      timeout: 20,
      retryConfig: { retries: 0 },
      logger: quiet,
    });

    await expect(impatient.chat.postMessage({ channel, text: "one" })).rejects.toBeInstanceOf(
      webApi.WebAPIRequestError,
    );
    const waiting = expect(slackClient(slack).chat.postMessage({ channel, text: "two" })).rejects.toBeInstanceOf(
      webApi.WebAPIRequestError,
    );
    await slack.recorder.until(() => slack.recorder.requests.at(-1)?.outcome === "hangs");
    expect(slack.transcript("general")).toEqual(["Troupe [APP]: one"]);
    await slack.close();
    await waiting;
  });

  it("makes a client that tries again by itself post twice", async () => {
    const { slack, channel, fail } = await open();
    fail({ kind: "accept-then-drop" });
    const { token } = slack.workspace.app("troupe");
    const retryConfig = { retries: 1, minTimeout: 1, maxTimeout: 1 };
    const eager = new webApi.WebClient(token, { slackApiUrl: slack.apiUrl, retryConfig, logger: quiet });

    await eager.chat.postMessage({ channel, text: "one" });

    expect(slack.transcript("general")).toEqual(["Troupe [APP]: one", "Troupe [APP]: one"]);
  });
});

describe("a limit that is switched on", () => {
  it("lets through one post a second for each channel and app, after a burst", async () => {
    const { slack, clock, channel, post } = await open();
    slack.limiter.limits.postBurst = 2;
    await post("one");
    await post("two");

    await expect(post("three")).rejects.toMatchObject({ retryAfter: 1 });
    await slackClient(slack, "gamma").chat.postMessage({ channel, text: "another app" });
    await slackClient(slack).chat.postMessage({ channel: slack.workspace.channel("den").id, text: "another channel" });
    await clock.advance(999);
    await expect(post("three")).rejects.toMatchObject({ retryAfter: 1 });
    await clock.advance(1);
    await post("three");

    expect(slack.transcript("general")).toHaveLength(4);
  });

  it("lets history be read once a minute, fifteen messages at a time", async () => {
    const { slack, clock, channel, client } = await open();
    for (let i = 0; i < 20; i++) slack.person("ann").say("general", `message ${i}`);
    slack.limiter.limits.isHistoryScarce = true;
    const read = () => client.conversations.history({ channel, limit: 100 });

    expect((await read()).messages).toHaveLength(15);
    await expect(read()).rejects.toMatchObject({ retryAfter: 60 });
    await clock.advance(60_000);
    expect((await read()).has_more).toBe(true);
  });
});
