import { describe, expect, it } from "vitest";
import type { Post } from "../../../src/index.js";
import type { Fault } from "../../fakes/discord/faults.js";
import { settle } from "../../support/fake-clock.js";
import { ALPHA, BETA, deliver, idsOf, look, type OutboundTown, openOutbound } from "./outbound-harness.js";

const { signal } = new AbortController();

function postOf(town: OutboundTown, id: string, more: Partial<Post> = {}): Post {
  const body = { kind: "text", text: `reply ${id}` } as const;
  return { id, session: town.session(), identity: ALPHA, part: 0, body, attemptedAt: town.clock.now(), ...more };
}

function textsIn({ discord }: OutboundTown, channel: string): readonly string[] {
  return discord.seen(channel).map(({ text }) => text);
}

/** What goes wrong with posts, in turn: done or not, and no answer to tell. */
const MIX: readonly Fault[] = [
  { kind: "accept-then-drop" },
  { kind: "drop" },
  { kind: "accept-then-status", status: 502 },
  { kind: "status", status: 502 },
  { kind: "accept-then-hang" },
];

describe("a post that may have arrived", () => {
  it("is seen once and in order: 60 rows to four places, with every fault in turn", async () => {
    const town = await openOutbound();
    const { discord, drive } = town;
    const ann = discord.person("ann");
    const thread = ann.openThread("general", "talk");
    const places = [town.session(), town.session("general", thread.id), town.session("random"), town.session("news")];
    for (const [index, fault] of MIX.entries())
      discord.faults.add({ method: "execute_webhook", skip: index * 2 + 1, every: 10, fault });

    const deliverAll = async (session: string, place: number) => {
      for (const row of Array(15).keys()) {
        const identity = row % 2 === 0 ? ALPHA : BETA;
        const result = await deliver(town, postOf(town, `p${place} ${row}`, { session, identity }));
        expect(result.status).toBe("posted");
        for (const id of idsOf(result)) town.recorded.add(id);
      }
    };
    await drive(Promise.all(places.map(deliverAll)));

    const shown = ["general", thread.id, "random", "news"].map((channel) => textsIn(town, channel));
    expect(shown).toEqual(places.map((_, place) => Array.from({ length: 15 }, (_, row) => `reply p${place} ${row}`)));
    expect(discord.recorder.of("execute_webhook").length).toBeGreaterThan(70);
    expect(town.recorded.size).toBe(60);
  });

  it("is told from others that say the same, also after a restart", async () => {
    const town = await openOutbound();
    const { discord, drive } = town;
    const same = (id: string) => postOf(town, id, { body: { kind: "text", text: "Done." } });
    const first = await town.outbound.post(same("e1"), signal);
    for (const id of idsOf(first)) town.recorded.add(id);
    const after = town.again();

    expect(await drive(after.find(same("e2"), signal))).toEqual({ status: "absent" });
    discord.faults.add({ method: "execute_webhook", fault: { kind: "accept-then-drop" } });
    expect((await after.post(same("e2"), signal)).status).toBe("ambiguous");
    const found = await drive(town.again().find(same("e2"), signal));

    expect(found).toEqual({ status: "found", messageIds: [discord.seen("general")[1]?.id] });
  });

  it("and stands twice in one long text, is found part by part", async () => {
    const town = await openOutbound();
    const { discord, drive } = town;
    const part = (number: number) => postOf(town, "e1", { part: number, body: { kind: "text", text: "Same." } });
    discord.faults.add({ method: "execute_webhook", times: 2, fault: { kind: "accept-then-status", status: 502 } });
    await town.outbound.post(part(0), signal);
    const first = await drive(town.outbound.find(part(0), signal));
    await town.outbound.post(part(1), signal);
    const second = await drive(town.outbound.find(part(1), signal));

    const ids = discord.seen("general").map(({ id }) => id);
    expect([first, second]).toEqual(ids.map((id) => ({ status: "found", messageIds: [id] })));
    expect(await town.outbound.find(part(0), signal)).toEqual(first);
  });

  it("is not posted again before it can land no more", async () => {
    const town = await openOutbound();
    const { discord, clock } = town;
    let isDone = false;
    const post = postOf(town, "e1");
    const found = town.outbound.find(post, signal).finally(() => {
      isDone = true;
    });
    await discord.recorder.until(() => discord.recorder.of("list_messages")[0]?.outcome);
    await until(() => clock.pending === 1);
    await clock.advance(19_000);
    expect(isDone).toBe(false);

    await town.again().post(post, signal);
    await clock.advance(1_000);

    expect(await found).toEqual({ status: "found", messageIds: [discord.seen("general")[0]?.id] });
  });

  it("is known as soon as the gateway shows it, before it is looked for or while it is waited for", async () => {
    const town = await openOutbound();
    const { discord, clock } = town;
    const echo = (id: string, text: string) =>
      town.outbound.echo({
        id,
        channelId: discord.workspace.channel("general").id,
        webhookId: "1",
        applicationId: discord.applicationId,
        authorId: "1",
        username: "Alpha",
        content: text,
      });
    const [early, late] = [discord.workspace.mintId(), discord.workspace.mintId()];
    discord.faults.add({ method: "execute_webhook", fault: { kind: "drop" } });
    echo(early, "reply e1");
    expect(await town.post("reply e1")).toEqual({ status: "posted", messageIds: [early] });

    const found = town.outbound.find(postOf(town, "e2"), signal);
    await discord.recorder.until(() => discord.recorder.of("list_messages")[0]?.outcome);
    await until(() => clock.pending === 1);
    echo(late, "reply e2");

    expect(await found).toEqual({ status: "found", messageIds: [late] });
  });

  it("is not taken for another app's, another persona's, or an older one", async () => {
    const town = await openOutbound();
    const { discord, drive } = town;
    await town.post("reply e9", { id: "e0" });
    town.recorded.clear();
    await town.clock.advance(60_000);
    discord.foreignWebhook("relay", "general").say("reply e9", { username: "Alpha" });
    discord.person("ann").say("general", "reply e9");
    await town.post("reply e9", { id: "e8", identity: BETA });

    expect(await drive(town.again().find(postOf(town, "e9"), signal))).toEqual({ status: "absent" });
  });

  it("is found behind much that was said since, and not known behind too much", async () => {
    const town = await openOutbound();
    const { discord, drive } = town;
    const post = postOf(town, "e1");
    const ann = discord.person("ann");
    for (let i = 0; i < 250; i++) ann.say("general", `chat ${i}`);
    await town.again().post(post, signal);
    expect((await drive(town.outbound.find(post, signal))).status).toBe("found");
    expect(discord.recorder.of("list_messages")).toHaveLength(3);

    for (let i = 0; i < 2_000; i++) ann.say("general", `chat ${i}`);
    expect(await drive(town.outbound.find(postOf(town, "e2"), signal))).toEqual({ status: "unknown" });
  });

  it("is not repeated where the bot may not look for it, and an admin is told once", async () => {
    const town = await openOutbound({ mayReadHistory: () => false });
    town.discord.faults.add({ method: "execute_webhook", fault: { kind: "drop" } });

    expect(await town.drive(deliver(town, postOf(town, "e1")))).toMatchObject({ reason: "unknown" });
    expect(await look(town, postOf(town, "e2"))).toMatchObject({ reason: "unknown" });
    expect(town.hints).toEqual([expect.stringContaining("Read Message History")]);
    expect(town.discord.seen("general")).toEqual([]);
  });

  it("is not repeated where its words are kept from the bot", async () => {
    const town = await openOutbound();
    await town.again().post(postOf(town, "e1"), signal);
    for (const message of town.discord.workspace.channel("general").messages) message.content = "";

    expect(await look(town, postOf(town, "e1"))).toMatchObject({ reason: "unknown" });
    expect(town.hints).toEqual([expect.stringContaining("Message Content")]);
  });

  it("is looked for again when Discord cannot answer now, until it can or everything stops", async () => {
    const town = await openOutbound();
    const { discord, drive } = town;
    const post = postOf(town, "e1");
    await town.again().post(post, signal);
    discord.faults.add({ method: "list_messages", fault: { kind: "rate-limit", retryAfterSeconds: 30 } });
    discord.faults.add({ method: "list_messages", fault: { kind: "status", status: 503 } });

    expect((await drive(town.outbound.find(post, signal))).status).toBe("found");

    discord.faults.add({ method: "list_messages", times: 99, fault: { kind: "status", status: 503 } });
    const sought = town.outbound.find(postOf(town, "e2"), signal);
    town.outbound.stop();
    await expect(sought).rejects.toThrow();
  });

  it("as the bot's own stands once, by its nonce and by what its buttons say", async () => {
    const town = await openOutbound();
    const { discord, drive } = town;
    const view = {
      text: "Paused.",
      buttons: [{ action: "troupe:resume", value: `pause|${"x".repeat(120)}`, label: "Resume" }],
    };
    const notice = { ...postOf(town, "n1"), body: { kind: "view", view } as const };
    discord.faults.add({ method: "create_message", times: 2, fault: { kind: "accept-then-drop" } });
    await town.outbound.post(notice, signal);
    await town.outbound.post(notice, signal);
    const changed = { ...notice, body: { kind: "view", view: { ...view, text: "Paused, 3 held." } } as const };

    const found = await drive(town.outbound.find(changed, signal));

    expect(textsIn(town, "general")).toEqual(["Paused."]);
    expect(found).toEqual({ status: "found", messageIds: [discord.seen("general")[0]?.id] });
  });

  it("in a thread that could not be begun is found in the channel", async () => {
    const town = await openOutbound();
    const { discord, drive } = town;
    discord.workspace.deny("home", "troupe", ["createPublicThreads"], "general");
    const said = discord.person("ann").say("general", "go");
    const post = postOf(town, "e1", { session: town.session("general", said.id), replyTo: said.id });
    discord.faults.add({ method: "execute_webhook", fault: { kind: "accept-then-status", status: 500 } });

    expect((await drive(deliver(town, post))).status).toBe("posted");

    expect(discord.seen("general")).toHaveLength(2);
  });
});

describe("what never reached Discord", () => {
  it("waits for it to come back", async () => {
    const town = await openOutbound();
    await town.discord.down();

    expect(await town.post("Hi.")).toEqual({ status: "rate-limited", retryAfterMs: expect.any(Number) });

    await town.discord.up();
    expect((await town.post("Hi.")).status).toBe("posted");
  });

  it("is not sent at all once everything stops", async () => {
    const town = await openOutbound();
    town.outbound.stop();

    expect((await town.post("Hi.")).status).toBe("rate-limited");
    await settle();
    expect(town.discord.recorder.of("execute_webhook")).toEqual([]);
  });
});

/** Lets the machine work until this is so; the run's own time limit ends it otherwise. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
