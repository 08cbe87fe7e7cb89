import { describe, expect, it } from "vitest";
import { scripted } from "../../support/rooms.js";
import { listenToSlack } from "../../support/slack-listener.js";
import { startSlackRooms, taken } from "../../support/slack-rooms.js";
import type { openSlackTown } from "../../support/slack-town.js";

/** A notice with a button, posted by the app itself. */
function notice(slack: Awaited<ReturnType<typeof openSlackTown>>["slack"], thread?: string) {
  const button = {
    type: "button",
    action_id: "troupe:continue",
    value: "a&b",
    text: { type: "plain_text", text: "Continue" },
  };
  const blocks = [
    { type: "actions", elements: [button, { ...button, action_id: "troupe:continue:1", value: "second" }] },
  ];
  return slack.robot("troupe").say("general", "notice", { blocks, ...(thread === undefined ? {} : { thread }) });
}

describe("a slash command in Slack", () => {
  it("reaches the inbox with its words, names for ids, and who gave it", async () => {
    const { slack, commands, session } = await heard();
    const { delivery } = slack.person("ann").command("general", "/agent", "pause @alpha @gamma & @bob");
    await delivery.settled;
    await slack.recorder.until(() => commands.length > 0);

    expect(commands).toEqual([
      {
        session,
        text: "agent pause @alpha @gamma & bob",
        from: { kind: "person", id: slack.person("ann").id, name: "ann", isAdmin: true },
      },
    ]);
  });

  it("is acknowledged while the store is slow, and answered once, to whoever asked only", async () => {
    const { slack, answerWith } = await listenToSlack();
    let finish = () => {};
    const slow = new Promise<void>((resolve) => {
      finish = resolve;
    });
    answerWith(async () => {
      await slow;
      return { ok: true, view: { title: "Room", text: "alpha, beta" }, public: false };
    });

    const { delivery, responseUrl } = slack.person("cleo").command("general", "/agent", "room");
    expect((await delivery.settled).state).toBe("acked");
    expect(responseUrl?.uses).toEqual([]);
    finish();
    await slack.recorder.until(() => responseUrl?.uses.length === 1);

    expect(responseUrl?.uses[0]).toMatchObject({
      response_type: "ephemeral",
      text: expect.stringContaining("alpha, beta"),
    });
    expect(slack.seen("general")).toEqual([]);
  });

  it("that changes the room is answered by the room", async () => {
    const { slack, answerWith, commands } = await listenToSlack();
    answerWith(async () => ({ ok: true, view: { text: "budget 4" }, public: true }));
    const { delivery, responseUrl } = slack.person("ann").command("general", "/agent", "budget 4");
    await delivery.settled;
    await slack.recorder.until(() => commands.length > 0);

    expect(responseUrl?.uses).toEqual([]);
  });

  it("that fails says so, and the log has why", async () => {
    const { slack, answerWith, logs } = await listenToSlack();
    answerWith(() => Promise.reject(new Error("the disk is away")));
    const { responseUrl } = slack.person("ann").command("general", "/agent", "room");
    await slack.recorder.until(() => responseUrl?.uses.length === 1);

    expect(responseUrl?.uses[0]).toMatchObject({ text: expect.stringContaining("failed") });
    expect(logs.lines).toContainEqual(expect.objectContaining({ message: "what somebody asked for in Slack failed" }));
  });

  it("with an unknown word names the nearest one, in the engine's words", async () => {
    const { slack } = await startSlackRooms({ personas: [scripted("alpha", "x")] });
    const { responseUrl } = slack.person("ann").command("general", "/agent", "rooom");
    await slack.recorder.until(() => responseUrl?.uses.length === 1);

    expect(JSON.stringify(responseUrl?.uses[0])).toContain("room");
  });
});

describe("a click in Slack", () => {
  it("reaches the inbox with its room, action and value as they were made", async () => {
    const { slack, presses, session } = await heard();
    await taken(notice(slack));
    const dora = slack.person("dora");
    await dora.press(dora.sees("general", "troupe:continue")).delivery.settled;
    await slack.person("ann").press(slack.person("ann").sees("general", "troupe:continue:1")).delivery.settled;
    await slack.recorder.until(() => presses.length === 2);

    expect(presses).toEqual([
      {
        room: session,
        action: "troupe:continue",
        value: "a&b",
        from: { kind: "person", id: dora.id, name: "dora", isAdmin: false, isGuest: true },
      },
      expect.objectContaining({ action: "troupe:continue", value: "second" }),
    ]);
  });

  it("that is refused is answered in the notice's thread, to whoever pressed", async () => {
    const { slack, answerWith } = await listenToSlack();
    answerWith(async () => ({ ok: false, view: { text: "Only members may do that." }, public: false }));
    const root = slack.person("ann").say("general", "root");
    await taken(root, notice(slack, root.ts));
    slack.person("cleo").press(slack.person("cleo").sees("general", "Continue"));
    await slack.recorder.until(() => slack.board.ephemerals.length === 1);

    expect(slack.board.ephemerals[0]).toMatchObject({
      userId: slack.person("cleo").id,
      threadTs: root.ts,
      text: expect.stringContaining("Only members"),
    });
  });

  it("on a notice of a room that is gone is a clear answer", async () => {
    const { slack, logs } = await startSlackRooms({ personas: [scripted("alpha", "x")] });
    await taken(notice(slack));
    slack.person("ann").press(slack.person("ann").sees("general", "Continue"));
    await slack.recorder.until(() => slack.board.ephemerals.length === 1);

    expect(slack.board.ephemerals[0]?.text).not.toBe("");
    expect(logs.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("on somebody else's button, or with a form of its own, is acknowledged and left", async () => {
    const { slack, presses, logs } = await listenToSlack();
    const app = slack.workspace.app("troupe");
    const user = { id: "U1", team_id: slack.workspace.team.id };
    const common = { type: "block_actions", api_app_id: app.appId, team: { id: slack.workspace.team.id }, user };
    const odd = [
      { ...common, actions: [{ type: "button", action_id: "other", block_id: "b" }] },
      { ...common, actions: [{ type: "button", action_id: "troupe:continue", block_id: "b" }] },
      { ...common, type: "view_submission", view: { id: "V1", callback_id: "x" } },
    ];
    const deliveries = odd.map((body) => slack.courier.send(app, "interactive", body));
    await Promise.all(deliveries.map(({ settled }) => settled));

    expect(deliveries.map(({ state }) => state)).toEqual(["acked", "acked", "acked"]);
    expect(presses).toEqual([]);
    expect(logs.lines).toContainEqual(
      expect.objectContaining({ message: "a click from Slack has not the form of one" }),
    );
  });
});

async function heard() {
  const listener = await listenToSlack();
  const { workspace } = listener.slack;
  return { ...listener, session: `slack:${workspace.team.id}:${workspace.channel("general").id}` };
}
