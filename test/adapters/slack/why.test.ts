import { describe, expect, it } from "vitest";
import { locateLink } from "../../../adapters/slack/message-link.js";
import { createWorkspace } from "../../../adapters/slack/workspace.js";
import { scripted } from "../../support/rooms.js";
import { type SlackRooms, startSlackRooms, taken } from "../../support/slack-rooms.js";

const personas = [scripted("alpha", ["hand over", "@beta, yours"], "Alpha here."), scripted("beta", "Beta here.")];

/** What *Copy link* gives. */
function linkTo({ slack }: SlackRooms, channel: string, ts: string, thread?: string): string {
  const { id } = slack.workspace.channel(channel);
  const query = thread === undefined ? "" : `?thread_ts=${thread}&cid=${id}`;
  return `https://${slack.workspace.team.domain}.slack.com/archives/${id}/p${ts.replace(".", "")}${query}`;
}

describe("why with a message's link", () => {
  it("tells of that message, in a channel and in a thread, whoever wrote it, as a command and after the app's name", async () => {
    const rooms = await startSlackRooms({ personas });
    const { slack, shows } = rooms;
    const ann = slack.person("ann");
    const quiet = ann.say("general", "good morning");
    const root = ann.say("general", "@alpha hand over, please");
    await shows("general", "Beta here.");
    await taken(quiet, root);
    const [handOver] = slack.seen("general").flatMap(({ replies }) => replies);
    const links = [
      linkTo(rooms, "general", quiet.ts),
      linkTo(rooms, "general", root.ts, root.ts),
      linkTo(rooms, "general", handOver?.ts ?? "", root.ts),
    ];

    const texts: string[] = [];
    for (const link of links) {
      const { responseUrl } = ann.command("general", "/agent", `why ${link}`);
      await slack.recorder.until(() => responseUrl?.uses.length === 1);
      texts.push(String(responseUrl?.uses[0]?.text));
    }
    ann.say("general", `@Troupe why ${links[2]}`, { thread: root });
    const inThread = () => slack.board.ephemerals.find(({ threadTs }) => threadTs === root.ts);
    await slack.recorder.until(() => inThread() !== undefined);

    expect(texts[0]).toContain("It woke nobody: it mentions no persona.");
    expect(texts[1]).toContain("It woke Alpha");
    expect(texts[2]).toContain("It woke Beta");
    expect(inThread()?.text).toContain("It woke Beta");
  });

  it("tells nothing of another channel, nor of a message that is not known", async () => {
    const rooms = await startSlackRooms({ personas });
    const { slack } = rooms;
    const ann = slack.person("ann");
    const secret = ann.say("den", "a secret");
    await taken(secret);

    const texts: string[] = [];
    for (const link of [linkTo(rooms, "den", secret.ts), linkTo(rooms, "general", "1700000000.000100")]) {
      const { responseUrl } = ann.command("general", "/agent", `why ${link}`);
      await slack.recorder.until(() => responseUrl?.uses.length === 1);
      texts.push(String(responseUrl?.uses[0]?.text));
    }

    expect(texts[0]).toContain("another room");
    expect(texts[1]).toContain("No such message");
    expect(texts.join()).not.toContain("ann");
  });
});

describe("a link", () => {
  const main = { tokenName: "SLACK_BOT_TOKEN", botId: "B1", userId: "U1", appId: "A1" };
  const workspace = createWorkspace({
    teamId: "T1",
    url: "https://acme.slack.com/",
    appId: "A1",
    main,
    personas: new Map(),
    scopes: new Set(),
  });

  it.each([
    ["https://acme.slack.com/archives/C1/p1700000000000100", "slack:T1:C1", "1700000000.000100"],
    [
      "https://acme.slack.com/archives/C1/p1700000000000100?thread_ts=1700000000.000100",
      "slack:T1:C1",
      "1700000000.000100",
    ],
    [
      "https://acme.slack.com/archives/G1/p1700000009000100?thread_ts=1700000000.000100&cid=G1",
      "slack:T1:G1:1700000000.000100",
      "1700000009.000100",
    ],
    ["https://acme.slack.com/archives/C1/p1700000000000100?thread_ts=bad:one", "slack:T1:C1", "1700000000.000100"],
  ])("%s names a message", (link, session, id) => {
    expect(locateLink(link, workspace)).toEqual({ session, id });
  });

  it.each([
    "https://other.slack.com/archives/C1/p1700000000000100",
    "https://acme.slack.com.evil.example/archives/C1/p1700000000000100",
    "https://acme.slack.com/archives/C1",
    "https://acme.slack.com/archives/C1/p17",
    "https://acme.slack.com/archives/c:1/p1700000000000100",
    "12",
    "",
  ])("%s names none of ours", (link) => {
    expect(locateLink(link, workspace)).toBeUndefined();
  });
});
