import { describe, expect, it } from "vitest";
import { settle } from "../../support/fake-clock.js";
import { passUntil } from "../../support/passing.js";
import { scripted } from "../../support/rooms.js";
import { listenToSlack } from "../../support/slack-listener.js";
import { startSlackRooms, taken } from "../../support/slack-rooms.js";
import { openSlackTown } from "../../support/slack-town.js";

/** Waits for what the adapter does by itself, without the workspace having anything to do with it. */
async function until(look: () => boolean): Promise<void> {
  while (!look()) await settle(1);
}

async function connected() {
  const listener = await listenToSlack();
  const { slack } = listener;
  await slack.recorder.until(() => slack.sockets.open("troupe").length === 2);
  return { ...listener, lines: () => slack.sockets.open("troupe") };
}

describe("connections to Slack", () => {
  it("are two, by the app token, and nothing of Slack is asked with it but that", async () => {
    const { slack, logs } = await connected();
    expect(slack.recorder.of("apps.connections.open").map(({ token, tokenIn }) => [token, tokenIn])).toEqual([
      ["troupe (app)", ["header"]],
      ["troupe (app)", ["header"]],
    ]);
    expect(logs.lines.filter(({ level }) => level === "warn")).toEqual([]);
  });

  it("are renewed one at a time without a gap, and what comes meanwhile is heard", async () => {
    const { slack, adapter, lines, messages } = await connected();
    for (let i = 0; i < 3; i++) {
      const [first] = lines();
      first?.disconnect("refresh_requested");
      expect(lines()).toHaveLength(1);
      const said = slack.person("ann").say("general", `during ${i}`);
      await slack.recorder.until(() => lines().length === 2);
      await taken(said);
      expect(adapter.status()).toEqual({ ready: true });
    }
    expect(messages.map(({ text }) => text)).toEqual(["during 0", "during 1", "during 2"]);
  });

  it("that Slack does not close after the goodbye are dropped all the same", async () => {
    const town = await openSlackTown();
    town.slack.sockets.closeLazily(true);
    const { slack, clock, adapter } = await listenToSlack({ town });
    await slack.recorder.until(() => slack.sockets.open("troupe").length === 2);

    const stopped = adapter.stop(5_000);
    await clock.advance(2_000);
    await stopped;
    await slack.recorder.until(() => slack.sockets.connections.every(({ isOpen }) => !isOpen));
  });

  it("that broke are opened again, and what was said meanwhile is read", async () => {
    const { slack, adapter, log, shows } = await startSlackRooms({
      personas: [scripted("alpha", "you said: {{text}}")],
    });
    const lines = () => slack.sockets.open("troupe");
    const ann = slack.person("ann");
    await slack.recorder.until(() => lines().length === 2);
    const before = ann.say("general", "@alpha before");
    await taken(before);
    await shows("general", "you said: @alpha before");
    slack.courier.fail("lose", "lose");
    for (const line of lines()) line.kill();
    const meanwhile = ann.say("general", "@alpha meanwhile");
    ann.say("general", "@alpha in the thread", { thread: before });

    await shows("general", "you said: @alpha meanwhile");
    await shows("general", "you said: @alpha in the thread");
    expect((await log("general")).map(({ entry }) => entry.id)).toEqual([before.ts, meanwhile.ts]);
    expect((await log("general", before.ts)).some(({ entry }) => entry.text === "@alpha in the thread")).toBe(true);
    expect(adapter.status()).toEqual({ ready: true });
  });

  it("that cannot be opened again leave the service unready after half a minute, with the reason", async () => {
    const { slack, clock, adapter, lines } = await connected();
    slack.faults.add({
      method: "apps.connections.open",
      fault: { kind: "error", error: "invalid_auth" },
      times: 1_000,
    });
    for (const line of lines()) line.kill();
    await slack.recorder.until(() => slack.recorder.of("apps.connections.open").length >= 4);
    await settle();
    expect(adapter.status().ready).toBe(true);

    await passUntil({ clock }, () => !adapter.status().ready);
    expect(adapter.status().problem).toContain("SLACK_APP_TOKEN (invalid_auth)");
    slack.faults.clear();
    await passUntil({ clock }, () => adapter.status().ready);
    expect(lines()).not.toEqual([]);
  });

  it("of another process with the same token are named in a warning", async () => {
    const town = await openSlackTown();
    const first = await listenToSlack({ town });
    await town.slack.recorder.until(() => town.slack.sockets.open("troupe").length === 2);
    const second = await listenToSlack({ town });
    await town.slack.recorder.until(() => town.slack.sockets.open("troupe").length === 4);
    await settle();

    const warned = second.logs.lines.filter(({ level }) => level === "warn");
    expect(warned).toEqual([
      {
        level: "warn",
        message: expect.stringContaining("another process is connected"),
        fields: { connections: 3, ours: 1 },
      },
    ]);
    expect(first.logs.lines.filter(({ level }) => level === "warn")).toEqual([]);
  });

  it("are given up when Slack takes them but never greets, and the start fails in time", async () => {
    const town = await openSlackTown();
    town.slack.sockets.withholdHello(true);
    const { adapter, inbox } = await listenToSlack({ town, connects: false });
    const started = adapter.start(inbox, new AbortController().signal);
    const failed = expect(started).rejects.toThrow("did not greet");
    await town.slack.recorder.until(() => town.slack.sockets.connections.length > 0);
    await town.clock.advance(10_000);
    await failed;
    expect(adapter.status().ready).toBe(false);

    town.slack.sockets.withholdHello(false);
    await adapter.start(inbox, new AbortController().signal);
    expect(adapter.status()).toEqual({ ready: true });
  });

  it("that Slack has too many of fail with the number of them as the reason", async () => {
    const town = await openSlackTown();
    town.slack.sockets.allow(0);
    const { adapter, inbox } = await listenToSlack({ town, connects: false });
    await expect(adapter.start(inbox, new AbortController().signal)).rejects.toThrow("ten connections");
  });

  it("are a single one where Slack allows no more, and it is tried again now and then", async () => {
    const town = await openSlackTown();
    town.slack.sockets.allow(1);
    const { slack, clock, adapter, messages, logs } = await listenToSlack({ town });
    await slack.recorder.until(() => slack.sockets.connections.length === 2);
    await settle();
    await taken(slack.person("ann").say("general", "hello"));

    expect(messages).toHaveLength(1);
    expect(adapter.status()).toEqual({ ready: true });
    slack.sockets.allow(10);
    await passUntil({ clock }, () => slack.sockets.open("troupe").length === 2);
    expect(logs.lines.some(({ message }) => message === "could not connect to Slack; trying again")).toBe(true);
  });
});

describe("a stop", () => {
  it("lets what was taken be kept and acknowledged, and what comes later stays Slack's", async () => {
    const { slack, adapter, onMessage, messages, lines } = await connected();
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
    const taking = slack.person("ann").say("general", "in time");
    await begun;

    const stopped = adapter.stop(5_000);
    const late = slack.person("ann").say("general", "too late");
    await settle();
    finish();
    await stopped;

    expect((await taking.deliveries[0]?.settled)?.state).toBe("acked");
    expect(late.deliveries[0]?.state).toBe("waiting");
    expect(messages.map(({ text }) => text)).toEqual(["in time"]);
    expect(lines()).toEqual([]);
    expect(adapter.status().ready).toBe(false);
  });

  it("does not wait for ever for what cannot be kept", async () => {
    const { slack, clock, adapter, onMessage } = await connected();
    const begun = new Promise<void>((resolve) => {
      onMessage(() => {
        resolve();
        return new Promise(() => {});
      });
    });
    slack.person("ann").say("general", "stuck");
    await begun;
    slack.sockets.closeLazily(true);

    const stopped = adapter.stop(5_000);
    await clock.advance(5_000);
    await stopped;
    expect(slack.sockets.open("troupe")).toEqual([]);
  });
});

describe("a token that is revoked while the adapter runs", () => {
  it("makes it unready with the mend, and ready again when the app is installed again", async () => {
    const { slack, clock, adapter } = await connected();
    await slack.robot("troupe").revoke().settled;
    expect(adapter.status()).toEqual({ ready: false, problem: expect.stringContaining("Install the Slack app") });

    slack.workspace.app("troupe").isRevoked = false;
    await clock.advance(61_000);
    await until(() => adapter.status().ready);
  });

  it("is noticed by what Slack refuses, too", async () => {
    const { slack, adapter } = await connected();
    slack.workspace.app("troupe").isRevoked = true;
    const post = {
      id: "1",
      session: `slack:${slack.workspace.team.id}:${slack.workspace.channel("general").id}`,
      body: { kind: "text", text: "hello" },
      part: 0,
    } as const;
    const result = await adapter.post(post, new AbortController().signal);

    expect(result.status).toBe("rate-limited");
    expect(adapter.status()).toEqual({ ready: false, problem: expect.stringContaining("token_revoked") });
  });

  it("leaves it alone when it was somebody else's", async () => {
    const { slack, adapter } = await connected();
    const app = slack.workspace.app("troupe");
    await slack.feed.tellApp(app, { type: "tokens_revoked", tokens: { oauth: ["U1"], bot: [] } }).settled;
    expect(adapter.status()).toEqual({ ready: true });
  });
});
