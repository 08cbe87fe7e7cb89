import { describe, expect, it } from "vitest";
import { examineSlack } from "../../adapters/slack/setup/examine.js";
import { passUntil } from "../support/passing.js";
import { scripted } from "../support/rooms.js";
import { startSlackRooms, taken } from "../support/slack-rooms.js";
import { openSlackTown } from "../support/slack-town.js";

const LONG = `${"Sentence after sentence. ".repeat(700)} END`;
const alpha = scripted("alpha", ["long", LONG], "Alpha here: {{text}}");
const broken = scripted("broken", { steps: [{ fail: "temporary" }] });

describe("where Slack shows things", () => {
  it("case 31: all parts, errors, notices and answers to a button of a thread stay in that thread", async () => {
    const { slack, shows } = await startSlackRooms({ personas: [alpha, broken] });
    const ann = slack.person("ann");
    const root = ann.say("general", "an old subject");
    ann.say("general", "@alpha the long story", { thread: root });
    await shows("general", "END");
    ann.say("general", "@broken and you?", { thread: root });
    await shows("general", "Retry");
    const retry = ann.sees("general", "Retry");
    await ann.press(retry).delivery.settled;
    await slack.recorder.until(() => slack.recorder.of("chat.update").length + slack.board.ephemerals.length > 0);
    // The same click once more: the notice is settled by now.
    await ann.press(retry).delivery.settled;
    await slack.recorder.until(() => slack.board.ephemerals.length > 0);

    const writes = slack.recorder.requests.filter(({ method }) => /^chat\.post/.test(method));
    expect(writes.length).toBeGreaterThan(3);
    expect(writes.map(({ args }) => args.thread_ts)).toEqual(writes.map(() => root.ts));
    expect(slack.seen("general", "ann").map(({ ts }) => ts)).toEqual([root.ts]);
  });

  it("case 31: an answer whose thread is gone is not posted into the channel", async () => {
    const town = await openSlackTown();
    const slow = scripted("slow", { steps: [{ delayMs: 1_000 }, { say: "Too late." }] });
    const { slack, logs, log } = await startSlackRooms({ personas: [slow], town });
    const ann = slack.person("ann");
    const root = ann.say("general", "@slow hello");
    await taken(root);
    await passUntil(town, () => town.clock.pending > 0, 0);
    slack.board.remove(
      slack.workspace.channel("general"),
      slack.board.find(slack.workspace.channel("general"), root.ts),
    );
    await passUntil(town, () => logs.lines.some(({ message }) => message === "a post was given up"));

    expect(slack.transcript("general")).toEqual([]);
    expect(await log("general")).toHaveLength(1);
  });
});

describe("what is missing or limited in Slack", () => {
  it("case 33: without the right to read channels the doctor names the scope, and at run time an admin is told once", async () => {
    const town = await openSlackTown();
    const { slack } = town;
    const app = slack.workspace.app("troupe");
    app.scopes.delete("channels:history");
    const access = { botToken: app.token, appToken: app.appToken, apiUrl: slack.apiUrl, personaTokens: new Map() };

    const findings = await examineSlack(access);
    expect(findings).toContainEqual({ ok: false, says: expect.stringContaining("channels:history") });

    await startSlackRooms({ personas: [alpha], town });
    const ann = slack.person("ann");
    await taken(ann.say("den", "hello"));
    await slack.recorder.until(() => slack.board.ephemerals.length > 0);
    await taken(ann.say("den", "hello again"));

    const hints = slack.board.ephemerals.filter(({ text, blocks }) =>
      JSON.stringify([text, blocks]).includes("channels:history"),
    );
    expect(hints.map(({ userId }) => userId)).toEqual([ann.id]);
  });

  it("case 35: with every status refused for its rate the reply is complete and stands once", async () => {
    const town = await openSlackTown();
    const slow = scripted("slow", { steps: [{ delayMs: 10_000 }, { say: "The whole answer." }] });
    const { slack, logs } = await startSlackRooms({ personas: [slow], town });
    const fault = { kind: "rate-limit", retryAfterSeconds: 2 } as const;
    slack.faults.add({ method: "assistant.threads.setStatus", times: 1_000, fault });
    slack.faults.add({ method: "chat.update", times: 1_000, fault });
    await taken(slack.person("ann").say("general", "@slow hello"));
    await passUntil(town, () => slack.seen("general")[0]?.replies[0] !== undefined);

    expect(slack.transcript("general").slice(1)).toEqual(["  Slow [APP]: The whole answer."]);
    expect(slack.recorder.of("assistant.threads.setStatus").length).toBeLessThanOrEqual(10);
    expect(logs.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("case 36: a second process on the same token warns that it shares the messages with another", async () => {
    const town = await openSlackTown();
    const first = await startSlackRooms({ personas: [alpha], town });
    await town.slack.recorder.until(() => town.slack.sockets.open("troupe").length === 2);
    const second = await startSlackRooms({ personas: [alpha], town });
    await town.slack.recorder.until(() => town.slack.sockets.open("troupe").length === 4);

    const warned = (logs: typeof first.logs) =>
      logs.lines.filter(({ level, message }) => level === "warn" && message.includes("another process is connected"));
    expect(warned(second.logs)).toHaveLength(1);
    expect(warned(second.logs)[0]?.message).toContain("SLACK_APP_TOKEN");
  });
});
