import { describe, expect, it } from "vitest";
import { startServer } from "../support/http-harness.js";
import { passUntil } from "../support/passing.js";
import { scripted } from "../support/rooms.js";
import { type SlackRooms, startSlackRooms, taken } from "../support/slack-rooms.js";
import { openSlackTown } from "../support/slack-town.js";

const alpha = scripted("alpha", "Alpha here: {{text}}");
const slow = scripted("slow", { steps: [{ delayMs: 1_000 }, { say: "Done." }] });
const broken = scripted("broken", { steps: [{ fail: "temporary" }] });

/** Everything goes on: a mention elsewhere is answered, and nothing was an error but this. */
async function goesOn({ slack, shows, logs }: SlackRooms, ...errors: readonly string[]): Promise<void> {
  slack.person("ann").say("den", "@alpha still there?");
  await shows("den", "Alpha here: @alpha still there?");
  const said = logs.lines.filter(({ level }) => level === "error").map(({ message }) => message);
  expect(said).toEqual(errors.map((error) => expect.stringContaining(error)));
}

describe("what Slack should not send", () => {
  it("a request with a bad or a stale signature is a 401 and leaves nothing in the room", async () => {
    const town = await openSlackTown();
    const app = town.slack.workspace.app("troupe");
    const { server, url } = await startServer();
    app.requestUrl = `${url}/slack/events`;
    const transport = { mode: "http", signingSecret: app.signingSecret, mount: server } as const;
    const rooms = await startSlackRooms({ personas: [alpha], town, adapter: { transport } });
    const { slack, clock } = rooms;
    const channel = slack.workspace.channel("general").id;
    const event = {
      type: "message",
      channel,
      channel_type: "channel",
      user: "U1",
      text: "@alpha",
      ts: "1767600009.000100",
    };
    const body = JSON.stringify({ type: "event_callback", team_id: slack.workspace.team.id, event, event_id: "Ev1" });

    const bad = await slack.http.post(app, body, { secret: "another" });
    const stale = await slack.http.post(app, body, { timestamp: Math.trunc(clock.now() / 1_000) - 600 });

    expect([bad.status, stale.status]).toEqual([401, 401]);
    expect(await rooms.log("general")).toEqual([]);
    await goesOn(rooms);
  });

  it("a request larger than any that Slack makes of a message is a 413, and leaves nothing in the room", async () => {
    const town = await openSlackTown();
    const app = town.slack.workspace.app("troupe");
    const { server, url } = await startServer();
    app.requestUrl = `${url}/slack/events`;
    const transport = { mode: "http", signingSecret: app.signingSecret, mount: server } as const;
    const rooms = await startSlackRooms({ personas: [alpha], town, adapter: { transport } });
    const event = { type: "message", text: "a".repeat(1_100_000) };
    const body = JSON.stringify({ type: "event_callback", team_id: town.slack.workspace.team.id, event });

    expect((await town.slack.http.post(app, body)).status).toBe(413);

    expect(await rooms.log("general")).toEqual([]);
    await goesOn(rooms);
  });

  it("malformed blocks from another app are read as far as they go", async () => {
    const rooms = await startSlackRooms({ personas: [alpha] });
    const blocks = [
      { type: "rich_text", elements: "none" },
      { type: "rich_text", elements: [{ type: "rich_text_section", elements: [{ type: "user" }, 7, null] }] },
      { type: "section", text: 3 },
      {},
    ];
    await taken(
      rooms.slack.robot("pager").say("general", "the text", { blocks, attachments: [{ text: 5, blocks: "x" }] }),
      rooms.slack.person("ann").say("general", "hello", { raw: true, blocks }),
    );

    expect(await rooms.log("general")).toHaveLength(2);
    await goesOn(rooms);
  });

  it("a message that is too long is one line in the log", async () => {
    const rooms = await startSlackRooms({ personas: [alpha] });
    await taken(rooms.slack.person("ann").say("general", `@alpha ${"a".repeat(100_001)}`, { raw: true }));

    expect(await rooms.log("general")).toEqual([]);
    const lines = rooms.logs.lines.filter(({ message }) => message === "a message from Slack cannot be taken");
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toContain("aaaa");
    await goesOn(rooms);
  });
});

describe("what people may ask for in vain", () => {
  it("an unknown command word is answered with the nearest one, to whoever asked", async () => {
    const rooms = await startSlackRooms({ personas: [alpha] });
    const { responseUrl } = rooms.slack.person("ann").command("general", "/agent", "resmue");
    await rooms.slack.recorder.until(() => responseUrl?.uses.length === 1);

    expect(JSON.stringify(responseUrl?.uses[0])).toContain("resume");
    expect(rooms.slack.transcript("general")).toEqual([]);
    await goesOn(rooms);
  });

  it("an answer whose address has expired is one line in the log, and the command has worked", async () => {
    const town = await openSlackTown();
    const rooms = await startSlackRooms({ personas: [alpha], town });
    const { slack, clock } = rooms;
    slack.courier.hold();
    const { delivery, responseUrl } = slack.person("ann").command("general", "/agent", "room");
    await clock.advance(31 * 60_000);
    slack.courier.release();
    await delivery.settled;
    await passUntil(town, () => rooms.logs.lines.some(({ message }) => message === "could not answer in Slack"), 0);

    expect(delivery.state).toBe("acked");
    expect(responseUrl?.uses).toEqual([]);
    await goesOn(rooms);
  });

  it("a click on a notice whose room is gone is answered to whoever pressed", async () => {
    const town = await openSlackTown();
    const first = await startSlackRooms({ personas: [broken], town });
    town.slack.person("ann").say("general", "@broken hello");
    await first.shows("general", "Broken");
    await first.stop();
    // Another store: it has never heard of that room.
    const rooms = await startSlackRooms({ personas: [alpha], town });
    const { slack } = rooms;
    const click = slack.person("ann").press(slack.person("ann").sees("general", "Retry"));
    await click.delivery.settled;
    await slack.recorder.until(() => slack.board.ephemerals.length === 1);

    expect(slack.board.ephemerals[0]).toMatchObject({
      userId: slack.person("ann").id,
      text: expect.stringMatching(/\S/),
    });
    await goesOn(rooms);
  });
});

describe("what is taken away while we work", () => {
  it("a revoked token keeps replies back until there is a good one again, and then each stands once", async () => {
    const town = await openSlackTown();
    const rooms = await startSlackRooms({ personas: [slow, alpha], town });
    const { slack } = rooms;
    await taken(slack.person("ann").say("general", "@slow hello"));
    slack.workspace.app("troupe").isRevoked = true;
    await passUntil(town, () => slack.recorder.of("chat.postMessage").length > 0);
    await passUntil(town, () => !rooms.adapter.status().ready);
    expect(rooms.troupe.readiness().missing).toEqual([expect.objectContaining({ part: "slack" })]);

    slack.workspace.app("troupe").isRevoked = false;
    await passUntil(town, () => slack.transcript("general").some((line) => line.includes("Done.")), 5_000);

    expect(slack.transcript("general").filter((line) => line.includes("Done."))).toHaveLength(1);
    await passUntil(town, () => rooms.adapter.status().ready, 5_000);
    await goesOn(rooms, "Install the Slack app to the workspace again");
  });

  it.each([
    ["the channel is archived", ({ slack }: SlackRooms) => slack.person("ann").archive("general"), "unarchive"],
    ["the app is removed from it", ({ slack }: SlackRooms) => slack.person("ann").kick("general", "troupe"), "invite"],
  ])("when %s the reply stays in the room's log, with one line that names the mend", async (_, change, mend) => {
    const town = await openSlackTown();
    const rooms = await startSlackRooms({ personas: [slow, alpha], town });
    const said = rooms.slack.person("ann").say("general", "@slow hello");
    await taken(said);
    change(rooms);
    const givenUp = () => rooms.logs.lines.filter(({ message }) => message === "a post was given up");
    await passUntil(town, () => givenUp().length > 0);

    expect(givenUp()).toEqual([
      expect.objectContaining({
        level: "warn",
        fields: expect.objectContaining({ reason: expect.stringContaining(mend) }),
      }),
    ]);
    expect((await rooms.log("general", said.ts)).map(({ entry }) => entry.text)).toContain("Done.");
    await goesOn(rooms);
  });
});
