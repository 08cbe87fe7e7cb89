import { describe, expect, it } from "vitest";
import { ALPHA, GAMMA, openOutbound } from "./outbound-harness.js";

describe("a persona's post", () => {
  it("has its name and picture, its mark, and no previews", async () => {
    const { slack, post } = await openOutbound();

    expect(await post("hello")).toEqual({ status: "posted", messageIds: [expect.any(String)] });
    await post("**ho**", {
      id: "e2",
      identity: { name: "fox", displayName: "Fox", avatar: "https://a.example/fox.png" },
    });

    expect(slack.transcript("general")).toEqual([
      ":compass: Alpha [APP]: hello",
      "https://a.example/fox.png Fox [APP]: ho",
    ]);
    expect(slack.recorder.of("chat.postMessage").map(({ args }) => args)).toMatchObject([
      {
        metadata: { event_type: "troupe_entry", event_payload: { id: "e1", n: 0 } },
        unfurl_links: "false",
        unfurl_media: "false",
      },
      { metadata: { event_payload: { id: "e2", n: 0 } } },
    ]);
  });

  it("goes into the thread of its session, each part of it, and never into the channel as well", async () => {
    const { slack, session, postAll } = await openOutbound();
    const root = slack.person("ann").say("general", "question");

    await postAll("word ".repeat(5_000), { session: session("general", root.ts) });

    const requests = slack.recorder.of("chat.postMessage");
    expect(requests.length).toBeGreaterThan(1);
    expect(requests.every(({ args }) => args.thread_ts === root.ts && args.reply_broadcast === undefined)).toBe(true);
    expect(slack.transcript("general").filter((line) => !line.startsWith("  "))).toHaveLength(1);
  });

  it("to a thread whose root is gone is not left in the channel", async () => {
    const { slack, session, post } = await openOutbound();
    const ann = slack.person("ann");
    const root = ann.say("general", "question");
    ann.remove(root);

    const result = await post("answer", { session: session("general", root.ts) });

    expect(result).toEqual({ status: "rejected", reason: expect.stringContaining("the thread is gone"), retry: false });
    expect(slack.transcript("general")).toEqual([]);
  });

  it("of a persona with an app of its own is posted by that app, found again, and by the main app where that one is not", async () => {
    const { slack, clock, session, post, outbound, hints } = await openOutbound({ hasOwnApp: true });

    await post("hello", { identity: GAMMA });
    await post("hi", { id: "e2", identity: GAMMA, session: session("den") });

    expect(slack.transcript("general")).toEqual(["Gamma [APP]: hello"]);
    expect(slack.recorder.of("chat.postMessage", "gamma")[0]?.args).not.toHaveProperty("username");
    expect(slack.transcript("den")).toEqual([":gem: Gamma [APP]: hi"]);
    expect(hints).toEqual([expect.stringContaining("The app of gamma cannot post")]);
    const found = await outbound.find(
      { id: "e1", session: session(), part: 0, body: { kind: "text", text: "hello" }, attemptedAt: clock.now() },
      AbortSignal.timeout(5_000),
    );
    expect(found.status).toBe("found");
  });
});

describe("without the right to post under other names", () => {
  it("a post stands once, with the name in the text; an admin is told once, and later posts do not try", async () => {
    const { slack, post, hints } = await openOutbound();
    slack.workspace.app("troupe").scopes.delete("chat:write.customize");

    await post("hello");
    await post("# Plan", { id: "e2" });
    await post("<@U1> hi", { id: "e3", identity: GAMMA });

    expect(slack.transcript("general")).toEqual([
      "Troupe [APP]: *Alpha:* hello",
      "Troupe [APP]: Alpha:\nPlan",
      "Troupe [APP]: Gamma: <@U1> hi",
    ]);
    expect(slack.recorder.of("chat.postMessage").map(({ outcome }) => outcome)).toEqual([
      "missing_scope",
      "ok",
      "ok",
      "ok",
    ]);
    expect(hints).toEqual([expect.stringContaining("chat:write.customize")]);
  });

  it("and with a picture that Slack refuses, only the picture is left out later", async () => {
    const { slack, post, hints } = await openOutbound();
    const reasons = ["[ERROR] must be a valid URL [json-pointer:/icon_url]"];
    const isWithPicture = (args: object) => "icon_url" in args;
    slack.faults.add({
      method: "chat.postMessage",
      times: 100,
      when: isWithPicture,
      fault: { kind: "error", error: "invalid_arguments", extra: { response_metadata: { messages: reasons } } },
    });
    const identity = { ...ALPHA, avatar: "https://a.example/404.png" };

    await post("one", { identity });
    await post("two", { id: "e2", identity });

    expect(slack.transcript("general")).toEqual(["Troupe [APP]: *Alpha:* one", "Alpha [APP]: two"]);
    expect(slack.recorder.of("chat.postMessage").map(({ outcome }) => outcome)).toEqual([
      "invalid_arguments",
      "ok",
      "ok",
    ]);
    expect(hints).toEqual([expect.stringContaining("avatar of alpha")]);
  });
});

describe("agent text", () => {
  const loud = "<!channel> <!here> <!everyone|all> <!subteam^S1> <@U0ANN> <#C1> @everyone @here @channel, @beta";

  it.each([
    ["in Markdown", loud],
    ["in code", `see\n\n\`\`\`\n${loud}\n\`\`\`\n\nand \`${loud}\``],
    ["in a table", `| a |\n|---|\n| ${loud.replaceAll("|", "\\|")} |`],
    ["in a quote and a link", `> ${loud}\n\n[${loud}](https://a.example)`],
    ["escaped", loud.replaceAll("<", "\\<")],
    ["in a heading", `# ${loud}`],
  ])("calls nobody %s", async (_, text) => {
    const { slack, post } = await openOutbound();
    slack.faults.add({
      method: "chat.postMessage",
      skip: 1,
      times: 1,
      fault: { kind: "error", error: "invalid_blocks" },
    });

    await post(text);
    await post(text, { id: "e2", identity: { ...ALPHA, displayName: "<!here> @channel" } });

    expect(slack.transcript("general")).toHaveLength(2);
    expect(slack.board.calls).toEqual([]);
    for (const { args } of slack.recorder.of("chat.postMessage")) {
      expect(JSON.stringify(args)).not.toMatch(/<!|<@/);
      expect(String(args.username)).not.toMatch(/@channel|</);
    }
    expect(slack.transcript("general").join()).toContain("@beta");
  });
});

describe("a long text", () => {
  it("of 12,000 characters is all there, in order, to its END", async () => {
    const { slack, postAll } = await openOutbound();
    const text = `${Array.from({ length: 400 }, (_, i) => `Sentence ${i} of the story goes on.`).join(" ")} END`;

    await postAll(text);

    const shown = slack.seen("general").map((message) => message.text);
    expect(shown.length).toBeGreaterThan(1);
    expect(shown.join(" ").replace(/\s+/g, " ")).toBe(text);
    expect(slack.seen("general").every(({ name, icon }) => name === "Alpha" && icon === ":compass:")).toBe(true);
  });

  it("whose blocks Slack refuses goes as texts that Slack does not cut, once, each with its name", async () => {
    const { slack, postAll } = await openOutbound();
    slack.limiter.limits.splitTextAt = 4_000;
    slack.faults.add({
      method: "chat.postMessage",
      times: 9,
      when: (args) => "blocks" in args,
      fault: { kind: "error", error: "invalid_blocks" },
    });
    const code = Array.from({ length: 120 }, (_, i) => `const line${i} = ${"1 + ".repeat(15)}1;`).join("\n");

    await postAll(`# Title\n\n\`\`\`ts\n${code}\n\`\`\`\n\nEND`);

    const shown = slack.seen("general");
    expect(shown.map(({ text }) => text.length).every((length) => length <= 3_900)).toBe(true);
    expect(
      shown
        .map(({ text }) => text)
        .join("\n")
        .replaceAll("\n```\n```\n", "\n"),
    ).toBe(`*Title*\n\n\`\`\`\n${code}\n\`\`\`\n\nEND`);
    expect(shown.every(({ name }) => name === "Alpha")).toBe(true);
  });
});

describe("a failure", () => {
  it.each([
    ["is_archived", { status: "rejected", retry: false, reason: expect.stringContaining("unarchive") }],
    ["not_in_channel", { status: "rejected", retry: false, reason: expect.stringContaining("/invite") }],
    ["msg_too_long", { status: "rejected", retry: false }],
    ["service_unavailable", { status: "rejected", retry: true }],
    ["token_revoked", { status: "rate-limited", retryAfterMs: 60_000 }],
    ["ratelimited", { status: "rate-limited" }],
    ["internal_error", { status: "ambiguous" }],
  ])("of the kind %s is told as what it is", async (error, expected) => {
    const { slack, post } = await openOutbound();
    slack.faults.add({ method: "chat.postMessage", times: 2, fault: { kind: "error", error } });

    expect(await post("hello")).toMatchObject(expected);
    expect(slack.transcript("general")).toEqual([]);
  });

  it.each(["accept-then-drop", "accept-then-status", "drop", "status", "garbage"] as const)(
    "of the kind %s leaves it open, and a look tells",
    async (kind) => {
      const { slack, clock, session, post, outbound } = await openOutbound();
      slack.faults.add({ method: "chat.postMessage", fault: { kind, status: 503 } });

      expect(await post("hello")).toMatchObject({ status: "ambiguous" });
      const sought = { id: "e1", session: session(), part: 0, body: { kind: "text", text: "hello" } as const };
      const found = await outbound.find({ ...sought, attemptedAt: clock.now() }, new AbortController().signal);

      expect(found.status).toBe(kind.startsWith("accept") ? "found" : "absent");
      expect(slack.transcript("general")).toHaveLength(kind.startsWith("accept") ? 1 : 0);
    },
  );

  it("to answer leaves it open when the call is given up", async () => {
    const { slack, clock, session, outbound } = await openOutbound();
    slack.faults.add({ method: "chat.postMessage", fault: { kind: "accept-then-hang" } });
    const giveUp = new AbortController();
    const body = { kind: "text", text: "hello" } as const;

    const result = outbound.post({ id: "e1", session: session(), part: 0, body }, giveUp.signal);
    await slack.recorder.until(() => slack.recorder.of("chat.postMessage")[0]);
    giveUp.abort();
    await clock.advance(2_000);

    expect(await result).toMatchObject({ status: "ambiguous" });
  });
});
