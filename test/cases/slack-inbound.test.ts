import { describe, expect, it } from "vitest";
import { createScriptBrain } from "../../src/brain/script/script-brain.js";
import { createMemoryStore } from "../../src/store/memory/memory-store.js";
import type { Json } from "../fakes/slack/wire.js";
import { scripted } from "../support/rooms.js";
import { startSlackRooms, taken } from "../support/slack-rooms.js";
import { openSlackTown } from "../support/slack-town.js";
import { watchTurns } from "./support.js";

const alpha = scripted("alpha", "Alpha here: {{text}}");

/** A rich text with one part of this kind that mentions the user. */
function richText(kind: string, userId: string): Json {
  const words = [
    { type: "user", user_id: userId },
    { type: "text", text: " hello" },
  ];
  return { type: "rich_text", elements: [{ type: kind, elements: words }] };
}

describe("messages from Slack", () => {
  it("case 12: a mention that stands only in rich text wakes once; quoted, preformatted or unfurled ones wake nobody", async () => {
    const { slack, shows, log } = await startSlackRooms({ personas: [alpha] });
    const ann = slack.person("ann");
    const { userId } = slack.workspace.app("troupe");
    const quiet = ["rich_text_quote", "rich_text_preformatted"].map((kind) =>
      ann.say("general", "", { raw: true, blocks: [richText(kind, userId)] }),
    );
    const unfurled = ann.say("general", "see https://home.slack.com/archives/C1/p1");
    const preview = ann.unfurl(unfurled, {
      text: `<@${userId}> hello`,
      blocks: [richText("rich_text_section", userId)],
    });
    await taken(...quiet, unfurled, preview);

    ann.say("general", "", { raw: true, blocks: [richText("rich_text_section", userId)] });
    await shows("general", "Alpha here:");

    expect(slack.recorder.of("chat.postMessage")).toHaveLength(1);
    const outcomes = (await log("general")).map(({ outcome }) => outcome?.kind);
    expect(outcomes).toEqual(["ignored", "ignored", "ignored", "parts"]);
  });

  it("case 15: a message that only its retry brings is handled once, and so is one whose retry comes after a restart", async () => {
    const town = await openSlackTown();
    const { slack, clock } = town;
    const store = createMemoryStore();
    const first = await startSlackRooms({ personas: [alpha], town, store });
    slack.courier.fail("retry-only");
    const late = slack.person("ann").say("general", "@alpha one");
    await first.shows("general", "Alpha here: @alpha one");
    await taken(late);
    await first.stop();
    await clock.advance(6 * 60_000);
    const second = await startSlackRooms({ personas: [alpha], town, store });

    late.deliveries[0]?.retryNow();
    const next = slack.person("ann").say("general", "@alpha two");
    await second.shows("general", "Alpha here: @alpha two");
    await taken(late, next);

    expect((await second.log("general")).map(({ entry }) => entry.text)).toEqual(["@alpha one", "@alpha two"]);
    expect(slack.recorder.of("chat.postMessage")).toHaveLength(2);
  });

  it("case 18: a mention made while we were down is answered once if it is young, else named in a line", async () => {
    const town = await openSlackTown();
    const { slack, clock } = town;
    const store = createMemoryStore();
    const first = await startSlackRooms({ personas: [alpha], town, store });
    await taken(slack.person("bob").say("general", "good morning"));
    await first.stop();
    slack.courier.hold();
    const ann = slack.person("ann");
    const old = ann.say("general", "@alpha much too old");
    await clock.advance(2 * 60 * 60_000);
    const young = ann.say("general", "@alpha young enough");

    const second = await startSlackRooms({ personas: [alpha], town, store });
    await second.shows("general", "Alpha here: @alpha young enough");
    await second.shows("general", "much too old");
    slack.courier.release();
    await taken(old, young);

    const posted = slack.recorder.of("chat.postMessage");
    expect(posted).toHaveLength(2);
    expect(slack.transcript("general").filter((line) => line.includes("Alpha here:"))).toHaveLength(1);
  });

  it("case 32: threads of two channels with the same time stamp share no text in what personas are told", async () => {
    const town = await openSlackTown();
    const prompts: string[] = [];
    const brain = watchTurns(createScriptBrain({ clock: town.clock }), async (turn) => {
      prompts.push(JSON.stringify([turn.text, await turn.view(100_000)]));
    });
    const { slack, shows } = await startSlackRooms({ personas: [alpha], town, brains: [brain] });
    const ann = slack.person("ann");
    const ts = "1767600000.000100";
    for (const place of ["general", "den"]) {
      const root = ann.say(place, `root of ${place}`, { ts });
      await taken(root, ann.say(place, `secret of ${place}`, { thread: ts }));
    }
    for (const place of ["general", "den"]) {
      ann.say(place, `@alpha what do you know of ${place}?`, { thread: ts });
      await shows(place, "Alpha here");
    }

    expect(prompts).toHaveLength(2);
    expect(prompts[0]).toContain("secret of general");
    expect(prompts[0]).not.toContain("secret of den");
    expect(prompts[1]).toContain("secret of den");
    expect(prompts[1]).not.toContain("general");
  });
});
