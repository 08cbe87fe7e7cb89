import { Events, type RESTOptions } from "discord.js";
import { describe, expect, it } from "vitest";
import { rawCall, readyClient, textChannel } from "../../support/discord-client.js";
import { openDiscordTown } from "../../support/discord-town.js";
import type { Fault } from "./faults.js";
import { PER_CHANNEL, PER_WEBHOOK } from "./limits.js";

/** A client that neither waits for a limit nor tries again. */
const PLAIN: Partial<RESTOptions> = { retries: 0, rejectOnRateLimit: () => true };

async function open() {
  const { discord, clock } = await openDiscordTown();
  const client = await readyClient(discord, { rest: PLAIN });
  const general = await textChannel(client, discord.workspace.channel("general").id);
  const webhook = await general.createWebhook({ name: "troupe" });
  const meet = (fault: Fault) => discord.faults.add({ method: "execute_webhook", fault });
  return { discord, clock, client, webhook, general, meet };
}

describe("a fault", () => {
  it("before a post leaves nothing behind, and after it a post that nobody has confirmed", async () => {
    const { discord, webhook, meet } = await open();
    const faults: readonly Fault[] = [
      { kind: "status", status: 502 },
      { kind: "drop" },
      { kind: "garbage" },
      { kind: "accept-then-status", status: 502 },
      { kind: "accept-then-drop" },
    ];

    for (const fault of faults) {
      meet(fault);
      await expect(webhook.send(fault.kind)).rejects.toThrow();
    }
    await webhook.send("well");

    const texts = discord.seen("general").map((it) => it.text);
    expect(texts).toEqual(["accept-then-status", "accept-then-drop", "well"]);
    expect(discord.recorder.of("execute_webhook").map((it) => [it.outcome, it.isWithheld])).toEqual([
      ["502", false],
      ["dropped", false],
      ["garbage", false],
      ["502", true],
      ["dropped", true],
      ["ok", false],
    ]);
  });

  it("that hangs never answers, whether the post stands or not", async () => {
    const { discord, webhook, meet } = await open();
    const url = `${discord.apiUrl}/v10/webhooks/${webhook.id}/${webhook.token}`;

    for (const [index, kind] of (["hang", "accept-then-hang"] as const).entries()) {
      meet({ kind });
      const patience = new AbortController();
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ content: kind });
      const sent = fetch(url, { method: "POST", headers, body, signal: patience.signal });
      await discord.recorder.until(() => discord.recorder.of("execute_webhook")[index]?.outcome === "hangs");
      patience.abort();
      await expect(sent).rejects.toThrow("aborted");
    }

    expect(discord.seen("general").map((it) => it.text)).toEqual(["accept-then-hang"]);
  });

  it("breaks the connection with a reset", async () => {
    const { webhook, meet } = await open();
    meet({ kind: "accept-then-drop" });

    await expect(webhook.send("x")).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it("makes the library post again, if that is allowed to try", async () => {
    const { discord } = await openDiscordTown();
    const client = await readyClient(discord);
    const general = await textChannel(client, discord.workspace.channel("general").id);
    const webhook = await general.createWebhook({ name: "troupe" });
    discord.faults.add({ method: "execute_webhook", fault: { kind: "accept-then-status", status: 502 }, times: 2 });

    await webhook.send("three times");

    expect(discord.seen("general")).toHaveLength(3);
  });

  it("of a limit says how long, or nothing, or is a page of the edge", async () => {
    const { discord, general } = await open();
    const path = `/channels/${general.id}/messages`;
    const answers = async (fault: Fault) => {
      discord.faults.add({ method: "create_message", fault });
      const { status, headers, body } = await rawCall(discord, "POST", path, { content: "x" });
      return [status, headers.get("retry-after"), headers.get("x-ratelimit-scope"), body];
    };

    expect(await answers({ kind: "rate-limit", retryAfterSeconds: 1.5, scope: "shared" })).toEqual([
      429,
      "2",
      "shared",
      expect.objectContaining({ retry_after: 1.5 }),
    ]);
    expect(await answers({ kind: "bare-429" })).toEqual([429, null, null, ""]);
    expect(await answers({ kind: "cloudflare" })).toEqual([
      429,
      null,
      null,
      expect.stringContaining("<!doctype html>"),
    ]);
    expect(await answers({ kind: "error", code: 40333 })).toEqual([
      403,
      null,
      null,
      expect.objectContaining({ code: 40333 }),
    ]);
    expect(await answers({ kind: "error", code: 20028 })).toEqual([
      429,
      "5",
      null,
      expect.objectContaining({ code: 20028 }),
    ]);
    expect(discord.limiter.invalid).toBe(4);
    expect(discord.seen("general")).toEqual([]);
  });

  it("meets only the requests of its rule", async () => {
    const { discord, webhook } = await open();
    const fault = { kind: "error", code: 10015 } as const;
    discord.faults.add({ method: "execute_webhook", fault, skip: 1, when: ({ body }) => body.content !== "spared" });

    await webhook.send("spared");
    await webhook.send("skipped");
    await expect(webhook.send("met")).rejects.toMatchObject({ code: 10015 });
    await webhook.send("after");

    expect(discord.seen("general").map((it) => it.text)).toEqual(["spared", "skipped", "after"]);
  });

  it("lets the event overtake the answer, or the answer the event", async () => {
    const { discord, client, webhook, meet } = await open();
    const order: string[] = [];
    client.on(Events.MessageCreate, ({ content }) => void order.push(`event ${content}`));
    let unlock = () => {};
    const gate = new Promise<void>((resolve) => {
      unlock = resolve;
    });

    meet({ kind: "accept-then-wait", until: gate });
    const first = webhook.send("1").then(() => order.push("answer 1"));
    await discord.recorder.until(() => order.length === 1);
    unlock();
    await first;
    discord.gateway.hold("MESSAGE_CREATE");
    await webhook.send("2").then(() => order.push("answer 2"));
    discord.gateway.release();
    await discord.recorder.until(() => order.length === 4);

    expect(order).toEqual(["event 1", "answer 1", "answer 2", "event 2"]);
  });

  it("of a revoked token is 401 for everything that needs one", async () => {
    const { discord, general } = await open();
    discord.app.isRevoked = true;

    expect(await rawCall(discord, "GET", `/channels/${general.id}`)).toMatchObject({ status: 401 });
  });
});

describe("a limit", () => {
  it("of a webhook is 5 in 2 s, and its headers say so", async () => {
    const { discord, clock, webhook } = await open();
    discord.limiter.limits.webhook = PER_WEBHOOK;
    const post = async () => {
      const { status, headers } = await rawCall(discord, "POST", `/webhooks/${webhook.id}/${webhook.token}?wait=true`, {
        content: "x",
      });
      return [status, headers.get("x-ratelimit-remaining")];
    };

    const first = [];
    for (let i = 0; i < 6; i++) first.push(await post());
    await clock.advance(2_000);

    expect(first).toEqual([...["4", "3", "2", "1", "0"].map((left) => [200, left]), [429, "0"]]);
    expect(await post()).toEqual([200, "4"]);
  });

  it("of a channel is 30 in 60 s for all its webhooks, and no header tells of it", async () => {
    const { discord, clock, webhook } = await open();
    const { webhook: other } = discord.foreignWebhook("relay", "general");
    discord.limiter.limits.channel = PER_CHANNEL;
    const post = (index: number) => {
      const by = index % 2 === 0 ? webhook : other;
      return rawCall(discord, "POST", `/webhooks/${by.id}/${by.token}`, { content: "x" });
    };

    for (let i = 0; i < 30; i++) expect((await post(i)).status).toBe(204);
    await clock.advance(15_000);
    const refused = await post(30);

    expect(refused).toMatchObject({ status: 429, body: { retry_after: 45 } });
    expect(refused.headers.get("x-ratelimit-bucket")).toBeNull();
    await clock.advance(45_000);
    expect((await post(31)).status).toBe(204);
  });
});
