import { describe, expect, it } from "vitest";
import { scripted } from "../../support/rooms.js";
import { listenToSlack } from "../../support/slack-listener.js";
import { startSlackRooms, taken } from "../../support/slack-rooms.js";
import { openSlackTown } from "../../support/slack-town.js";

describe("who speaks in Slack", () => {
  it("is a person with their shown name; owners and admins are admins", async () => {
    const { slack, messages } = await listenToSlack();
    await taken(...["ann", "bob", "cleo"].map((name) => slack.person(name).say("general", "hi")));

    const rights = messages.map(({ from }) => [from.name, from.isAdmin, from.isGuest ?? false]);
    expect(rights.sort()).toEqual([
      ["ann", true, false],
      ["bob", true, false],
      ["cleo", false, false],
    ]);
  });

  it("from another workspace is a guest and never an admin, whatever they are at home", async () => {
    const town = await openSlackTown();
    town.slack.workspace.addUser({ name: "eve", teamId: "T0AWAY", isOwner: true });
    const { slack, messages } = await listenToSlack({ town });
    await taken(slack.person("eve").say("general", "@alpha hi"));

    expect(messages[0]?.from).toMatchObject({ kind: "person", name: "eve", isAdmin: false, isGuest: true });
  });

  it("is asked for once and kept, and again after a while", async () => {
    const { slack, clock } = await listenToSlack();
    const ann = slack.person("ann");
    await taken(ann.say("general", "one"), ann.say("general", "two"));
    await taken(ann.say("den", "three"));
    expect(slack.recorder.of("users.info")).toHaveLength(1);

    await clock.advance(6 * 60_000);
    await taken(ann.say("general", "four"));
    expect(slack.recorder.of("users.info")).toHaveLength(2);
  });

  it("whom Slack will not name is answered by id, without rights", async () => {
    const { slack, shows, log, logs } = await startSlackRooms({ personas: [scripted("alpha", "hello")] });
    slack.faults.add({ method: "users.info", fault: { kind: "error", error: "user_not_found" }, times: 99 });
    const ann = slack.person("ann");
    ann.say("general", "@alpha hi");

    await shows("general", "hello");
    expect((await log("general"))[0]?.entry.sender).toEqual({ kind: "person", id: ann.id, name: ann.id });
    expect(logs.lines).toContainEqual(
      expect.objectContaining({ message: "could not look a user up in Slack; the id stands for the name" }),
    );
  });

  it("is not waited for longer than a second", async () => {
    const { slack, clock, messages } = await listenToSlack();
    slack.faults.add({ method: "users.info", fault: { kind: "hang" }, times: 99 });
    const said = slack.person("ann").say("general", "hi");
    await slack.recorder.until(() => slack.recorder.of("users.info").length > 0);

    await clock.advance(1_000);
    await taken(said);

    expect(messages[0]?.from).toMatchObject({ name: slack.person("ann").id, isAdmin: false });
  });

  it("first in a channel is kept first, even when their name takes longer to find", async () => {
    const { slack, messages } = await listenToSlack();
    await taken(slack.person("bob").say("general", "hello"));
    slack.faults.add({ method: "users.info", fault: { kind: "rate-limit", retryAfterSeconds: 1 } });

    const first = slack.person("ann").say("general", "first");
    await slack.recorder.until(() => slack.recorder.of("users.info").length > 1);
    const second = slack.person("bob").say("general", "second");
    await taken(first, second);

    expect(messages.map(({ text }) => text)).toEqual(["hello", "first", "second"]);
  });

  it("is named in what others write, and no name wakes anybody", async () => {
    const town = await openSlackTown();
    town.slack.workspace.addUser({ name: "mallory", displayName: "@alpha" });
    const { slack, messages } = await listenToSlack({ town });
    await taken(slack.person("ann").say("general", "<@U404404> @bob and @mallory"));

    expect(messages[0]?.text).toBe("U404404 bob and alpha");
  });
});

describe("files in Slack", () => {
  it("come with name, type and size, and without an address", async () => {
    const { slack, messages } = await listenToSlack();
    const files = [{ name: "plan.png", mimetype: "image/png", bytes: new Uint8Array(12) }];
    await taken(slack.person("ann").say("general", "@alpha look", { files }));
    await taken(slack.person("ann").say("general", "", { files }));

    expect(messages).toHaveLength(2);
    for (const { files } of messages)
      expect(files).toEqual([{ name: "plan.png", type: "image/png", size: 12, ref: expect.stringMatching(/^F/) }]);
  });

  it("in shared channels are asked for when the event hides them, and come by their id when Slack does not say", async () => {
    const { slack, messages } = await listenToSlack();
    const files = [{ name: "plan.png", bytes: new Uint8Array(12), isChecked: true }];
    await taken(slack.person("ann").say("general", "@alpha look", { files }));
    slack.faults.add({ method: "files.info", fault: { kind: "error", error: "file_not_found" } });
    await taken(slack.person("ann").say("general", "@alpha again", { files }));

    const [seen, hidden] = messages.map(({ files }) => files?.[0]);
    expect(seen).toMatchObject({ name: "plan.png", type: "image/png", size: 12 });
    expect(hidden).toEqual({ name: hidden?.ref, type: "application/octet-stream", size: 0, ref: hidden?.ref });
  });
});
