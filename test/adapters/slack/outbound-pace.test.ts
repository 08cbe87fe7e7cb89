import { describe, expect, it } from "vitest";
import { createScheduler } from "../../../adapters/shared/scheduler.js";
import { createFakeClock, settle } from "../../support/fake-clock.js";
import { ALPHA, openOutbound } from "./outbound-harness.js";

const signal = new AbortController().signal;

describe("the pace", () => {
  it("is one turn a second for each key, in the order asked for", async () => {
    const clock = createFakeClock();
    const scheduler = createScheduler({ clock, pace: 1 });
    const taken: string[] = [];
    const take = (key: string, name: string) => void scheduler.turn(key, signal).then(() => taken.push(name));

    for (const name of ["a1", "a2", "a3"]) take("a", name);
    take("b", "b1");
    await settle();
    expect(taken).toEqual(["a1", "b1"]);
    expect(scheduler.waiting).toBe(2);
    await clock.advance(999);
    expect(taken).toHaveLength(2);
    await clock.advance(1);
    expect(taken.at(-1)).toBe("a2");
    await clock.advance(1_000);
    expect(taken.at(-1)).toBe("a3");
    expect(scheduler.waiting).toBe(0);
  });

  it("is none with 0, but Slack's pauses hold, for one key", async () => {
    const clock = createFakeClock();
    const scheduler = createScheduler({ clock, pace: 0 });
    for (let i = 0; i < 50; i++) expect(await scheduler.turn("a", signal)).toBe(0);

    scheduler.pause("a", 30_000);
    scheduler.pause("a", 10_000);

    expect(await scheduler.turn("a", signal)).toBe(30_000);
    expect(await scheduler.turn("b", signal)).toBe(0);
    await clock.advance(28_000);
    const late = scheduler.turn("a", signal);
    await clock.advance(2_000);
    expect(await late).toBe(0);
  });

  it("lets nobody wait long: who would, is told how long and takes no turn", async () => {
    const clock = createFakeClock();
    const scheduler = createScheduler({ clock, pace: 1 });
    const turns = Array.from({ length: 8 }, () => scheduler.turn("a", signal));

    expect(await turns[7]).toBe(6_000);
    expect(await turns[6]).toBe(6_000);
    await clock.advance(5_000);
    expect(await Promise.all(turns.slice(0, 6))).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it("gives a turn up when it is not wanted any more, and tells who waited of a pause that came meanwhile", async () => {
    const clock = createFakeClock();
    const scheduler = createScheduler({ clock, pace: 1 });
    const giveUp = new AbortController();
    await scheduler.turn("a", signal);
    const given = scheduler.turn("a", giveUp.signal);
    const kept = scheduler.turn("a", signal);

    giveUp.abort(new Error("no"));
    await expect(given).rejects.toThrow("no");
    scheduler.pause("a", 9_000);
    await clock.advance(2_000);

    expect(await kept).toBe(7_000);
    await expect(scheduler.turn("a", giveUp.signal)).rejects.toThrow("no");
  });
});

describe("posts", () => {
  it("come one a second in a channel, and at once in another", async () => {
    const { slack, clock, post, session } = await openOutbound({ pace: 1 });
    slack.limiter.limits.postBurst = 1;

    const first = post("one");
    const second = post("two", { id: "e2" });
    await post("side", { id: "e3", session: session("den") });
    await first;
    expect(slack.transcript("general")).toHaveLength(1);
    await clock.advance(1_000);

    expect((await second).status).toBe("posted");
    expect(slack.recorder.of("chat.postMessage").every(({ outcome }) => outcome === "ok")).toBe(true);
  });

  it("wait as long as Slack asks, in that channel only", async () => {
    const { slack, clock, post, session } = await openOutbound();
    slack.faults.add({ method: "chat.postMessage", fault: { kind: "rate-limit", retryAfterSeconds: 20 } });

    expect(await post("one")).toEqual({ status: "rate-limited", retryAfterMs: 20_000 });
    expect(await post("one")).toEqual({ status: "rate-limited", retryAfterMs: 20_000 });
    expect((await post("side", { id: "e2", session: session("den") })).status).toBe("posted");
    await clock.advance(20_000);
    expect((await post("one")).status).toBe("posted");
    expect(slack.recorder.of("chat.postMessage")).toHaveLength(3);
  });

  it("that wait for their turn are not posted when everything stops", async () => {
    const { slack, outbound, post } = await openOutbound({ pace: 1 });
    await post("one");
    const second = post("two", { id: "e2" });

    outbound.stop();

    expect((await second).status).toBe("rate-limited");
    expect(slack.transcript("general")).toHaveLength(1);
  });
});

describe("a status", () => {
  it("shows in the thread of a turn that takes a while, under the persona's name, stays, and ends with the turn", async () => {
    const { slack, clock, outbound, session } = await openOutbound();
    const { ts } = slack.person("ann").say("general", "question");
    const thread = session("general", ts);
    const asked = (count: number) =>
      slack.recorder.until(() => slack.recorder.of("assistant.threads.setStatus")[count - 1]?.outcome);

    await outbound.typing(thread, ALPHA, true);
    await clock.advance(700);
    await asked(1);
    expect(slack.status("general", ts)).toMatchObject({ text: "is thinking…", username: "Alpha" });
    await clock.advance(100_000);
    await asked(2);
    await outbound.typing(thread, ALPHA, false);
    await asked(3);

    expect(slack.status("general", ts)).toBeUndefined();
    await clock.advance(200_000);
    expect(slack.recorder.of("assistant.threads.setStatus")).toHaveLength(3);
  });

  it("is not shown for a quick answer, nor outside of threads, and its errors do not matter", async () => {
    const { slack, clock, outbound, session } = await openOutbound();
    const { ts } = slack.person("ann").say("general", "question");
    const thread = session("general", ts);
    const statuses = () => slack.recorder.of("assistant.threads.setStatus");

    await outbound.typing(thread, ALPHA, true);
    await outbound.typing(thread, ALPHA, false);
    await outbound.typing(session(), ALPHA, true);
    await clock.advance(5_000);
    expect(statuses()).toEqual([]);

    slack.faults.add({ method: "assistant.threads.setStatus", fault: { kind: "error", error: "unknown_method" } });
    await outbound.typing(thread, ALPHA, true);
    await clock.advance(700);
    await slack.recorder.until(() => statuses()[0]?.outcome);
    await outbound.typing(thread, ALPHA, false);
    await outbound.typing(thread, ALPHA, true);
    await clock.advance(5_000);
    outbound.stop();
    expect(statuses()).toHaveLength(1);
  });
});
