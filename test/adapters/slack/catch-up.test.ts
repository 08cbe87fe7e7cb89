import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../../src/store/memory/memory-store.js";
import { settle } from "../../support/fake-clock.js";
import { scripted } from "../../support/rooms.js";
import { startSlackRooms, taken } from "../../support/slack-rooms.js";
import { openSlackTown } from "../../support/slack-town.js";

const alpha = scripted("alpha", "you said: {{text}}");

/** A workspace in which alpha has answered once in `general`, and then went down. */
async function downTown() {
  const town = await openSlackTown();
  const store = createMemoryStore();
  const first = await startSlackRooms({ personas: [alpha], town, store });
  const before = town.slack.person("ann").say("general", "@alpha before");
  await taken(before);
  await first.shows("general", "you said: @alpha before");
  await first.stop();
  town.slack.courier.hold();
  return { ...town, store, before, restart: () => startSlackRooms({ personas: [alpha], town, store }) };
}

describe("what was said while the service was down", () => {
  it("is answered at the next start, once, in order, in channels and threads", async () => {
    const { slack, clock, before, restart } = await downTown();
    const ann = slack.person("ann");
    const said = [];
    for (const n of [1, 2, 3]) {
      await clock.advance(60_000);
      said.push(ann.say("general", `@alpha number ${n}`));
    }
    said.push(ann.say("general", "@alpha in the old thread", { thread: before }));
    const root = ann.say("general", "a new root");
    said.push(root, ann.say("general", "@alpha in the new thread", { thread: root }));

    const { shows, log } = await restart();

    await shows("general", "number 3");
    await shows("general", "in the old thread");
    await shows("general", "in the new thread");
    expect((await log("general")).map(({ entry }) => entry.text)).toEqual([
      "@alpha before",
      "@alpha number 1",
      "@alpha number 2",
      "@alpha number 3",
      "a new root",
    ]);
    slack.courier.release();
    await taken(...said);
    expect(slack.recorder.of("chat.postMessage")).toHaveLength(6);
  });

  it("too long ago is kept, listed in one line and not answered", async () => {
    const { slack, clock, restart } = await downTown();
    slack.person("ann").say("general", "@alpha long ago");
    slack.person("bob").say("general", "nobody is meant");
    await clock.advance(61 * 60_000);
    slack.person("ann").say("general", "@alpha just now");

    const { shows, log } = await restart();

    await shows("general", "you said: @alpha just now");
    await shows("general", "One message came");
    const outcomes = (await log("general")).map(({ entry, outcome }) => [
      entry.text,
      outcome?.kind === "ignored" && outcome.reason,
    ]);
    expect(outcomes).toContainEqual(["@alpha long ago", "expired"]);
    expect(outcomes).toContainEqual(["nobody is meant", "no_mention"]);
  });

  it("in a channel that the app did not know is answered too", async () => {
    const { slack, restart } = await downTown();
    slack.workspace.addChannel({ name: "new", members: ["ann", "troupe"] });
    slack.person("ann").say("new", "@alpha welcome");
    const direct = slack.person("bob").say("@troupe", "are you up?");

    const { shows } = await restart();
    await shows("new", "you said: @alpha welcome");
    await shows(direct.channel, "you said: are you up?");
  });

  it("by us, or in what is no message, is not taken for a person's", async () => {
    const { slack, restart } = await downTown();
    slack.robot("troupe").say("general", "@alpha by ourselves", { username: "Beta", shape: "bare" });
    slack.robot("pager").say("general", "@alpha by a bot");
    slack.person("ann").say("general", "@alpha by ann");

    const { shows, log } = await restart();
    await shows("general", "you said: @alpha by ann");
    expect((await log("general")).map(({ entry }) => entry.text)).toEqual([
      "@alpha before",
      "@alpha by a bot",
      "@alpha by ann",
    ]);
    expect(slack.recorder.of("chat.postMessage")).toHaveLength(2);
  });

  it("is read page by page where Slack gives little at once, and a limit is waited for", async () => {
    const { slack, restart } = await downTown();
    const ann = slack.person("ann");
    for (let n = 0; n < 40; n++) ann.say("general", `line ${n}`);
    ann.say("general", "@alpha the last");
    slack.faults.add({ method: "conversations.history", fault: { kind: "rate-limit", retryAfterSeconds: 0 } });

    const { shows, log } = await restart();
    await shows("general", "you said: @alpha the last");
    expect((await log("general")).map(({ entry }) => entry.text)).toEqual([
      "@alpha before",
      ...Array.from({ length: 40 }, (_, n) => `line ${n}`),
      "@alpha the last",
    ]);
    for (const { args } of slack.recorder.of("conversations.history")) expect(args.limit).toBe("15");
  });

  it("in a channel that cannot be read is passed over with a line in the log", async () => {
    const { slack, restart } = await downTown();
    slack.workspace.channel("general").members.delete(slack.workspace.app("troupe").userId);
    slack.person("ann").say("den", "@alpha here");

    const { shows, logs } = await restart();
    await shows("den", "you said: @alpha here");
    expect(logs.lines).toContainEqual(
      expect.objectContaining({
        level: "warn",
        message: "could not read what was said in Slack meanwhile",
        fields: expect.objectContaining({ code: "not_in_channel" }),
      }),
    );
  });
});

describe("a message that could not be kept", () => {
  it("is read from history when Slack has given up sending it", async () => {
    const store = createMemoryStore();
    const { slack, clock, shows } = await startSlackRooms({ personas: [alpha], store });
    const { commit } = store;
    store.commit = async () => {
      throw new Error("the disk is away");
    };
    const said = slack.person("ann").say("general", "@alpha are you there?");
    await clock.advance(0);
    for (let retry = 0; retry < 4; retry++) await settle(100);
    expect(said.deliveries[0]?.state).toBe("waiting");
    store.commit = commit;

    await clock.advance(61_000);
    await shows("general", "you said: @alpha are you there?");
  });
});
