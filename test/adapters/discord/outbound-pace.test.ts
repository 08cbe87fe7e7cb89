import { RequestMethod } from "discord.js";
import { describe, expect, it } from "vitest";
import { createBreaker } from "../../../adapters/discord/outbound/breaker.js";
import { createBudget } from "../../../adapters/discord/outbound/budget.js";
import { createCaller } from "../../../adapters/discord/outbound/rest.js";
import type { Logger } from "../../../src/index.js";
import { PER_CHANNEL, PER_WEBHOOK } from "../../fakes/discord/limits.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { ALPHA, deliver, type OutboundTown, openOutbound } from "./outbound-harness.js";

const { signal } = new AbortController();

function rows(town: OutboundTown, session: string, count: number, name: string) {
  return async () => {
    for (const row of Array(count).keys()) {
      const body = { kind: "text", text: `${name} ${row}` } as const;
      await deliver(town, { id: `${name}${row}`, session, identity: ALPHA, part: 0, body });
    }
  };
}

function outcomes({ discord }: OutboundTown): readonly (string | undefined)[] {
  return discord.recorder.of("execute_webhook").map(({ outcome }) => outcome);
}

describe("posts through one webhook", () => {
  it("stay below Discord's limits by themselves, and in order in each place", async () => {
    const town = await openOutbound({ pace: true });
    const { discord, clock, drive } = town;
    discord.limiter.limits.webhook = PER_WEBHOOK;
    discord.limiter.limits.channel = PER_CHANNEL;
    const thread = discord.person("ann").openThread("general", "talk").id;
    const began = clock.now();

    await drive(
      Promise.all([rows(town, town.session(), 20, "a")(), rows(town, town.session("general", thread), 20, "b")()]),
    );

    expect(new Set(outcomes(town))).toEqual(new Set(["ok"]));
    expect(discord.seen("general").map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, row) => `a ${row}`));
    expect(discord.seen(thread).map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, row) => `b ${row}`));
    expect(clock.now() - began).toBeGreaterThanOrEqual(60_000);
  });

  it("that would have to wait for long are told for how long", async () => {
    const town = await openOutbound({ pace: true });
    await town.drive(rows(town, town.session(), 25, "a")());

    const result = await town.drive(town.post("More."));

    expect(result).toEqual({ status: "rate-limited", retryAfterMs: expect.any(Number) });
    if (result.status === "rate-limited") expect(result.retryAfterMs).toBeGreaterThan(40_000);
  });

  it("go by what Discord says of its limits, without a budget of our own", async () => {
    const town = await openOutbound();
    town.discord.limiter.limits.webhook = PER_WEBHOOK;

    await town.drive(rows(town, town.session(), 12, "a")());

    expect(outcomes(town)).toEqual(Array(12).fill("ok"));
  });

  it("wait when Discord asks for it, and other channels do not", async () => {
    const town = await openOutbound();
    town.discord.faults.add({
      method: "execute_webhook",
      fault: { kind: "rate-limit", retryAfterSeconds: 40, scope: "shared" },
    });

    const first = await town.post("One.");
    const second = await town.post("One.");
    const elsewhere = await town.post("Two.", { id: "e2", session: town.session("random") });

    for (const result of [first, second])
      expect(result).toEqual({ status: "rate-limited", retryAfterMs: expect.any(Number) });
    expect(elsewhere.status).toBe("posted");
    expect(town.discord.recorder.of("execute_webhook")).toHaveLength(2);
  });

  it("do not become unclear behind one that hangs", async () => {
    const town = await openOutbound();
    const { discord, drive } = town;
    await town.post("Before.", { id: "e0" });
    const thread = discord.person("ann").openThread("general", "talk").id;
    discord.faults.add({ method: "execute_webhook", fault: { kind: "hang" } });

    const hanging = town.post("One.");
    await discord.recorder.until(() => discord.recorder.of("execute_webhook").length === 2);
    const [first, second] = await drive(
      Promise.all([hanging, town.post("Two.", { id: "e2", session: town.session("general", thread) })]),
    );

    expect(first.status).toBe("ambiguous");
    expect(second.status).toBe("rate-limited");
  });
});

describe("when Discord's edge turns us away", () => {
  it.each([
    ["a 429 that does not say for how long", { kind: "bare-429" }],
    ["the page of a blocked address", { kind: "cloudflare" }],
    ["the code of a blocked request", { kind: "error", code: 40333, status: 403 }],
  ] as const)("with %s, nothing is sent for a minute, then for two", async (_, fault) => {
    const town = await openOutbound();
    const { discord, clock, outbound } = town;
    discord.faults.add({ method: "execute_webhook", times: 2, fault });

    const first = await town.post("One.");
    const meanwhile = await town.post("Two.", { id: "e2", session: town.session("random") });
    const problem = outbound.problem();
    await clock.advance(60_000);
    const second = await town.post("One.");
    await clock.advance(120_000);

    expect(first).toEqual({ status: "rate-limited", retryAfterMs: 60_000 });
    expect(meanwhile.status).toBe("rate-limited");
    expect(problem).toContain("posts wait");
    expect(second).toEqual({ status: "rate-limited", retryAfterMs: 120_000 });
    expect((await town.post("One.")).status).toBe("posted");
    expect(discord.recorder.of("execute_webhook")).toHaveLength(3);
    expect(outbound.problem()).toBeUndefined();
  });

  it("several at once count as one", async () => {
    const town = await openOutbound();
    const { discord } = town;
    for (const channel of ["general", "random", "news"])
      await town.post("Warm.", { id: channel, session: town.session(channel) });
    discord.faults.add({ method: "execute_webhook", times: 3, fault: { kind: "bare-429" } });

    const results = await Promise.all(
      ["general", "random", "news"].map((name) => town.post("Hi.", { id: `${name}2`, session: town.session(name) })),
    );

    expect(results).toEqual(Array(3).fill({ status: "rate-limited", retryAfterMs: 60_000 }));
  });

  it("as the token is worth nothing any more, the bot's posts wait and the status says so", async () => {
    const town = await openOutbound();
    town.discord.app.isRevoked = true;

    const result = await town.post({ kind: "view", view: { text: "Hi." } });
    await town.post({ kind: "view", view: { text: "Hi." } });

    expect(result).toEqual({ status: "rate-limited", retryAfterMs: 60_000 });
    expect(town.outbound.problem()).toContain("DISCORD_TOKEN");
    expect(town.discord.recorder.requests).toHaveLength(1);
  });

  it("nothing is sent for a while after more than 500 requests that were not allowed", async () => {
    const town = await openOutbound();
    const { discord, clock } = town;
    const breaker = createBreaker({ clock, logger: silent });
    const caller = createCaller({ ...discord, clock, breaker, budget: createBudget(clock), isPaced: false });
    discord.workspace.deny("home", "troupe", ["viewChannel"], "general");
    const path = `/channels/${discord.workspace.channel("general").id}/messages` as const;
    const ask = () => caller.call({ method: RequestMethod.Get, path }, signal);

    for (let i = 0; i < 500; i++) await ask();
    expect(breaker.pausedMs()).toBe(0);
    await ask();

    expect(breaker.pausedMs()).toBe(60_000);
    expect(breaker.problem()).toContain("permissions");
    caller.stop();
  });
});

describe("a turn to send", () => {
  it("is given to all together no oftener than the window allows, at whatever moment they ask", async () => {
    const clock = createFakeClock();
    const budget = createBudget(clock);
    const window = { key: "all", most: 3, perMs: 1_000 };
    let given = 0;
    for (const lane of ["a", "b", "c", "d", "e", undefined, undefined])
      void budget.turn(lane, [window], signal).then((turn) => {
        given += turn.ok ? 1 : 0;
      });

    const counts: number[] = [];
    for (let second = 0; second < 3; second++) {
      await clock.advance(999);
      counts.push(given);
      await clock.advance(1);
    }

    expect(counts).toEqual([3, 6, 7]);
  });

  it("is given back by who stops waiting", async () => {
    const clock = createFakeClock();
    const budget = createBudget(clock);
    const first = await budget.turn("lane", [], signal);
    const stopped = new AbortController();
    const second = budget.turn("lane", [], stopped.signal);
    const third = budget.turn("lane", [], signal);
    stopped.abort();
    if (first.ok) first.end();

    expect(await second).toEqual({ ok: false, retryAfterMs: expect.any(Number) });
    expect((await third).ok).toBe(true);
    expect(budget.waiting).toBe(0);
    expect(clock.pending).toBe(0);
  });
});

describe("typing", () => {
  it("is shown once for all who work in a channel, every eight seconds, until the last has spoken", async () => {
    const { discord, clock, outbound, post, session } = await openOutbound();
    const beta = { name: "beta", displayName: "Beta" };
    const typed = () => discord.typings.length;
    await outbound.typing(session(), ALPHA, true);
    await outbound.typing(session(), beta, true);

    await clock.advance(700);
    await discord.recorder.until(() => typed() === 1);
    await outbound.typing(session(), beta, false);
    await clock.advance(8_000);
    await discord.recorder.until(() => typed() === 2);
    await post("Here.");
    await clock.advance(60_000);

    expect(typed()).toBe(2);
    expect(clock.pending).toBe(0);
  });

  it("is not shown for a quick answer, and for no longer than two minutes", async () => {
    const { discord, clock, outbound, session } = await openOutbound();
    await outbound.typing(session(), ALPHA, true);
    await clock.advance(500);
    await outbound.typing(session(), ALPHA, false);
    await clock.advance(10_000);
    expect(discord.typings).toEqual([]);

    await outbound.typing(session(), ALPHA, true);
    for (let second = 0; second < 300; second++) {
      await clock.advance(1_000);
      await discord.recorder.until(() => discord.recorder.requests.every(({ outcome }) => outcome !== undefined));
    }

    expect(discord.typings.length).toBe(15);
    expect(clock.pending).toBe(0);
  });

  it("in a thread that is not there yet is shown in its channel", async () => {
    const { discord, clock, outbound, session } = await openOutbound();
    const said = discord.person("ann").say("general", "go");
    await outbound.typing(session("general", said.id), ALPHA, true);
    await clock.advance(700);
    await discord.recorder.until(() => discord.typings.length === 1);
    await clock.advance(8_000);
    await discord.recorder.until(() => discord.typings.length === 2);

    const general = discord.workspace.channel("general").id;
    expect(discord.typings.map(({ channelId }) => channelId)).toEqual([general, general]);
    expect(discord.recorder.of("trigger_typing_indicator")).toHaveLength(3);
  });

  it("ends where it may not be", async () => {
    const { discord, clock, outbound, session } = await openOutbound();
    discord.workspace.deny("home", "troupe", ["viewChannel"], "general");
    await outbound.typing(session(), ALPHA, true);
    await clock.advance(700);
    await discord.recorder.until(() => discord.recorder.requests[0]?.outcome);
    await discord.recorder.until(() => clock.pending === 0);

    await clock.advance(60_000);

    expect(discord.recorder.requests).toHaveLength(1);
  });
});

/** Says nothing. */
const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
