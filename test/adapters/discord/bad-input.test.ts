import { describe, expect, it } from "vitest";
import type { Persona } from "../../../src/domain/persona.js";
import { createMemoryStore } from "../../../src/store/memory/memory-store.js";
import { expectKnownRequests } from "../../fakes/discord/openapi.js";
import { type DiscordRooms, startDiscordRooms } from "../../support/discord-rooms.js";
import { openDiscordTown } from "../../support/discord-town.js";
import { passUntil } from "../../support/passing.js";
import { scripted } from "../../support/rooms.js";

const alpha = scripted("alpha", "Alpha here: {{text}}");
const slow = scripted("slow", { steps: [{ delayMs: 1_000 }, { say: "Done." }] });
const broken = scripted("broken", { steps: [{ fail: "temporary" }] });

/** Everything goes on: a mention elsewhere is answered under the persona's own name, and nothing was an error. */
async function goesOn({ discord, shows, logs }: DiscordRooms): Promise<void> {
  discord.person("ann").say("random", "@alpha still there?");
  await shows("random", "Alpha here: @alpha still there?");
  expect(discord.seen("random").at(-1)).toMatchObject({ name: "Alpha", isWebhook: true });
  expect(logs.lines.filter(({ level }) => level === "error")).toEqual([]);
  expectKnownRequests(discord);
}

/** What an admin is told in the log. */
function warnings({ logs }: DiscordRooms, words: string): readonly string[] {
  return logs.lines.flatMap(({ level, message }) => (level === "warn" && message.includes(words) ? [message] : []));
}

/** Why posts were given up. */
function reasons({ logs }: DiscordRooms): readonly unknown[] {
  return logs.lines.flatMap(({ message, fields }) =>
    message === "a post was given up" && "reason" in fields ? [fields.reason] : [],
  );
}

function called(displayName: string): Persona {
  return { ...scripted("beta", "Beta here."), displayName };
}

describe("names that Discord does not take", () => {
  it.each([
    ["Clyde", "Clyd\u200ae"],
    ["My Discord", "My Discor\u200ad"],
    ["everyone", "everyon\u200ae"],
    ["Ops @home: #1", /^Ops .*home.* .*1$/],
    ["x".repeat(90), "x".repeat(80)],
  ])("%s speaks all the same, under a name as near as can be", async (name, shown) => {
    const rooms = await startDiscordRooms({ personas: [alpha, called(name)] });
    rooms.discord.person("ann").say("general", "@beta hello");
    await rooms.shows("general", "Beta here.");

    expect(rooms.discord.seen("general").at(-1)?.name).toMatch(shown);
    await goesOn(rooms);
  });

  it("a name that Discord refuses for a reason of its own is the handle from then on, and an admin is told once", async () => {
    const rooms = await startDiscordRooms({ personas: [alpha, called("Rude Word")] });
    const { discord } = rooms;
    discord.faults.add({
      method: "execute_webhook",
      times: 99,
      when: ({ body }) => body.username === "Rude Word",
      fault: { kind: "error", code: 50_035, errors: { username: { _errors: [{ code: "X", message: "no" }] } } },
    });
    for (const count of [1, 2]) {
      discord.person("ann").say("general", "@beta hello");
      await discord.recorder.until(
        () => discord.seen("general").filter(({ name }) => name === "beta").length === count,
      );
    }

    expect(warnings(rooms, "display_name")).toEqual([expect.stringContaining("Rude Word")]);
    await goesOn(rooms);
  });
});

describe("what is taken away while we work in Discord", () => {
  it("without the right to use webhooks, and without the webhook, replies are the bot's, and an admin is told once", async () => {
    const town = await openDiscordTown();
    const rooms = await startDiscordRooms({ personas: [alpha, slow], town });
    const { discord } = rooms;
    discord.person("ann").say("general", "@alpha one");
    await rooms.shows("general", "Alpha here: @alpha one");
    discord.person("ann").say("general", "@slow two");
    await rooms.logged("general", (all) => all.some(({ entry }) => entry.text === "@slow two"));

    discord.workspace.deny("home", "troupe", ["manageWebhooks"], "general");
    discord.admin.removeWebhooks("general");
    discord.admin.tellRights("home");
    await passUntil(town, () => discord.transcript("general").some((line) => line.includes("**Slow:** Done.")));
    discord.person("ann").say("general", "@alpha three");
    await rooms.shows("general", "**Alpha:** Alpha here: @alpha three");

    expect(warnings(rooms, "may not use webhooks")).toEqual([expect.stringContaining("Manage Webhooks")]);
    await goesOn(rooms);
  });

  it("with fifteen webhooks of others by now, replies are the bot's, and an admin is told once what to delete", async () => {
    const rooms = await startDiscordRooms({ personas: [alpha] });
    const { discord } = rooms;
    discord.person("ann").say("general", "@alpha one");
    await rooms.shows("general", "Alpha here: @alpha one");
    discord.admin.removeWebhooks("general");
    for (let number = 0; number < 15; number++) discord.foreignWebhook(`relay ${number}`, "general");

    for (const word of ["two", "three"]) {
      discord.person("ann").say("general", `@alpha ${word}`);
      await rooms.shows("general", `**Alpha:** Alpha here: @alpha ${word}`);
    }

    expect(warnings(rooms, "15 webhooks")).toEqual([expect.stringContaining("Delete one")]);
    await goesOn(rooms);
  });

  it.each(["the channel", "the thread"])(
    "when %s is deleted the reply stays in the log, with a line that says so",
    async (what) => {
      const town = await openDiscordTown();
      const rooms = await startDiscordRooms({ personas: [alpha, slow], town });
      const { discord } = rooms;
      const { id: thread } = discord.person("ann").openThread("general", "a talk");
      const isThread = what === "the thread";
      discord.person("ann").say("general", "@slow hello", isThread ? { thread } : {});
      const place = isThread ? thread : undefined;
      await rooms.logged("general", (all) => all.length > 0, place);
      const session = rooms.session("general", place);

      discord.admin.deleteChannel(isThread ? thread : "general");
      await passUntil(town, () => reasons(rooms).length > 0);

      expect(reasons(rooms)).toEqual([expect.stringContaining("the channel or thread is gone")]);
      expect((await rooms.store.read(session, 0, 10)).map(({ entry }) => entry.text)).toContain("Done.");
      await goesOn(rooms);
    },
  );

  it("when the thread is locked the reply stays in the log, with a line that names the mend", async () => {
    const town = await openDiscordTown();
    const rooms = await startDiscordRooms({ personas: [alpha, slow], town });
    const { discord } = rooms;
    const { id: thread } = discord.person("ann").openThread("general", "a talk");
    discord.person("ann").say("general", "@slow hello", { thread });
    await rooms.logged("general", (all) => all.length > 0, thread);

    discord.admin.lock(thread);
    await passUntil(town, () => reasons(rooms).length > 0);

    expect(reasons(rooms)).toEqual([expect.stringContaining("a moderator has to unlock it")]);
    expect((await rooms.log("general", thread)).map(({ entry }) => entry.text)).toContain("Done.");
    await goesOn(rooms);
  });

  it.each([
    [4004, "DISCORD_TOKEN"],
    [4014, "Message Content Intent"],
  ])(
    "after close code %i the service says the mend, the reply goes out, and what was said since is answered after a restart",
    async (code, mend) => {
      const town = await openDiscordTown();
      const store = createMemoryStore();
      const rooms = await startDiscordRooms({ personas: [alpha, slow], town, store });
      const { discord } = rooms;
      discord.person("ann").say("general", "@slow hello");
      await rooms.logged("general", (all) => all.length > 0);

      discord.gateway.open()[0]?.close(code);
      await discord.recorder.until(() => !rooms.adapter.status().ready);
      await passUntil(town, () => discord.transcript("general").some((line) => line.includes("Done.")));
      discord.person("ann").say("general", "@alpha and now?");
      expect(rooms.troupe.readiness().missing).toEqual([
        expect.objectContaining({ part: "discord", problem: expect.stringContaining(mend) }),
      ]);
      await rooms.stop();

      const again = await startDiscordRooms({ personas: [alpha, slow], town, store });
      await again.shows("general", "Alpha here: @alpha and now?");

      expect(discord.seen("general").filter(({ isApp }) => isApp)).toHaveLength(2);
      await goesOn(again);
    },
  );
});

describe("what comes too late in Discord", () => {
  it("a command and a click that Discord gives up are lines in the log, change nothing, and can be done again", async () => {
    const rooms = await startDiscordRooms({ personas: [alpha, broken] });
    const { discord } = rooms;
    const ann = discord.person("ann");
    await discord.recorder.until(() => discord.app.commands.size === 2);
    ann.say("general", "@broken hello");
    await rooms.shows("general", "Retry");
    const retry = ann.sees("general", "Retry");
    const expired = () => warnings(rooms, "could not be answered any more").length;

    ann.command("general", "/agent", "budget number:2").lapse();
    ann.press(retry).lapse();
    await discord.recorder.until(() => expired() === 2);
    expect(discord.transcript("general").filter((line) => /burst budget|asked again/.test(line))).toEqual([]);

    ann.press(retry);
    await rooms.shows("general", "Ann asked again");
    await goesOn(rooms);
  });

  it("an answer later than Discord takes one is a line in the log, and the command has worked", async () => {
    const rooms = await startDiscordRooms({ personas: [alpha] });
    const { discord } = rooms;
    await discord.recorder.until(() => discord.app.commands.size === 2);
    discord.faults.add({
      method: "update_original_webhook_message",
      fault: { kind: "error", code: 50_027, status: 401 },
    });
    discord.person("ann").command("general", "/agent", "room");
    await discord.recorder.until(() => warnings(rooms, "could not be answered any more").length === 1);

    await goesOn(rooms);
  });

  it("a button of an old deployment is answered to whoever pressed, and changes nothing", async () => {
    const before = await startDiscordRooms({ personas: [alpha, broken] });
    const { discord } = before;
    const ann = discord.person("ann");
    ann.say("general", "@broken hello");
    await before.shows("general", "Retry");
    await before.stop();
    const lines = discord.transcript("general");
    // Another store: it has never heard of that room.
    const rooms = await startDiscordRooms({ personas: [alpha, broken], town: before });
    const pressed = discord.person("cleo").press(ann.sees("general", "Retry"));
    await discord.recorder.until(() => pressed.followUps.length === 1);

    expect(pressed.followUps[0]).toMatchObject({
      content: expect.stringMatching(/gone|not/),
      onlyFor: discord.person("cleo").id,
    });
    expect(discord.transcript("general")).toEqual(lines);
    await goesOn(rooms);
  });
});
