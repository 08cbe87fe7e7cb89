import { describe, expect, it } from "vitest";
import { scripted } from "../../support/rooms.js";
import { listenToSlack } from "../../support/slack-listener.js";
import { startSlackRooms } from "../../support/slack-rooms.js";

const line = "- one of the many lines that an answer may have, with some words in it\n";

describe("an answer that is longer than one message", () => {
  it("comes in parts, and none is lost", async () => {
    const { slack, answerWith, logs } = await listenToSlack();
    answerWith(async () => ({ ok: true, public: false, view: { text: `${line.repeat(150)}- the end` } }));
    const { responseUrl } = slack.person("ann").command("general", "/agent", "list");
    await slack.recorder.until(() => JSON.stringify(responseUrl?.uses.at(-1) ?? "").includes("the end"));

    expect(responseUrl?.uses.length).toBeGreaterThan(1);
    expect(logs.lines.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
  });

  it("says so at its end when even that is not enough", async () => {
    const { slack, answerWith, logs } = await listenToSlack();
    answerWith(async () => ({ ok: true, public: false, view: { text: line.repeat(1_000) } }));
    const { responseUrl } = slack.person("ann").command("general", "/agent", "list");
    await slack.recorder.until(() => responseUrl?.uses.length === 5);

    expect(JSON.stringify(responseUrl?.uses[4])).toContain("There is more than Slack shows here.");
    expect(logs.lines.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
  });
});

describe("a command that changes a room where the app is not", () => {
  it.each(["far", "@bob"])("is answered to who gave it, with the mend (%s)", async (channel) => {
    const { slack } = await startSlackRooms({ personas: [scripted("alpha", "x")] });
    slack.workspace.addChannel({ name: "far", members: ["ann"] });
    const { responseUrl } = slack.person("ann").command(channel, "/agent", "budget 9");
    await slack.recorder.until(() => responseUrl?.uses.length === 1);

    expect(responseUrl?.uses[0]?.text).toMatch(/ann set the burst budget to 9\.\s+Troupe is not in this channel/);
  });

  it.each(["general", "@troupe"])("is seen by all where it is, and answered no second time (%s)", async (channel) => {
    const { slack, shows } = await startSlackRooms({ personas: [scripted("alpha", "x")] });
    const ann = slack.person("ann");
    ann.say("@troupe", "hi");
    const changing = ann.command(channel, "/agent", "budget 9");
    await shows(
      channel === "general" ? channel : String(changing.delivery.body.channel_id),
      "set the burst budget to 9",
    );
    const asking = ann.command(channel, "/agent", "help");
    await slack.recorder.until(() => asking.responseUrl?.uses.length === 1);

    expect(slack.recorder.of("conversations.info")).toHaveLength(1);
    expect(changing.responseUrl?.uses).toEqual([]);
  });
});
