import { describe, expect, it } from "vitest";
import { startDiscordRooms } from "../support/discord-rooms.js";
import { scripted } from "../support/rooms.js";
import { longStory, RICH_TEXT } from "./texts.js";

/** What stands in the channel after this answer, without the line that leads to what it answers. */
async function replied(text: string): Promise<readonly string[]> {
  const { discord, shows } = await startDiscordRooms({ personas: [scripted("alpha", text)] });
  discord.person("ann").say("general", "@alpha please");
  await shows("general", text.slice(-3));
  const posts = discord.seen("general").filter(({ isApp }) => isApp);
  return posts.map((post) => post.text.replace(/^-# ↪ .*\n/, ""));
}

describe("a persona's words in Discord", () => {
  it("case 28: a fence of 300 lines and 5,000 characters are all there, in order, in messages that Discord takes", async () => {
    const lines = Array.from({ length: 300 }, (_, line) => `const w${line}x = ${line};`);
    const story = longStory(5_000);
    const shown = await replied(`\`\`\`ts\n${lines.join("\n")}\n\`\`\`\n\n${story}`);

    const all = shown.join("\n");
    expect(shown.every((text) => text.length <= 2_000)).toBe(true);
    expect(all.split("\n").filter((line) => line.startsWith("const w"))).toEqual(lines);
    expect(all.slice(all.indexOf("Sentence 0")).replace(/\s+/g, " ")).toBe(story);
    for (const text of shown) expect((text.match(/```/g) ?? []).length % 2).toBe(0);
  });

  it("case 28: a reply that Discord will not have is a line that names the mend, and is not lost", async () => {
    const { discord, logs, log } = await startDiscordRooms({ personas: [scripted("alpha", "Some words.")] });
    discord.faults.add({ method: "execute_webhook", times: 99, fault: { kind: "error", code: 200_000, status: 400 } });
    discord.person("ann").say("general", "@alpha please");
    await discord.recorder.until(() => logs.lines.some(({ message }) => message === "a post was given up"));

    const given = logs.lines.filter(({ message }) => message === "a post was given up");
    expect(given).toEqual([
      expect.objectContaining({ fields: expect.objectContaining({ reason: expect.stringContaining("AutoMod") }) }),
    ]);
    expect((await log("general")).map(({ entry }) => entry.text)).toContain("Some words.");
  });

  it("case 29: the button of a long notice stands under its last message", async () => {
    const reason = "its model did not answer, which is told at some length. ".repeat(60).trim();
    const broken = scripted("broken", { steps: [{ fail: reason }] });
    const { discord, shows } = await startDiscordRooms({ personas: [broken] });
    discord.person("ann").say("general", "@broken please");
    await shows("general", "Retry");

    const notices = discord.seen("general").filter(({ isApp }) => isApp);
    expect(notices.length).toBeGreaterThan(1);
    expect(notices.map(({ buttons }) => buttons.length > 0)).toEqual(notices.map((_, i) => i === notices.length - 1));
  });

  it("case 30: bold beside East Asian text, links, headings and tables are rendered, and code stays as it is", async () => {
    const shown = await replied(RICH_TEXT);

    expect(shown).toHaveLength(1);
    const [text = ""] = shown;
    // Discord itself shows headings, links and bold beside letters of any script.
    expect(text).toContain("# Title");
    expect(text).toContain("**重要**です");
    expect(text).toContain("[t](https://u.example/x)");
    expect(text).toMatch(/```\na +\| b *\n[\s\S]*1 +\| 2 *\n```/);
    expect(text).toContain("`a ** b`");
    expect(text).toContain("```\n**raw** [x](y)\n```");
  });
});
