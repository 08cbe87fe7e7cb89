import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { boltOverHttp } from "../../support/slack-bolt.js";
import { openSlackTown } from "../../support/slack-town.js";

async function open(processBeforeResponse = false) {
  const town = await openSlackTown();
  const app = await boltOverHttp(town.slack, processBeforeResponse);
  const main = town.slack.workspace.app("troupe");
  return { ...town, app, main, ann: town.slack.person("ann") };
}

describe("Bolt over HTTP", () => {
  it("answers the challenge", async () => {
    const { slack, main } = await open();

    const answer = await slack.http.verify(main);

    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({ challenge: expect.any(String) });
  });

  it("takes signed events, and is asked for no socket", async () => {
    const { slack, app, ann } = await open();
    const heard: unknown[] = [];
    app.message(async ({ message }) => void heard.push(message.ts));

    const { ts, deliveries } = ann.say("general", "hello");
    await deliveries[0]?.settled;

    expect(heard).toEqual([ts]);
    expect(deliveries[0]).toMatchObject({ state: "acked", attempts: [{ outcome: { ok: true, status: 200 } }] });
    expect(slack.recorder.requests).toEqual([]);
  });

  it("turns away a bad signature, a stale time and a body of the wrong type", async () => {
    const { slack, main } = await open();
    const body = JSON.stringify({ type: "event_callback", event: { type: "message" } });
    const stale = Math.trunc(Date.now() / 1000) - 301;

    expect(await slack.http.post(main, body, { secret: "not the secret" })).toMatchObject({ status: 401 });
    expect(await slack.http.post(main, body, { timestamp: stale })).toMatchObject({ status: 401 });
    const form = "application/x-www-form-urlencoded; charset=utf-8";
    expect(await slack.http.post(main, "command=%2Fagent", { contentType: form })).toMatchObject({ status: 400 });
  });

  it("is tried again with number and reason when it fails before it answers", async () => {
    const { slack, clock, app, ann } = await open(true);
    const tries: unknown[] = [];
    app.error(async (error) => {
      throw error;
    });
    app.message(async ({ context }) => {
      tries.push([context.retryNum, context.retryReason]);
      if (tries.length < 3) throw new Error("the store is down");
    });

    const [delivery] = ann.say("general", "hello").deliveries;
    await slack.recorder.until(() => delivery?.attempts[1]?.outcome);
    await clock.advance(60_000);
    await delivery?.settled;

    expect(tries).toEqual([
      [undefined, undefined],
      [1, "http_error"],
      [2, "http_error"],
    ]);
  });

  it("is sent again where the app has closed the connection that was kept open", async () => {
    const { slack, main, ann } = await open();
    const known = new Set<unknown>();
    const server = createServer(({ socket }, response) => {
      if (known.has(socket)) socket.resetAndDestroy();
      else response.end();
      known.add(socket);
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // Cast: a server that listens on a port has an address of this form.
    main.requestUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/slack/events`;
    await slack.http.post(main, "{}");

    const [delivery] = ann.say("general", "hello").deliveries;
    await delivery?.settled;

    expect(delivery).toMatchObject({ state: "acked", attempts: [{ outcome: { ok: true, status: 200 } }] });
    expect(delivery?.attempts).toHaveLength(1);
    expect(known.size).toBe(2);
  });

  it("is given up after the third retry, and at once when nothing listens there", async () => {
    const { slack, clock, main, ann } = await open();
    main.requestUrl = "http://127.0.0.1:1/slack/events";

    const [delivery] = ann.say("general", "hello").deliveries;
    await slack.recorder.until(() => delivery?.attempts.length === 2 && delivery.attempts[1]?.outcome);
    await clock.advance(60_000);
    await slack.recorder.until(() => delivery?.attempts[2]?.outcome);
    await clock.advance(300_000);
    await delivery?.settled;

    expect(delivery).toMatchObject({
      state: "failed",
      attempts: [{}, {}, {}, { outcome: { reason: "connection_failed" } }],
    });
  });

  it("answers a command with the acknowledgement, which only the one who asked sees", async () => {
    const { slack, app, ann } = await open();
    app.command("/agent", async ({ ack, command }) => {
      await ack(`you said ${command.text}`);
    });

    const { delivery } = ann.command("general", "/agent", "pause");
    await delivery.settled;
    await slack.recorder.until(() => slack.transcript("general", "ann").length > 0);

    expect(slack.transcript("general", "ann")).toEqual(["Troupe [APP]: you said pause (only visible to you)"]);
    expect(slack.transcript("general")).toEqual([]);
  });
});
