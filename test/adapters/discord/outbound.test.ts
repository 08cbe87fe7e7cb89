import { describe, expect, it } from "vitest";
import type { View } from "../../../src/index.js";
import { ALPHA, BETA, idsOf, openOutbound } from "./outbound-harness.js";

const { signal } = new AbortController();

describe("a persona's post", () => {
  it("bears its own name and picture through one webhook of the app, which every persona uses", async () => {
    const { discord, post } = await openOutbound();

    const results = [await post("Hi."), await post("Hello.", { id: "e2", identity: BETA })];

    const seen = discord.seen("general");
    expect(seen.map(({ name, avatar, text, isWebhook }) => ({ name, avatar, text, isWebhook }))).toEqual([
      { name: "Alpha", avatar: ALPHA.avatar, text: "Hi.", isWebhook: true },
      { name: "Beta", avatar: undefined, text: "Hello.", isWebhook: true },
    ]);
    expect(results.flatMap(idsOf)).toEqual(seen.map(({ id }) => id));
    expect([...discord.workspace.webhooks.values()]).toHaveLength(1);
    expect(
      discord.recorder.of("execute_webhook").every(({ token, query }) => token === "none" && query.wait === "true"),
    ).toBe(true);
  });

  it("calls nobody, whatever it says, and says so to Discord in each post and each edit", async () => {
    const { discord, post, outbound, session } = await openOutbound();
    const ann = discord.person("ann");
    const text = `@everyone @here <@${ann.id}> <@&${ann.id}> </agent:${ann.id}> \`@everyone\``;

    const persona = await post(text);
    const bot = await post({ kind: "view", view: { text } }, { id: "n1" });
    for (const [id, result] of Object.entries({ e1: persona, n1: bot }))
      await outbound.edit(
        { id, session: session(), part: 0, body: { kind: "view", view: { text } } },
        idsOf(result),
        signal,
      );

    for (const { pinged, text: shown } of discord.seen("general")) {
      expect(pinged).toEqual([]);
      expect(shown).toBe(
        `@\u200beveryone @\u200bhere <\u200b@${ann.id}> <\u200b@&${ann.id}> <\u200b/agent:${ann.id}> \`@everyone\``,
      );
    }
    const shows = discord.recorder.requests.filter(({ verb, body }) => verb !== "GET" && hasContent(body));
    expect(shows.length).toBeGreaterThanOrEqual(4);
    for (const { body } of shows) expect(body).toMatchObject({ allowed_mentions: { parse: [] } });
  });

  it("leads to what it answers, but not in a thread that began on it", async () => {
    const { discord, post, session } = await openOutbound();
    const ann = discord.person("ann");
    const said = ann.say("general", "go");
    const thread = ann.openThread("general", "talk", { on: said });

    await post("Here.", { replyTo: said.id });
    await post("There.", { id: "e2", replyTo: said.id, session: session("general", thread.id) });
    await post("Second part.", { part: 1, replyTo: said.id });

    const [, first, second] = discord.seen("general");
    const guild = discord.workspace.guild("home").id;
    expect(first?.text).toBe(
      `-# ↪ [jump](https://discord.com/channels/${guild}/${discord.workspace.channel("general").id}/${said.id})\nHere.`,
    );
    expect(second?.text).toBe("Second part.");
    expect(discord.seen(thread.id).map(({ text }) => text)).toEqual(["There."]);
  });

  it("is cut where Discord would not take it, with nothing lost", async () => {
    const { discord, postAll } = await openOutbound();
    const fence = ["```ts", ...Array.from({ length: 300 }, (_, line) => `const w${line}x = ${line};`), "```"].join(
      "\n",
    );
    const words = Array.from({ length: 800 }, (_, word) => `v${word}y`).join(" ");

    const results = await postAll(`${fence}\n\n${words}`);

    const texts = discord.seen("general").map(({ text }) => text);
    expect(results.every(({ status }) => status === "posted")).toBe(true);
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.every((text) => text.length <= 2_000)).toBe(true);
    expect(texts.join("\n").match(/w\d+x/g)).toEqual(Array.from({ length: 300 }, (_, line) => `w${line}x`));
    expect(texts.join("\n").match(/v\d+y/g)).toEqual(Array.from({ length: 800 }, (_, word) => `v${word}y`));
    for (const text of texts) expect((text.match(/```/g) ?? []).length % 2).toBe(0);
  });

  it("is in Discord's dialect", async () => {
    const { discord, post, postAll } = await openOutbound();
    await post("[https://a.example/x](https://a.example/x) [docs](https://a.example) ![cat](https://a.example/c.png)");
    await post("#### Deep\n`[b](https://b.example)`", { id: "e2" });
    await postAll("| a | b |\n| - | - |\n| 1 | 2 |", { id: "e3" });

    const [links, heading, table] = discord.seen("general").map(({ text }) => text);
    expect(links).toBe("https://a.example/x [docs](https://a.example) [cat](https://a.example/c.png)");
    expect(heading).toBe("**Deep**\n`[b](https://b.example)`");
    expect(table).toMatch(/^```[\s\S]*1 +\| 2[\s\S]*```$/);
    expect(discord.recorder.of("execute_webhook").map(({ body }) => body)).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ flags: 4 })),
    );
  });

  it.each([
    ["Clyde the Great", "Clyd\u200ae the Great"],
    ["Discord Pro", "Discor\u200ad Pro"],
    ["here", "her\u200ae"],
    ["Everyone", "Everyon\u200ae"],
    ["A@B#C:D", "A＠B＃CːD"],
    ["x".repeat(100), "x".repeat(80)],
  ])("of %s has a name that Discord takes", async (displayName, shown) => {
    const { discord, post } = await openOutbound();

    expect(await post("Hi.", { identity: { name: "p", displayName } })).toMatchObject({ status: "posted" });

    expect(discord.seen("general").map(({ name }) => name)).toEqual([shown]);
  });

  it("goes by its handle, then by the bot, where Discord refuses its name; an admin is told once", async () => {
    const { discord, post, hints } = await openOutbound();
    const refuse = (name: string) =>
      discord.faults.add({
        method: "execute_webhook",
        times: 99,
        when: ({ body }) => body.username === name,
        fault: { kind: "error", code: 50035, errors: { username: { _errors: [{ code: "USERNAME_INVALID" }] } } },
      });
    refuse("Alpha");
    await post("One.");
    await post("Two.", { id: "e2" });
    refuse("alpha");
    await post("Three.", { id: "e3" });
    await post("Four.", { id: "e4" });

    expect(discord.transcript("general")).toEqual([
      "alpha [APP]: One.",
      "alpha [APP]: Two.",
      "Troupe [APP]: **Alpha:** Three.",
      "Troupe [APP]: **Alpha:** Four.",
    ]);
    expect(hints).toEqual([expect.stringContaining('refuses "Alpha" as a name')]);
  });

  it("goes without a picture that Discord refuses", async () => {
    const { discord, post, hints } = await openOutbound();
    discord.faults.add({
      method: "execute_webhook",
      times: 99,
      when: ({ body }) => "avatar_url" in body,
      fault: { kind: "error", code: 50035, errors: { avatar_url: { _errors: [{ code: "URL_TYPE_INVALID" }] } } },
    });

    await post("One.");
    await post("Two.", { id: "e2" });

    expect(discord.transcript("general")).toEqual(["Alpha [APP]: One.", "Alpha [APP]: Two."]);
    expect(discord.recorder.of("execute_webhook")).toHaveLength(3);
    expect(hints).toEqual([expect.stringContaining("avatar of alpha")]);
  });
});

describe("a thread", () => {
  it("begins on the message that its first answer answers, named after what is said", async () => {
    const { discord, post, session } = await openOutbound();
    const said = discord.person("ann").say("general", "go");

    await post("**Gladly**, and at once.\nMore.", { session: session("general", said.id), replyTo: said.id });
    await post("Again.", { id: "e2", session: session("general", said.id), replyTo: "1" });

    const [root] = discord.seen("general");
    expect(root?.thread.map(({ name, text }) => `${name}: ${text.split("\n").at(-1)}`)).toEqual([
      "Alpha: More.",
      "Alpha: Again.",
    ]);
    expect(discord.workspace.channel(said.id).name).toBe("Gladly, and at once.");
    expect(discord.recorder.of("create_thread_from_message")).toHaveLength(1);
  });

  it("that somebody has begun meanwhile is used", async () => {
    const { discord, post, session } = await openOutbound();
    const ann = discord.person("ann");
    const said = ann.say("general", "go");
    ann.openThread("general", "talk", { on: said });

    await post("Here.", { session: session("general", said.id), replyTo: said.id });

    expect(discord.recorder.of("create_thread_from_message").map(({ outcome }) => outcome)).toEqual(["160004"]);
    expect(discord.seen(said.id).map(({ text }) => text)).toEqual(["Here."]);
  });

  it("that may not be begun is answered in the channel, and an admin is told once", async () => {
    const { discord, post, session, hints } = await openOutbound();
    discord.workspace.deny("home", "troupe", ["createPublicThreads"], "general");
    const said = discord.person("ann").say("general", "go");
    const thread = { session: session("general", said.id) };

    await post("One.", { ...thread, replyTo: said.id });
    await post("Two.", { ...thread, id: "e2" });
    await post("Three.", { ...thread, id: "e3", identity: BETA });

    const texts = discord.seen("general").map(({ name, text }) => `${name}: ${text.split("\n").at(-1)}`);
    expect(texts).toEqual(["Ann: go", "Alpha: One.", "Alpha: Two.", "Beta: Three."]);
    expect(hints).toEqual([expect.stringContaining("Create Public Threads")]);
  });

  it("opens again by a post; a locked one refuses, with the mend", async () => {
    const { discord, post, session, hints } = await openOutbound();
    const thread = discord.person("ann").openThread("general", "talk");
    discord.admin.archive(thread.id);
    await post("One.", { session: session("general", thread.id) });
    expect(discord.seen(thread.id).map(({ text }) => text)).toEqual(["One."]);
    discord.admin.lock(thread.id);

    const persona = await post("Two.", { id: "e2", session: session("general", thread.id) });
    const bot = await post({ kind: "view", view: { text: "Three." } }, { session: session("general", thread.id) });

    for (const result of [persona, bot])
      expect(result).toEqual({ status: "rejected", reason: expect.stringContaining("unlock"), retry: false });
    expect(discord.seen(thread.id)).toHaveLength(1);
    expect(hints).toEqual([expect.stringContaining("unlock")]);
  });

  it("of a forum is spoken in; in the forum itself nothing can be said", async () => {
    const { discord, post, session } = await openOutbound();
    const first = discord.person("ann").openPost("ideas", "A title", "first");

    await post("Here.", { session: session("ideas", first.channel), replyTo: first.id });
    const outside = await post("There.", { id: "e2", session: session("ideas") });

    expect(discord.seen(first.channel).map(({ name, text }) => `${name}: ${text}`)).toEqual([
      "Ann: first",
      "Alpha: Here.",
    ]);
    expect(outside).toEqual({ status: "rejected", reason: expect.stringContaining("forum"), retry: false });
  });

  it("or a channel that is gone is refused for good, and other rooms are not harmed", async () => {
    const { discord, post, session } = await openOutbound();
    const thread = discord.person("ann").openThread("general", "talk");
    await post("One.", { session: session("general", thread.id) });
    const gone = [session("general", thread.id), session("random")];
    discord.admin.deleteChannel(thread.id);
    discord.admin.deleteChannel("random");

    for (const [index, one] of gone.entries())
      expect(await post("Two.", { id: `gone${index}`, session: one })).toMatchObject({
        status: "rejected",
        reason: expect.stringContaining("gone"),
        retry: false,
      });

    expect(await post("Three.", { id: "e3" })).toMatchObject({ status: "posted" });
  });
});

describe("what the app says itself", () => {
  const open: View = {
    title: "Budget used up",
    text: "Six of six are used.",
    fields: [{ label: "Held", value: "2" }],
    buttons: [
      { action: "troupe:continue", value: "budget|s|1", label: "Continue", style: "primary" },
      { action: "troupe:drop", value: "budget|s|1", label: "Drop held", style: "danger" },
    ],
  };

  it("is the bot's own message, with buttons, and is changed in place", async () => {
    const { discord, post, outbound, session } = await openOutbound();

    const result = await post({ kind: "view", view: open }, { id: "n1" });
    const [before] = discord.seen("general");
    const done: View = { title: "Budget used up", text: "Ann continued." };
    const edited = await outbound.edit(
      { id: "n1", session: session(), part: 0, body: { kind: "view", view: done } },
      idsOf(result),
      signal,
    );

    expect(before).toMatchObject({
      name: "Troupe",
      isWebhook: false,
      text: "**Budget used up**\nSix of six are used.\n**Held:** 2",
      buttons: ["Continue", "Drop held"],
    });
    expect(edited).toEqual(result);
    expect(discord.seen("general")).toMatchObject([{ text: "**Budget used up**\nAnn continued.", buttons: [] }]);
    expect(discord.recorder.of("create_message")[0]?.body).toMatchObject({
      enforce_nonce: true,
      nonce: expect.stringMatching(/^[a-z2-7]{25}$/),
    });
  });

  it("is said once, though it was sent twice; and what was said and deleted counts as said", async () => {
    const { discord, post } = await openOutbound();
    const first = await post({ kind: "view", view: open }, { id: "n1" });
    const second = await post({ kind: "view", view: open }, { id: "n1" });
    discord.faults.add({ method: "create_message", fault: { kind: "error", code: 10008 } });
    const third = await post({ kind: "view", view: open }, { id: "n2" });

    expect(second).toEqual(first);
    expect(discord.seen("general")).toHaveLength(1);
    expect(third).toMatchObject({ status: "posted", messageIds: [expect.any(String)] });
  });

  it("reaches one person as words of the bot that call nobody", async () => {
    const { discord, outbound, session } = await openOutbound();
    const ann = discord.person("ann");

    await outbound.ephemeral(session(), ann.id, { text: "Whom do you mean?" });
    await outbound.ephemeral(session(), ann.id, { text: "Whom do you mean?" });

    expect(discord.transcript("general")).toEqual([
      "Troupe [APP]: Whom do you mean?",
      "Troupe [APP]: Whom do you mean?",
    ]);
    discord.workspace.deny("home", "troupe", ["sendMessages"], "general");
    await expect(outbound.ephemeral(session(), ann.id, { text: "Whom?" })).rejects.toThrow(/Send Messages/);
  });

  it("opens an archived thread to change what stands there", async () => {
    const { discord, post, outbound, session } = await openOutbound();
    const thread = discord.person("ann").openThread("general", "talk");
    const inThread = { session: session("general", thread.id) };
    const result = await post({ kind: "view", view: open }, { id: "n1", ...inThread });
    discord.admin.archive(thread.id);

    const view: View = { text: "Over." };
    const edited = await outbound.edit(
      { id: "n1", part: 0, ...inThread, body: { kind: "view", view } },
      idsOf(result),
      signal,
    );

    expect(edited.status).toBe("posted");
    expect(discord.seen(thread.id)).toMatchObject([{ text: "Over.", buttons: [] }]);
  });
});

describe("a persona's message", () => {
  it.each(["in the channel", "in a thread"])("%s is changed through its webhook, in another run too", async (where) => {
    const { discord, post, again, session } = await openOutbound();
    const thread = where === "in a thread" ? discord.person("ann").openThread("general", "talk").id : undefined;
    const place = { session: session("general", thread) };
    const result = await post("One.", place);

    const edited = await again().edit(
      { id: "e1", part: 0, identity: ALPHA, ...place, body: { kind: "text", text: "Two." } },
      idsOf(result),
      signal,
    );

    expect(edited).toEqual(result);
    expect(discord.seen(thread ?? "general").map(({ name, text }) => `${name}: ${text}`)).toEqual(["Alpha: Two."]);
  });

  it("that has become shorter loses its last messages", async () => {
    const { discord, postAll, outbound, session } = await openOutbound();
    const results = await postAll(Array.from({ length: 900 }, (_, word) => `word${word}`).join(" "));

    const edited = await outbound.edit(
      { id: "e1", part: 0, identity: ALPHA, session: session(), body: { kind: "text", text: "Short." } },
      results.flatMap(idsOf),
      signal,
    );

    expect(edited.status).toBe("posted");
    expect(discord.seen("general").map(({ text }) => text)).toEqual(["Short."]);
  });
});

describe("a direct conversation", () => {
  it("has no webhooks: the bot writes the persona's name", async () => {
    const { discord, post } = await openOutbound();
    const said = discord.person("ann").say("@troupe", "hi");

    await post("Hello.", { session: `discord:dm:${said.channel}` });

    expect(discord.seen(said.channel).map(({ name, text }) => `${name}: ${text}`)).toEqual([
      "Ann: hi",
      "Troupe: **Alpha:** Hello.",
    ]);
    expect(discord.recorder.of("list_channel_webhooks")).toEqual([]);
  });
});

function hasContent(body: unknown): boolean {
  return typeof body === "object" && body !== null && "content" in body;
}
