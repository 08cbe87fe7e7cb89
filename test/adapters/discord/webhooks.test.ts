import { describe, expect, it } from "vitest";
import { BETA, idsOf, type OutboundTown, openOutbound } from "./outbound-harness.js";

function webhooksOf({ discord }: OutboundTown, channel = "general") {
  const { id } = discord.workspace.channel(channel);
  return [...discord.workspace.webhooks.values()].filter(({ channelId }) => channelId === id);
}

function lines({ discord }: OutboundTown): readonly string[] {
  return discord.transcript("general");
}

describe("the webhook of a channel", () => {
  it("is made once, however many want it at the same time", async () => {
    const town = await openOutbound();
    const { discord, post, session } = town;
    const ids = Array.from({ length: 8 }, (_, number) => discord.person("ann").openThread("general", `t${number}`).id);

    const results = await Promise.all(ids.map((id) => post("Hi.", { id, session: session("general", id) })));

    expect(results.flatMap(idsOf)).toHaveLength(8);
    expect(webhooksOf(town)).toHaveLength(1);
    expect(discord.recorder.of("list_channel_webhooks")).toHaveLength(1);
  });

  it("is the oldest of the app's own; others are left alone", async () => {
    const town = await openOutbound();
    const { discord, post } = town;
    discord.foreignWebhook("relay", "general");
    discord.foreignWebhook("other app", "general", { ownerId: discord.workspace.user("pager").id, isApps: true });
    const own = { ownerId: discord.applicationId, isApps: true };
    discord.foreignWebhook("first", "general", own);
    discord.foreignWebhook("second", "general", own);

    await post("Hi.");

    const [, , first, second] = webhooksOf(town);
    expect(webhooksOf(town)).toHaveLength(4);
    expect(discord.recorder.of("execute_webhook").map(({ params }) => params.webhook_id)).toEqual([first?.id]);
    expect(town.outbound.isOwnWebhook(second?.id ?? "")).toBe(true);
    expect(town.outbound.isOwnWebhook(webhooksOf(town)[0]?.id ?? "")).toBe(false);
  });

  it("is not made where nobody knows whether there is one, and the post waits", async () => {
    const town = await openOutbound();
    town.discord.faults.add({ method: "list_channel_webhooks", times: 2, fault: { kind: "status", status: 503 } });
    town.discord.faults.add({ method: "list_channel_webhooks", skip: 2, fault: { kind: "garbage" } });

    for (let i = 0; i < 3; i++) expect((await town.post("Hi.")).status).toBe("rate-limited");
    expect(town.discord.recorder.of("create_webhook")).toEqual([]);

    expect((await town.post("Hi.")).status).toBe("posted");
    expect(lines(town)).toEqual(["Alpha [APP]: Hi."]);
  });

  it("whose making was not answered is found the next time", async () => {
    const town = await openOutbound();
    town.discord.faults.add({ method: "create_webhook", fault: { kind: "accept-then-drop" } });

    expect((await town.post("Hi.")).status).toBe("rate-limited");
    expect((await town.post("Hi.")).status).toBe("posted");

    expect(webhooksOf(town)).toHaveLength(1);
  });

  it.each([
    ["deleted", 10015],
    ["given another token", 50027],
  ])("that was %s is made anew, once for those who send at the same time", async (_, code) => {
    const town = await openOutbound();
    const { discord, post, session } = town;
    await post("Before.");
    const [old] = webhooksOf(town);
    discord.faults.add({
      method: "execute_webhook",
      times: 99,
      when: ({ params }) => params.webhook_id === old?.id,
      fault: { kind: "error", code, status: 404 },
    });
    const ids = Array.from({ length: 3 }, (_, number) => discord.person("ann").openThread("general", `t${number}`).id);

    const results = await Promise.all(ids.map((id) => post("Hi.", { id, session: session("general", id) })));

    expect(results.flatMap(idsOf)).toHaveLength(3);
    expect(discord.recorder.of("create_webhook")).toHaveLength(2);
    expect(webhooksOf(town)).toHaveLength(2);
  });

  it("is made anew once for a post", async () => {
    const town = await openOutbound();
    town.discord.faults.add({ method: "execute_webhook", times: 2, fault: { kind: "error", code: 10015 } });

    expect(await town.post("Hi.")).toMatchObject({ status: "rejected", retry: true });

    expect(town.discord.recorder.of("execute_webhook")).toHaveLength(2);
    expect((await town.post("Hi.")).status).toBe("posted");
  });

  it("that is deleted again and again is made anew three times an hour; then the bot speaks", async () => {
    const town = await openOutbound();
    const { discord, post, hints, clock } = town;
    for (let time = 0; time < 5; time++) {
      await post(`${time}.`, { id: `e${time}` });
      for (const { id } of webhooksOf(town)) discord.workspace.webhooks.delete(id);
    }

    expect(lines(town)).toEqual([
      ...[0, 1, 2, 3].map((time) => `Alpha [APP]: ${time}.`),
      "Troupe [APP]: **Alpha:** 4.",
    ]);
    expect(hints).toEqual([expect.stringContaining("again and again")]);

    await clock.advance(60 * 60_000);
    await post("5.", { id: "e5" });
    expect(lines(town).at(-1)).toBe("Alpha [APP]: 5.");
  });

  it("that an admin has moved is left where it is, and what it said there is taken back", async () => {
    const town = await openOutbound();
    const { discord, post } = town;
    await post("One.");
    const [webhook] = webhooksOf(town);
    if (webhook) webhook.channelId = discord.workspace.channel("random").id;

    expect((await post("Two.", { id: "e2" })).status).toBe("posted");

    expect(lines(town)).toEqual(["Alpha [APP]: One.", "Alpha [APP]: Two."]);
    expect(discord.seen("random")).toEqual([]);
    expect(webhooksOf(town)).toHaveLength(1);
  });

  it("is looked for again when Discord tells of a change", async () => {
    const town = await openOutbound();
    await town.post("One.");
    town.outbound.webhooksChanged(town.discord.workspace.channel("general").id);
    await town.post("Two.", { id: "e2" });

    expect(town.discord.recorder.of("list_channel_webhooks")).toHaveLength(2);
    expect(webhooksOf(town)).toHaveLength(1);
  });

  it("is made once, though Discord tells of a change while it is being made", async () => {
    const town = await openOutbound();
    const { discord, outbound, session } = town;
    const general = discord.workspace.channel("general").id;
    const thread = discord.person("ann").openThread("general", "talk").id;
    let answer = () => {};
    const until = new Promise<void>((resolve) => {
      answer = resolve;
    });
    discord.faults.add({ method: "create_webhook", fault: { kind: "wait", until } });
    const first = town.post("One.");
    await discord.recorder.until(() => discord.recorder.of("create_webhook")[0]);
    outbound.webhooksChanged(general);
    const second = town.post("Two.", { id: "e2", session: session("general", thread) });
    answer();

    expect((await Promise.all([first, second])).flatMap(idsOf)).toHaveLength(2);
    expect(webhooksOf(town)).toHaveLength(1);
    await town.post("Three.", { id: "e3" });
    expect(discord.recorder.of("list_channel_webhooks")).toHaveLength(2);
  });

  it("keeps its token to itself, whatever goes wrong", async () => {
    const town = await openOutbound();
    const { discord } = town;
    await town.post("One.");
    const token = webhooksOf(town)[0]?.token ?? "";
    const faults = [
      { kind: "drop" },
      { kind: "status", status: 502 },
      { kind: "error", code: 50013 },
      { kind: "rate-limit", retryAfterSeconds: 3 },
      { kind: "garbage" },
      { kind: "cloudflare" },
    ] as const;
    const results: unknown[] = [];
    for (const [index, fault] of faults.entries()) {
      discord.faults.add({ method: "execute_webhook", fault });
      results.push(await town.post("Two.", { id: `f${index}` }));
      await town.clock.advance(5_000);
    }

    expect(token.length).toBeGreaterThan(20);
    expect(JSON.stringify([results, town.logged, town.hints])).not.toContain(token);
    expect(town.logged.length).toBeGreaterThan(0);
  });
});

describe("without a webhook", () => {
  it("because the bot may not use any, its own messages name the persona, until it may", async () => {
    const town = await openOutbound();
    const { discord, post, hints, clock } = town;
    discord.workspace.deny("home", "troupe", ["manageWebhooks"], "general");

    await post("One.");
    await post("Two.", { id: "e2", identity: BETA });
    expect(discord.recorder.of("list_channel_webhooks")).toHaveLength(1);
    discord.workspace.allow("home", "troupe", ["manageWebhooks"], "general");
    await clock.advance(60_000);
    await post("Three.", { id: "e3" });

    expect(lines(town)).toEqual([
      "Troupe [APP]: **Alpha:** One.",
      "Troupe [APP]: **Beta:** Two.",
      "Alpha [APP]: Three.",
    ]);
    expect(hints).toEqual([expect.stringContaining("Manage Webhooks")]);
  });

  it("because the right was taken away midway, what stands goes on being used", async () => {
    const town = await openOutbound();
    await town.post("One.");
    town.discord.workspace.deny("home", "troupe", ["manageWebhooks"], "general");

    await town.post("Two.", { id: "e2" });

    expect(lines(town)).toEqual(["Alpha [APP]: One.", "Alpha [APP]: Two."]);
  });

  it("because the channel has fifteen, its own messages name the persona; twenty personas need one webhook", async () => {
    const town = await openOutbound();
    const { discord, post, hints } = town;
    for (let number = 0; number < 15; number++) discord.foreignWebhook(`relay ${number}`, "general");
    await post("One.");

    expect(lines(town)).toEqual(["Troupe [APP]: **Alpha:** One."]);
    expect(hints).toEqual([expect.stringMatching(/15 webhooks.*Delete one/)]);

    for (let number = 0; number < 20; number++) {
      const identity = { name: `p${number}`, displayName: `Persona ${number}` };
      await post("Hi.", { id: `r${number}`, session: town.session("random"), identity });
    }
    expect(webhooksOf(town, "random")).toHaveLength(1);
    expect(new Set(discord.seen("random").map(({ name }) => name)).size).toBe(20);
  });

  it.each([
    ["as the server has as many as it may", 30058, "Server Settings"],
    ["as the channel is of another kind", 50024, "has no webhooks"],
    ["for a reason that we do not know", 99999, "99999"],
  ])("%s, its own messages name the persona", async (_, code, words) => {
    const town = await openOutbound();
    town.discord.faults.add({ method: "create_webhook", fault: { kind: "error", code, status: 400 } });

    await town.post("One.");

    expect(lines(town)).toEqual(["Troupe [APP]: **Alpha:** One."]);
    expect(town.hints).toEqual([expect.stringContaining(words)]);
  });

  it("in a channel that the bot cannot see nothing is posted, and the mend is said", async () => {
    const town = await openOutbound();
    town.discord.workspace.deny("home", "troupe", ["viewChannel"], "general");

    const result = await town.post("One.");

    expect(result).toEqual({ status: "rejected", reason: expect.stringContaining("View Channel"), retry: false });
    expect(town.hints).toEqual([expect.stringContaining("View Channel")]);
    expect((await town.post("Two.", { id: "e2", session: town.session("random") })).status).toBe("posted");
  });
});
