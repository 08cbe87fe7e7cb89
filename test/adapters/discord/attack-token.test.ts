import { describe, expect, it } from "vitest";
import { type DiscordRooms, startDiscordRooms } from "../../support/discord-rooms.js";
import { passUntil } from "../../support/passing.js";
import { scripted } from "../../support/rooms.js";

const MINUTE_MS = 60_000;

async function rooms(): Promise<DiscordRooms> {
  const started = await startDiscordRooms({ personas: [scripted("alpha", "Alpha here: {{text}}")] });
  const { discord } = started;
  const { id } = discord.workspace.guild("home");
  await discord.recorder.until(() => discord.app.commands.has(id) && discord.app.commands.has("global"));
  return started;
}

function refusals({ discord }: DiscordRooms): number {
  return discord.recorder.requests.filter(({ outcome }) => outcome === "401").length;
}

describe("A token that Discord refuses", () => {
  it("by mistake is tried again, and what waited is posted", async () => {
    const open = await rooms();
    const { discord, adapter } = open;
    discord.faults.add({ method: "list_channel_webhooks", fault: { kind: "error", code: 0, status: 401 } });

    discord.person("ann").say("general", "@alpha hello");
    await discord.recorder.until(() => refusals(open) === 1);
    await discord.recorder.until(() => !adapter.status().ready);
    await passUntil(open, () =>
      discord.transcript("general").some((line) => line.includes("Alpha here: @alpha hello")),
    );

    expect(adapter.status().problem ?? "").not.toContain("token");
    // What the library asks goes through as well.
    const thread = discord.person("ann").openThread("general", "hidden", { isUncached: true });
    discord.feed.hasChannelType = false;
    discord.person("ann").say("general", "@alpha in here", { thread: thread.id });
    await passUntil(open, () =>
      discord.transcript(thread.id).some((line) => line.includes("Alpha here: @alpha in here")),
    );
  });

  it("for good is tried seldom, and the status says what to do", async () => {
    const open = await rooms();
    const { discord, adapter, clock } = open;
    discord.faults.add({ method: "*", fault: { kind: "error", code: 0, status: 401 }, times: 1_000 });
    for (let i = 0; i < 20; i++) discord.person("ann").say("general", `@alpha ${i}`);
    await discord.recorder.until(() => refusals(open) > 0);

    for (let minutes = 0; minutes < 60; minutes++) await clock.advance(MINUTE_MS);

    expect(refusals(open)).toBeLessThan(30);
    expect(adapter.status()).toMatchObject({ ready: false, problem: expect.stringContaining("DISCORD_TOKEN") });
  });
});
