import { describe, expect, it } from "vitest";
import { examineDiscord } from "../../adapters/discord/setup/examine.js";
import { startDiscordRooms } from "../support/discord-rooms.js";
import { openDiscordTown } from "../support/discord-town.js";
import { passUntil } from "../support/passing.js";
import { scripted } from "../support/rooms.js";
import { longStory } from "./texts.js";

const alpha = scripted("alpha", ["long", longStory(6_000)], "Alpha here: {{text}}");
const broken = scripted("broken", { steps: [{ fail: "temporary" }] });

describe("where Discord shows things", () => {
  it("case 31: all parts, errors, notices and answers to a button of a thread stay in that thread", async () => {
    const { discord, shows, troupe } = await startDiscordRooms({ personas: [alpha, broken], reply: "thread" });
    const ann = discord.person("ann");
    const root = ann.say("general", "an old subject");
    const { id: thread } = ann.openThread("general", "old subject", { on: root });
    ann.say("general", "@alpha the long story", { thread });
    await shows(thread, "END");
    ann.say("general", "@broken and you?", { thread });
    await shows(thread, "Retry");
    const retry = ann.sees(thread, "Retry");
    ann.press(retry);
    await shows(thread, "Ann asked again");
    // The same click once more: the notice is settled by now.
    const again = ann.press(retry);
    await discord.recorder.until(() => again.followUps.length === 1);
    await troupe.idle();

    const apps = discord.seen(thread).filter(({ isApp }) => isApp);
    expect(apps.length).toBeGreaterThan(4);
    expect(again.followUps.map(({ channelId }) => channelId)).toEqual([thread]);
    expect(discord.seen("general", "ann").map(({ id }) => id)).toEqual([root.id]);
  });

  it("case 31: an answer whose thread is gone is not posted into the channel", async () => {
    const town = await openDiscordTown();
    const slow = scripted("slow", { steps: [{ delayMs: 1_000 }, { say: "Too late." }] });
    const { discord, logs, log, logged } = await startDiscordRooms({ personas: [slow], town, reply: "thread" });
    const ann = discord.person("ann");
    const { id: thread } = ann.openThread("general", "a talk");
    ann.say("general", "@slow hello", { thread });
    await logged("general", (all) => all.length > 0, thread);
    discord.admin.deleteChannel(thread);
    await passUntil(town, () => logs.lines.some(({ message }) => message === "a post was given up"));

    expect(discord.transcript("general").filter((line) => line.includes("[APP]"))).toEqual([]);
    expect((await log("general", thread)).map(({ entry }) => entry.text)).toContain("Too late.");
  });
});

describe("what is missing or limited in Discord", () => {
  it("case 33: without the right to use webhooks the doctor names the permission, and at run time an admin is told once", async () => {
    const town = await openDiscordTown();
    const { discord } = town;
    discord.workspace.deny("home", "troupe", ["manageWebhooks"]);

    const findings = await examineDiscord({ token: discord.token, apiUrl: discord.apiUrl, rooms: [], roles: [] });
    expect(findings).toContainEqual({ ok: false, says: expect.stringContaining("Manage Webhooks") });

    const { logs, shows } = await startDiscordRooms({ personas: [alpha], town });
    for (const word of ["one", "two"]) {
      discord.person("ann").say("general", `@alpha ${word}`);
      await shows("general", `**Alpha:** Alpha here: @alpha ${word}`);
    }

    const hints = logs.lines.filter(
      ({ level, message }) => level === "warn" && message.includes("may not use webhooks"),
    );
    expect(hints).toHaveLength(1);
    expect(hints[0]?.message).toContain("Manage Webhooks");
  });

  it("case 35: with every sign of typing refused for its rate the reply is complete and stands once", async () => {
    const town = await openDiscordTown();
    const slow = scripted("slow", { steps: [{ delayMs: 30_000 }, { say: "The whole answer." }] });
    const { discord, logs } = await startDiscordRooms({ personas: [slow], town });
    const fault = { kind: "rate-limit", retryAfterSeconds: 2 } as const;
    for (const method of ["trigger_typing_indicator", "update_message", "update_webhook_message"])
      discord.faults.add({ method, times: 1_000, fault });
    discord.person("ann").say("general", "@slow hello");
    await passUntil(town, () => discord.transcript("general").some((line) => line.includes("The whole answer.")));

    expect(discord.seen("general").filter(({ isApp }) => isApp)).toHaveLength(1);
    const typings = discord.recorder.of("trigger_typing_indicator");
    expect(typings.length).toBeGreaterThan(0);
    expect(typings.length).toBeLessThanOrEqual(10);
    expect(logs.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("case 36: a second process on the same token is noticed by what it says, and a warning says so once", async () => {
    const town = await openDiscordTown();
    const { discord, clock } = town;
    const first = await startDiscordRooms({ personas: [alpha], town });
    const second = await startDiscordRooms({ personas: [alpha], town });
    for (const word of ["one", "two", "three"]) {
      discord.person("ann").say("general", `@alpha ${word}`);
      await discord.recorder.until(
        () => discord.transcript("general").filter((line) => line.includes(`here: @alpha ${word}`)).length === 2,
      );
    }
    const warned = (logs: typeof first.logs) =>
      logs.lines.filter(({ level, message }) => level === "warn" && message.includes("another process"));
    expect([...warned(first.logs), ...warned(second.logs)]).toEqual([]);

    await clock.advance(60_000);
    discord.person("ann").say("general", "@alpha four");
    await discord.recorder.until(() => warned(first.logs).length > 0 && warned(second.logs).length > 0);

    for (const { logs } of [first, second]) {
      expect(warned(logs)).toHaveLength(1);
      expect(warned(logs)[0]?.message).toContain("DISCORD_TOKEN");
    }
  });
});
