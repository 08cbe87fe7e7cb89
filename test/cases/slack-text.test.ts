import { describe, expect, it } from "vitest";
import { scripted } from "../support/rooms.js";
import { startSlackRooms } from "../support/slack-rooms.js";
import { longStory, RICH_TEXT } from "./texts.js";

/** What stands in the thread of the first message, and what was sent for it. */
async function replied(text: string) {
  const { slack, shows } = await startSlackRooms({ personas: [scripted("alpha", text)] });
  slack.person("ann").say("general", "@alpha please");
  await shows("general", text.slice(-3));
  const shown = (slack.seen("general")[0]?.replies ?? []).map((reply) => reply.text);
  return { shown, sent: slack.recorder.of("chat.postMessage").map(({ args }) => JSON.stringify(args)) };
}

describe("a persona's words in Slack", () => {
  it("case 27: a reply of 12,000 characters is all there, in order, with its END", async () => {
    const text = longStory(12_000);
    const { shown } = await replied(text);

    expect(text.length).toBeGreaterThan(12_000);
    expect(shown.join(" ").replace(/\s+/g, " ")).toBe(text);
  });

  it("case 30: bold beside East Asian text, links, headings and tables are rendered, and code stays as it is", async () => {
    const { shown, sent } = await replied(RICH_TEXT);

    const text = shown.join("\n");
    expect(text).not.toMatch(/\*\*重要\*\*|\]\(https/);
    expect(text).toContain("重要");
    expect(text).toContain("Title");
    expect(text).not.toContain("# Title");
    expect(text).toContain("a ** b");
    expect(text).toContain("**raw** [x](y)");
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain("https://u.example/x");
  });
});
