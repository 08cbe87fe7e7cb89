import { describe, expect, it } from "vitest";
import { scripted } from "../../support/rooms.js";
import { startSlackRooms, taken } from "../../support/slack-rooms.js";

const MINUTE = 60_000;
const CLOCK = ":alarm_clock:";

describe("Schedules in Slack", () => {
  it("/schedule makes one, and what it says and where it fails is posted under its persona's name and picture", async () => {
    const fails = { when: "broken", steps: [{ fail: "the model is away." }] };
    const alpha = { ...scripted("alpha", fails, "Time for tea."), avatar: CLOCK };
    const { slack, clock, shows } = await startSlackRooms({ personas: [alpha] });
    const ann = slack.person("ann");

    ann.command("general", "/schedule", "once tea 10m alpha Remind them of the tea");
    await shows("general", "ann made a schedule: tea");
    ann.command("general", "/schedule", "once bad 11m alpha Do the broken thing");
    await shows("general", "ann made a schedule: bad");
    await clock.advance(10 * MINUTE);
    await shows("general", "Time for tea.");
    await clock.advance(MINUTE);
    await shows("general", "could not do what its schedule bad asks");

    const lines = slack.transcript("general").slice(2);
    expect(lines).toEqual([
      `${CLOCK} Alpha [APP]: Time for tea.`,
      expect.stringContaining(
        `${CLOCK} Alpha [APP]: Alpha could not do what its schedule bad asks: the model is away.`,
      ),
    ]);
    expect(slack.transcript("general").join("\n")).not.toContain("Remind them");
  });

  it("the words after a mention of the app do the same in a thread, and its fires stay in that thread", async () => {
    const { slack, clock, shows, log } = await startSlackRooms({ personas: [scripted("alpha", "Tick.")] });
    const ann = slack.person("ann");
    const root = ann.say("general", "About the release");
    await taken(root);

    await taken(ann.say("general", "@Troupe schedule once tick 1m alpha say it", { thread: root.ts }));
    await shows("general", "made a schedule: tick");
    await clock.advance(MINUTE);
    await shows("general", "Tick.");

    expect((await log("general", root.ts)).at(-1)?.entry).toMatchObject({ text: "Tick.", cause: { kind: "schedule" } });
    expect(slack.transcript("general").filter((line) => !line.startsWith("  "))).toHaveLength(1);
  });
});
