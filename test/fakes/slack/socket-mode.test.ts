import type { ReceiverEvent } from "@slack/bolt";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { boltOverSockets, connected, socketReceiver } from "../../support/slack-bolt.js";
import { openSlackTown } from "../../support/slack-town.js";

async function open() {
  const town = await openSlackTown();
  const bolt = boltOverSockets(town.slack);
  const heard: string[] = [];
  bolt.app.message(async ({ message }) => void heard.push("text" in message ? String(message.text) : "?"));
  return { ...town, ...bolt, heard, ann: town.slack.person("ann") };
}

describe("Bolt over Socket Mode", () => {
  it("asks for an address with the app token and nothing else, and is connected on hello", async () => {
    const { slack, start } = await open();

    await start();

    expect(slack.recorder.requests).toMatchObject([
      { method: "apps.connections.open", token: "troupe (app)", args: {} },
    ]);
    expect(slack.sockets.open("troupe")).toHaveLength(1);
  });

  it("gets events and acknowledges each envelope with an empty payload", async () => {
    const { slack, start, heard, ann } = await open();
    await start();

    const [delivery] = ann.say("general", "hello").deliveries;
    await delivery?.settled;

    expect(heard).toEqual(["hello"]);
    expect(delivery).toMatchObject({ state: "acked", answer: {}, attempts: [{ number: 0, reason: "" }] });
    expect(slack.sockets.acks).toMatchObject([
      { app: "troupe", envelopeId: delivery?.attempts[0]?.envelopeId, payload: {} },
    ]);
  });

  it("sees both twins, duplicates and a retry as they come", async () => {
    const { slack, app, start, heard, ann } = await open();
    const mentions: unknown[] = [];
    app.event(
      "app_mention",
      async ({ event, context }) => void mentions.push([event.text.length > 0, context.retryNum]),
    );
    await start();

    await Promise.all(ann.say("general", "@Troupe hi").deliveries.map((it) => it.settled));
    slack.courier.fail("duplicate");
    await slack.recorder.until(() => heard.length === 1 && mentions.length === 1);
    const twice = ann.say("general", "twice").deliveries[0];
    await slack.recorder.until(() => twice?.attempts.every((attempt) => attempt.outcome?.ok));
    twice?.again();
    await slack.recorder.until(() => slack.sockets.acks.length === 5);

    expect(mentions).toEqual([[true, 0]]);
    expect(heard).toHaveLength(4);
    expect(twice?.attempts.map(({ number }) => number)).toEqual([0, 0]);
  });

  it("is sent an event again after three seconds, as the same event in another envelope", async () => {
    const { slack, clock, app, start, ann } = await open();
    const seen: unknown[] = [];
    let isBroken = true;
    app.error(async (error) => {
      throw error;
    });
    app.message(async ({ body, context }) => void seen.push([body.event_id, context.retryNum, context.retryReason]));
    deferAcks(slack, app, () => isBroken);
    await start();

    const [delivery] = ann.say("general", "hello").deliveries;
    await slack.recorder.until(() => seen.length === 1);
    await clock.advance(2_999);
    expect(delivery?.attempts).toHaveLength(1);
    isBroken = false;
    await clock.advance(1);
    await delivery?.settled;

    const id = delivery?.body.event_id;
    expect(seen).toEqual([
      [id, 0, ""],
      [id, 1, "timeout"],
    ]);
    expect(new Set(delivery?.attempts.map(({ envelopeId }) => envelopeId)).size).toBe(2);
  });

  it("gets only the retry, the reverse order, or nothing until it is tried again", async () => {
    const { slack, start, heard, ann } = await open();
    await start();

    slack.courier.fail("retry-only", "lose");
    const [late] = ann.say("general", "late").deliveries;
    const [lost] = ann.say("general", "lost").deliveries;
    await late?.settled;
    slack.courier.hold();
    const held = ["one", "two"].flatMap((text) => ann.say("general", text).deliveries);
    slack.courier.release("backwards");
    await Promise.all(held.map((it) => it.settled));
    slack.courier.retryNow();
    await lost?.settled;

    expect(late?.attempts.at(-1)).toMatchObject({ number: 1, reason: "timeout" });
    expect(heard).toEqual(["late", "two", "one", "lost"]);
  });

  it("comes back with a new address after a refresh, and hears on its other connection meanwhile", async () => {
    const { slack, app, receiver, start, heard, ann } = await open();
    const second = socketReceiver(slack);
    second.init(app);
    await start();
    await second.start();
    const [first] = slack.sockets.open("troupe");
    const again = connected(receiver);

    first?.disconnect("refresh_requested");
    await Promise.all(ann.say("general", "meanwhile").deliveries.map((it) => it.settled));
    await again;

    expect(heard).toEqual(["meanwhile"]);
    expect(first).toMatchObject({ isOpen: false, sent: 0 });
    expect(slack.recorder.of("apps.connections.open").length).toBeGreaterThanOrEqual(3);
  });

  it("gets each event on one of its connections", async () => {
    const { slack, app, start, heard, ann } = await open();
    const second = socketReceiver(slack);
    second.init(app);
    await start();
    await second.start();

    const said = ["a", "b", "c", "d"].flatMap((text) => ann.say("general", text).deliveries);
    await Promise.all(said.map((it) => it.settled));

    expect(heard.toSorted()).toEqual(["a", "b", "c", "d"]);
    expect(slack.sockets.connections.slice(0, 2)).toMatchObject([{ sent: 2 }, { sent: 2 }]);
  });

  it("comes back after its connection breaks, and after its pings go unanswered", async () => {
    const { slack, start, heard, ann } = await open();
    await start();

    slack.sockets.connections[0]?.kill();
    const [second] = await slack.recorder.until(
      () => slack.sockets.open("troupe").length > 0 && slack.sockets.open("troupe"),
    );
    second?.mute();
    await slack.recorder.until(() => slack.sockets.open("troupe").some((it) => it !== second));
    await Promise.all(ann.say("general", "back").deliveries.map((it) => it.settled));

    expect(heard).toEqual(["back"]);
  });

  it("stays pending without hello, and when there are too many connections", async () => {
    const { slack, start } = await open();
    slack.sockets.withholdHello(true);
    let isStarted = false;
    const started = start().then(() => {
      isStarted = true;
    });

    await slack.recorder.until(() => slack.sockets.connections.length === 1);
    expect(isStarted).toBe(false);
    slack.sockets.withholdHello(false);
    slack.sockets.allow(0);
    slack.sockets.connections[0]?.kill();
    await slack.recorder.until(() => slack.sockets.connections.length >= 3);
    expect(isStarted).toBe(false);
    slack.sockets.allow(10);
    await started;
  });

  it("closes at once when the server does, and only by its own timer when the server leaves TCP open", async () => {
    const { slack, start, receiver } = await open();
    slack.sockets.closeLazily(true);
    await start();
    let isClosed = false;

    const closed = receiver.client.disconnect().then(() => {
      isClosed = true;
    });
    await slack.recorder.until(() => slack.sockets.open("troupe").length === 0);
    expect(isClosed).toBe(false);
    await closed;
  });

  it("gets no address for an app that is gone", async () => {
    const { slack, start } = await open();
    slack.robot("troupe").uninstall();

    await expect(start()).rejects.toMatchObject({ data: { error: "account_inactive" } });
  });

  it("says in hello how many connections there are, as it is before the client speaks", async () => {
    const { slack } = await open();
    const { appId } = slack.workspace.app("troupe");
    const hello = () =>
      new Promise<unknown>((resolve) => {
        const socket = new WebSocket(slack.sockets.issue(slack.workspace.app("troupe")));
        socket.on("message", (data) => resolve(JSON.parse(String(data))));
      });

    expect(await hello()).toMatchObject({ type: "hello", num_connections: 1, connection_info: { app_id: appId } });
    expect(await hello()).toMatchObject({ type: "hello", num_connections: 2 });
  });

  it("refuses an address a second time", async () => {
    const { slack } = await open();
    const url = slack.sockets.issue(slack.workspace.app("troupe"));
    const connect = () =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(url);
        socket.on("open", () => {
          resolve("open");
          socket.close();
        });
        socket.on("error", () => resolve("refused"));
      });

    expect([await connect(), await connect()]).toEqual(["open", "refused"]);
  });
});

/** Holds back the acknowledgement while `isBroken`, as a store that is down does. */
function deferAcks(
  _: unknown,
  app: { processEvent(event: ReceiverEvent): Promise<void> },
  isBroken: () => boolean,
): void {
  const process = app.processEvent.bind(app);
  app.processEvent = async (event) =>
    process({ ...event, ack: async (answer) => (isBroken() ? undefined : event.ack(answer)) });
}
