import { describe, expect, it } from "vitest";
import type { Schedule } from "../../../src/domain/schedule.js";
import { ANN, BOB, ROOM, scripted, startRooms, type TestRooms } from "../../support/rooms.js";

const TEAM = [scripted("alpha", "a"), { ...scripted("beta", "b"), displayName: "Beta Ray" }];

async function schedulesIn({ store }: TestRooms): Promise<readonly Schedule[]> {
  return (await store.list<Schedule>(ROOM, "schedule")).map(({ value }) => value);
}

describe("/schedule", () => {
  it.each<[string, Partial<Schedule>]>([
    ['add x "0 9 * * 1-5" alpha Do it', { persona: "alpha", trigger: { kind: "cron", cron: "0 9 * * 1-5" } }],
    [
      'add x "0 9 * * * America/New_York" @alpha Do it',
      { trigger: { kind: "cron", cron: "0 9 * * *", timezone: "America/New_York" } },
    ],
    ["add x 0 0 9 * * MON-FRI/2 alpha Do it", { trigger: { kind: "cron", cron: "0 0 9 * * MON-FRI/2" } }],
    ['add X "0 9 * * *" Beta Ray Do it', { persona: "beta", id: "x" }],
    ["once x 90s alpha Do it", { trigger: { kind: "once", at: Date.UTC(2026, 0, 5, 9, 1, 30) } }],
    ["once x 2026-01-06T08:00 alpha Do it", { trigger: { kind: "once", at: Date.UTC(2026, 0, 6, 8) } }],
    ["once x 2h alpha Do it", { prompt: "Do it", session: ROOM, root: ANN.id, missed: "once", fresh: false }],
    ['once x 2h alpha Say "hi"\nand  more', { prompt: 'Say "hi"\nand  more' }],
  ])("%s", async (words, expected) => {
    const rooms = await startRooms({ personas: TEAM });

    expect(await rooms.command(`schedule ${words}`)).toMatchObject({ ok: true, public: true });
    expect(await schedulesIn(rooms)).toMatchObject([expected]);
  });

  it.each([
    ["add", /Say when, in quotes: \/schedule add standup "0 9 \* \* 1-5" alpha/],
    ['add x "0 9 * * *"', /Say who is to do it, and what\. Here: alpha, beta\./],
    ['add x "0 9 * * *" alpha', /The prompt is blank/],
    ['add x "0 9 * * *" alpa Do it', /alpa is not in this room\. Did you mean alpha\?/],
    ['add x "0 9 * *" alpha Do it', /This is no cron expression: it has five fields/],
    ['add x "* * * * * *" alpha Do it', /It would fire 1 seconds apart, and 60 is the least/],
    ['add x "0 9 * * * Mars/Base" alpha Do it', /There is no such time zone/],
    ['add "a b" "0 9 * * *" alpha Do it', /The id is 1 to 32 of/],
    ["once", /Say when: \/schedule once reminder 10m alpha/],
    ["once x soon alpha Do it", /At is a time like/],
    ["once x 10w alpha Do it", /In is a pause like/],
    ["once x 5s alpha Do it", /30 seconds to 30 days/],
    [`once x 1h alpha ${"x".repeat(90_000)}`, /90000 characters, and 8000 is the most/],
    ["remove", /Say which one: \/schedule remove ID/],
    ["remove nothing", /There is no schedule nothing here/],
    ["ad x", /There is no command "ad"\. Did you mean \/schedule add\?/],
    ["frobnicate", /\/agent help schedule lists/],
  ])("refuses %s with the mend, and changes nothing", async (words, text) => {
    const rooms = await startRooms({ personas: TEAM });
    const answer = await rooms.command(`schedule ${words}`);

    expect(answer).toMatchObject({ ok: false, public: false });
    expect(answer.view.text).toMatch(text);
    expect([await schedulesIn(rooms), await rooms.log()]).toEqual([[], []]);
  });

  it("lists what there is without the prompts, also as words after a mention of the app, and removes", async () => {
    const rooms = await startRooms({ personas: TEAM });
    await rooms.say('@Troupe schedule add daily "0 9 * * *" alpha secret words');
    await rooms.command("schedule once nap 1h beta sleep");

    const list = (await rooms.command("schedule")).view.text;
    expect(list.split("\n")).toEqual([
      "- daily: Alpha, 0 9 * * * (UTC); next at 2026-01-06T09:00:00Z",
      "- nap: Beta Ray, once at 2026-01-05T10:00:00Z",
    ]);
    await rooms.command("schedule remove DAILY");
    await rooms.command("schedule remove nap");

    expect((await rooms.command("schedule list")).view.text).toBe("There are none in this room.");
    const said = (await rooms.log()).filter(({ entry }) => entry.kind === "notice").map(({ entry }) => entry.text);
    expect(said).toEqual([
      "Ann made a schedule: daily: Alpha, 0 9 * * * (UTC); next at 2026-01-06T09:00:00Z.",
      "Ann made a schedule: nap: Beta Ray, once at 2026-01-05T10:00:00Z.",
      "Ann removed the schedule daily of Alpha.",
      "Ann removed the schedule nap of Beta Ray.",
    ]);
  });

  it.each(["list", "add x", "once x", "remove x"])("%s is for admins", async (words) => {
    const rooms = await startRooms({ personas: TEAM });
    const answer = await rooms.command(`schedule ${words}`, BOB);

    expect(answer.view.text).toBe(`/schedule ${words.split(" ")[0]} is for admins of this place.`);
  });
});
