import { describe, expect, it } from "vitest";
import { draw, splitBody } from "../../../adapters/slack/outbound/blocks.js";
import { viewBlocks, viewFallback } from "../../../adapters/slack/outbound/view-blocks.js";
import { listenToSlack } from "../../support/slack-listener.js";
import { taken } from "../../support/slack-rooms.js";

const CALLS = ["<!channel>", "<!here>", "<!everyone>", "<@U1>", "<#C1>", "<!subteam^S1>", "@channel", "@here"];

/** Places to hide a call in. */
const HIDES: readonly ((call: string) => string)[] = [
  (call) => call,
  (call) => `\`${call}\``,
  (call) => `\`\`a\` ${call} \`\``,
  (call) => `[${call}](https://a.example)`,
  (call) => `[a](<https://a.example ${call}>)`,
  (call) => `<https://a.example|${call}>`,
  (call) => `![${call}](https://a.example "${call}")`,
  (call) => `[a]: https://a.example "${call}"\n\n[a]`,
  (call) => `\\${call}`,
  (call) => `\\\\${call}`,
  (call) => `...${call}`,
  (call) => `-${call}-`,
  (call) => `**x**${call}`,
  (call) => `| a |\n|---|\n| ${call} |`,
  (call) => `[^${call}]\n\n[^${call}]: ${call}`,
  (call) => `<<${call}>>`,
  (call) => `<div>${call}</div>`,
];

/** Tokens anywhere, and the words for everybody outside of code. */
function callsIn(text: string): readonly string[] {
  const tokens = text.match(/<[@#!]/g) ?? [];
  return [...tokens, ...(text.replace(/``.*?``|`[^`]*`/g, "").match(/(?<![\w@/])@(?:channel|here)(?!\w)/g) ?? [])];
}

/** Every text that Slack would get for this one, as a reply, with a name in front, and as each part of a notice. */
function sentFor(text: string, name: string): readonly string[] {
  const drawn = [undefined, `Al ${name}`].flatMap((speaker) => {
    const { whole, pieces } = draw({ kind: "text", text }, speaker);
    return [...(whole === undefined ? [] : [whole]), ...pieces()];
  });
  const button = { action: "troupe:retry", value: "v", label: text };
  const view = { title: text, text, fields: [{ label: text, value: text }], buttons: [button] };
  const texts = [...drawn.flatMap((one) => textsIn(one.blocks)), ...textsIn(viewBlocks(view))];
  return [...drawn.map((one) => one.text), viewFallback(view), ...texts];
}

/** All texts below this value. */
function textsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "text" && typeof inner === "string" ? [inner] : textsIn(inner),
  );
}

describe("a call for everybody in what a persona says", () => {
  it.each(CALLS)("%s calls nobody, wherever it hides and whichever way it goes", (call) => {
    const leaks = HIDES.flatMap((hide) => sentFor(hide(call), call).filter((text) => callsIn(text).length > 0));

    expect(leaks).toEqual([]);
  });
});

describe("a long text of many small blocks", () => {
  it("is read a few times, not once for every part: that would take longer than a test may", () => {
    const text = "# a\n".repeat(5_000);
    const parts = splitBody({ kind: "text", text });
    const texts = parts.map((part) => (part.kind === "text" ? part.text : ""));

    expect(parts.length).toBeGreaterThan(100);
    expect(texts.join("\n").trim()).toBe(text.trim());
  });
});

describe("what nobody should send", () => {
  it("is acknowledged, leaves nothing behind, and the next message is taken", async () => {
    const { slack, messages, presses } = await listenToSlack();
    const app = slack.workspace.app("troupe");
    const channel = slack.workspace.channel("general").id;
    const nested = (depth: number): unknown =>
      depth === 0 ? { type: "text", text: "x" } : { type: "rich_text_section", elements: [nested(depth - 1)] };
    const event = (inner: object) => ({ type: "event_callback", team_id: slack.workspace.team.id, event: inner });
    const events = [
      event({ type: "message" }),
      event({ type: "message", channel, ts: "1.2" }),
      event({ type: "message", channel: 7, user: [], text: {}, ts: "x" }),
      event({ type: "message", subtype: "brand_new", channel, ts: "1700000000.000100", user: "U1", text: "@alpha hi" }),
      event({ type: "message", subtype: "message_changed", channel, ts: "1700000000.000200" }),
      event({ type: "message", subtype: "message_deleted", channel, ts: "1700000000.000300", previous_message: [] }),
      event({ type: "app_mention", channel, ts: "1700000000.000400" }),
      event({ type: "no_such_event" }),
      event({ type: "message", channel, ts: "1700000000.000500", user: "U1", blocks: [nested(2_000)], text: "" }),
      event({ type: "message", channel, ts: "1700000000.000600", user: "U1", blocks: "none", text: "" }),
    ];
    // These are no envelopes at all: nobody can acknowledge them.
    slack.courier.send(app, "events_api", { type: "event_callback" });
    slack.courier.send(app, "events_api", { type: "event_callback", event: null });
    const sent = events.map((body) => slack.courier.send(app, "events_api", body));
    const clicks = [
      { type: "block_actions" },
      { type: "block_actions", user: {}, actions: [] },
      { type: "block_actions", user: { id: "U1" }, actions: [{ action_id: "troupe:resume" }] },
      { type: "block_actions", user: { id: "U1" }, channel: { id: channel }, actions: [{ action_id: "elsewhere" }] },
    ].map((body) => slack.courier.send(app, "interactive", body));

    const results = await Promise.all([...sent, ...clicks].map(({ settled }) => settled));
    await taken(slack.person("ann").say("general", "still here"));

    expect(results.filter(({ state }) => state !== "acked").map(({ body }) => body)).toEqual([]);
    expect(messages.map(({ text }) => text)).toEqual(["still here"]);
    expect(presses).toEqual([]);
  });
});

describe("a stranger from another team", () => {
  it("is a guest without an admin's rights, in what is said, pressed and commanded", async () => {
    const { slack, messages, presses, commands } = await listenToSlack();
    const button = {
      type: "button",
      action_id: "troupe:resume",
      value: "v",
      text: { type: "plain_text", text: "Resume" },
    };
    slack.robot("troupe").say("general", "paused", { blocks: [{ type: "actions", elements: [button] }] });
    const dora = slack.person("dora");
    await taken(dora.say("general", "@Troupe resume"));
    await dora.press(dora.sees("general", "Resume")).delivery.settled;
    await dora.command("general", "/agent", "resume").delivery.settled;
    await slack.recorder.until(() => commands.length > 0 && presses.length > 0);

    const from = [...messages, ...presses, ...commands].map((it) => it.from);
    expect(from).toHaveLength(3);
    for (const sender of from) expect(sender).toMatchObject({ id: dora.id, isAdmin: false, isGuest: true });
  });
});
